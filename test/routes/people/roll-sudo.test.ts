import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';

const SAM = 'sam@club.example';
const JSON_ONLY = { accept: 'application/json' };

let mails: MailServer;
let service: TestApp;
let sam: ReturnType<typeof browserOf>;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp({ ...mailTo(mails.url), LOCAL_BYPASS: 'off' });
  await appoint(service, SAM, 'secretary');
  sam = browserOf(service);
  await sam.post('/sign-in', { email: SAM });
  await sam.post('/sign-in/code', { code: (await codeMailTo(mails, SAM, 1)).code });
});
afterEach(() => service[Symbol.asyncDispose]());

it('changing addresses on the roll needs fresh proof, and other changes do not', async () => {
  const added = await sam.post('/admin/people', { name: 'Ann', addresses: 'ann@home.example' });
  const url = added.headers.location?.toString().split('?')[0] ?? '';
  service.clock.now += 11 * MINUTE;
  const other = { name: 'Anna', version: '1', addresses: 'ann@home.example' };
  expect((await sam.post(url, other)).headers.location).toBe(`${url}?done=saved`);
  const change = { name: 'Anna', version: '2', addresses: 'anna@home.example' };
  const asked = await sam.post(url, change);
  expect([asked.statusCode, asked.body.includes(message('identity_unconfirmed'))]).toEqual([403, true]);
  expect(asked.body).toContain('anna@home.example');

  const kept = { ...change, sudo_to: url, sudo_method: 'POST' };
  await sam.post('/me/sudo/code', kept);
  const { code } = await codeMailTo(mails, SAM, 2);
  const goesOn = { ...kept, sudo_code: code };
  expect((await sam.post('/me/sudo', goesOn)).statusCode).toBe(307);
  expect((await sam.post(url, goesOn)).headers.location).toBe(`${url}?done=saved`);
});

it('imports and downloads need fresh proof too, and an import continues with all its fields', async () => {
  const csv = 'Name,Wer\nx,Ann\n';
  const check = await sam.post(
    '/api/admin/people/import',
    { csv, dry_run: 'true', mapping: '{"Name":"","Wer":"name"}' },
    JSON_ONLY,
  );
  expect(check.json().counts.new).toBe(1);
  service.clock.now += 11 * MINUTE;
  for (const [url, fields] of [
    ['/api/admin/people/import', { csv, dry_run: 'true' }],
    ['/api/admin/people/import/1/undo', {}],
  ] as const)
    expect((await sam.post(url, fields, JSON_ONLY)).json()).toMatchObject({ sudo: true });
  for (const url of ['/api/admin/people/export.csv', '/api/admin/people/x/export', '/admin/people/import'])
    expect((await sam.get(url)).statusCode).toBe(403);

  const fields = {
    csv,
    dry_run: 'false',
    check: check.json().check,
    'mapping.Name': '',
    'mapping.Wer': 'name',
  };
  const asked = await sam.post('/admin/people/import', fields);
  for (const name of Object.keys(fields)) expect(asked.body).toContain(`name="${name}"`);
  const kept = { ...fields, sudo_to: '/admin/people/import', sudo_method: 'POST' };
  await sam.post('/me/sudo/code', kept);
  const { code } = await codeMailTo(mails, SAM, 2);
  await sam.post('/me/sudo', { ...kept, sudo_code: code });
  const done = await sam.post('/admin/people/import', { ...kept, sudo_code: code });
  expect(done.headers.location).toBe('/admin/people/import?done=applied');
});

it('staff may change their own addresses', async () => {
  const { people } = (await sam.get('/api/admin/people?q=sam')).json();
  const [{ id, version }] = people;
  const own = { name: 'Sam', version: String(version), addresses: `${SAM}\nsam@home.example` };
  expect((await sam.post(`/admin/people/${id}`, own)).statusCode).toBe(303);
});
