import { describe, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { page, send } from '#test/support/factories.ts';
import { errorJson, expectRefusal } from '#test/support/messages.ts';
import { shared } from '#test/support/shared-app.ts';

const LISTS = '/admin/distribution-lists';
const UNKNOWN = '0192f0c1-0000-7000-8000-000000000000';

async function addList(service: TestApp, name: string, emails: string[] = []): Promise<string> {
  const { id } = (await service.post(LISTS, { name })).json();
  if (emails.length > 0) await addTo(service, id, emails);
  return id;
}

const addTo = (service: TestApp, id: string, emails: unknown) =>
  service.post(`${LISTS}/${id}/emails`, { emails });
const listOf = async (service: TestApp, id: string) =>
  (await service.get(`${LISTS}/${id}`)).json().distribution_list;
const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `m${from + n}@club.example`);

test('a list is created, read, changed and deleted, and each change is audited', async () => {
  await using service = await testApp();

  const made = await service.post(LISTS, { name: ' Full members ', description: 'Since 1987' });
  const { id } = made.json();
  await addTo(service, id, ['bob@club.example', 'ann@club.example']);
  const changed = await send(service, 'PUT', `${LISTS}/${id}`, { description: '' });
  const all = (await service.get(LISTS)).json();
  const deleted = await send(service, 'DELETE', `${LISTS}/${id}`);

  expect([made.statusCode, made.json()]).toEqual([
    200,
    { id: expect.any(String), message: expect.any(String) },
  ]);
  expect(changed.json()).toMatchObject({ success: true, id, name: 'Full members', description: null });
  const emails = ['ann@club.example', 'bob@club.example'].map((email) => ({ id: expect.any(String), email }));
  const list = { id, name: 'Full members', description: null, count: 2, emails };
  expect(Object.values(all)).toEqual([[list]]);
  expect(deleted.json()).toEqual({ success: true });
  expectRefusal(await service.get(`${LISTS}/${id}`), 404, 'list_not_found');
  expect(service.ctx.db.all(build.selectFrom('distribution_list_emails').selectAll())).toEqual([]);
  const { logs } = (await service.get('/admin/audit-logs')).json();
  expect(logs.map(({ action }: { action: string }) => action).reverse()).toEqual([
    'list.created',
    'list.changed',
    'list.changed',
    'list.deleted',
  ]);
  expect(JSON.stringify(logs)).not.toContain('ann@club.example');
});

test('lists are ordered by name, as a page for browsers and as JSON for scripts', async () => {
  await using service = await testApp();
  const id = await addList(service, 'Zither players');
  await addList(service, 'Committee', ['ann@club.example']);

  const json = await service.get(LISTS);
  const html = await page(service, LISTS);
  const one = await page(service, `${LISTS}/${id}`);

  expect(Object.values(json.json()).flat()).toMatchObject([
    { name: 'Committee', count: 1, description: null },
    { name: 'Zither players', count: 0, emails: [] },
  ]);
  for (const answer of [json, html]) expect(answer.headers.vary).toContain('Accept');
  for (const answer of [html, one]) expect(answer.headers['content-type']).toContain('text/html');
  expect(html.body).toMatch(/Committee.*Zither players/s);
  expect((await page(service, `${LISTS}/${UNKNOWN}`)).statusCode).toBe(404);
});

test.each([
  ['curl and most libraries', '*/*', 'application/json'],
  ['no Accept at all', undefined, 'application/json'],
  ['a list of types without HTML', 'text/plain, */*;q=0.5', 'application/json'],
  ['JSON and HTML', 'application/json, text/html', 'application/json'],
  ['a browser', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
])('one list and its 404 are JSON unless HTML is asked for: %s', async (_, accept, type) => {
  await using service = await testApp();
  const id = await addList(service, 'Members', ['ann@club.example']);
  const ask = (list: string) =>
    service.request({ method: 'GET', url: `${LISTS}/${list}`, headers: accept ? { accept } : {} });

  const answers = [await ask(id), await ask(UNKNOWN)];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404]);
  for (const { headers } of answers) expect(headers['content-type']).toContain(type);
  if (type === 'application/json') {
    expect(answers[0]!.json()).toMatchObject({ distribution_list: { id, count: 1 } });
    expect(answers[1]!.json()).toEqual(errorJson('list_not_found'));
  }
});

describe('addresses', () => {
  test('are added once each in any spelling, and the response counts them', async () => {
    await using service = await testApp();
    const id = await addList(service, 'Members', ['ann@club.example']);

    const answer = await addTo(service, id, [
      ' ANN@club.example',
      'bob@club.example',
      'Bob <bob@Club.example>',
      'x',
      '',
    ]);

    expect([answer.statusCode, answer.json()]).toEqual([200, { added: 1, skipped: 2, invalid: ['x', ''] }]);
    expect((await listOf(service, id)).emails.map(({ email }: { email: string }) => email)).toEqual([
      'ann@club.example',
      'bob@club.example',
    ]);
    expect((await addTo(service, id, ['ann@club.example'])).json()).toEqual({
      added: 0,
      skipped: 1,
      invalid: [],
    });
  });

  test('are removed by their id, from their own list only', async () => {
    await using service = await testApp();
    const one = await addList(service, 'One', people(2));
    const other = await addList(service, 'Other', people(1));
    const [{ id: first }] = (await listOf(service, one)).emails;

    const wrong = await send(service, 'DELETE', `${LISTS}/${other}/emails/${first}`);
    const right = await send(service, 'DELETE', `${LISTS}/${one}/emails/${first}`);
    const again = await send(service, 'DELETE', `${LISTS}/${one}/emails/${first}`);

    expect([wrong.statusCode, right.statusCode, again.statusCode]).toEqual([404, 200, 404]);
    expect(right.json()).toEqual({ success: true });
    expect([(await listOf(service, one)).count, (await listOf(service, other)).count]).toEqual([1, 1]);
  });

  test('added by two officers at the same time are stored once', async () => {
    await using service = await testApp();
    const id = await addList(service, 'Members');
    const answers = await Promise.all([addTo(service, id, people(50)), addTo(service, id, people(50))]);
    expect(answers.map((answer) => answer.json().added).toSorted()).toEqual([0, 50]);
    expect((await listOf(service, id)).count).toBe(50);
  });
});

const open = shared(async () => {
  const service = await testApp();
  const id = await addList(service, 'Members', ['ann@club.example']);
  await addList(service, 'Committee');
  return Object.assign(service, { id });
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
  const service = await open();
  const { id } = service;

  const answer = await service.request({
    method,
    url: LISTS + path.replace(':id', id),
    ...(payload && { payload }),
    headers: { accept: 'application/json' },
  });

  expect(answer.statusCode, answer.body).toBe(status);
  if (status >= 400) expect(answer.json().error).toEqual(expect.any(String));
  expect(await listOf(service, id)).toMatchObject({ name: 'Members', count: 1 });
});
