import { describe, expect, test } from 'vitest';
import { ROLES } from '#kernel/access/roles.ts';
import type { Part } from '#kernel/settings/parts.ts';
import { expectForbidden, onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { mailTo, type TestApp, testApp } from './support/app.ts';

const KEY = 'a key of the officers';
const TOKEN = 'a token of the pub';
const VOTES = ['Elections', 'Meetings', 'Invitations', 'Distribution lists'];

/** The service without the local bypass. */
const openService = () => testApp({ ADMIN_API_KEY: KEY, PUB_ADMIN_TOKEN: TOKEN });

const linksIn = (html: string) =>
  [...html.matchAll(/<a [^>]*?href="([^"]+)"[^>]*>([^<]+)/g)].map(([, href = '', label = '']) => ({
    href,
    label,
  }));

const labelsOf = (links: { label: string }[]) => links.map(({ label }) => label);

/** Requests a page, and returns it with the links of its navigation. */
async function read(service: TestApp, path: string, who: Record<string, string>) {
  const { body, statusCode } = await service.get(path, { accept: 'text/html', host: 'club.example', ...who });
  const [nav = ''] = /<nav class="site-nav".*?<\/nav>/s.exec(body) ?? [];
  const lists = nav.split('<ul');
  const listOf = (name: string) => linksIn(lists.find((list) => list.includes(`class="${name}"`)) ?? '');
  return { body, statusCode, nav, groups: listOf('nav-groups'), pages: listOf('nav-pages') };
}

/** All pages of the navigation, found by its groups. */
async function listPages(service: TestApp, who: Record<string, string>, from = '/admin') {
  const { groups } = await read(service, from, who);
  const pages = await Promise.all(groups.map(async ({ href }) => (await read(service, href, who)).pages));
  return { groups, pages: pages.flat() };
}

test.each(Object.keys(ROLES))(
  'the navigation for the role %s has all pages that it permits and no others, in at most five groups',
  async (role) => {
    await using service = await openService();
    const who = await appoint(service, `${role}@club.example`, role);
    const { groups, pages } = await listPages(service, who);

    expect(labelsOf(pages)).toEqual(expect.arrayContaining([...VOTES, 'Tonight', 'Audit log']));
    expect(new Set(labelsOf(pages)).size).toBe(pages.length);
    expect(groups.length).toBeLessThanOrEqual(5);
    for (const { href, label } of pages) {
      const page = await read(service, href, who);
      expect([href, page.statusCode]).toEqual([href, 200]);
      expect(page.groups).toEqual(groups);
      expect(page.body).toContain(`<a href="${href}" aria-current="page"`);
      expect(page.nav).toContain('aria-current="true"');
      // The tab, the title and the heading of a page are the same words.
      expect(page.body).toMatch(new RegExp(`<title>${label} ·.*<h1[^>]*>\\s*${label}\\s*</h1>`, 's'));
      expect(page.body).toContain(`You are here as ${role}@club.example.`);
    }
    for (const href of ['/admin/feedback', '/admin/calendar', '/admin/pub/roles', '/admin/people'])
      if (!pages.some((link) => link.href === href))
        expect((await read(service, href, who)).statusCode).toBe(403);
  },
);

test('the navigation for those who may open only one kind of desk has no links to others', async () => {
  await using service = await openService();
  const key = { authorization: `Bearer ${KEY}` };
  const byKey = await listPages(service, key);
  const token = { 'x-admin-token': TOKEN };
  const byToken = await listPages(service, token, '/admin/pub');
  const without = { 'edge-access-authenticated-user-email': 'new@club.example' };

  expect(labelsOf(byKey.pages)).toEqual([...VOTES, 'Audit log']);
  expect(labelsOf(byToken.pages)).toEqual([
    'Tonight',
    'Last night',
    'Screens',
    'Feedback',
    'Calendar',
    'Roles',
    'Audit log',
  ]);
  expect(byToken.pages.at(-1)?.href).toBe('/admin/pub/audit');
  expect((await read(service, '/admin/pub', token)).body).toContain('<a class="wordmark" href="/admin/pub">');
  // For an officer without a role the first page tells how to get access; the others are refused with a reason.
  const first = await read(service, '/admin', without);
  expect(first.groups).toEqual(byKey.groups);
  expect(first.body).toContain('<a href="/set-up">Set it up</a>');
  const refused = await read(service, '/admin/pub', without);
  expect([refused.statusCode, refused.groups]).toEqual([403, byKey.groups]);
  expect(refused.body).toContain(onPage('role_required'));
});

test('a tender is redirected to the pub, with links to content and messages but not to elections', async () => {
  await using service = await testApp({ ELECTIONS_NEED_ROLE: 'on', LOCAL_BYPASS: 'off' });
  const tess = await appoint(service, 'tess@club.example', 'tender');
  const html = { accept: 'text/html', host: 'club.example', ...tess };
  for (const path of ['/admin', '/admin/']) {
    const { statusCode, headers } = await service.get(path, html);
    expect([statusCode, headers.location]).toEqual([303, '/admin/pub']);
  }
  const { pages } = await listPages(service, tess, '/admin/pub');
  expect(labelsOf(pages)).toEqual(['Tonight', 'Last night', 'Screens', 'Feedback', 'Content']);
  expect((await read(service, '/admin/feedback', tess)).statusCode).toBe(200);
  expectForbidden(await service.get('/admin', { ...html, accept: 'application/json' }), 'elections:read');
});

