import { afterEach, beforeEach, expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { expectBadField, message, missingPermission, refusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type TestApp, testApp } from '../../support/app.ts';

const ALLERGENS =
  'gluten crustaceans eggs fish peanuts soya milk nuts celery mustard sesame sulphites lupin molluscs'.split(
    ' ',
  );

let service: TestApp;
let owner: Record<string, string>;

beforeEach(async () => {
  service = await testApp({ LYRICS_API_URL: undefined, GENRE_API_URL: undefined });
  owner = await appoint(service, 'olga@club.example', 'owner');
});

afterEach(() => service[Symbol.asyncDispose]());

const put = (payload: object, on = service, who = owner) =>
  on.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload,
    headers: { accept: 'application/json', ...who },
  });
const read = async (on = service, who = owner) => (await on.get('/api/admin/settings', who)).json();

it('the settings have defaults, with nothing overruled', async () => {
  expect(await read()).toEqual({
    settings: {
      base_url: null,
      house_network: false,
      house: {
        address: null,
        show_address: false,
        way: null,
        show_way: false,
        wifi_name: null,
        show_wifi_name: false,
        wifi_password_set: false,
        show_wifi_password: false,
      },
      club_name: 'Public House',
      short_name: null,
      about: null,
      contact: null,
      security_contact: null,
      imprint_url: null,
      privacy_url: null,
      logo: null,
      accent: '#1f4d3a',
      accent_light: '#1f4d3a',
      accent_dark: '#7cc3a1',
      locale: 'en-US',
      time_zone: 'America/New_York',
      language: 'en',
      second_language: null,
      oidc: {
        issuer: null,
        client_id: null,
        client_secret_set: false,
        name: 'OpenID Connect',
        trust_email: false,
      },
      mail: {
        from_email: null,
        from_name: null,
        host: null,
        port: null,
        encryption: null,
        user: null,
        password_set: false,
        ca: null,
      },
      sports_favourites: [],
      sports_leagues: ['football/nfl', 'baseball/mlb', 'basketball/nba', 'hockey/nhl'],
      scrobble: { url: null, token_set: false },
      lyrics: { url: 'https://lrclib.net/api' },
      genres: { url: 'https://musicbrainz.org/ws/2' },
      calendar: { token_ttl_days: 365, challenge_site_key: null, challenge_secret_key_set: false },
      weather: { place: null, lat: null, lon: null },
      currency: 'USD',
      price_columns: 1,
      price_names: { members: 'Members', guests: 'Guests' },
      volume_unit: null,
      prices_old_after_h: 24,
      alcohol_free_below: 0.5,
      min_price_per_unit: null,
      show_units: false,
      sold_out_shows: 'struck',
      board_look: 'dark',
      allergen_words: Object.fromEntries(ALLERGENS.map((code) => [code, null])),
      allergen_line: null,
      offers_allowed: false,
      country_checks: null,
      tokens: { player_set: false, device_set: false },
      parts: {
        voting: true,
        screens: true,
        calendar: true,
        music: false,
        requests: false,
        sports: false,
        films: false,
        lights: false,
        sound: false,
        feedback: false,
        big_screen: false,
        lyrics: true,
        genres: true,
      },
      backups: { enabled: true, at: '05:00', keep: 14 },
    },
    overruled: [],
  });
});

it('a change sets the given settings, keeps others, and resets to the default with null', async () => {
  const given = { club_name: 'Rowing Club', locale: 'de-de', time_zone: 'Europe/Berlin', accent: '#00F' };
  const answer = await put({ ...given, parts: { voting: false, films: true } });

  expect([answer.statusCode, answer.json().ok]).toEqual([200, true]);
  expect((await read()).settings).toMatchObject({
    club_name: 'Rowing Club',
    locale: 'de-DE',
    time_zone: 'Europe/Berlin',
    accent: '#0000ff',
    parts: { voting: false, films: true, screens: true },
  });
  expect(service.ctx.config).toMatchObject({ LOCALE: 'de-DE', TIME_ZONE: 'Europe/Berlin' });

  await put({ locale: null, accent: null, parts: { voting: null } });
  expect((await read()).settings).toMatchObject({
    club_name: 'Rowing Club',
    locale: 'en-US',
    accent: '#1f4d3a',
    parts: { voting: true, films: true },
  });
});

