import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { storeTwoPeople } from '#kernel/db/settings.ts';
import { DEAD_ADDRESS, type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';

let mails: MailServer;
let service: TestApp;
let olga: Record<string, string>;

async function start(env: Record<string, string>) {
  service = await testApp({ LOCAL_BYPASS: 'off', ...env }, { delays: [] });
  const session = await signedIn(service, 'owner');
  olga = { ...session, cookie: `__Host-${session.cookie}`, host: 'votes.club.example' };
}
beforeEach(async () => {
  mails = await startMailServer();
  await start({ BASE_URL: BASE });
});
afterEach(() => service[Symbol.asyncDispose]());

const send = (method: 'PUT' | 'POST', url: string, payload: object, who = olga) =>
  service.request({ method, url, payload, headers: { ...who, accept: 'application/json' } });
const put = (payload: object, who = olga) => send('PUT', '/api/admin/settings', payload, who);
const server = ({ port }: { port: number }, more: object = {}) => ({
  mail: { host: '127.0.0.1', port, encryption: 'none', from_email: 'post@club.example', ...more },
});
const staleProof = () => {
  service.clock.now += 11 * MINUTE;
};
const subjects = ({ mails }: MailServer) => mails.map(({ headers }) => headers.subject);

it.each([
  { mail: { host: 'mail.thief.example' } },
  { mail: { port: 26 } },
  { mail: { encryption: 'none' } },
  { mail: { user: 'thief' } },
  { mail: { password: 'of the thief' } },
  { mail: { from_email: 'thief@club.example' } },
  { oidc: { issuer: 'https://id.thief.example', client_id: 'x', client_secret: 'y' } },
  { oidc: { client_id: 'thief' } },
  { oidc: { trust_email: true } },
  { oidc: { name: 'Not a thief' } },
  { base_url: 'https://thief.example' },
])('%j needs a fresh proof', async (change) => {
  staleProof();
  const refused = await put(change);
  expect([refused.statusCode, refused.json().sudo]).toEqual([403, true]);
  const { settings } = (await service.get('/api/admin/settings', olga)).json();
  expect(JSON.stringify(settings)).not.toMatch(/thief/);
});

it('a mail server is tested with a fresh proof alone: it would tell which ports answer', async () => {
  await put(server(mails));
  expect((await send('POST', '/api/admin/settings/mail/test', { to: 'a@club.example' })).json().ok).toBe(
    true,
  );
  staleProof();
  const refused = await send('POST', '/api/admin/settings/mail/test', { to: 'a@club.example' });
  expect([refused.statusCode, refused.json().sudo]).toEqual([403, true]);
});

it('other settings need no fresh proof, and neither does what stays as it is', async () => {
  await put(server(mails));
  staleProof();
  expect((await put({ short_name: 'RC', ...server(mails) })).statusCode).toBe(200);
});

it('with the rule on the first mail server needs nobody else, and every later change somebody', async () => {
  await appoint(service, 'omar@club.example', 'owner');
  await service.ctx.write((tx) => storeTwoPeople(tx, true, service.clock.now));

  expect((await put(server(mails))).statusCode).toBe(200);
  const asked = await put({ mail: { port: 26, password: 'a secret of the mailer' } });

  expect(asked.statusCode).toBe(202);
  expect(asked.json().approval).toMatchObject({
    act: 'Change the mail server to 127.0.0.1',
    details: [{ label: 'What changes', value: 'Port, Password' }],
  });
  const rows = service.ctx.db.all(build.selectFrom('approvals').selectAll());
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('a secret of the mailer');
  expect((await put({ mail: null })).statusCode).toBe(202);
  expect((await put({ oidc: { trust_email: true } })).statusCode).toBe(202);
});

it('a mail server that was removed is no first one any more', async () => {
  await put(server(mails));
  await put({ mail: { host: null } });
  await appoint(service, 'omar@club.example', 'owner');
  await service.ctx.write((tx) => storeTwoPeople(tx, true, service.clock.now));

  expect((await put(server(mails))).statusCode).toBe(202);
});

it('what cannot be done is refused before a second person is asked', async () => {
  await put(server(mails));
  await appoint(service, 'omar@club.example', 'owner');
  await service.ctx.write((tx) => storeTwoPeople(tx, true, service.clock.now));

  const refused = await put({ mail: { port: 26 }, logo: '00000000000000000000000000000000' });

  expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, 'logo']);
  expect(service.ctx.db.all(build.selectFrom('approvals').selectAll())).toEqual([]);
});

it('the warning goes out by the mail server of before, of a change of the port too', async () => {
  const later = await startMailServer();
  expect((await put(server(mails))).json().warned).toBeUndefined();
  expect(mails.mails).toEqual([]);

  const changed = await put({ mail: { port: later.port } });

  expect(changed.json().warned).toEqual({ mails: 1, failed: [] });
  expect(subjects(mails)).toEqual(['Mail goes through another server']);
  expect(mails.mails[0]?.text).toContain('What changed: Port.');
  expect(later.mails).toEqual([]);
});

it('a warning that does not go out is shown, and stops nothing', async () => {
  await put(server({ port: Number(new URL(DEAD_ADDRESS).port) }));

  const changed = await put({ mail: { port: mails.port } });

  expect(changed.statusCode).toBe(200);
  expect(changed.json().warned).toMatchObject({
    mails: 1,
    failed: [{ email: expect.any(String), error: expect.stringContaining('ECONNREFUSED') }],
  });
  expect(changed.json().settings.mail.port).toBe(mails.port);
});

it.each([
  ['MAILER_API_KEY', { MAILER_API_KEY: 'key-of-the-environment' }],
  ['one beside a stored user', { MAILER_API_KEY: 'key-of-the-environment', FROM_EMAIL: 'a@club.example' }],
])('%s is not sent to a server that was entered in the browser', async (_name, env) => {
  await service[Symbol.asyncDispose]();
  const thief = await startMailServer({ password: 'key-of-the-environment' });
  await start({ BASE_URL: BASE, ...env });
  await put(server(thief, { user: 'thief' }));

  await send('POST', '/api/admin/settings/mail/test', { to: 'a@club.example' });

  expect(thief.logins).toEqual([]);
  expect((await service.get('/api/admin/settings', olga)).json().overruled).not.toContain('mail.password');
});

it('while mail does not work, a recovery code is the proof, and the page says so', async () => {
  await service[Symbol.asyncDispose]();
  await start(mailTo(DEAD_ADDRESS));
  const { codes } = (await send('POST', '/me/recovery-codes', {})).json();
  staleProof();
  await send('POST', '/me/sudo/code', {});
  await expect.poll(() => service.ctx.mailer.outcomes().failed).toBeGreaterThan(0);

  const page = await service.submit('/admin/settings', { 'oidc.name': 'Ours' }, olga);
  expect(page.statusCode).toBe(403);
  expect(page.body).toContain('Mail does not work at the moment');
  expect(page.body).toContain('npm run admin -- sign-in-link');

  const wrong = await send('POST', '/me/sudo', { code: 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA' });
  expect(wrong.statusCode).toBe(401);
  const proved = await send('POST', '/me/sudo', { code: codes[0] });
  expect(proved.statusCode).toBe(200);
  const [cookie] = String(proved.headers['set-cookie']).split(';');
  expect((await put({ oidc: { name: 'Ours' } }, { ...olga, cookie: cookie! })).statusCode).toBe(200);
  staleProof();
  expectRefusal(
    await send('POST', '/me/sudo', { code: codes[0] }, { ...olga, cookie: cookie! }),
    401,
    'code_wrong',
  );
});
