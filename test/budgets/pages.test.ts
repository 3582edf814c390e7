import { beforeAll, expect, test } from 'vitest';
import { EVERYTHING, startSamplePub } from '#test/browser/pub/pub-fixtures.ts';
import { openRoom } from '#test/meetings/a-meeting.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { addElection, addTokens, castAll } from '#test/support/factories.ts';
import { signedIn } from '#test/support/people/people.ts';
import { detailedPicture, upload } from '#test/support/pictures.ts';
import { shared } from '#test/support/shared-app.ts';
import { statementsOf } from '#test/support/statements.ts';
import { beyond } from './budget.ts';

/**
 * What a page costs when it is asked for a second time, as in a crowd: statements of the database, and kilobytes of HTML; and
 * what a browser loads with it at its first visit, beyond fonts: requests, and kilobytes of JavaScript, uncompressed.
 */
type Cost = {
  statements: number;
  html: number;
  requests: number;
  script: number;
};

/** What a phone may load for a page of members or guests that it never opened, beyond fonts and pictures. */
const FIRST_VISIT = { requests: 3, sent: 60 };

/**
 * The most used pages. Modules that write texts load the seven kilobytes and two files that write them, and their page
 * carries the texts: officers’ pages also those of turnout, keys and files of addresses. Pages for visitors carry the
 * switch of languages, up to a kilobyte; /me also the choice of the person.
 */
const COST: Record<string, Cost> = {
  home: { statements: 4, html: 6, requests: 2, script: 0 },
  election: { statements: 27, html: 9, requests: 2, script: 0 },
  ballot: { statements: 12, html: 8, requests: 3, script: 2 },
  // With the two buttons that check it, and a second column.
  results: { statements: 26, html: 10, requests: 2, script: 0 },
  'own elections': { statements: 4, html: 5, requests: 2, script: 0 },
  // With the codes of the evening, which the phone keeps, and numbers of the agenda; a tap after scrolling counts.
  'the room of a meeting': { statements: 18, html: 16, requests: 3, script: 49 },
  // Nobody else gets it: it has the button that takes a card back.
  'the room of a meeting, for officers with a card': { statements: 27, html: 16, requests: 3, script: 49 },
  me: { statements: 9, html: 6, requests: 2, script: 0 },
  'sign in': { statements: 1, html: 5, requests: 2, script: 0 },
  now: { statements: 1, html: 15, requests: 3, script: 42 },
  events: { statements: 1, html: 10, requests: 3, script: 2 },
  tenders: { statements: 1, html: 8, requests: 3, script: 9 },
  menu: { statements: 1, html: 21, requests: 3, script: 11 },
  requests: { statements: 4, html: 10, requests: 3, script: 36 },
  setlist: { statements: 1, html: 6, requests: 2, script: 0 },
  'main TV': { statements: 1, html: 22, requests: 41, script: 199 },
  'TV of the bar': { statements: 1, html: 6, requests: 24, script: 87 },
  // With the meetings to come.
  'the officers’ first page': { statements: 16, html: 8, requests: 13, script: 31 },
  'an election, for officers': { statements: 18, html: 14, requests: 16, script: 41 },
  'an election, for officers: codes': { statements: 22, html: 11, requests: 16, script: 41 },
  'an election, for officers: mails': { statements: 26, html: 11, requests: 16, script: 41 },
  'an election, for officers: ballot': { statements: 20, html: 11, requests: 16, script: 41 },
  'an election, for officers: rules': { statements: 18, html: 21, requests: 16, script: 41 },
  'an election, for officers: checks': { statements: 18, html: 21, requests: 16, script: 41 },
  'an election, for officers: history': { statements: 20, html: 9, requests: 16, script: 41 },
  // With the call for motions, as the chair’s.
  'a meeting, for officers': { statements: 52, html: 8, requests: 14, script: 31 },
  'a meeting, for officers: mails': { statements: 31, html: 8, requests: 14, script: 31 },
  'a meeting, for officers: details': { statements: 27, html: 12, requests: 14, script: 31 },
  'a meeting, for officers: end': { statements: 29, html: 8, requests: 14, script: 31 },
  'the chair': { statements: 61, html: 14, requests: 17, script: 55 },
  // With the rows of those who were let in last.
  'the door': { statements: 104, html: 28, requests: 15, script: 46 },
  // A tap after scrolling counts.
  'the staff room': { statements: 30, html: 28, requests: 13, script: 38 },
  'the staff room, lights and screens': { statements: 30, html: 35, requests: 13, script: 38 },
  'the staff room, heard last': { statements: 30, html: 35, requests: 13, script: 38 },
};

