import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSettings } from '#kernel/db/settings.ts';
import { GROUPS, type Group, groupPath } from '#kernel/settings/setting.ts';
import { SETTING_NAMES, type SettingName } from '#kernel/settings/table.ts';
import { withoutSwitch } from '#test/support/forms.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let service: TestApp;
let owner: Record<string, string>;

beforeEach(async () => {
  service = await testApp({ LOCALE: 'en-GB', LYRICS_API_URL: undefined, GENRE_API_URL: undefined });
  owner = await appoint(service, 'olga@club.example', 'owner');
});

afterEach(() => service[Symbol.asyncDispose]());

/** The fields of the unchanged form of a page, as a browser sends them. */
function fields(body: string): Record<string, string | string[]> {
  const forms = body.matchAll(/<form method="post" action="\/admin\/settings"[^>]*>.*?<\/form>/gs);
  const form = [...forms].join('');
  const sent: Record<string, string | string[]> = {};
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const at = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
    if (at('type') === 'checkbox' && !input.includes(' checked')) continue;
    sent[at('name')] = [...[sent[at('name')] ?? []].flat(), at('value')];
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select[^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/gs,
  ))
    sent[name] = [...[sent[name] ?? []].flat(), /<option value="([^"]*)" selected/.exec(options)?.[1] ?? ''];
  return sent;
}
const read = async (address: string) => (await service.get(address, { accept: 'text/html', ...owner })).body;
const open = (group: Group) => read(groupPath(group));
const submit = (sent: Record<string, string | string[]>) => service.submit('/admin/settings', sent, owner);

it.each(GROUPS)('the page of %s stores nothing from an unchanged form, and is shown again', async (group) => {
  const sent = fields(await open(group));
  const answer = await submit(sent);

  expect([answer.statusCode, answer.headers.location]).toEqual([303, `${groupPath(group)}?done=unchanged`]);
  expect(findSettings(service.ctx.db)).toEqual({});
});

it('the pages of the groups have a field for every setting but the logo, each on one page', async () => {
  const bodies = await Promise.all(GROUPS.map(open));
  const named = bodies.flatMap((body) => [
    ...new Set([...body.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name)),
  ]);
  const here = SETTING_NAMES.filter((name) => !['logo', 'locale'].includes(name));
  expect(named.filter((name) => here.includes(name as SettingName)).sort()).toEqual([...here].sort());
});

it('a page stores only changed values; others stay as configured', async () => {
  await submit({ ...fields(await open('club')), club_name: 'Rowing Club' });
  await submit({
    ...fields(await open('parts')),
    'parts.feedback': ['false', 'true'],
    'parts.music': ['false', 'true'],
  });
  expect(findSettings(service.ctx.db)).toEqual({
    club_name: 'Rowing Club',
    'parts.feedback': true,
    'parts.music': true,
  });
  expect(await open('club')).toContain('value="Rowing Club"');
});

it('the saved message says whether anything changed', async () => {
  const say = async (more: Record<string, string | string[]>) => {
    const { headers } = await submit({ ...fields(await open('parts')), ...more });
    return read(String(headers.location));
  };
  expect(await say({})).toContain('Nothing was changed.');
  expect(await say({ 'parts.requests': ['false', 'true'] })).toContain('The settings were saved.');
  const same = await say({});
  expect(same).toContain('Nothing was changed.');
  expect(same).not.toContain('The settings were saved.');
});

it('the page of a group names settings from the environment, and has no fields for them', async () => {
  const body = await open('formats');
  expect(body).toContain('Set by the server’s administrator: LOCALE.');
  expect(body).not.toContain('name="locale"');
  // 21 November 2026, 12:00, as this locale writes it.
  expect(body).toMatch(/Saturday,? 21 November 2026, 12:00/);
});

it('a locale with more than a language and a country is shown as its tag', async () => {
  await using exact = await testApp({ LOCALE: 'de-CH-u-hc-h12' });
  const olga = await appoint(exact, 'olga@club.example', 'owner');
  const page = await exact.get(groupPath('formats'), { accept: 'text/html', ...olga });

  expect([page.statusCode, page.body.includes('de-CH-u-hc-h12')]).toEqual([200, true]);
});

it('the page of a group keeps the input of its refused form, with errors at their fields', async () => {
  const sent = { ...fields(await open('club')), club_name: 'Rowing Club', imprint_url: 'rowing.example' };
  const club = await submit(sent);
  expect(club.statusCode).toBe(400);
  expect(club.body).toContain('value="Rowing Club"');
  expect(club.body).toContain('href="#imprint_url"');

  const look = await submit({ ...fields(await open('look')), accent: 'green' });
  expect(look.body).toMatch(/id="accent-error">.*?Must be a colour such as #1f4d3a/s);
  expect(look.body).toContain('<h1 tabindex="-1">Look</h1>');

  const parts = await submit({ 'parts.voting': ['false'], 'parts.lyrics': 'perhaps' });
  expect(parts.body).not.toMatch(/id="parts-voting" checked/);
  expect(findSettings(service.ctx.db)).toEqual({});
});

it('the overview leads to each group and says what is set there', async () => {
  await submit({ club_name: 'Rowing Club', contact: 'desk@club.example' });
  const body = await read('/admin/settings');
  for (const group of GROUPS) expect(body).toContain(`href="${groupPath(group)}"`);
  expect(body).toContain('Rowing Club. Contact: desk@club.example');
  expect((await service.get(groupPath('nothing' as Group), owner)).statusCode).toBe(404);
});

it('the settings page names what mails need, and without mail the page to subscribe has no form', async () => {
  for (const page of ['/admin/settings', groupPath('mail')])
    expect(await read(page)).toContain('No mail can be sent');
  const subscribe = withoutSwitch((await service.get('/subscribe-programs', { accept: 'text/html' })).body);
  expect(subscribe).not.toContain('<form');
  expect(subscribe).toContain('as the club sends no mails from here');
  expect(subscribe).not.toContain('MAILER');
  const officers = (await service.get('/admin/calendar', { accept: 'text/html', ...owner })).body;
  expect(officers).toMatch(/Enter the mail server.* in .*the settings of mail/s);
});

it('the settings page is for those who may change settings', async () => {
  const who = await appoint(service, 'mia@club.example', 'manager');
  const answer = await service.get('/admin/settings', { accept: 'text/html', ...who });
  expect(answer.statusCode).toBe(403);
  expect(answer.body).not.toContain('href="/admin/settings"');
  for (const group of GROUPS) expect((await service.get(groupPath(group), who)).statusCode).toBe(403);
  expect((await service.submit('/admin/settings', { club_name: 'x' }, who)).statusCode).toBe(403);
});

it('the words for all allergens are in one fold', async () => {
  const folds = (await open('menu'))
    .split('<details')
    .filter((part) => part.includes('<summary>Words for allergens'));

  expect(folds).toHaveLength(1);
  expect(folds[0]).toContain('name="allergen_words.gluten"');
  expect(folds[0]).toContain('name="allergen_words.molluscs"');
});
