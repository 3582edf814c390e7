// Walks through a German club with a German browser, and looks for English and for names of fields: on every page that a
// link leads to, after every form, and in the mails.
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { openCalendar } from '#calendar/context.ts';
import { SESSION_COOKIE } from '#kernel/access/sessions.ts';
import { AREAS, readArea } from '#kernel/language/catalogues.ts';
import { PROVIDERS } from '#kernel/mail/providers.ts';
import { makeAccounts, OWNER, signInAs } from '../scripts/demo/accounts.ts';
import { aroundNow } from '../scripts/demo/around.ts';
import { CLUBS } from '../scripts/demo/clubs/index.ts';
import { addNeighbour, startNeighbour, writeContent } from '../scripts/demo/content.ts';
import { holdElections } from '../scripts/demo/elections.ts';
import { callMeeting, leadMeeting } from '../scripts/demo/meeting.ts';
import { fillTheRoll } from '../scripts/demo/members.ts';
import { fillTheRoom, joinTheCalendar, showFilms, writeLyrics } from '../scripts/demo/pub.ts';
import { serviceOf } from '../scripts/demo/service.ts';
import { CATALOGUE } from '../scripts/device/catalogue.ts';
import { parseMail } from './stand-ins/parse-mail.ts';
import { mailTo, type TestApp, testApp } from './support/app.ts';
import { formsOf, type PageForm } from './support/forms.ts';
import { blocksOf } from './support/page-blocks.ts';
import { tempFolder } from './support/process/process.ts';

/** Pages of one address that differ in their ids, dates and numbers, of which so many are looked at. */
const ALIKE = 2;
const PARTS = ['SPORTS', 'NOW_SHOWING', 'SCREENINGS', 'SETLIST_REQUESTS', 'FEEDBACK'];
const HOST = 'localhost:3000';

it('a German reader finds no English on the pages, after the forms and in the mails of a German club', async () => {
  const mails = tempFolder();
  await using club = await openClub(mails);
  const found = new Map<string, string>();
  const note = (place: string, texts: readonly string[]) => {
    for (const text of texts) if (isEnglish(text)) found.getOrInsert(text, place);
  };

  const forms = await walk(club, note);
  const rawNames = await pressAll(club, forms, note);
  for (const name of fs.readdirSync(mails)) {
    const { headers, text, html } = parseMail(fs.readFileSync(`${mails}/${name}`, 'utf8'));
    const { subject = '', from = '' } = headers;
    note(`mail “${subject}”`, [
      subject,
      from.replace(/<.*/, ''),
      ...text.split('\n'),
      ...blocksOf(html, 'de'),
    ]);
  }

  expect(rawNames).toEqual([]);
  expect([...found].map(([text, place]) => `${place}: ${text}`)).toEqual([]);
}, 240_000);

it.each([
  ['This link is incomplete.', true],
  ['Already invited', true],
  ['Nothing here of which you are not told', true],
  ['Do., 26. Nov., 18:00', false],
  ['Wählen Sie eine Möglichkeit', false],
  ['FROM_EMAIL und WORKSPACE_API_KEY', false],
])('%s is English: %s', (text, expected) => {
  expect(isEnglish(text)).toBe(expected);
});

interface Club extends AsyncDisposable {
  service: TestApp;
  cookie: string;
  /** Addresses to begin at. */
  addresses: string[];
}

