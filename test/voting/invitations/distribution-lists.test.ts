import { describe, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { page, send } from '#test/support/factories.ts';

const LISTS = '/admin/distribution-lists';
const UNKNOWN = '0192f0c1-0000-7000-8000-000000000000';

async function addList(house: TestApp, name: string, emails: string[] = []): Promise<string> {
  const { id } = (await house.post(LISTS, { name })).json();
  if (emails.length > 0) await addTo(house, id, emails);
  return id;
}

const addTo = (house: TestApp, id: string, emails: unknown) =>
  house.post(`${LISTS}/${id}/emails`, { emails });
const listOf = async (house: TestApp, id: string) =>
  (await house.get(`${LISTS}/${id}`)).json().distribution_list;
const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `m${from + n}@club.example`);

test('a list is made, read, changed and deleted, and each of these is audited', async () => {
  await using house = await testApp();

  const made = await house.post(LISTS, { name: ' Full members ', description: 'Since 1987' });
  const { id } = made.json();
  await addTo(house, id, ['bob@club.example', 'ann@club.example']);
  const changed = await send(house, 'PUT', `${LISTS}/${id}`, { description: '' });
  const all = (await house.get(LISTS)).json();
  const deleted = await send(house, 'DELETE', `${LISTS}/${id}`);

  expect([made.statusCode, made.json()]).toEqual([
    200,
    { id: expect.any(String), message: expect.any(String) },
  ]);
  expect(changed.json()).toMatchObject({ success: true, id, name: 'Full members', description: null });
  const emails = ['ann@club.example', 'bob@club.example'].map((email) => ({ id: expect.any(String), email }));
  const list = { id, name: 'Full members', description: null, count: 2, emails };
  expect(Object.values(all)).toEqual([[list]]);
  expect(deleted.json()).toEqual({ success: true });
  expect((await house.get(`${LISTS}/${id}`)).statusCode).toBe(404);
  expect(house.ctx.db.all(build.selectFrom('distribution_list_emails').selectAll())).toEqual([]);
  const { logs } = (await house.get('/admin/audit-logs')).json();
  expect(logs.map(({ action }: { action: string }) => action).reverse()).toEqual([
    'list.created',
    'list.changed',
    'list.changed',
    'list.deleted',
  ]);
  expect(JSON.stringify(logs)).not.toContain('ann@club.example');
});

test('lists come by name, as a page for browsers and as JSON for scripts', async () => {
  await using house = await testApp();
  const id = await addList(house, 'Zither players');
  await addList(house, 'Committee', ['ann@club.example']);

  const json = await house.get(LISTS);
  const html = await page(house, LISTS);
  const one = await page(house, `${LISTS}/${id}`);

  expect(Object.values(json.json()).flat()).toMatchObject([
    { name: 'Committee', count: 1, description: null },
    { name: 'Zither players', count: 0, emails: [] },
  ]);
  for (const answer of [json, html]) expect(answer.headers.vary).toContain('Accept');
  for (const answer of [html, one]) expect(answer.headers['content-type']).toContain('text/html');
  expect(html.body).toMatch(/Committee.*Zither players/s);
  expect((await page(house, `${LISTS}/${UNKNOWN}`)).statusCode).toBe(404);
});

