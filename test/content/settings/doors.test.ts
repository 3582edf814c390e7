import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Part } from '#kernel/settings/parts.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type TestApp, testApp } from '../../support/app.ts';

interface Door {
  /** What answers 404 while the part is off: routes, and pages of visitors. */
  routes: string[];
  pages: string[];
  /** The keys of the JSON answer of a closed door besides `enabled`. */
  closed: object;
  /** Parts that have to be on, too. */
  beside?: Part[];
  variable: string;
}

const DOORS: Partial<Record<Part, Door>> = {
  requests: {
    routes: ['/api/setlist/requests', '/api/setlist/track-suggest?q=abba'],
    pages: ['/requests'],
    closed: {},
    variable: 'SETLIST_REQUESTS_ENABLED',
  },
  feedback: { routes: [], pages: ['/feedback'], closed: {}, variable: 'FEEDBACK_ENABLED' },
  sports: { routes: ['/api/sports/live'], pages: [], closed: { games: [] }, variable: 'SPORTS_ENABLED' },
  big_screen: {
    routes: ['/api/now-showing'],
    pages: [],
    closed: { showing: false },
    variable: 'NOW_SHOWING_ENABLED',
  },
  films: {
    routes: ['/api/screenings'],
    pages: ['/screen'],
    closed: { items: [] },
    beside: ['big_screen'],
    variable: 'SCREENINGS_ENABLED',
  },
};

let service: TestApp;
let owner: Record<string, string>;

beforeAll(async () => {
  service = await testApp();
  owner = await appoint(service, 'olga@club.example', 'owner');
});
afterAll(() => service[Symbol.asyncDispose]());

async function tick(parts: Partial<Record<Part, boolean | null>>): Promise<void> {
  const answer = await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: { parts },
    headers: { accept: 'application/json', ...owner },
  });
  expect([answer.statusCode, answer.json().error]).toEqual([200, undefined]);
}
const all = (parts: readonly Part[], on: boolean | null) =>
  Object.fromEntries(parts.map((part) => [part, on]));

describe.each(Object.entries(DOORS))('%s', (part, { routes, pages, closed, beside = [], variable }) => {
  const expectOpen = async (isOpen: boolean, on = service) => {
    for (const url of routes) {
      const answer = await on.get(url);
      expect([url, answer.statusCode]).toEqual([url, isOpen ? 200 : 404]);
      if (!isOpen) expect(answer.json()).toEqual({ enabled: false, ...closed });
    }
    for (const url of pages) {
      const page = await on.get(url, { accept: 'text/html' });
      expect([url, page.statusCode]).toEqual([url, isOpen ? 200 : 404]);
    }
    if (part !== 'feedback') return;
    const sent = await on.post('/api/feedback', { message: 'x' });
    expect(sent.statusCode).toBe(isOpen ? 200 : 404);
  };

  it('is closed until its tick opens it, at once, and closed by it again', async () => {
    await expectOpen(false);
    await tick(all([part as Part, ...beside], true));
    await expectOpen(true);
    await tick({ [part]: false });
    await expectOpen(false);
    await tick({ [part]: null });
    await expectOpen(false);
    await tick(all(beside, null));
  });

  it('is decided by its variable, whatever the tick says', async () => {
    const others = Object.fromEntries(beside.map((other) => [DOORS[other]?.variable ?? '', 'on']));
    await using on = await testApp({ ...others, [variable]: 'on' });
    await expectOpen(true, on);
    await using off = await testApp({ ...others, [variable]: 'off' });
    await expectOpen(false, off);
  });
});

it('the archive of films is closed without the big screen', async () => {
  await tick({ films: true, big_screen: false });
  expect((await service.get('/api/screenings')).statusCode).toBe(404);
  await tick({ films: null, big_screen: null });
});