/** Opens the German club of the demo. @param mails a folder */
async function openClub(mails: string): Promise<Club> {
  const words = CLUBS.berlin!;
  const things = new AsyncDisposableStack();
  const service = things.use(
    await testApp({
      ...mailTo(`file:${mails}`),
      BASE_URL: `http://${HOST}`,
      LOCAL_BYPASS: 'off',
      CLUB_LANGUAGE: 'de',
      ...Object.fromEntries(PARTS.map((name) => [`${name}_ENABLED`, 'on'])),
    }),
  );
  const zone = words.settings.time_zone ?? 'Europe/Berlin';
  const at = aroundNow(zone, Temporal.Instant.fromEpochMilliseconds(service.clock.now));
  const neighbour = things.use(await startNeighbour(words, at));
  await makeAccounts(service.ctx);
  const cookie = `${SESSION_COOKIE}=${await signInAs(service.ctx, OWNER)}`;
  const { signal } = new AbortController();
  const demo = serviceOf(service.app, service.ctx, { host: HOST, cookie }, signal);
  await demo.put('/api/admin/settings', words.settings);
  await writeContent(demo, words, at);
  await addNeighbour(demo, words, neighbour.url);
  await fillTheRoll(demo, words, 30);
  const held = await holdElections(demo, words, 30);
  const meeting = await callMeeting(demo, words);
  await leadMeeting(demo, meeting, Number.POSITIVE_INFINITY, signal);
  await writeLyrics(demo);
  await showFilms(demo, words);
  await fillTheRoom(demo, words);
  await joinTheCalendar(demo, words, openCalendar(service.ctx));
  const addresses = [held.ballot, held.paper, `/e/${held.big}`, meeting.page, '/no-such-page'];
  return { service, cookie, addresses, [Symbol.asyncDispose]: () => things.disposeAsync() };
}

type Note = (place: string, texts: readonly string[]) => void;
type Form = PageForm & { cookie: string };

/** Opens every page without parameters, and what it links to, as the owner and as a guest. @returns their forms */
async function walk({ service, cookie, addresses }: Club, note: Note): Promise<Form[]> {
  const routes = fs.readFileSync('test/routes.txt', 'utf8').matchAll(/^GET +(\/[^\s:*]*) /gm);
  const queue = [...[...routes].map(([, path = '']) => path), ...addresses].filter(isPage);
  const seen = new Map<string, number>();
  const forms = new Map<string, Form>();
  for (let url = queue.shift(); url !== undefined; url = queue.shift())
    for (const who of [cookie, '']) {
      const { headers, body } = await service.app.inject({ url, headers: browser(who) });
      if (!String(headers['content-type']).includes('html')) continue;
      note(`${who ? 'owner' : 'guest'} ${url}`, blocksOf(body, 'de'));
      for (const form of formsOf(body)) {
        const shape = `${who} ${shapeOf(form.action)} ${Object.keys(form.fields)}`;
        if (isPage(form.action)) forms.getOrInsert(shape, { ...form, cookie: who });
      }
      for (const [, href = ''] of body.matchAll(/\shref="([^"#]*)/g)) {
        const next = href.replaceAll('&amp;', '&').replace(`http://${HOST}`, '');
        const times = seen.get(shapeOf(next)) ?? 0;
        if (!isPage(next) || times >= ALIKE || seen.has(next)) continue;
        seen.set(shapeOf(next), times + 1).set(next, ALIKE);
        queue.push(next);
      }
    }
  return [...forms.values()];
}

/** Pages of people: not those of programs and developers, and nothing that signs the owner out. */
const isPage = (url: string): boolean =>
  /^\/(?!\/)/.test(url) &&
  !/^\/(?:api|assets|cal|design|language|me|sign-out)\b/.test(url.replace(/^\/me$/, '/'));

const shapeOf = (url: string): string =>
  url.replaceAll(/[\da-f]{8}-[\da-f-]{20,}|[\w-]{20,}/g, ':id').replaceAll(/\d+/g, ':n');

const browser = (cookie: string) => ({
  host: HOST,
  accept: 'text/html',
  'accept-language': 'de',
  origin: `http://${HOST}`,
  'sec-fetch-site': 'same-origin',
  ...(cookie && { cookie }),
});

/** Hidden fields, which a browser sends as they are. */
const KEPT = new Set(['once', 'confirm', 'token', 'submission_id']);

/** What is sent in a field: nothing, too much, or what was shown. */
const SENT = [() => '', () => '\u0000'.padEnd(4_000, 'ä;'), (shown: string) => shown];

/**
 * Sends every form once without what is typed, once with too much of it, and last as it was shown.
 * @returns the problems that call a field by its name in the form, where its label should stand
 */
async function pressAll({ service }: Club, forms: readonly Form[], note: Note): Promise<string[]> {
  const rawNames = new Set<string>();
  for (const one of SENT)
    for (const { action, fields, cookie } of forms) {
      const sent = Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((shown) => [name, KEPT.has(name) ? shown : one(shown)] as [string, string]),
      );
      const { statusCode, headers, body } = await service.app.inject({
        method: 'POST',
        url: action,
        payload: new URLSearchParams(sent).toString(),
        headers: { ...browser(cookie), 'content-type': 'application/x-www-form-urlencoded' },
      });
      if (!String(headers['content-type']).includes('html')) continue;
      const texts = blocksOf(body, 'de');
      note(`form ${action}`, texts);
      if (statusCode < 400) continue;
      const names = new Set(Object.keys(fields).flatMap((name) => [name, ...name.split('.')]));
      for (const text of texts)
        if (namesIn(text).some((name) => names.has(name))) rawNames.add(`form ${shapeOf(action)}: ${text}`);
    }
  return [...rawNames];
}

