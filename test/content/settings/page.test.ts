import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSettings } from '#kernel/db/settings.ts';
import { PARTS } from '#kernel/settings/parts.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let service: TestApp;
let owner: Record<string, string>;

beforeEach(async () => {
  service = await testApp({ LOCALE: 'en-GB', LYRICS_API_URL: undefined, GENRE_API_URL: undefined });
  owner = await appoint(service, 'olga@club.example', 'owner');
});

afterEach(() => service[Symbol.asyncDispose]());

/** The fields of all unchanged forms, as a browser sends them. */
function fields(body: string): Record<string, string | string[]> {
  const forms = body.matchAll(/<form method="post" action="\/admin\/settings" novalidate>.*?<\/form>/gs);
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
const open = async () => (await service.get('/admin/settings', { accept: 'text/html', ...owner })).body;

it('the settings page stores nothing from an unchanged form', async () => {
  const sent = fields(await open());
  expect(Object.keys(sent)).toEqual(
    expect.arrayContaining(['club_name', 'accent', 'time_zone', ...PARTS.map((part) => `parts.${part}`)]),
  );
  const answer = await service.submit('/admin/settings', sent, owner);

  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/admin/settings?done=unchanged']);
  expect(findSettings(service.ctx.db)).toEqual({});
});

it('the settings page stores only changed values; others stay as configured', async () => {
  const sent = fields(await open());
  await service.submit(
    '/admin/settings',
    {
      ...sent,
      club_name: 'Rowing Club',
      'parts.feedback': ['false', 'true'],
      'parts.music': ['false', 'true'],
    },
    owner,
  );
  expect(findSettings(service.ctx.db)).toEqual({
    club_name: 'Rowing Club',
    'parts.feedback': true,
    'parts.music': true,
  });
  expect(await open()).toContain('value="Rowing Club"');
});

it('the saved message says whether anything changed', async () => {
  const say = async (more: Record<string, string | string[]>) => {
    const { headers } = await service.submit('/admin/settings', { ...fields(await open()), ...more }, owner);
    return (await service.get(String(headers.location), { accept: 'text/html', ...owner })).body;
  };
  expect(await say({})).toContain('Nothing was changed.');
  expect(await say({ 'parts.requests': ['false', 'true'] })).toContain('The settings were saved.');
  const same = await say({});
  expect(same).toContain('Nothing was changed.');
  expect(same).not.toContain('The settings were saved.');
});

it('the settings page names settings from the environment, and has no fields for them', async () => {
  const body = await open();
  expect(body).toContain('Set by the server’s administrator: LOCALE.');
  expect(body).not.toContain('name="locale"');
  // 21 November 2026, 12:00, as this locale writes it.
  expect(body).toMatch(/Saturday,? 21 November 2026, 12:00/);
});

it('the settings page keeps the input of a refused form, with errors at their fields', async () => {
  const sent = fields(await open());
  const refused = await service.submit(
    '/admin/settings',
    {
      ...sent,
      club_name: 'Rowing Club',
      accent: 'green',
      imprint_url: 'rowing.example',
      'parts.voting': ['false'],
    },
    owner,
  );
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain('value="Rowing Club"');
  expect(refused.body).toMatch(/id="accent-error">.*?Must be a colour such as #1f4d3a/s);
  expect(refused.body).toContain('href="#imprint_url"');
  expect(refused.body).not.toMatch(/id="parts-voting" checked/);
  expect(findSettings(service.ctx.db)).toEqual({});
});

it('the settings page names what mails need, and without mail the page to subscribe has no form', async () => {
  expect(await open()).toContain('No mail can be sent');
  const subscribe = (await service.get('/subscribe-programs', { accept: 'text/html' })).body;
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
  expect((await service.submit('/admin/settings', { club_name: 'x' }, who)).statusCode).toBe(403);
});
