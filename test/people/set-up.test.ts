import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { build } from '#kernel/db/queries.ts';
import { openContext } from '#kernel/open-context.ts';
import { countryChecks, volumeUnit } from '#kernel/settings/menu.ts';
import { SetUpCode } from '#people/set-up.ts';
import { type TestApp, talkTo, testApp } from '#test/support/app.ts';
import { recorded } from '#test/support/audit.ts';
import { openElection } from '#test/support/factories.ts';
import { withoutSwitch } from '#test/support/forms.ts';
import { expectForbidden, expectRefusal, message, onPage, refusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { buildApp } from '../../src/app.ts';
import { KeptApp } from '../support/kept-app.ts';

let kept: KeptApp | undefined;
let base: TestApp;
let service: ReturnType<typeof talkTo>;
let code: SetUpCode;
beforeEach(async () => {
  base = await testApp({ LOCAL_BYPASS: 'off' });
  code = new SetUpCode(base.ctx.now);
  kept ??= new KeptApp();
  const app = await buildApp(base.ctx, { setUpCode: code, create: kept.create });
  kept.built();
  service = talkTo(app, base.ctx, base.clock, { host: 'club.example' });
});
afterEach(async () => {
  if (!(await kept?.end())) kept = undefined;
  await base[Symbol.asyncDispose]();
});

const OLGA = { name: 'Olga', email: 'Olga@Club.example' };
const owners = () =>
  base.ctx.db.all(build.selectFrom('person_roles').select('role').where('role', '=', 'owner'));
const wrong = 'AAAA-AAAA-AAAA';

it('set-up creates the first owner, signs them in, and is then a 404', async () => {
  const typed = code.shown.toLowerCase().replaceAll('-', ' ');
  expect((await service.get('/set-up')).body).toContain('Set up your club');

  const done = await service.submit('/set-up', { ...OLGA, code: typed });

  expect([done.statusCode, done.headers.location]).toEqual([303, '/admin/first-steps']);
  const [cookie = ''] = String(done.headers['set-cookie']).split(';');
  const me = (await service.get('/me', { cookie, accept: 'application/json' })).json();
  expect(me).toMatchObject({
    person: { name: 'Olga', addresses: [{ email: 'olga@club.example', primary: true }] },
    roles: ['owner'],
  });
  expect((await service.get('/admin', { cookie })).statusCode).toBe(200);
  expectRefusal(await service.get('/set-up'), 404, 'not_found');
  expectRefusal(await service.post('/set-up', { ...OLGA, code: code.shown }), 404, 'not_found');
});

it('set-up refuses a wrong code with 403 and keeps the input; after ten it refuses the right one too', async () => {
  const form = await service.submit('/set-up', { ...OLGA, code: wrong });
  expect(form.statusCode).toBe(403);
  expect(form.body).toContain(`Code: ${onPage('not_set_up_code')}`);
  expect(form.body).toContain('value="Olga"');

  for (let tries = 1; tries < 10; tries++)
    expectRefusal(await service.post('/set-up', { ...OLGA, code: wrong }), 403, 'set_up_code_wrong');
  expectRefusal(await service.post('/set-up', { ...OLGA, code: code.shown }), 403, 'set_up_code_wrong');
  expect(owners()).toEqual([]);
});

it('set-up applies the name and the time zone of the club at once and permanently', async () => {
  const wish = { ...OLGA, code: code.shown, club_name: 'The Anchor', time_zone: 'Europe/Berlin' };
  expect((await service.get('/set-up')).body).toContain('<option value="America/New_York" selected>');
  const odd = await service.submit('/set-up', { ...wish, time_zone: 'Mars/Olympus' });
  expect([odd.statusCode, odd.body.includes('Must be an IANA time zone')]).toEqual([400, true]);

  await service.submit('/set-up', wish);

  expect(base.ctx.config).toMatchObject({ CLUB_NAME: 'The Anchor', TIME_ZONE: 'Europe/Berlin' });
  const stored = base.ctx.db.all(build.selectFrom('settings').select(['name', 'value']));
  expect(stored).toEqual([
    { name: 'club_name', value: '"The Anchor"' },
    { name: 'time_zone', value: '"Europe/Berlin"' },
  ]);
});

/** What a select box of the page has chosen. */
const chosen = (body: string, name: string) =>
  new RegExp(`<select[^>]* name="${name}".*?<option value="([^"]*)" selected>`, 's').exec(body)?.[1];

it.each([
  ['en-IE,en;q=0.9', ['en', 'IE', 'Europe/Dublin']],
  ['de-AT', ['de', 'AT', 'Europe/Vienna']],
  ['ja,en-US;q=0.5', ['ja', 'JP', 'Asia/Tokyo']],
  ['pt-BR', ['pt', 'BR', 'America/Sao_Paulo']],
  ['*', ['en', 'US', 'America/New_York']],
  ['no-such-language-at-all', ['en', 'US', 'America/New_York']],
])('without script the set-up proposes what Accept-Language %s says', async (language, place) => {
  const { body } = await service.get('/set-up', { 'accept-language': language });
  expect(['language', 'country', 'time_zone'].map((name) => chosen(body, name))).toEqual(place);
});

it.each([
  [{ language: 'en', country: 'IE' }, 'en-IE'],
  [{ language: 'de', country: 'at' }, 'de-AT'],
  [{ language: 'ja', country: 'JP' }, 'ja-JP'],
  [{ language: 'pt', country: 'BR' }, 'pt-BR'],
  [{ country: 'IE' }, 'en-IE'],
  [{ language: 'de' }, 'de'],
  [{}, 'en-US'],
])('language and country %j are the locale %s', async (place, locale) => {
  expect((await service.post('/set-up', { ...OLGA, code: code.shown, ...place })).statusCode).toBe(200);
  expect(base.ctx.config.LOCALE).toBe(locale);
});

it.each([
  ['Dublin', { language: 'en', country: 'IE', time_zone: 'Europe/Dublin' }, 'Fri 26 Nov 2027, 20:30'],
  ['Tokyo', { language: 'ja', country: 'JP', time_zone: 'Asia/Tokyo' }, '2027年11月27日(土) 5:30'],
  [
    'São Paulo',
    { language: 'pt', country: 'BR', time_zone: 'America/Sao_Paulo' },
    'sex., 26 de nov. de 2027, 17:30',
  ],
])('dates and times are written as in %s', async (_, place, closes) => {
  const done = await service.post('/set-up', { ...OLGA, code: code.shown, ...place });
  const cookie = String(done.headers['set-cookie']).split(';')[0] ?? '';
  const election = { close_at: '2027-11-26T20:30:00Z' };
  const as = { cookie, origin: 'http://club.example', accept: 'text/html' };
  const made = await service.post('/admin/elections', openElection(base, election), { ...as, accept: '*/*' });
  expect(made.statusCode, made.body).toBe(200);
  const { body } = await service.get('/admin', as);
  expect(/Closes ([^<]*)/.exec(body)?.[1]?.replaceAll('\u00a0', ' ')).toBe(closes);
});

it.each<[country: string, volume: string, checks: string, leagues: string[]]>([
  ['AT', 'l', 'AT', ['soccer/ger.1', 'soccer/uefa.champions']],
  ['US', 'us_oz', 'none', ['football/nfl', 'baseball/mlb', 'basketball/nba', 'hockey/nhl']],
  ['JP', 'ml', 'none', ['soccer/uefa.champions']],
])('in %s lists of drinks and leagues begin as they do there', async (country, volume, checks, leagues) => {
  const done = await service.post('/set-up', { ...OLGA, code: code.shown, language: 'en', country });
  expect(done.statusCode).toBe(200);
  const { settings } = base.ctx.config;
  expect([volumeUnit(settings), countryChecks(settings), settings.sports_leagues]).toEqual([
    volume,
    checks,
    leagues,
  ]);
});

it('a language or a country that does not exist is refused by name, and nothing is chosen anew', async () => {
  const wish = { ...OLGA, code: code.shown, language: 'xx', country: 'ZZ' };
  const refused = await service.post('/set-up', wish);
  expect(refused.json().errors).toMatchObject([{ path: 'language' }, { path: 'country' }]);
  const again = await service.submit('/set-up', { ...wish, language: 'pt' }, { 'accept-language': 'ja' });
  expect([again.statusCode, chosen(again.body, 'language')]).toEqual([400, 'pt']);
  // The browser presets nothing over what a person chose.
  expect(again.body).not.toContain('data-preset');
});

it('what the environment decides is no question', async () => {
  await using decided = await testApp({
    LOCALE: 'de-DE',
    TIME_ZONE: 'Europe/Berlin',
    CLUB_NAME: 'The Anchor',
  });
  const body = withoutSwitch((await decided.get('/set-up')).body);
  for (const name of ['language', 'country', 'time_zone', 'club_name'])
    expect(body).not.toContain(`name="${name}"`);
});

it('until there is an owner every page leads to the set-up from its top line', async () => {
  const line = /<header.*?<a href="\/set-up">.*<main/s;
  const officers = { 'edge-access-authenticated-user-email': 'new@club.example', accept: 'text/html' };
  for (const path of ['/', '/events', '/now', '/vote', '/sign-in', '/no-such-page', '/admin'])
    expect([path, line.test((await service.get(path, officers)).body)]).toEqual([path, true]);
  expect((await service.get('/set-up')).body).not.toMatch(line);

  await service.post('/set-up', { ...OLGA, code: code.shown });

  for (const path of ['/', '/events', '/sign-in'])
    expect((await service.get(path, { accept: 'text/html' })).body).not.toMatch(line);
});

it('on the own machine every page that asks to sign in leads to the set-up instead', async () => {
  const here = { host: 'localhost:3000', accept: 'text/html' };
  for (const path of ['/admin/content', '/admin/pub', '/admin/settings', '/admin/people', '/me'])
    expect([path, (await service.get(path, here)).headers.location]).toEqual([path, '/set-up']);
  const elsewhere = await service.get('/admin/content', { ...here, 'x-forwarded-for': '192.0.2.1' });
  expect(elsewhere.headers.location).toBe('/sign-in?next=%2Fadmin%2Fcontent');

  await service.post('/set-up', { ...OLGA, code: code.shown });
  expect((await service.get('/admin/content', here)).headers.location).toBe(
    '/sign-in?next=%2Fadmin%2Fcontent',
  );
});

it('set-up shows the address that the browser opened, and stores it once it is confirmed', async () => {
  const shown = async (headers: Record<string, string>) =>
    /name="base_url"[^>]* value="([^"]*)"/.exec((await service.get('/set-up', headers)).body)?.[1];
  expect(await shown({})).toBe('http://club.example');
  // Over https, behind a proxy that says nothing; browsers send this header there and to their own machine alone.
  expect(await shown({ 'sec-fetch-site': 'none' })).toBe('https://club.example');
  expect(await shown({ 'sec-fetch-site': 'none', host: 'localhost:3000' })).toBe('http://localhost:3000');

  const wish = { ...OLGA, code: code.shown, base_url: 'ftp://club.example' };
  expect((await service.submit('/set-up', wish)).body).toContain('The address of this service');
  // Not yet reachable over https: the cookie of this http page is kept by the browser all the same.
  const done = await service.submit('/set-up', { ...wish, base_url: 'https://pub.example/' });

  expect(done.headers['set-cookie']).toMatch(/^publichouse=[\w-]{43}; (?!.*Secure)/);
  expect(base.ctx.config.BASE_URL).toBe('https://pub.example');
});