describe('the menu of members and patrons', () => {
  const ALL_ON = {
    NOW_PLAYING_INGEST_TOKEN: 'a token of the device',
    SETLIST_REQUESTS_ENABLED: 'on',
    FEEDBACK_ENABLED: 'on',
    NOW_SHOWING_ENABLED: 'on',
    SCREENINGS_ENABLED: 'on',
  };

  const markedLinks = (part: string) =>
    [...part.matchAll(/<a href="([^"]+)"( aria-current="page")?>([^<]+)/g)].map(
      ([, href = '', current, label = '']) => ({ href, label, current: current !== undefined }),
    );

  async function menuOf(service: TestApp, path: string) {
    const { body } = await service.get(path, { accept: 'text/html' });
    const [menu = ''] = /<details class="menu">.*?<\/details>/s.exec(body) ?? [];
    return markedLinks(menu);
  }

  /** The links beside the menu, and where the name of the club leads. */
  async function rowOf(service: TestApp) {
    const { body } = await service.get('/sign-in', { accept: 'text/html' });
    const [row = ''] = /<div class="menu-row">.*?<\/div>/s.exec(body) ?? [];
    const [, home] = /class="wordmark" href="([^"]+)"/.exec(body) ?? [];
    return { home, row: markedLinks(row).map(({ href, label }) => `${label} ${href}`) };
  }

  test('has the same links on every page, and marks the current one', async () => {
    await using service = await testApp({ ...mailTo('smtp://127.0.0.1:9'), ...ALL_ON });
    const links = await menuOf(service, '/');
    const pages = [
      '/events',
      '/tenders/',
      '/now',
      '/requests',
      '/setlist',
      '/screen',
      '/feedback',
      '/hours',
      '/',
      '/programme',
      '/subscribe-programs',
    ];

    expect(links.slice(0, 3).map(({ label }) => label)).toEqual([
      'What’s on',
      'Opening hours',
      'Ask for a song',
    ]);
    expect(links.map(({ href }) => href.replace('#vote', '')).toSorted()).toEqual(
      [...pages, '/me'].toSorted(),
    );
    for (const path of pages) {
      const { statusCode } = await service.get(path, { accept: 'text/html' });
      const menu = await menuOf(service, path);
      expect([path, statusCode]).toEqual([path, 200]);
      expect(menu.map(({ href }) => href)).toEqual(links.map(({ href }) => href));
      expect(menu.filter(({ current }) => current).map(({ href }) => href.replace('#vote', ''))).toEqual([
        path,
      ]);
    }
  });

  test('says the same words as the tab and the heading of each page', async () => {
    await using service = await testApp({ ...mailTo('smtp://127.0.0.1:9'), ...ALL_ON });
    for (const { href, label } of await menuOf(service, '/')) {
      const { body } = await service.get(href.replace(/#.*/, ''), { accept: 'text/html' });
      const [, title] = /<title>(.*?) · /.exec(body) ?? [];
      const [, heading] = /<h1[^>]*>(.*?)<\/h1>/s.exec(body) ?? [];
      const [, section] = /<h2 id="vote">(.*?)<\/h2>/.exec(body) ?? [];
      // Your own page has your name, or asks who you are.
      if (href === '/#vote') expect(section).toBe(label);
      else if (href !== '/me') expect([href, title, heading]).toEqual([href, label, label]);
    }
  });

  test('shows its most used pages in a row, and in a club that is no pub those of the club', async () => {
    await using service = await testApp({ ...mailTo('smtp://127.0.0.1:9'), ...ALL_ON });
    service.ctx.configured.menu = () => true;
    const decide = async (parts: Partial<Record<`parts.${Part}`, boolean>>) => {
      service.ctx.config.settings = { ...service.ctx.config.settings, ...parts };
      return rowOf(service);
    };

    expect(await decide({})).toEqual({
      home: '/',
      row: ['What’s on /events', 'Drinks /menu', 'Now playing /now', 'Vote /#vote'],
    });
    expect(await decide({ 'parts.voting': false })).toEqual({
      home: '/',
      row: ['What’s on /events', 'Drinks /menu', 'Now playing /now'],
    });
    service.ctx.configured.menu = () => false;
    expect(await decide({ 'parts.voting': true, 'parts.screens': false, 'parts.music': false })).toEqual({
      home: '/',
      row: ['Elections and results /', 'In your calendar /subscribe-programs'],
    });
    expect(await decide({ 'parts.voting': false })).toEqual({
      home: '/subscribe-programs',
      row: ['In your calendar /subscribe-programs'],
    });
  });

  test('has no links to parts that are switched off or cannot work', async () => {
    await using service = await testApp({ SETLIST_DB: 'off' });
    const hrefs = (await menuOf(service, '/')).map(({ href }) => href);

    expect(hrefs).toEqual(['/events', '/hours', '/tenders/', '/#vote', '/programme', '/me']);
  });
});

test('a request with the key of the pub is described in words', async () => {
  await using service = await openService();
  const { body } = await read(service, '/admin/calendar', { authorization: `Bearer ${TOKEN}` });
  expect(body).toContain('You are here as a script with the pub’s key.');
});
