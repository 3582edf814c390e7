import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { storeTwoPeople } from '#kernel/db/settings.ts';
import { BASE, type TestApp, testApp } from '#test/support/app.ts';
import { openElection } from '#test/support/factories.ts';
import { expectForbidden, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession, signedIn } from '#test/support/people/people.ts';

const OLGA = 'olga@club.example';
const NO_ADDRESS = message('own_address_unknown');

let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'public-house-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

const open = (env: Record<string, string> = {}) =>
  testApp({ MAILER_URL: `file:${folder}`, LOCAL_BYPASS: 'off', RATE_LIMIT_SIGN_IN: '1000', ...env });
const PRODUCTION = { NODE_ENV: 'production' };
const HTML = { accept: 'text/html' };

/** The texts of the mails that were written, once nothing more is under way. */
async function mails(service: TestApp): Promise<string[]> {
  await new Promise(setImmediate);
  await service.ctx.write(() => undefined);
  await Promise.all(service.ctx.mailsUnderWay);
  const files = await fs.readdir(folder);
  return Promise.all(files.map((file) => fs.readFile(path.join(folder, file), 'utf8')));
}

/** An owner with a fresh session who sends requests to this host. */
async function ownerAt(service: TestApp, host: string) {
  await appoint(service, OLGA, 'owner');
  const token = await addSession(service, listPeopleOf(service.ctx.db, OLGA)[0]!.id);
  return { cookie: `publichouse=${token}`, 'sec-fetch-site': 'same-origin', host };
}

describe('without a known address', () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['a forged Host in production', PRODUCTION, { host: 'evil.example' }],
    ['a forged Host in development', {}, { host: 'evil.example' }],
    ['a name of the local network', {}, { host: '192.168.1.5:3000' }],
    ['a name that begins like the local one', {}, { host: 'localhost.evil.example' }],
    ['a user before the local name', {}, { host: 'localhost@evil.example' }],
    ['a forwarded request', {}, { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.7' }],
    ['a forwarded host', {}, { host: 'evil.example', 'x-forwarded-host': 'localhost:3000' }],
  ])('no code is mailed: %s', async (_, env, headers) => {
    await using service = await open(env);
    await appoint(service, OLGA, 'owner');

    const json = await service.post('/sign-in', { email: OLGA }, headers);
    const unknown = await service.post('/sign-in', { email: 'nobody@club.example' }, headers);
    const page = await service.submit('/sign-in', { email: OLGA }, headers);

    expect([json.statusCode, json.json()]).toMatchObject([
      500,
      { error: NO_ADDRESS, message: expect.stringContaining('BASE_URL') },
    ]);
    expect(unknown.json()).toEqual(json.json());
    expect([page.statusCode, page.body]).toEqual([500, expect.stringContaining('so it sends no mail')]);
    expect(await mails(service)).toEqual([]);
  });

  it('no notice is mailed, and what it is about is done', async () => {
    await using service = await open();
    const olga = await ownerAt(service, 'evil.example');
    const payload = { email: 'otto@club.example', roles: ['owner'] };
    const given = await service.request({ method: 'PUT', url: '/api/admin/roles', payload, headers: olga });

    expect(given.statusCode).toBe(200);
    expect(await mails(service)).toEqual([]);
    expect(service.logged.join('\n')).toContain(NO_ADDRESS);
  });

  it('pages, files and pictures contain no Host', async () => {
    await using service = await open();
    const olga = await ownerAt(service, 'evil.example');
    const { id } = (await service.post('/admin/elections', openElection(service), olga)).json();
    const wall = await service.get(`/e/${id}/results?wall=1`, { ...HTML, ...olga });
    const page = await service.get(`/admin/elections/${id}`, { ...HTML, ...olga });
    const made = await service.submit(`/admin/elections/${id}/tokens`, { count: '1', batch_name: 'a' }, olga);
    const { id: person } = listPeopleOf(service.ctx.db, OLGA)[0]!;
    const link = await service.post(`/api/admin/people/${person}/sign-in-link`, {}, olga);

    expect([wall, page, made].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    for (const { body } of [wall, page, made]) expect(body).not.toContain('evil.example');
    expect(link.json()).toMatchObject({ error: NO_ADDRESS });
  });

  it('a request from this machine gets a mail with its own loopback name', async () => {
    await using service = await open();
    await appoint(service, OLGA, 'owner');
    expect((await service.post('/sign-in', { email: OLGA }, { host: '[::1]:3000' })).statusCode).toBe(200);
    expect((await mails(service)).join()).toContain('http://[::1]:3000/sign-in/link?t=3D');
  });
});

it('BASE_URL decides, whatever Host says', async () => {
  await using service = await open({ ...PRODUCTION, BASE_URL: BASE });
  await appoint(service, OLGA, 'owner');
  await service.post('/sign-in', { email: OLGA }, { host: 'evil.example' });
  const [mail = ''] = await mails(service);
  expect(mail).toContain(`${BASE}/sign-in/link`);
  expect(mail).not.toContain('evil.example');
});

describe('the address in the settings', () => {
  const put = (service: TestApp, base_url: string | null, headers: Record<string, string>) =>
    service.request({ method: 'PUT', url: '/api/admin/settings', payload: { base_url }, headers });

  it('is entered by an owner with a fresh proof, and works at once', async () => {
    await using service = await open(PRODUCTION);
    const olga = await ownerAt(service, 'pub.example');
    const officer = await signedIn(service, 'officer');
    expectForbidden(await put(service, 'https://pub.example', officer), 'settings:write');
    expect((await put(service, 'https://pub.example', olga)).json()).toMatchObject({
      settings: { base_url: 'https://pub.example' },
    });
    service.clock.now += 11 * 60_000;
    expect((await put(service, 'https://evil.example', olga)).json()).toMatchObject({ sudo: true });
    // Unchanged settings need no proof.
    expect((await put(service, 'https://pub.example', olga)).statusCode).toBe(200);

    await service.post('/sign-in', { email: OLGA }, { host: 'evil.example' });
    expect((await mails(service)).join()).toContain('https://pub.example/sign-in/link');
  });

  it('needs a second person where the club requires one', async () => {
    await using service = await open(PRODUCTION);
    const olga = await ownerAt(service, 'pub.example');
    await appoint(service, 'otto@club.example', 'owner');
    await put(service, 'https://pub.example', olga);
    await service.ctx.write((tx) => storeTwoPeople(tx, true, service.clock.now));
    expect((await put(service, 'https://evil.example', olga)).statusCode).toBe(202);
    expect(service.ctx.config.BASE_URL).toBe('https://pub.example');
  });

  it('gives way to BASE_URL', async () => {
    await using service = await open({ BASE_URL: BASE });
    const olga = await ownerAt(service, 'pub.example');
    const https = { ...olga, cookie: olga.cookie.replace('publichouse', '__Host-publichouse') };
    await put(service, 'https://other.example', https);
    expect(service.ctx.config.BASE_URL).toBe(BASE);
  });
});