describe('addresses', () => {
  test('are added once each, however they are written, and the answer counts them', async () => {
    await using house = await testApp();
    const id = await addList(house, 'Members', ['ann@club.example']);

    const answer = await addTo(house, id, [
      ' ANN@club.example',
      'bob@club.example',
      'Bob <bob@Club.example>',
      'x',
      '',
    ]);

    expect([answer.statusCode, answer.json()]).toEqual([200, { added: 1, skipped: 2, invalid: ['x', ''] }]);
    expect((await listOf(house, id)).emails.map(({ email }: { email: string }) => email)).toEqual([
      'ann@club.example',
      'bob@club.example',
    ]);
    expect((await addTo(house, id, ['ann@club.example'])).json()).toEqual({
      added: 0,
      skipped: 1,
      invalid: [],
    });
  });

  test('are removed by their id, from their own list only', async () => {
    await using house = await testApp();
    const one = await addList(house, 'One', people(2));
    const other = await addList(house, 'Other', people(1));
    const [{ id: first }] = (await listOf(house, one)).emails;

    const wrong = await send(house, 'DELETE', `${LISTS}/${other}/emails/${first}`);
    const right = await send(house, 'DELETE', `${LISTS}/${one}/emails/${first}`);
    const again = await send(house, 'DELETE', `${LISTS}/${one}/emails/${first}`);

    expect([wrong.statusCode, right.statusCode, again.statusCode]).toEqual([404, 200, 404]);
    expect(right.json()).toEqual({ success: true });
    expect([(await listOf(house, one)).count, (await listOf(house, other)).count]).toEqual([1, 1]);
  });

  test('are at most 10,000 on a list; what would go beyond is refused as a whole', async () => {
    await using house = await testApp();
    const id = await addList(house, 'Everyone', people(9_999));

    const over = await addTo(house, id, people(2, 9_999));
    const full = await addTo(house, id, people(1, 9_999));
    const known = await addTo(house, id, people(3));
    const tooMany = await addTo(house, await addList(house, 'Too many'), people(10_001));

    expect([over, full, known, tooMany].map(({ statusCode }) => statusCode)).toEqual([400, 200, 200, 400]);
    expect(over.json().error).toContain('10,000');
    expect((await listOf(house, id)).count).toBe(10_000);
  });

  test('added at the same time by two officers are there once', async () => {
    await using house = await testApp();
    const id = await addList(house, 'Members');
    const answers = await Promise.all([addTo(house, id, people(50)), addTo(house, id, people(50))]);
    expect(answers.map((answer) => answer.json().added).toSorted()).toEqual([0, 50]);
    expect((await listOf(house, id)).count).toBe(50);
  });
});

test.each([
  ['POST', '', {}, 400],
  ['POST', '', { name: '  ' }, 400],
  ['POST', '', { name: 'x'.repeat(201) }, 400],
  ['POST', '', { name: 'Fresh', description: 'x'.repeat(1_001) }, 400],
  ['POST', '', { name: 'MEMBERS' }, 400],
  ['PUT', '/:id', { name: '' }, 400],
  ['PUT', '/:id', { name: 'committee' }, 400],
  ['PUT', '/:id', { name: 'Members' }, 200],
  ['PUT', '/:id', {}, 200],
  ['PUT', `/${UNKNOWN}`, { name: 'Other' }, 404],
  ['DELETE', `/${UNKNOWN}`, undefined, 404],
  ['DELETE', '/malformed', undefined, 404],
  ['POST', '/:id/emails', {}, 400],
  ['POST', '/:id/emails', { emails: [] }, 400],
  ['POST', '/:id/emails', { emails: [7] }, 400],
  ['POST', `/${UNKNOWN}/emails`, { emails: ['a@club.example'] }, 404],
  ['DELETE', `/:id/emails/${UNKNOWN}`, undefined, 404],
  ['DELETE', '/:id/emails/malformed', undefined, 404],
] as const)('%s %s with %j is %i', async (method, path, payload, status) => {
  await using house = await testApp();
  const id = await addList(house, 'Members', ['ann@club.example']);
  await addList(house, 'Committee');

  const answer = await house.request({
    method,
    url: LISTS + path.replace(':id', id),
    ...(payload && { payload }),
    headers: { accept: 'application/json' },
  });

  expect(answer.statusCode, answer.body).toBe(status);
  if (status >= 400) expect(answer.json().error).toEqual(expect.any(String));
  expect(await listOf(house, id)).toMatchObject({ name: 'Members', count: 1 });
});