it('the service does not start with an empty database next to the key of an earlier one', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'set-up-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const DATABASE_URL = `file:${path.join(folder, 'club.db')}`;
  const open = async (env: object) => {
    await using _ = await openContext(readConfig({ DATABASE_URL, LOG_LEVEL: 'silent', ...env }, ''));
  };
  await open({});
  for (const file of fs.readdirSync(folder)) if (!file.endsWith('.key')) fs.rmSync(path.join(folder, file));

  await expect(open({})).rejects.toThrow(/SETUP_ANEW=on/);
  expect(fs.readdirSync(folder)).toEqual(['club.key']);
  await open({ SETUP_ANEW: 'on' });
  await open({});
});

it('set-up creates one owner from twenty concurrent right requests', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      service.post('/set-up', { name: `P ${index}`, email: `p${index}@club.example`, code: code.shown }),
    ),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(19);
  expect(owners()).toHaveLength(1);
});

it('set-up is a 404 once there is an owner, however created', async () => {
  await appoint(base, 'olga@club.example', 'owner');
  const gone = [404, message('not_found')];
  expect(refusal(await service.get('/set-up'))).toEqual(gone);
  expect(refusal(await service.post('/set-up', { ...OLGA, code: code.shown }))).toEqual(gone);
});

it('the set-up code works for a day', async () => {
  base.clock.now += DAY;
  expectRefusal(await service.post('/set-up', { ...OLGA, code: code.shown }), 403, 'set_up_code_wrong');
});

it('set-up names the invalid fields', async () => {
  const refused = await service.post('/set-up', { code: code.shown, name: '', email: 'olga' });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors.map(({ path }: { path: string }) => path)).toEqual(['name', 'email']);
});

it('with an owner the local bypass ends', async () => {
  await using local = await testApp({ LOCAL_BYPASS: '' });
  expect((await local.get('/admin')).statusCode).toBe(200);
  await appoint(local, 'olga@club.example', 'owner');
  expectRefusal(await local.get('/admin', { accept: 'application/json' }), 401, 'officer_key_required');
});

it('with an owner an identity of the edge needs a role for elections', async () => {
  const edge = { 'edge-access-authenticated-user-email': 'new@club.example', accept: 'application/json' };
  expect((await service.get('/admin', edge)).statusCode).toBe(200);
  await service.post('/set-up', { ...OLGA, code: code.shown });
  expectForbidden(await service.get('/admin', edge), 'elections:read');
  expect(recorded(base.ctx).at(-1)).toMatchObject({
    action: 'access.denied',
    metadata: { by: 'new@club.example' },
  });
  await appoint(base, 'new@club.example', 'officer');
  expect((await service.get('/admin', edge)).statusCode).toBe(200);
});