it('a response can be sent back as a change', async () => {
  await put({ club_name: 'Rowing Club', sports_leagues: ['soccer/ger.1', 'hockey/nhl'] });
  const { settings } = await read();
  expect(settings.sports_leagues).toEqual(['soccer/ger.1', 'hockey/nhl']);
  expect((await put(settings)).statusCode).toBe(200);
  expect((await read()).settings).toEqual(settings);
});

it('an invalid value is refused by name, and nothing is changed', async () => {
  const before = await read();
  for (const [name, value] of [
    ['club_name', 'two\nlines'],
    ['club_name', 'x'.repeat(101)],
    ['contact', 'x'.repeat(201)],
    ['security_contact', 'ask Olga at the bar'],
    ['security_contact', 'javascript:alert(1)'],
    ['imprint_url', 'javascript:alert(1)'],
    ['privacy_url', 'club.example'],
    ['logo', '0'.repeat(32)],
    ['logo', '../x'],
    ['accent', 'green'],
    ['accent', '#12345'],
    ['locale', 'not a tag'],
    ['locale', 'xx-XX'],
    ['time_zone', 'Mars/Olympus'],
    ['sports_leagues', 'nhl'],
    ['sports_leagues', ''.padEnd(3, ',')],
  ] as const) {
    const answer = await put({ short_name: 'RC', [name]: value });

    expect([value, answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([value, 400, name]);
    expect(await read()).toEqual(before);
  }
});

it('a place of the weather that is on no map is told what a number of degrees is', async () => {
  const { errors } = (await put({ weather: { lat: 95, lon: 'east' } })).json();
  expect(errors.map(({ message }: { message: string }) => message)).toEqual([
    message('not_degrees', { min: -90, max: 90 }),
    message('not_degrees', { min: -180, max: 180 }),
  ]);
});

it('unknown settings and parts are refused', async () => {
  expectBadField(await put({ colour: 'red' }), 'colour', 'unknown_field');
  expectBadField(await put({ parts: { darts: true } }), 'parts.darts', 'unknown_field');
  expect((await put({ parts: { music: 'perhaps' } })).json().errors[0].path).toBe('parts.music');
});

it('locales of several languages and scripts are accepted', async () => {
  for (const locale of ['en-US', 'en-GB', 'en-IE', 'de-DE', 'fr-FR', 'nl', 'pt-BR', 'zh-Hant-TW'])
    expect((await put({ locale })).json().settings.locale).toBe(locale);
});

it('the environment overrules stored settings, which are kept', async () => {
  await using ruled = await testApp({ CLUB_NAME: 'The Anchor', LOCALE: 'en-GB', TIME_ZONE: 'Europe/Dublin' });
  const who = await appoint(ruled, 'olga@club.example', 'owner');
  const answer = await put({ club_name: 'Rowing Club', locale: 'fr-FR', contact: 'x' }, ruled, who);

  expect(answer.json()).toMatchObject({
    settings: { club_name: 'The Anchor', locale: 'en-GB', time_zone: 'Europe/Dublin', contact: 'x' },
    overruled: expect.arrayContaining(['club_name', 'locale', 'time_zone']),
  });
  expect(
    ruled.ctx.db.all(build.selectFrom('settings').select(['name', 'value']).where('name', '=', 'locale')),
  ).toEqual([{ name: 'locale', value: '"fr-FR"' }]);
});

it('the settings are only for those who may change them', async () => {
  for (const role of ['manager', 'officer', 'secretary', 'viewer']) {
    const who = await appoint(service, `${role}@club.example`, role);
    const refused = [403, missingPermission('settings:write'), role];
    expect([...refusal(await put({ contact: 'x' }, service, who)), role]).toEqual(refused);
    expect([...refusal(await service.get('/api/admin/settings', who)), role]).toEqual(refused);
  }
  expect(service.ctx.config.settings.contact).not.toBe('x');
});

it('the audit log records changes, without the contact', async () => {
  await put({ club_name: 'Rowing Club', contact: 'olga@club.example' });
  await put({ club_name: 'Rowing Club' });

  const rows = service.ctx.db.all(
    build.selectFrom('audit_log').select('metadata').where('action', '=', 'settings.changed'),
  );
  expect(rows.map(({ metadata }) => JSON.parse(metadata))).toEqual([
    expect.objectContaining({ changed: ['club_name', 'contact'], club_name: 'Rowing Club' }),
  ]);
  expect(JSON.stringify(rows)).not.toContain('"contact":');
});
