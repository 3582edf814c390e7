import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { PARTS, type Part } from '#kernel/settings/parts.ts';
import { onPage } from '#test/support/messages.ts';
import { appoint, heard } from '#test/support/people/patrons.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { addElection, addTokens } from '../../support/factories.ts';

/** The ticks of the parts that are off until somebody ticks them. */
const TICKED = { requests: true, feedback: true, sports: true, big_screen: true, films: true };
/** Every part as it was before a test. */
const EVERYTHING = { ...Object.fromEntries(PARTS.map((part) => [part, null])), ...TICKED };

/** The pages of each part for visitors. */
const PAGES: Partial<Record<Part, string[]>> = {
  screens: ['/tv', '/tv/projector', '/tv/bar-right', '/events', '/hours', '/tenders/'],
  music: ['/now', '/setlist', '/setlist/top-songs'],
  requests: ['/requests'],
  films: ['/screen'],
  calendar: ['/programme'],
  feedback: ['/feedback'],
};
/** Links to each part on the first page: in its menu and in its text. */
const LINKS: Partial<Record<Part, string[]>> = {
  screens: ['/events', '/hours', '/tenders/'],
  music: ['/now', '/setlist'],
  requests: ['/requests'],
  films: ['/screen'],
  calendar: ['/programme'],
  feedback: ['/feedback'],
};
/** Sections of the staff's page that belong to each part. */
const ROOM: Partial<Record<Part, string[]>> = {
  screens: ['takeover'],
  music: ['displays', 'setlist'],
  requests: ['requests'],
  films: ['films'],
  lights: ['lights'],
  sound: ['sound'],
};
/** Links in the navigation of staff to each part. */
const DESKS: Partial<Record<Part, string[]>> = {
  voting: ['/admin', '/admin/bulk-invites', '/admin/distribution-lists'],
  calendar: ['/admin/calendar'],
  feedback: ['/admin/feedback'],
};

let service: TestApp;
let owner: Record<string, string>;

beforeAll(async () => {
  service = await testApp({ LYRICS_API_URL: undefined, GENRE_API_URL: undefined });
  owner = await appoint(service, 'olga@club.example', 'owner');
  await decide(EVERYTHING);
  await service.post('/api/now-playing/ingest', { heartbeat: true });
  await heard(service, { artist: 'Toto', title: 'Africa' });
  await service.submit('/admin/pub/showing', { mode: 'movie' }, owner);
});

afterEach(() => decide(EVERYTHING));
afterAll(() => service[Symbol.asyncDispose]());

const decide = (parts: Partial<Record<Part, boolean | null>>) =>
  service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: { parts },
    headers: { accept: 'application/json', ...owner },
  });
const page = (url: string, who: Record<string, string> = {}) =>
  service.get(url, { accept: 'text/html', ...who });
const hasLink = (body: string, href: string) =>
  body.includes(`<a href="${href}"`) || body.includes(`href="${href}">`);

/** The first page of each group of the officers' navigation: together they have all of its links. */
async function desksIn(room: string): Promise<string> {
  const [groups = ''] = /class="nav-groups">.*?<\/ul>/s.exec(room) ?? [];
  const first = [...groups.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => page(href, owner));
  return (await Promise.all(first)).map(({ body }) => body).join('');
}

/** The archive of films is part of the big screen. */
const goesWith = (part: Part, other: string) =>
  other === part || (part === 'big_screen' && other === 'films');

describe.each(PARTS)('without %s', (part) => {
  it('there are no links to it, its pages are a 404 with a reason, and the rest still works', async () => {
    for (const address of PAGES[part] ?? []) expect((await page(address)).statusCode).not.toBe(404);
    await decide({ [part]: false });

    for (const address of PAGES[part] ?? []) {
      const answer = await page(address);
      expect([address, answer.statusCode]).toEqual([address, 404]);
      expect(answer.body).toContain(onPage('page_switched_off'));
    }
    for (const [other, pages] of Object.entries(PAGES).filter(([other]) => !goesWith(part, other)))
      for (const address of pages) {
        const { body, statusCode } = await page(address);
        expect([other, address, statusCode]).not.toEqual([other, address, 404]);
        const links = (LINKS[part] ?? []).filter((link) => hasLink(body, link));
        expect([other, address, links]).toEqual([other, address, []]);
      }
    const { body } = await page('/');
    for (const [other, links] of Object.entries(LINKS))
      for (const link of links) expect([link, hasLink(body, link)]).toEqual([link, !goesWith(part, other)]);
    const rooms = ['/admin/pub', '/admin/pub/room', '/admin/pub/heard'];
    const room = (await Promise.all(rooms.map((one) => page(one, owner)))).map(({ body }) => body).join('');
    for (const [other, ids] of Object.entries(ROOM))
      for (const id of ids)
        expect([id, room.includes(`id="${id}-title"`)]).toEqual([id, !goesWith(part, other)]);
    const desks = await desksIn(room);
    for (const [other, links] of Object.entries(DESKS))
      for (const link of links) expect([link, hasLink(desks, link)]).toEqual([link, other !== part]);

    await decide(EVERYTHING);
    for (const address of PAGES[part] ?? []) expect((await page(address)).statusCode).not.toBe(404);
  });
});

it('the API works with all parts switched off', async () => {
  await decide(Object.fromEntries(PARTS.map((part) => [part, false])));
  for (const address of [
    '/api/events',
    '/api/tenders',
    '/api/now-playing/setlist',
    '/api/now-playing/snapshot',
  ])
    expect([address, (await service.get(address)).statusCode]).toEqual([address, 200]);
  expect((await service.post('/api/now-playing/ingest', { heartbeat: true })).statusCode).toBe(200);
});

it('without elections the first page shows the other parts, and mailed voting links still work', async () => {
  const id = await addElection(service, { title: 'Shall we?', settings: { publish_results_to_home: true } });
  const [token] = await addTokens(service, id, 1);
  await decide({ voting: false });

  const { body, statusCode } = await page('/');
  expect([statusCode, body.includes('Shall we?'), body.includes('lections')]).toEqual([200, false, false]);
  expect(body).toContain('<h1 tabindex="-1">Public House</h1>');
  expect((await page(`/e/${id}/vote?t=${token}`)).statusCode).toBe(200);
});

test('screens hide parts that are off: the big screen, and the lyrics without music', async () => {
  const off = async () => /data-off="([^"]*)"/.exec((await page('/tv/projector')).body)?.[1];
  expect(await off()).toBe('');
  await decide({ sports: false, films: false });
  expect(await off()).toBe('');
  await decide({ big_screen: false });
  expect(await off()).toBe('showing');
  await decide({ music: false });
  expect(await off()).toBe('music showing');
});

test('a part that nobody has switched is on if it is configured', async () => {
  await using bare = await testApp();
  const who = await appoint(bare, 'olga@club.example', 'owner');
  const read = async () => (await bare.get('/api/admin/settings', who)).json().settings.parts;
  expect(await read()).toMatchObject({ music: false, lights: false, requests: false });
  // Its pages still respond, and say what is missing.
  expect((await bare.get('/now', { accept: 'text/html' })).statusCode).toBe(200);
  expect((await bare.get('/', { accept: 'text/html' })).body).not.toContain('href="/now"');

  await bare.post('/api/now-playing/ingest', { heartbeat: true });
  expect(await read()).toMatchObject({ music: true, lights: true, sound: true, requests: false });
  expect((await bare.get('/events', { accept: 'text/html' })).body).toContain('href="/now"');
});
