import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { ownAuthority } from '#test/stand-ins/certificates.ts';
import { type MailServer, startMailServer, startSilentServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { tempFolder } from '#test/support/process/process.ts';

const OLGA = 'olga@club.example';
const PASSWORD = 'correct horse battery';

let service: TestApp;
let owner: Record<string, string>;

const start = async (env: Record<string, string> = {}) => {
  service = await testApp({ BASE_URL: BASE, ...env }, { connect: 1_000, greeting: 1_000, silence: 2_000 });
  owner = await appoint(service, OLGA, 'owner');
};
const restart = async (env: Record<string, string>) => {
  await service[Symbol.asyncDispose]();
  await start(env);
};
beforeEach(() => start());
afterEach(() => service[Symbol.asyncDispose]());

const send = async (method: 'PUT' | 'POST', url: string, payload: object) => {
  const answer = await service.request({
    method,
    url,
    payload,
    headers: { ...owner, accept: 'application/json' },
  });
  return { status: answer.statusCode, ...answer.json() };
};
const put = (mail: Record<string, unknown> | null) => send('PUT', '/api/admin/settings', { mail });
const test = (body: object = {}) => send('POST', '/api/admin/settings/mail/test', body);
const read = async () => (await service.get('/api/admin/settings', owner)).json();
const page = async () => (await service.get('/admin/settings/mail', { ...owner, accept: 'text/html' })).body;

/** Settings for a server on this machine, without encryption and login. */
const at = ({ port }: { port: number }, more: object = {}) => ({
  host: '127.0.0.1',
  port,
  encryption: 'none',
  from_email: 'post@club.example',
  ...more,
});

it('mail works from the moment it is set, without a restart, and the password is never shown', async () => {
  expect(await test()).toMatchObject({ ok: false, message: 'Enter the mail server first.' });
  const first = await startMailServer({ password: PASSWORD });
  const relay = await startMailServer();

  const login = { user: 'club', password: PASSWORD, from_name: 'The Anchor' };
  expect(await put(at(first, login))).toMatchObject({ status: 200 });
  expect(await test()).toEqual({ status: 200, ok: true, message: expect.any(String) });
  expect(first.logins).toEqual([{ user: 'club', pass: PASSWORD }]);
  expect(first.mails.map(({ headers, recipients }) => [headers.from, recipients])).toEqual([
    ['The Anchor <post@club.example>', [OLGA]],
  ]);
  const { settings, overruled } = await read();
  expect(settings.mail).toMatchObject({
    host: '127.0.0.1',
    port: first.port,
    user: 'club',
    password_set: true,
  });
  expect(overruled).not.toContain('mail.host');

  await put({ port: relay.port, user: null, password: null });
  expect(await test({ to: 'paul@club.example' })).toMatchObject({ ok: true });
  const subjects = first.mails.map(({ headers }) => headers.subject);
  expect(subjects.slice(1)).toEqual(['Mail goes through another server']);
  expect(relay.mails.flatMap(({ recipients }) => recipients)).toEqual(['paul@club.example']);
  expect((await read()).settings.mail).toMatchObject({ user: null, password_set: false });

  await put({ password: PASSWORD });
  const rows = service.ctx.db.all(build.selectFrom('settings').selectAll());
  for (const text of [
    JSON.stringify(rows),
    service.logged.join(),
    await page(),
    JSON.stringify(await read()),
  ])
    expect(text).not.toContain(PASSWORD);
});

it('a stored password goes to no other server than the one that it was entered for', async () => {
  const [own, other] = [await startMailServer({ password: PASSWORD }), await startMailServer()];
  await put(at(own, { user: 'club', password: PASSWORD }));

  await put({ host: 'localhost', port: other.port });

  expect((await read()).settings.mail).toMatchObject({
    host: 'localhost',
    user: 'club',
    password_set: false,
  });
  await test();
  expect(other.logins).toEqual([]);
  await put({ host: '127.0.0.1', port: own.port, password: PASSWORD });
  expect(await test()).toMatchObject({ ok: true });
});

it('the same password can be entered again for another server, by the form', async () => {
  const own = await startMailServer({ password: PASSWORD });
  await put(at(own, { host: 'localhost', user: 'club', password: PASSWORD }));

  const fields = { 'mail.host': '127.0.0.1', 'mail.user': 'club', 'mail.password': PASSWORD };
  const saved = await service.submit('/admin/settings', fields, owner);

  expect(saved.statusCode).toBe(303);
  expect((await read()).settings.mail).toMatchObject({ host: '127.0.0.1', password_set: true });
  expect(await test()).toMatchObject({ ok: true });
});

describe('the test of mail says in words', () => {
  const authority = ownAuthority();
  const certificate = authority.issue({ dns: 'localhost', ip: '127.0.0.1' });
  const forOther = authority.issue({ dns: 'mail.club.example' });
  const starttls = (one = certificate, more = {}) =>
    startMailServer({ tls: { ...one, how: 'starttls' }, ...more });
  const fromStart = () => startMailServer({ tls: { ...certificate, how: 'tls' } });
  const refusing = (code: number, text: string) => startMailServer({ answer: () => ({ code, text }) });
  const silent = async () => {
    const { url } = await startSilentServer();
    return { port: Number(new URL(url).port) };
  };
  const login = { user: 'club', password: 'wrong' };
  const { ca } = authority;

  it.each([
    [
      'a wrong password',
      () => startMailServer({ password: PASSWORD }),
      login,
      /user name or the password.*535/s,
    ],
    [
      'a server that wants a login',
      () => refusing(530, '5.5.1 Authentication Required'),
      {},
      /wants a login/,
    ],
    [
      'no such host',
      () => refusing(500, ''),
      { host: 'nowhere.invalid' },
      /no server named nowhere\.invalid/,
    ],
    ['a wrong port', async () => ({ port: 9 }), {}, /Nothing answers at 127\.0\.0\.1, port 9/],
    ['a server that wants STARTTLS', starttls, {}, /wants an encrypted connection/],
    [
      'one that wants it before the login',
      () => starttls(certificate, { password: PASSWORD }),
      login,
      /encrypt|STARTTLS/,
    ],
    [
      'no STARTTLS',
      startMailServer,
      { encryption: 'starttls' },
      /offers no STARTTLS.*nothing is sent unencrypted/,
    ],
    [
      'TLS where there is none',
      startMailServer,
      { encryption: 'tls' },
      /does not speak TLS from the beginning/,
    ],
    ['STARTTLS where TLS is expected', fromStart, { encryption: 'starttls' }, /TLS/],
    ['an unknown authority', starttls, { encryption: 'starttls' }, /authority that is not known here/],
    ['the same with TLS', fromStart, { encryption: 'tls' }, /authority that is not known here/],
    [
      'another name',
      () => starttls(forOther),
      { encryption: 'starttls', ca },
      /for another name than 127\.0\.0\.1/,
    ],
    [
      'relaying denied',
      () => refusing(554, '5.7.1 Relay access denied'),
      {},
      /relaying is denied.*Relay access/s,
    ],
    [
      'a refused sender',
      () => refusing(553, '5.7.1 Sender address rejected: not owned by user'),
      {},
      /this sender/,
    ],
    ['an unknown recipient', () => refusing(550, '5.1.1 User unknown'), {}, /mails to this address/],
    ['greylisting', () => refusing(451, '4.7.1 Greylisted'), {}, /takes the mail later/],
    ['a busy server', () => startMailServer({ busy: true }), {}, /busy/],
    ['a server that says nothing', silent, {}, /did not answer in time/],
  ])('%s', async (_, serve: () => Promise<{ port: number }>, more, words) => {
    const server = await serve();
    await put(at(server, more));

    const answer = await test();

    expect(answer).toEqual({ status: 200, ok: false, message: expect.stringMatching(words) });
    expect(JSON.stringify(answer)).not.toContain('wrong"');
    const { mails = [], logins = [] } = server as Partial<MailServer>;
    expect(mails).toEqual([]);
    if (/STARTTLS|encrypt/.test(words.source)) expect(logins).toEqual([]);
  });

  it.each([
    ['STARTTLS', starttls, 'starttls'],
    ['TLS', fromStart, 'tls'],
  ])('nothing with %s and the certificate of the own authority', async (_, serve, encryption) => {
    const server = await serve();
    await put(at(server, { encryption, ca: `Copied from the server:\r\n${ca.replaceAll('\n', '\r\n')}` }));

    expect(await test()).toMatchObject({ ok: true });
    await put({ ca: certificate.cert });
    expect(await test()).toMatchObject({ ok: true });
    await put({ ca: null });
    expect(await test()).toMatchObject({ ok: false });
  });

  it('that mails go into a folder', async () => {
    await restart({ MAILER_URL: 'file:./data/outbox', NODE_ENV: 'production', SECRET_KEY: 'x'.repeat(40) });

    expect(await test()).toMatchObject({ ok: false, message: expect.stringContaining('folder') });
    expect(await page()).toContain('Mails are written into a folder of the server: ./data/outbox');
  });
});

it('the page has a button for the test, and shows its outcome with the raw answer folded', async () => {
  const server = await startMailServer({ answer: () => ({ code: 554, text: 'Relay access denied' }) });
  const html = { ...owner, accept: 'text/html' };
  expect(await page()).not.toContain('Send a test to me');
  await service.submit(
    '/admin/settings',
    {
      'mail.host': '127.0.0.1',
      'mail.port': String(server.port),
      'mail.from_email': 'post@club.example',
      'mail.encryption': '',
      'mail.user': '',
      'mail.password': '',
      'mail.ca': '',
    },
    html,
  );
  expect(await page()).toContain('Send a test to me');

  const { body, statusCode } = await service.submit('/admin/settings/mail/test', {}, html);

  expect(statusCode).toBe(200);
  expect(body).toContain('relaying is denied');
  expect(body).toMatch(/<details><summary>What the server said<\/summary>.*554.*Relay access denied/s);
});

it('a test mail that is written into a folder is not looked for in a mailbox', async () => {
  const folder = tempFolder();
  await restart(mailTo(`file:${folder}`));

  const { body, statusCode } = await service.submit(
    '/admin/settings/mail/test',
    {},
    { accept: 'text/html', ...owner },
  );

  expect(statusCode).toBe(200);
  expect(fs.readdirSync(folder)).toHaveLength(1);
  expect(body).toContain(`It was written into the folder ${folder}. Nobody gets it.`);
  expect(body).not.toContain('Look whether');
  expect(body).not.toContain('The mail server took the mail');
});

it('mails that wait go out at once when the mail server is mended', async () => {
  const broken = await startMailServer({ password: PASSWORD });
  const good = await startMailServer();
  await put(at(broken, { user: 'club', password: 'wrong' }));
  const facts = { account: 'x', isLinked: true, at: service.clock.now, origin: BASE };
  await service.ctx.write((tx) =>
    putMail(tx, { kind: 'account-notice', email: OLGA, facts }, service.clock.now),
  );
  await sendDueMails(service.ctx);
  expect(service.ctx.db.all(build.selectFrom('outbox').select(['state', 'error']))).toEqual([
    { state: 'WAITING', error: '535 Wrong password' },
  ]);
  await sendDueMails(service.ctx);
  expect(broken.logins).toHaveLength(1);

  await put(at(good, { user: null, password: null }));
  await expect
    .poll(async () => {
      await sendDueMails(service.ctx);
      return good.mails.flatMap(({ recipients }) => recipients);
    })
    .toEqual([OLGA]);
});

it.each([
  ['anna@gmail.com', { host: 'smtp.gmail.com', port: 587, encryption: 'starttls', user: 'anna@gmail.com' }],
  ['anna@posteo.de', { host: 'posteo.de', port: 465, encryption: 'tls', user: 'anna@posteo.de' }],
  ['Anna <anna@GMX.at>', { host: 'mail.gmx.net', port: 587, encryption: 'starttls', user: 'anna@gmx.at' }],
  ['anna@club.example', { host: null, user: null }],
])('the address %s presets %o', async (from_email, mail) => {
  await put({ from_email });
  expect((await read()).settings.mail).toMatchObject(mail);
});

it('another address takes the server of its provider along, but not one that was entered', async () => {
  await put({ from_email: 'anna@gmail.com' });
  await put({ from_email: 'anna@web.de' });
  expect((await read()).settings.mail).toMatchObject({ host: 'smtp.web.de', user: 'anna@web.de' });
  await put({ host: 'smtp-relay.brevo.com', port: null, encryption: null, user: 'a1' });
  await put({ from_email: 'anna@gmail.com' });
  expect((await read()).settings.mail).toMatchObject({
    host: 'smtp-relay.brevo.com',
    port: 587,
    encryption: 'starttls',
    user: 'a1',
  });
});

it.each([
  ['host', 'https://mail.club.example'],
  ['host', 'mail.club.example:587'],
  ['port', 70_000],
  ['port', 'smtp'],
  ['encryption', 'ssl'],
  ['from_email', 'The Anchor'],
  ['from_email', 'a@club.example, b@club.example'],
  ['from_name', 'two\nlines'],
  ['ca', 'not a certificate'],
  ['password', 'x'.repeat(501)],
])('mail.%s cannot be %j, and nothing else is stored', async (name, value) => {
  const answer = await put({ user: 'club', [name]: value });

  expect(answer).toMatchObject({ status: 400, errors: [{ path: `mail.${name}` }] });
  expect((await read()).settings.mail.user).toBeNull();
});

it('the environment overrules the settings of mail, and the page shows it without the password', async () => {
  const server = await startMailServer({ password: PASSWORD });
  const url = server.url.replace('//', `//club:${encodeURIComponent(PASSWORD)}@`);
  await restart({ MAILER_URL: url, FROM_EMAIL: 'The Crown <post@crown.example>' });

  await put(at({ port: 9 }, { user: 'other', password: 'another password', from_name: 'Other' }));

  expect(await test()).toMatchObject({ ok: true });
  expect(server.logins).toEqual([{ user: 'club', pass: PASSWORD }]);
  expect(server.mails[0]!.headers.from).toBe('The Crown <post@crown.example>');
  const { settings, overruled } = await read();
  expect(settings.mail).toEqual({
    host: '127.0.0.1',
    port: server.port,
    encryption: 'none',
    user: 'club',
    password_set: true,
    from_email: 'post@crown.example',
    from_name: 'The Crown',
    ca: null,
  });
  expect(overruled.filter((name: string) => name.startsWith('mail.')).toSorted()).toEqual(
    ['from_email', 'from_name', 'host', 'port', 'encryption', 'user', 'password']
      .map((name) => `mail.${name}`)
      .toSorted(),
  );
  const body = await page();
  expect(body).toContain('Set by the server’s administrator: MAILER_URL.');
  expect(body).not.toContain(PASSWORD);
  expect(body).not.toContain(encodeURIComponent(PASSWORD));
});

it('a test needs an address, and the permission to change settings', async () => {
  const patron = await appoint(service, 'paul@club.example', 'content_editor').catch(() => ({}));
  const refused = await service.request({
    method: 'POST',
    url: '/api/admin/settings/mail/test',
    payload: {},
    headers: { ...patron, accept: 'application/json' },
  });
  expect([401, 403]).toContain(refused.statusCode);
  const { statusCode, body } = await service.post(
    '/api/admin/settings/mail/test',
    { to: 'no address' },
    owner,
  );
  expect([statusCode, JSON.parse(body).errors[0].path]).toEqual([400, 'to']);
});
