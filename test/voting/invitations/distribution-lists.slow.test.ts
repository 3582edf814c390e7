import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';

const LISTS = '/admin/distribution-lists';
const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `m${from + n}@club.example`);

test('a list has at most 10,000 addresses; a request that exceeds this is refused completely', async () => {
  await using service = await testApp();
  const addList = async (name: string): Promise<string> => (await service.post(LISTS, { name })).json().id;
  const add = (id: string, emails: string[]) => service.post(`${LISTS}/${id}/emails`, { emails });
  const id = await addList('Everyone');
  await add(id, people(9_999));

  const over = await add(id, people(2, 9_999));
  const full = await add(id, people(1, 9_999));
  const known = await add(id, people(3));
  const tooMany = await add(await addList('Too many'), people(10_001));

  expect([over, full, known, tooMany].map(({ statusCode }) => statusCode)).toEqual([400, 200, 200, 400]);
  expect(over.json().error).toContain('10,000');
  expect((await service.get(`${LISTS}/${id}`)).json().distribution_list.count).toBe(10_000);
});
