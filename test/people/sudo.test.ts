import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { errorJson, expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';

const OLGA = 'olga@club.example';
const WISH = { email: 'ann@club.example', roles: 'dj' };

let mails: MailServer;
let service: TestApp;
let olga: ReturnType<typeof browserOf>;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp({
    ...mailTo(mails.url),
    LOCAL_BYPASS: 'off',
    PUB_ADMIN_TOKEN: 'a token of the pub',
  });
  await appoint(service, OLGA, 'owner');
  olga = browserOf(service);
  await olga.post('/sign-in', { email: OLGA });
  await olga.post('/sign-in/code', { code: (await codeMailTo(mails, OLGA, 1)).code });
});
afterEach(() => service[Symbol.asyncDispose]());

const assignments = async () =>
  (await service.get('/api/admin/roles', { 'x-admin-token': 'a token of the pub' })).json().assignments;

it('a sign-in counts as fresh proof for ten minutes', async () => {
  service.clock.now += 10 * MINUTE - SECOND;
  expect((await olga.post('/admin/pub/roles', WISH)).headers.location).toBe('/admin/pub/roles?done');
  service.clock.now += SECOND;
  expect((await olga.post('/admin/pub/roles', WISH)).statusCode).toBe(403);
});

it('an interrupted form continues with its fields after a mailed code was entered', async () => {
  service.clock.now += 11 * MINUTE;
  const asked = await olga.post('/admin/pub/roles', WISH);
  expect(asked.statusCode).toBe(403);
  expect(asked.body).toContain(message('identity_unconfirmed'));
  expect(asked.body).toContain('name="email" value="ann@club.example"');
  expect(await assignments()).toHaveLength(1);

  const kept = { ...WISH, sudo_to: '/admin/pub/roles', sudo_method: 'POST' };
  const sent = await olga.post('/me/sudo/code', kept);
  expect(sent.body).toContain('name="roles" value="dj"');
  const { code } = await codeMailTo(mails, OLGA, 2);
  const before = olga.cookies.get('__Host-publichouse');
  const wrong = await olga.post('/me/sudo', { ...kept, sudo_code: 'AAAA-AAAA' });
  expect([wrong.statusCode, wrong.body.includes('name="roles" value="dj"')]).toEqual([401, true]);
  const right = await olga.post('/me/sudo', { ...kept, sudo_code: code });

  // On a 307 a browser repeats the method and the fields.
  expect([right.statusCode, right.headers.location]).toEqual([307, '/admin/pub/roles']);
  expect(olga.cookies.get('__Host-publichouse')).not.toBe(before);
  const done = await olga.post('/admin/pub/roles', { ...kept, sudo_code: code });
  expect(done.headers.location).toBe('/admin/pub/roles?done');
  expect(await assignments()).toContainEqual({ email: 'ann@club.example', roles: ['dj'] });
});

it('the check of late invitations, which sends nothing, asks for no proof; sending them does', async () => {
  const [open_at, close_at] = [0, DAY].map((after) => isoTime(service.clock.now + after));
  const fields = { title: 'The piano', ballot_type: 'SIMPLE_TRIPLE', open_at: open_at!, close_at: close_at! };
  const made = await olga.post('/admin/elections', fields, { accept: 'application/json' });
  const desk = `/admin/elections/${made.json().id}`;
  await olga.post(`${desk}/tokens`, { count: 2 }, { accept: 'application/json' });
  service.clock.now += 11 * MINUTE;

  const late = { emails: 'ann@club.example' };
  const several = { ...late, election_ids: made.json().id };
  for (const [path, status] of [
    [`${desk}/invite/check`, 200],
    ['/admin/bulk-invites/check', 200],
    [`${desk}/invite`, 403],
    ['/admin/bulk-invites', 403],
  ] as const)
    expect([path, (await olga.post(path, path.includes('bulk') ? several : late)).statusCode]).toEqual([
      path,
      status,
    ]);
});

it('sudo works in JSON too, and accepts a code only once and only in this session', async () => {
  service.clock.now += 11 * MINUTE;
  const json = { accept: 'application/json' };
  const refused = await olga.post('/admin/pub/roles', WISH, json);
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    { ...errorJson('identity_unconfirmed'), sudo: true },
  ]);

  expect((await olga.post('/me/sudo/code', {}, json)).json()).toEqual({ ok: true });
  const { code, link } = await codeMailTo(mails, OLGA, 2);
  expect((await browserOf(service).post('/sign-in/code', { code })).statusCode).toBe(401);
  expect(link).toBe('');
  expect((await olga.post('/me/sudo', { code }, json)).json()).toEqual({ ok: true });
  expectRefusal(await olga.post('/me/sudo', { code }, json), 401, 'code_wrong');
});

it('sudo redirects only to local addresses', async () => {
  const sent = await olga.post('/me/sudo/code', { sudo_to: 'https://evil.example/', sudo_method: 'POST' });
  expect(sent.body).toContain('name="sudo_to" value="/me"');
});

it.each([
  ['closing early', (id: string) => [`/admin/elections/${id}/close`, {}]],
  ['deleting', (id: string) => [`/admin/elections/${id}?_method=DELETE`, { confirm: 'x' }]],
  ['certified results', (id: string) => [`/admin/elections/${id}/manual-results?_method=DELETE`, {}]],
] as [string, (id: string) => [string, object]][])('%s of an election needs sudo', async (_, act) => {
  service.clock.now += 11 * MINUTE;
  const [url, fields] = act('01900000-0000-7000-8000-000000000000');
  const answer = await olga.post(url, fields);
  expect([answer.statusCode, answer.body.includes(message('identity_unconfirmed'))]).toEqual([403, true]);
});

it('requests with a key need no sudo', async () => {
  service.clock.now += 60 * MINUTE;
  const given = await service.request({
    method: 'PUT',
    url: '/api/admin/roles',
    payload: { email: 'ann@club.example', roles: ['dj'] },
    headers: { 'x-admin-token': 'a token of the pub' },
  });
  expect(given.statusCode).toBe(200);
});
