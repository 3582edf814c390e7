import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupPath } from '#kernel/settings/setting.ts';
import { type GivenSettings, nest, SECRETS } from '#kernel/settings/settings.ts';
import { type SettingName, settingOf } from '#kernel/settings/table.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { EXAMPLES } from './examples.ts';

const NAMES = Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[];
const OPEN = { LYRICS_API_URL: undefined, GENRE_API_URL: undefined };

let service: TestApp;
let owner: Record<string, string>;

beforeAll(async () => {
  service = await testApp(OPEN);
  owner = await appoint(service, 'olga@club.example', 'owner');
});
afterAll(() => service[Symbol.asyncDispose]());

const put = (given: GivenSettings, on = service, who = owner) =>
  on.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: nest(Object.entries(given)),
    headers: { accept: 'application/json', ...who },
  });

/** What GET shows of a setting; of a secret whether it is there. */
async function shown(name: SettingName, on = service, who = owner): Promise<unknown> {
  const { settings } = (await on.get('/api/admin/settings', who)).json();
  const [group = '', key] = (SECRETS.includes(name) ? `${name}_set` : name).split('.');
  return key === undefined ? settings[group] : settings[group][key];
}

describe.each(NAMES)('the setting %s', (name) => {
  const { value, sent = String(value), beside = {}, decided = [] } = EXAMPLES[name];
  const isSecret = SECRETS.includes(name);
  const expected = isSecret ? true : value;
  const reset = () =>
    put({ [name]: null, ...Object.fromEntries(Object.keys(beside).map((one) => [one, null])) });

  it('is set by the API, and null sets it back', async () => {
    const usual = await shown(name);
    expect(usual).not.toEqual(expected);
    const answer = await put({ ...beside, [name]: value });
    expect([answer.statusCode, await shown(name)]).toEqual([200, expected]);
    expect(answer.json().overruled).not.toContain(name);

    expect((await reset()).statusCode).toBe(200);
    expect(await shown(name)).toEqual(usual);
  });

  it('is set by the form, which works without script', async () => {
    const page = groupPath(settingOf(name).group);
    const body = (await service.get(page, { accept: 'text/html', ...owner })).body;
    expect(body).toContain(` name="${name}"`);
    const fields = Object.entries(beside).map(([one, text]) => [one, String(text)]);
    const answer = await service.submit(
      '/admin/settings',
      { ...Object.fromEntries(fields), [name]: sent },
      owner,
    );
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${page}?done=saved`]);
    expect(await shown(name)).toEqual(expected);
    await reset();
  });

  it.each(decided)('is decided by the environment: %j', async (environment, decision) => {
    await using fixed = await testApp({ ...OPEN, ...environment });
    const who = await appoint(fixed, 'olga@club.example', 'owner');
    expect(await shown(name, fixed, who)).toEqual(decision);
    expect((await fixed.get('/api/admin/settings', who)).json().overruled).toContain(name);
    const { body } = await fixed.get(groupPath(settingOf(name).group), { accept: 'text/html', ...who });
    expect(body).not.toContain(` name="${name}"`);
    expect(body).toContain(`Set by the server’s administrator: ${Object.keys(environment)[0]}.`);
    // The variable that decides it comes first.
    if (isSecret) expect(body).not.toContain(Object.values(environment)[0]);

    const answer = await put({ ...beside, [name]: value }, fixed, who);
    if (name.startsWith('parts.') || name === 'house_network') {
      expect([answer.statusCode, answer.json().errors[0].path]).toEqual([409, name]);
      expect(answer.json().error).toContain(Object.keys(environment)[0]);
    } else expect(answer.statusCode).toBe(200);
    expect(await shown(name, fixed, who)).toEqual(decision);
  });
});

it.each([
  ['scrobble.url', 'https://account.example', 'scrobble.token'],
  ['calendar.challenge_site_key', 'key', 'calendar.challenge_secret_key'],
  ['calendar.challenge_secret_key', 'secret', 'calendar.challenge_site_key'],
] as const)('%s alone is refused, with the name of what it needs', async (name, value, needed) => {
  const answer = await put({ [name]: value, short_name: 'RC' });
  expect([answer.statusCode, answer.json().errors]).toMatchObject([
    400,
    [{ path: needed, message: `is needed with ${name}` }],
  ]);
  expect(await shown('short_name')).toBeNull();
});

it.each([
  ['scrobble.url', 'account.example'],
  ['scrobble.token', 'two words'],
  ['lyrics.url', 'ftp://source.example'],
  ['calendar.token_ttl_days', 0],
  ['calendar.token_ttl_days', 4000],
  ['calendar.token_ttl_days', 'soon'],
  ['parts.feedback', 'perhaps'],
  ['sports_leagues', []],
  ['sports_favourites', ['x'.repeat(61)]],
  ['language', 'english'],
  ['language', 'da'],
] as const)('%s refuses %j by its name, and nothing else is stored', async (name, value) => {
  const payload = { ...nest([[name, value]]), short_name: 'RC' };
  const answer = await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload,
    headers: { accept: 'application/json', ...owner },
  });
  expect([answer.statusCode, answer.json().errors[0].path.replace(/\.0$/, '')]).toEqual([400, name]);
  expect(await shown('short_name')).toBeNull();
});

it('the form moves one league to the top of the list', async () => {
  await put({ sports_leagues: ['hockey/nhl', 'soccer/irl.1', 'soccer/eng.1'] });
  const { body } = await service.get('/admin/settings/sports', { accept: 'text/html', ...owner });
  const inOrder = [...body.matchAll(/<(?:input|select)[^>]* name="sports_leagues"[^>]*>/g)].map(
    ([tag]) => tag,
  );
  expect(inOrder.findIndex((tag) => tag.startsWith('<select'))).toBeLessThan(
    inOrder.findIndex((tag) => tag.includes('checkbox')),
  );
  // In the order of the page: the empty text, the select, the ticks.
  const sent = ['', 'soccer/eng.1', 'hockey/nhl', 'soccer/irl.1', 'soccer/eng.1', ''];
  await service.submit('/admin/settings', { sports_leagues: sent }, owner);
  expect(await shown('sports_leagues')).toEqual(['soccer/eng.1', 'hockey/nhl', 'soccer/irl.1']);
  await put({ sports_leagues: null });
});

it('a group is partial, and null sets all of it back', async () => {
  await put({ 'parts.feedback': true, 'parts.sports': true });
  await put({ 'parts.sports': false });
  expect(await shown('parts.feedback')).toBe(true);
  await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: { parts: null },
    headers: { accept: 'application/json', ...owner },
  });
  expect(await shown('parts.feedback')).toBe(false);
});

it('an empty secret of a form keeps the stored one, and a tick forgets it', async () => {
  await put({ 'scrobble.url': 'https://account.example', 'scrobble.token': 'token-of-the-account' });
  const unchanged = { 'scrobble.url': 'https://account.example', 'scrobble.token': '' };
  const saved = await service.submit('/admin/settings', unchanged, owner);
  expect(saved.headers.location).toBe('/admin/settings/music?done=unchanged');
  expect(service.ctx.config.SCROBBLE_TOKEN).toBe('token-of-the-account');

  await service.submit(
    '/admin/settings',
    { 'scrobble.url': '', 'scrobble.token': '', forget: 'scrobble.token' },
    owner,
  );
  expect([await shown('scrobble.token'), service.ctx.config.SCROBBLE_TOKEN]).toEqual([false, undefined]);
});

it.each(['lyrics', 'genres'] as const)(
  'an empty address switches %s off, and its tick brings the usual one back',
  async (part) => {
    await put({ [`${part}.url`]: '' });
    expect([await shown(`${part}.url`), await shown(`parts.${part}`)]).toEqual(['', false]);
    await put({ [`parts.${part}`]: true });
    expect([await shown(`parts.${part}`), await shown(`${part}.url`)]).toEqual([
      true,
      expect.stringMatching(/^https:/),
    ]);
    await put({ [`parts.${part}`]: null });
  },
);
