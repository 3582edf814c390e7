import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/patrons.ts';

const OLGA = 'olga@club.example';

let mails: MailServer;
let service: TestApp;
let olga: Record<string, string>;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp(mailTo(mails.url));
  olga = await appoint(service, OLGA, 'owner');
});
afterEach(() => service[Symbol.asyncDispose]());

const sent = () => mails.mails.flatMap(({ recipients }) => recipients).sort();
const give = (email: string, ...roles: string[]) =>
  service.request({
    method: 'PUT',
    url: '/api/admin/roles',
    payload: { email, roles },
    headers: { accept: 'application/json', ...olga },
  });

it('all owners are told of a new one, once', async () => {
  await give('dora@club.example', 'dj');
  await give('omar@club.example', 'owner', 'dj');
  await expect.poll(sent).toEqual([OLGA, 'omar@club.example']);
  expect(mails.mails[0]?.text).toContain(`${OLGA} made omar@club.example an owner`);
  await give('omar@club.example', 'owner');
  await give('dora@club.example', 'owner');
  await expect
    .poll(sent)
    .toEqual(['dora@club.example', OLGA, OLGA, 'omar@club.example', 'omar@club.example']);
});

it('a role is given though no mail can be sent', async () => {
  await using other = await testApp({ ...mailTo('smtp://127.0.0.1:9'), LOCAL_BYPASS: 'on' }, { delays: [] });
  const owner = await appoint(other, OLGA, 'owner');
  const given = await other.request({
    method: 'PUT',
    url: '/api/admin/roles',
    payload: { email: 'omar@club.example', roles: ['owner'] },
    headers: { accept: 'application/json', ...owner },
  });
  expect(given.statusCode).toBe(200);
  await expect.poll(() => other.logged.join()).toContain('a notice could not be mailed');
});
