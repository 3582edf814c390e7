import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addPseudoLanguage, PSEUDO } from '#test/support/pseudo-language.ts';

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

const subjectsTo = (address: string) =>
  mails.mails.filter(({ recipients }) => recipients.includes(address)).map(({ headers }) => headers.subject);

it('all owners are notified once of a new owner', async () => {
  await give('dora@club.example', 'dj');
  await give('omar@club.example', 'owner', 'dj');
  await expect.poll(() => subjectsTo(OLGA)).toEqual(['A new owner: omar@club.example']);
  expect(mails.mails.find(({ recipients }) => recipients.includes(OLGA))?.text).toContain(
    `${OLGA} made omar@club.example an owner`,
  );
  await give('omar@club.example', 'owner');
  await give('dora@club.example', 'owner');
  await expect.poll(() => subjectsTo(OLGA).length).toBe(2);
  await expect.poll(() => subjectsTo('omar@club.example')).toContain('A new owner: dora@club.example');
});

it('people whose roles were changed are notified, and told where to sign in', async () => {
  await give('dora@club.example', 'dj', 'tender');
  await expect.poll(() => subjectsTo('dora@club.example')).toEqual(['Your role: DJ and Bartender']);
  expect(mails.mails[0]?.text).toContain('https://votes.club.example/me');
  await give('dora@club.example', 'tender', 'dj');
  await give('dora@club.example');
  await expect
    .poll(() => subjectsTo('dora@club.example'))
    .toEqual(['Your role: DJ and Bartender', 'You have no role any more']);
});

it('a role is granted even if no mail can be sent, and the log says which mail', async () => {
  await using other = await testApp({ ...mailTo('smtp://127.0.0.1:9'), LOCAL_BYPASS: 'on' }, { delays: [] });
  const owner = await appoint(other, OLGA, 'owner');
  const given = await other.request({
    method: 'PUT',
    url: '/api/admin/roles',
    payload: { email: 'omar@club.example', roles: ['owner'] },
    headers: { accept: 'application/json', ...owner },
  });
  expect(given.statusCode).toBe(200);
  await expect.poll(() => other.logged.join()).toContain('"mail":"owner-notice-');
});

it('people with a role are notified when another person gets their address too, and keep the role', async () => {
  await appoint(service, 'dora@club.example', 'dj');
  const send = async (method: 'POST' | 'PATCH', url: string, payload: object) =>
    (
      await service.request({
        method,
        url: `/api/admin/people${url}`,
        payload,
        headers: { accept: 'application/json', ...olga },
      })
    ).json();
  const ann = await send('POST', '', { name: 'Ann', addresses: [{ email: 'ann@club.example' }] });
  const shared = [{ email: 'ann@club.example' }, { email: 'dora@club.example' }];
  const changed = await send('PATCH', `/${ann.id}`, { version: ann.version, addresses: shared });
  await expect.poll(sent).toEqual(['dora@club.example']);
  expect(mails.mails[0]?.text).toContain('somebody else on the roll');

  // There is no notice about addresses shared before, and none to members without a role.
  await send('PATCH', `/${ann.id}`, { version: changed.version, name: 'Ann Doe' });
  await send('POST', '', { name: 'Bob', addresses: [{ email: 'ann@club.example' }] });
  const decisions = { 2: 'new' };
  const csv = 'Number,Name,E-mail\n9,Eve,olga@club.example\n';
  const { check } = await send('POST', '/import', { csv, dry_run: true, decisions });
  await send('POST', '/import', { csv, dry_run: false, check, decisions });
  await expect.poll(sent).toEqual(['dora@club.example', OLGA]);
  const roles = (await service.get('/api/admin/roles', olga)).json().assignments;
  expect(roles).toContainEqual({ email: 'dora@club.example', roles: ['dj'] });
});

it('all owners are notified when mail or sign-in goes another way, but not of the first mail server', async () => {
  const server = (port: number) => ({
    host: '127.0.0.1',
    port,
    encryption: 'none',
    from_email: 'v@club.example',
  });
  await using other = await testApp({ BASE_URL: 'https://votes.club.example', LOCAL_BYPASS: 'off' });
  const owner = await appoint(other, OLGA, 'owner');
  await appoint(other, 'omar@club.example', 'owner');
  const put = (payload: object) =>
    other.request({
      method: 'PUT',
      url: '/api/admin/settings',
      payload,
      headers: { accept: 'application/json', ...owner },
    });
  expect((await put({ mail: server(mails.port) })).statusCode).toBe(200);
  const oidc = { issuer: 'https://id.club.example', client_id: 'club', client_secret: 'a secret' };
  await put({ oidc });
  expect(sent()).toEqual([OLGA, 'omar@club.example']);
  await put({ oidc: { name: 'The Club Account' } });
  expect(subjectsTo('omar@club.example')).toEqual(Array(2).fill('Another provider signs people in'));
  expect(mails.mails[0]?.text).toContain(`${OLGA} changed the OpenID provider`);
  expect(mails.mails[0]?.text).toContain('https://id.club.example');

  // The mails go through the server that was set before: the new one may be a thief's.
  const later = await startMailServer();
  await put({ mail: { ...server(later.port), host: 'localhost' } });
  expect(later.mails).toEqual([]);
  expect(
    mails.mails.filter(({ headers }) => headers.subject === 'Mail goes through another server'),
  ).toHaveLength(2);
});

it('a mail is written in the language of whoever gets it', async () => {
  onTestFinished(addPseudoLanguage());
  await appoint(service, 'dora@club.example');
  const chosen = build.updateTable('persons').set({ language: PSEUDO });
  await service.ctx.write((tx) => tx.run(chosen.where('name', 'like', 'dora%')));
  await give('dora@club.example', 'tender');
  await give('dave@club.example', 'tender');
  await expect.poll(() => sent()).toEqual(['dave@club.example', 'dora@club.example']);

  const to = (name: string) =>
    mails.mails.find(({ recipients }) => recipients.includes(`${name}@club.example`))!;
  expect(to('dave').html).toContain('<html lang="en">');
  expect(to('dora').html).toContain(`<html lang="${PSEUDO}">`);
  const english = [t('mail.roles.advice'), t('mail.sign_in.button'), t('people.role.tender')];
  for (const words of english) {
    expect(to('dave').text).toContain(words.for(ENGLISH));
    expect(to('dora').text).not.toContain(words.for(ENGLISH));
    expect(to('dora').text).toContain(words.for({ language: PSEUDO, locale: 'en-US' }));
  }
  // Nothing of it is kept with the mail.
  expect(JSON.stringify(service.ctx.db.all(build.selectFrom('outbox').selectAll()))).not.toContain(PSEUDO);
});