/** What stands before a colon and is written like the name of a field; German labels begin with a capital letter. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\p{L}\d.])([a-z]\w*(?:\.\w+)*): /gu)].flatMap(([, name = '']) => [
    name,
    ...name.split('.'),
  ]);

const WORDS = /(?<![\p{L}\p{N}])\p{L}\p{Ll}+(?![\p{L}\p{N}])/gu;
const wordsIn = (text: string): string[] =>
  (text.replaceAll(/\b[A-Z_]*_[A-Z_]*\b|\([A-Z]{3}\)|\S*[/@]\S*/g, ' ').match(WORDS) ?? []).map((word) =>
    word.toLowerCase(),
  );
const wordsOf = (language: string): Set<string> =>
  new Set(
    Object.keys(AREAS).flatMap((area) =>
      Object.values(readArea(language, area)).flatMap((text) =>
        wordsIn(text.replaceAll(/[\u00ad]|<[^>]*>/g, '')),
      ),
    ),
  );
const sourceWords = (file: string): string[] =>
  [...fs.readFileSync(file, 'utf8').matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].flatMap(([, text = '']) =>
    wordsIn(text),
  );

const COMMON = new Set(
  'and are been for from has have here its not nothing of than that the their there they this to was were which who with you your'.split(
    ' ',
  ),
);
/** What is the same in every language: names, parts of addresses, and days of the week. */
const NAMES = [
  ...Intl.supportedValuesOf('timeZone').map((zone) => zone.replaceAll(/[_/]/g, ' ')),
  ...Intl.supportedValuesOf('currency').map(
    (code) => new Intl.DisplayNames('de', { type: 'currency' }).of(code) ?? '',
  ),
  ...PROVIDERS.map(({ name }) => name),
  'Mo Di Mi Do Fr Sa So English',
].flatMap(wordsIn);
const GERMAN = wordsOf('de');
const KNOWN = new Set([
  ...GERMAN,
  ...NAMES,
  ...['clubs/berlin', 'accounts', 'songbook', 'drawings'].flatMap((name) =>
    sourceWords(`scripts/demo/${name}.ts`),
  ),
  ...CATALOGUE.flatMap(({ artist, title, album }) => wordsIn(`${artist} ${title} ${album}`)),
]);
const ENGLISH = new Set([...wordsOf('en')].filter((word) => !KNOWN.has(word)));

/** Whether a text has a word of the English texts that neither German nor the club has, or several of the commonest. */
function isEnglish(text: string): boolean {
  const words = wordsIn(text);
  return (
    words.some((word) => ENGLISH.has(word)) || new Set(words.filter((word) => COMMON.has(word))).size >= 3
  );
}
