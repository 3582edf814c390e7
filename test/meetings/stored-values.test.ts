// A form that is saved without a change keeps what is stored.
import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { addElection, page, send } from '#test/support/factories.ts';
import { formAt } from '#test/support/forms.ts';

const SHARES = [
  { at_least: '1/2' },
  { more_than: '1/3' },
  { at_least: '2/3' },
  { at_least: '1/5' },
  'three_quarters',
  'more_than_half',
  null,
];

test.each(SHARES)('the quorum %j of a meeting stays when its form is saved', async (quorum_share) => {
  await using service = await testApp();
  const { id } = (
    await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00', quorum_share })
  ).json();
  const url = `/admin/meetings/${id}`;
  const read = async () => (await service.get(url)).json().meeting;
  const before = await read();
  const { action, fields } = formAt((await page(service, `${url}/details`)).body, `${url}?_method=PATCH`);
  expect((await service.submit(action, fields)).statusCode).toBe(303);
  expect(await read()).toEqual(before);
});

test('the fields of a meeting stay on their page where a form with one of them is refused', async () => {
  await using service = await testApp();
  const { id } = (
    await service.post('/admin/meetings', {
      title: 'AGM',
      held_at: '2026-12-04T19:00',
      quorum_share: { more_than: '2/7' },
      classes: ['Full', 'Youth'],
      members_ask: true,
    })
  ).json();
  const url = `/admin/meetings/${id}`;
  const details = (body: string) => {
    const { once: _, ...fields } = formAt(body, `${url}?_method=PATCH`).fields;
    return fields;
  };
  const shown = (await page(service, `${url}/details`)).body;
  const refused = await service.submit(`${url}?_method=PATCH`, { quorum: '0' });
  expect(refused.statusCode).toBe(400);
  expect(details(refused.body)).toEqual({ ...details(shown), quorum: '0' });
  expect(shown).toContain('>More than 2/7 of the members</option>');
  expect((await service.get(url)).json().meeting.members_ask).toBe(true);
});

test('the base of a majority that meetings alone have stays when the form of its election is saved', async () => {
  await using service = await testApp();
  const { id } = (
    await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' })
  ).json();
  const majority = { share: { at_least: '3/5' }, of: 'present' };
  const item = { kind: 'motion', title: 'New rules', question: { settings: { majority } } };
  const made = await service.post(`/admin/meetings/${id}/items`, item);
  expect([made.statusCode, made.body]).toEqual([200, expect.anything()]);
  const { items } = (await service.get(`/admin/meetings/${id}`)).json();
  const url = `/admin/elections/${items[0].election_id}`;
  const read = async () => (await service.get(url)).json().election.settings;
  const before = await read();
  expect(before.majority).toEqual(majority);
  const form = formAt((await page(service, `${url}/rules`)).body, `${url}/settings?_method=PATCH`);
  expect((await service.submit(form.action, form.fields)).statusCode).toBe(303);
  expect(await read()).toEqual(before);
});

test('texts of changes that are too long are refused with their length', async () => {
  await using service = await testApp();
  const id = await addElection(service);
  const long = await send(service, 'PATCH', `/admin/elections/${id}`, { description: 'x'.repeat(5_001) });
  expect([long.statusCode, long.json().errors]).toMatchObject([
    400,
    [{ path: 'description', message: expect.stringContaining('5,000') }],
  ]);
});
