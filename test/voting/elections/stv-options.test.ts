import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { testApp } from '#test/support/app.ts';
import { expectBadField, expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

test('STV refuses options in the place of candidates, and "None of the above", when created and added', async () => {
  await using service = await testApp();
  const olga = await appoint(service, 'olga@club.example', 'owner');
  const create = (fields: object) =>
    service.post(
      '/admin/elections',
      {
        title: 'Board',
        ballot_type: 'RANKED_STV',
        open_at: isoTime(service.clock.now + HOUR),
        close_at: isoTime(service.clock.now + 2 * HOUR),
        settings: { seats: 2 },
        ...fields,
      },
      olga,
    );
  const candidates = ['Ann', 'Bob', 'Cy'];
  const made = await create({ candidates });
  expect(made.statusCode).toBe(200);
  const { id } = made.json();
  expectBadField(await create({ options: candidates }), 'options', 'other_names_of_type', {
    field: 'candidates',
  });
  expectBadField(
    await create({ candidates, none_of_the_above: true }),
    'none_of_the_above',
    'no_none_of_the_above',
  );
  const none = { name: 'None of the above', is_none_of_the_above: true };
  const added = await service.post(`/admin/elections/${id}/candidates`, none, olga);
  expect([added.statusCode, added.json().errors[0].path]).toEqual([400, 'is_none_of_the_above']);
  expectRefusal(
    await service.post(`/admin/elections/${id}/options`, { name: 'Dee' }, olga),
    400,
    'only_polls_have_options',
  );
});
