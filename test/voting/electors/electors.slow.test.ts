import { expect, it } from 'vitest';
import { openElectorate } from './electorate.ts';

it('2,000 members are invited in one request, in batches', async () => {
  await using club = await openElectorate();
  const rows = Array.from({ length: 2_000 }, (_, n) => `Member ${n},member${n}@club.example,full,2020-01-01`);
  const csv = ['name,email,kind,first_day', ...rows].join('\n');
  const { body: checked } = await club.call('POST', 'people/import', { csv, dry_run: true });
  await club.call('POST', 'people/import', { csv, dry_run: false, check: checked.check });
  const id = await club.election();

  const answer = await club.invite(id, { roll: { kinds: ['full'] }, queue: true });

  expect(answer.json().summary).toEqual({ total: 2_000, sent: 0, failed: 0, queued: 2_000 });
  expect((await club.service.get(`/admin/elections/${id}`)).json().turnout).toMatchObject({ tokens: 2_000 });
});
