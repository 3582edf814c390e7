// Checks which responses a shared cache may keep: requests every route as different users.
import fs from 'node:fs';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { SURFACES } from '#pub/setlist/rollups/surfaces.ts';
import { EVERYTHING, type SamplePub, startSamplePub } from '#test/browser/pub/pub-fixtures.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';
import { asset, sharedModule } from '#views/assets.ts';
import type { TestApp } from './support/app.ts';
import { addElection, addTokens, castAll } from './support/factories.ts';
import { addPseudoLanguage, PSEUDO } from './support/pseudo-language.ts';
import { shared } from './support/shared-app.ts';

const EVERYBODYS = ['/', '/events', '/now', '/tv', '/api/events', '/setlist/wrapped'];

/** The GET routes of routes.txt; the stream and the sockets have their own tests. */
const ROUTES = fs
  .readFileSync(new URL('routes.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split(/\s+/))
  .filter(([method]) => method === 'GET')
  .map(([, url = '']) => url)
  .filter((url) => url !== '/api/now-playing/current');

const sample = shared(async () => {
  const pub = await startSamplePub(EVERYTHING);
  return Object.assign(pub, { [Symbol.asyncDispose]: () => pub.pub[Symbol.asyncDispose]() });
});
let service: TestApp;
let readers: Record<string, Record<string, string>>;
let addresses: string[];

beforeAll(async () => {
  const full = await sample();
  service = full.pub.service;
  readers = {
    visitor: {},
    member: await signedIn(service),
    officer: await signedIn(service, 'officer'),
    'the edge': await appoint(service, 'ed@club.example', 'owner'),
  };
  const filled = await recordAddresses(full);
  const bare = ROUTES.filter((url) => !/[:*]/.test(url));
  const open = ROUTES.filter((url) => /[:*]/.test(url) && !url.includes('/admin'));
  const unknown = open.map((url) => url.replace(/:\w+|\*/g, 'nowhere'));
  addresses = [...bare, ...unknown, ...filled];
});

/** Creates records, and returns addresses of routes with parameters that lead to them. */
async function recordAddresses({ links, leaving }: SamplePub): Promise<string[]> {
  const open = await addElection(service);
  const [code] = await addTokens(service, open, 1);
  const closed = await addElection(service, { settings: { publish_results_to_home: true } });
  await castAll(service, closed, [{ choice: 'yes' }, { choice: 'no' }]);
  await service.post(`/admin/elections/${closed}/close`);
  const { body } = await service.get('/events', { accept: 'text/html' });
  const [, event = ''] = /href="(\/events\/[^"?]+)"/.exec(body) ?? [];
  const home = (await service.get('/', { accept: 'text/html' })).body;
  const [theme = ''] = /\/assets\/theme\/[^"]+/.exec(home) ?? [];
  const voting = [open, closed].flatMap((id) =>
    ['', '/ballots.csv', '/ballots.json', '/check', '/recount', '/results', '/results/matrix', '/vote'].map(
      (rest) => `/e/${id}${rest}`,
    ),
  );
  return [
    ...voting,
    `/e/${open}/vote?t=${code}`,
    ...[event, `${event}/calendar.ics`, `/og${event}.png`],
    ...SURFACES.flatMap(({ name }) => [`/setlist/${name}`, `/api/setlist/${name}`]),
    '/og/setlist/wrapped.png',
    '/setlist/wrapped?range=all',
    ...[links, links.replace('/subscribe-programs', '/cal/programs.ics'), leaving],
    ...[theme, asset('base/fonts.css'), sharedModule('src/voting/shared/schulze.ts')].filter(Boolean),
    '/tv?screen=bar&preview',
    '/now?before=2026-11-20T20:00:00Z',
  ];
}

const ask = (url: string, headers: Record<string, string>) =>
  service.request({ url, headers: { host: 'club.example', accept: 'text/html', ...headers } });

/** Returns the body without the request id, the only part that differs between equal responses. */
const bodyOf = ({ body, headers }: LightMyRequestResponse) =>
  body.replaceAll(String(headers['x-request-id']), '');

const isPrivate = ({ headers }: LightMyRequestResponse) =>
  /\b(no-store|private)\b/.test(String(headers['cache-control'] ?? ''));

const variesByLanguage = ({ headers }: LightMyRequestResponse) =>
  /accept-language/i.test(String(headers.vary ?? ''));

test('each reader is recognised', async () => {
  expect((await ask('/me', readers.visitor!)).statusCode).not.toBe(200);
  for (const name of ['member', 'officer']) expect((await ask('/me', readers[name]!)).statusCode).toBe(200);
  expect((await ask('/admin/pub/roles', readers['the edge']!)).statusCode).toBe(200);
});

test('cacheable responses are the same for everybody, set no cookie and can be revalidated', async () => {
  const found: string[] = [];
  const kept: string[] = [];
  for (const url of addresses) {
    const first = await ask(url, {});
    const control = String(first.headers['cache-control'] ?? '');
    if (control === '') found.push(`${url}: no Cache-Control (${first.statusCode})`);
    if (isPrivate(first)) {
      if (!isPrivate(await ask(url, readers['the edge']!))) found.push(`${url}: kept for an owner`);
      continue;
    }
    kept.push(url);
    const others = Object.values(readers).map((headers) => ask(url, headers));
    const ways = [
      { accept: 'application/json' },
      { accept: '*/*' },
      // Without an address of its own the service takes that of the request, which anybody can make up.
      { host: 'elsewhere.example' },
      ...(variesByLanguage(first) ? [] : [{ 'accept-language': 'de' }]),
    ];
    const answers = await Promise.all([...others, ...ways.map((headers) => ask(url, headers))]);
    for (const answer of [first, ...answers]) {
      if (answer.headers['set-cookie'] !== undefined) found.push(`${url}: a cookie`);
      if (answer.headers['cache-control'] !== control)
        found.push(`${url}: ${answer.headers['cache-control']}`);
      if (bodyOf(answer) !== bodyOf(first)) found.push(`${url}: differs`);
    }
    const isFresh = /^public, max-age=\d+/.test(control);
    if (!isFresh && !(control === 'no-cache' && first.headers.etag))
      found.push(`${url}: ${control}, no ETag`);
    const etag = first.headers.etag;
    if (etag && (await ask(url, { 'if-none-match': etag })).statusCode !== 304) found.push(`${url}: no 304`);
  }

  expect(found).toEqual([]);
  // Public pages and assets are among them, and nothing that belongs to a person.
  expect(kept).toEqual(expect.arrayContaining([...EVERYBODYS, asset('base/fonts.css')]));
  expect(
    kept.filter((url) => /^\/(api\/)?(admin|me(?![a-z])|vote|sign-|e\/|cal\/|subscribe|set-up)/.test(url)),
  ).toEqual([]);
});

test('no page of one language is sent to a reader of another', async () => {
  onTestFinished(addPseudoLanguage());
  const visitors: Record<string, Record<string, string>> = {
    en: { 'accept-language': 'en' },
    [PSEUDO]: { cookie: `language=${PSEUDO}` },
  };
  const found: string[] = [];
  let pages = 0;
  for (const url of addresses) {
    const alone = await ask(url, visitors.en!);
    if (!String(alone.headers['content-type']).startsWith('text/html')) continue;
    // At once, so that whoever comes second finds what is being made for the first; then again, from what is kept.
    const names = ['en', PSEUDO, PSEUDO, 'en'];
    const answers = await Promise.all(names.map((name) => ask(url, visitors[name]!)));
    pages += variesByLanguage(alone) ? 1 : 0;
    for (const [at, answer] of [alone, ...answers].entries()) {
      const wanted = variesByLanguage(alone) ? (at === 0 ? 'en' : names[at - 1]) : 'en';
      const [, language] = /<html lang="([^"]+)"/.exec(answer.body) ?? [];
      if (language !== wanted) found.push(`${url}: ${language} for ${wanted}`);
      if (answer.headers['content-language'] !== wanted) found.push(`${url}: the header for ${wanted}`);
      if (answer.headers.vary !== alone.headers.vary) found.push(`${url}: Vary for ${wanted}`);
      if (wanted === 'en' && answer.body.replace(OWN_NAME, '').includes('⟦')) found.push(`${url}: mixed`);
    }
    const etag = answers[1]?.headers.etag;
    if (!etag || !variesByLanguage(alone)) continue;
    if (etag === alone.headers.etag) found.push(`${url}: one ETag for two languages`);
    const known = { 'if-none-match': etag };
    if ((await ask(url, { ...visitors.en, ...known })).statusCode === 304)
      found.push(`${url}: 304 for another`);
    if ((await ask(url, { ...visitors[PSEUDO], ...known })).statusCode !== 304) found.push(`${url}: no 304`);
  }

  expect(found).toEqual([]);
  expect(pages).toBeGreaterThan(40);
});

/** The language’s own name, in the switch. */
const OWN_NAME = '⟦ÉÉñglïïšh⟧';
