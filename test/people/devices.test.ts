import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { recorded } from '#test/support/audit.ts';
import { message, refusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession, browserOf } from '#test/support/people/people.ts';

const JSON_ONLY = { accept: 'application/json' };

let mails: MailServer;
let service: TestApp;
let ann: string;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp({ ...mailTo(mails.url), LOCAL_BYPASS: 'off' });
  ann = newId(service.clock.now);
  // She has no address on the roll.
  await service.ctx.write((tx) =>
    tx.run(
      build.insertInto('persons').values({
        id: ann,
        name: 'Ann Doe',
        sort_name: 'ann doe',
        webauthn_id: Buffer.alloc(32),
        created_at: 1,
        called: null,
        number: null,
        note: null,
        erased_at: null,
      }),
    ),
  );
});
afterEach(() => service[Symbol.asyncDispose]());

/** Returns a browser in which a person is signed in. */
async function browserWith(personId: string) {
  const browser = browserOf(service);
  browser.cookies.set('__Host-publichouse', await addSession(service, personId, { stay: false }));
  return browser;
}

async function staff(email: string, ...roles: string[]) {
  await appoint(service, email, ...roles);
  const id = listPeopleOf(service.ctx.db, email)[0]?.id ?? '';
  return { id, browser: await browserWith(id) };
}

const actions = () => recorded(service.ctx).map(({ action, metadata }) => ({ action, ...metadata }));

it('a secretary sees the sessions of a member, and ends one or all', async () => {
  const sam = await staff('sam@club.example', 'secretary');
  const [phone, laptop] = [await browserWith(ann), await browserWith(ann)];
  const page = await sam.browser.get(`/admin/people/${ann}`);
  expect(page.body).toContain(`href="/admin/people/${ann}/devices"`);
  expect((await sam.browser.get(`/admin/people/${ann}/devices`)).body).toContain('Firefox, Linux');
  const { devices } = (await sam.browser.get(`/api/admin/people/${ann}/devices`, JSON_ONLY)).json();
  expect(devices).toHaveLength(2);

  const ended = await sam.browser.post(`/admin/people/${ann}/devices/${devices[0].id}?_method=DELETE`);
  expect(ended.headers.location).toBe(`/admin/people/${ann}/devices?done=ended`);
  expect([await phone.isSignedIn(), await laptop.isSignedIn()].sort()).toEqual([false, true]);
  const unknown = await sam.browser.post(`/admin/people/${ann}/devices/${devices[0].id}?_method=DELETE`);
  expect(unknown.statusCode).toBe(404);
  await sam.browser.post(`/admin/people/${ann}/devices/end-all`);
  expect([await phone.isSignedIn(), await laptop.isSignedIn()]).toEqual([false, false]);
  expect(await sam.browser.isSignedIn()).toBe(true);
  expect(actions()).toEqual(
    Array(2).fill({ action: 'session.ended', person: ann, ended: 1, by: `person:${sam.id}` }),
  );
});

it('a link signs in somebody without an address, once and for a quarter of an hour', async () => {
  const sam = await staff('sam@club.example', 'secretary');
  const made = await sam.browser.post(`/api/admin/people/${ann}/sign-in-link`, {}, JSON_ONLY);
  const { pathname, search } = new URL(made.json().link);
  const browser = browserOf(service);
  const page = await browser.open(pathname + search);
  expect(page.body).toContain('Sign in as Ann Doe');
  expect(await browser.isSignedIn()).toBe(false);
  const t = new URLSearchParams(search).get('t') ?? '';
  expect((await browser.post('/sign-in/link', { t })).headers.location).toBe('/me');
  expect((await browser.get('/me')).body).toContain('Ann Doe');
  expect((await browserOf(service).post('/sign-in/link', { t })).statusCode).toBe(401);

  // The session counts as one with a new credential, and gives no sudo.
  const session = build.selectFrom('sessions').selectAll().where('person_id', '=', ann);
  const { now } = service.clock;
  expect(service.ctx.db.first(session)).toMatchObject({
    method: 'officer',
    credential_at: now,
    sudo_until: now,
  });
  expect(actions()[0]).toEqual({ action: 'sign_in.link_made', person: ann, by: `person:${sam.id}` });

  const later = (await sam.browser.post(`/admin/people/${ann}/sign-in-link`)).body;
  const [, other = ''] = /\/sign-in\/link\?t=([\w-]{43})/.exec(later) ?? [];
  service.clock.now += 15 * MINUTE;
  expect((await browserOf(service).post('/sign-in/link', { t: other })).statusCode).toBe(401);
});

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:12:3456::9', '2001:db8:12::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['2001::1', '2001:0:0::/48'],
])('the network of a session from %s is shown as %s', async (client, network) => {
  const sam = await staff('sam@club.example', 'secretary');
  const made = await sam.browser.post(`/api/admin/people/${ann}/sign-in-link`, {}, JSON_ONLY);
  const t = new URL(made.json().link).searchParams.get('t') ?? '';
  await browserOf(service).post('/sign-in/link', { t }, { 'edge-connecting-ip': client });
  const { devices } = (await sam.browser.get(`/api/admin/people/${ann}/devices`, JSON_ONLY)).json();
  expect(devices).toMatchObject([{ network }]);
});

it('sessions and sign-in links of staff need the permission to change roles', async () => {
  const sam = await staff('sam@club.example', 'secretary');
  const olga = await staff('olga@club.example', 'owner');
  for (const url of [`people/${olga.id}/sign-in-link`, `people/${olga.id}/devices/end-all`])
    expect([url, ...refusal(await sam.browser.post(`/api/admin/${url}`, {}, JSON_ONLY))]).toEqual([
      url,
      403,
      message('staff_change_own_devices'),
    ]);
  expect((await sam.browser.get(`/admin/people/${olga.id}/devices`)).statusCode).toBe(403);
  expect((await olga.browser.get('/me')).statusCode).toBe(200);
  const made = await olga.browser.post(`/api/admin/people/${sam.id}/sign-in-link`, {}, JSON_ONLY);
  expect(made.statusCode).toBe(200);
});

it('listing devices and making sign-in links need fresh proof', async () => {
  const sam = await staff('sam@club.example', 'secretary');
  service.clock.now += 10 * MINUTE + SECOND;
  for (const url of ['devices', 'sign-in-link']) {
    const send = url === 'devices' ? sam.browser.get : sam.browser.post;
    const answer = await send(`/admin/people/${ann}/${url}`);
    expect([answer.statusCode, answer.body.includes(message('identity_unconfirmed'))]).toEqual([403, true]);
  }
});

it('a request is answered if its session cannot be updated, and the log contains the cause', async () => {
  const browser = await browserWith(ann);
  service.clock.now += 15 * MINUTE;
  vi.spyOn(service.ctx, 'write').mockRejectedValueOnce(new Error('the disk is full'));
  expect(await browser.isSignedIn()).toBe(true);
  await expect
    .poll(() => service.logged.find((line) => line.includes('a session was not noted as seen')))
    .toContain('the disk is full');
});