const pub = shared(async () => {
  const { pub, owner } = await startSamplePub(EVERYTHING);
  const { service } = pub;
  return { service, owner, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
});
const room = shared(async () => {
  const one = await openRoom({ place: 'The hall' }, undefined, EVERYTHING);
  return { one, [Symbol.asyncDispose]: () => one.service[Symbol.asyncDispose]() };
});

/** The addresses of the pages, and the service that has them. */
const PAGES: Record<string, Asked> = {};

interface Asked {
  service: TestApp;
  url: string;
  as?: Record<string, string>;
  /** Another machine than that of the service, which may be an officer’s. */
  from?: string;
}

beforeAll(async () => {
  const { service, owner } = await pub();
  const open = await addElection(service);
  const [code] = await addTokens(service, open, 1);
  const closed = await addElection(service);
  await castAll(service, closed, [{ choice: 'yes' }, { choice: 'no' }]);
  await service.post(`/admin/elections/${closed}/close`);
  const { one } = await room();
  const [card] = await one.arrive(['Ann', 'Bob', 'Cid']);
  const motion = await one.add({ kind: 'motion', title: 'New lamps', text: 'At most 900' });
  await one.act(motion.id, 'open');
  const at = (url: string, as?: Record<string, string>) => ({ service, url, ...(as && { as }) });
  const inRoom = (url: string, as?: Record<string, string>) => ({ ...at(url, as), service: one.service });
  const entered = await one.service.get(`/m/${one.id}?t=${card}`, { accept: 'text/html' });
  const cookie = [entered.headers['set-cookie']].flat().map((set) => set?.split(';')[0]);
  Object.assign(PAGES, {
    home: at('/'),
    election: at(`/e/${open}`),
    ballot: at(`/e/${open}/vote?t=${code}`),
    results: at(`/e/${closed}`),
    'own elections': at('/vote/my-elections'),
    'the room of a meeting, for officers with a card': inRoom(`/m/${one.id}`, {
      cookie: cookie.join('; '),
    }),
    'the room of a meeting': { ...inRoom(`/m/${one.id}`, { cookie: cookie.join('; ') }), from: '10.0.0.9' },
    me: at('/me', await signedIn(service)),
    'sign in': at('/sign-in'),
    now: at('/now'),
    events: at('/events'),
    tenders: at('/tenders/'),
    menu: at('/menu'),
    requests: at('/requests'),
    setlist: at('/setlist/'),
    'main TV': at('/tv'),
    'TV of the bar': at('/tv/bar-right'),
    'the officers’ first page': at('/admin'),
    ...Object.fromEntries(
      ['', 'codes', 'mails', 'ballot', 'rules', 'checks', 'history'].map((page) => [
        `an election, for officers${page && `: ${page}`}`,
        at(`/admin/elections/${open}${page && `/${page}`}`),
      ]),
    ),
    ...Object.fromEntries(
      ['', 'mails', 'details', 'end'].map((page) => [
        `a meeting, for officers${page && `: ${page}`}`,
        inRoom(`${one.base}${page && `/${page}`}`),
      ]),
    ),
    'the chair': inRoom(`${one.base}/chair`),
    'the door': inRoom(`${one.base}/door`),
    'the staff room': at('/admin/pub', owner),
    'the staff room, lights and screens': at('/admin/pub/room', owner),
    'the staff room, heard last': at('/admin/pub/heard', owner),
  });
});

/** Pages with pictures that are as large as those of TVs. */
async function withPictures() {
  const service = await testApp();
  const eve = await editorAt(service);
  const add = async () => (await upload(service, eve.headers, { bytes: await detailedPicture() })).json().id;
  for (const name of ['Ann Lee', 'Bob Ray', 'Cid Fox', 'Dot Gray'])
    await eve.publish('tender', { full_name: name, picture: await add() });
  await eve.publish('event', { title: 'Quiz', date: '2026-11-24', time: '20:00', picture: await add() });
  await eve.publish('announcement', { title: 'The roof is mended', picture: await add() });
  const section = await eve.publish('menu_section', { title: 'Beer' });
  await eve.publish('menu_item', { name: 'Stout', section, picture: await add() });
  return service;
}

const HTML = { accept: 'text/html' };
const kilobytes = (bytes: number) => Math.ceil(bytes / 1024);

/** @returns `sent` in kilobytes, as they are sent */
async function costOf({ service, url, as, from }: Asked): Promise<{ cost: Cost; sent: number }> {
  const ask = (address: string) =>
    service.request({
      url: address,
      headers: { accept: 'text/html', ...(!address.startsWith('/assets') && as) },
      ...(from !== undefined && { remoteAddress: from }),
    });
  await ask(url);
  const statements = await statementsOf(() => ask(url));
  const { body, statusCode } = await ask(url);
  expect([url, statusCode]).toEqual([url, 200]);
  const loaded = new Map<string, string>();
  let sent = Buffer.byteLength(body);
  const load = async (address: string) => {
    if (loaded.has(address)) return;
    loaded.set(address, '');
    sent += (await service.get(address, { 'accept-encoding': 'gzip, deflate, br' })).rawPayload.length;
    const { body, headers } = await ask(address);
    if (!/javascript/.test(String(headers['content-type']))) return;
    loaded.set(address, body);
    const imported = body.matchAll(/^(?:import|(?:import|export)\b[^;'"=]*\bfrom)\s*['"]([./][^'"]+)['"]/gm);
    for (const [, module = ''] of imported)
      await load(new URL(module, `http://club.example${address}`).pathname);
  };
  const linked = body.matchAll(/<(?:script|img)\b[^>]*\bsrc="(\/[^"]+)"|<link\b[^>]*>/g);
  for (const [tag, src] of linked) {
    // It is loaded when somebody unfolds it.
    if (tag.includes('folded-picture')) continue;
    const [, href] = /rel="(?:stylesheet|modulepreload|icon)"[^>]*href="([^"]+)"/.exec(tag) ?? [];
    const address = src ?? href;
    if (address?.startsWith('/')) await load(address.replaceAll('&amp;', '&'));
  }
  const scripts = [...loaded.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const cost = {
    statements: statements.length,
    html: kilobytes(Buffer.byteLength(body)),
    requests: 1 + loaded.size,
    script: kilobytes(scripts),
  };
  return { cost, sent: kilobytes(sent) };
}

test('the most used pages cost no more than they did, and those for phones little', async () => {
  const costs: Record<string, Cost> = {};
  const heavy: object[] = [];
  for (const [name, page] of Object.entries(PAGES)) {
    const { cost, sent } = await costOf(page);
    costs[name] = cost;
    const isForPhones = !/TV|officer|chair|door|staff/.test(name);
    if (isForPhones && (cost.requests > FIRST_VISIT.requests || sent > FIRST_VISIT.sent))
      heavy.push({ name, sent, ...cost });
  }

  expect(beyond(COST, costs)).toEqual([]);
  expect(heavy).toEqual([]);
});

test('a phone’s first visit is bounded with pictures too, however large they were uploaded', async () => {
  await using service = await withPictures();
  const [, event = ''] = /href="(\/events\/[^"]+)"/.exec((await service.get('/events', HTML)).body) ?? [];

  const heavy: object[] = [];
  for (const url of ['/events', '/tenders/', '/now', '/menu', event]) {
    const { body } = await service.get(url, HTML);
    expect(body).toMatch(/size=(160|480)/);
    const { sent } = await costOf({ service, url });
    if (sent > FIRST_VISIT.sent) heavy.push({ url, sent });
  }
  expect(heavy).toEqual([]);
});
