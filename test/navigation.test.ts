import { describe, expect, test } from 'vitest';
import { ROLES } from '#kernel/access/roles.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { mailTo, type TestApp, testApp } from './support/app.ts';

const KEY = 'a key of the officers';
const TOKEN = 'a token of the pub';
const ELECTIONS = ['Elections', 'Meetings', 'Invitations', 'Lists'];

/** The service without the local bypass. */
const openService = () => testApp({ ADMIN_API_KEY: KEY, PUB_ADMIN_TOKEN: TOKEN });

/** Requests a page, and returns it with the links of its navigation. */
async function read(service: TestApp, path: string, who: Record<string, string>) {
  const { body, statusCode } = await service.get(path, { accept: 'text/html', host: 'club.example', ...who });
  const [nav = ''] = /<nav class="site-nav".*?<\/nav>/s.exec(body) ?? [];
  const links = [...nav.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)/g)].map(([, href = '', label = '']) => ({
    href,
    label,
  }));
  return { body, statusCode, links, labels: links.map(({ label }) => label) };
}

test.each(Object.keys(ROLES))(
  'the navigation for the role %s has all pages that it permits and no others, on every desk',
  async (role) => {
    await using service = await openService();
    const who = await appoint(service, `${role}@club.example`, role);
    const { links, labels } = await read(service, '/admin', who);

    expect(labels).toEqual(expect.arrayContaining([...ELECTIONS, 'Pub', 'Audit log']));
    expect(new Set(labels).size).toBe(labels.length);
    for (const { href } of links) {
      const page = await read(service, href, who);
      expect([href, page.statusCode]).toEqual([href, 200]);
      expect(page.links).toEqual(links);
      expect(page.body).toContain(`<a href="${href}" aria-current="page"`);
      expect(page.body).toContain(`You are here as ${role}@club.example.`);
    }
    for (const href of ['/admin/feedback', '/admin/calendar', '/admin/pub/roles'])
      if (!links.some((link) => link.href === href))
        expect((await read(service, href, who)).statusCode).toBe(403);
  },
);

test('the navigation for those who may open only one kind of desk has no links to others', async () => {
  await using service = await openService();
  const byKey = await read(service, '/admin', { authorization: `Bearer ${KEY}` });
  const byToken = await read(service, '/admin/pub', { 'x-admin-token': TOKEN });
  const without = { 'edge-access-authenticated-user-email': 'new@club.example' };

  expect(byKey.labels).toEqual([...ELECTIONS, 'Audit log']);
  expect(byToken.labels).toEqual(['Pub', 'Feedback', 'Calendar', 'Roles', 'Audit log']);
  expect(byToken.links.at(-1)?.href).toBe('/admin/pub/audit');
  expect(byToken.body).toContain('<a class="wordmark" href="/admin/pub">');
  // For an officer without a role the first page tells how to get access; the others are refused with a reason.
  const first = await read(service, '/admin', without);
  expect(first.labels).toEqual(byKey.labels);
  expect(first.body).toContain('<a href="/set-up">Set it up</a>');
  const refused = await read(service, '/admin/pub', without);
  expect([refused.statusCode, refused.labels]).toEqual([403, byKey.labels]);
  expect(refused.body).toContain('You have no role here yet.');
});

test('a tender is redirected to the pub, with links to content and messages but not to elections', async () => {
  await using service = await testApp({ ELECTIONS_NEED_ROLE: 'on', LOCAL_BYPASS: 'off' });
  const tess = await appoint(service, 'tess@club.example', 'tender');
  const html = { accept: 'text/html', host: 'club.example', ...tess };
  for (const path of ['/admin', '/admin/']) {
    const { statusCode, headers } = await service.get(path, html);
    expect([statusCode, headers.location]).toEqual([303, '/admin/pub']);
  }
  const { labels } = await read(service, '/admin/pub', tess);
  expect(labels).toEqual(['Pub', 'Content', 'Feedback']);
  expect((await read(service, '/admin/feedback', tess)).statusCode).toBe(200);
  expect((await service.get('/admin', { ...html, accept: 'application/json' })).statusCode).toBe(403);
});

describe('the menu of members and patrons', () => {
  const ALL_ON = {
    NOW_PLAYING_INGEST_TOKEN: 'a token of the device',
    SETLIST_REQUESTS_ENABLED: 'on',
    FEEDBACK_ENABLED: 'on',
    NOW_SHOWING_ENABLED: 'on',
    SCREENINGS_ENABLED: 'on',
  };

  async function menuOf(service: TestApp, path: string) {
    const { body } = await service.get(path, { accept: 'text/html' });
    const [menu = ''] = /<details class="menu">.*?<\/details>/s.exec(body) ?? [];
    return [...menu.matchAll(/<a href="([^"]+)"( aria-current="page")?>/g)].map(([, href = '', current]) => ({
      href,
      current: current !== undefined,
    }));
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
      '/',
      '/programme',
    ];

    expect(links.map(({ href }) => href)).toEqual(
      expect.arrayContaining([...pages, '/events#hours', '/subscribe-programs', '/me']),
    );
    for (const path of pages) {
      const { statusCode } = await service.get(path, { accept: 'text/html' });
      const menu = await menuOf(service, path);
      expect([path, statusCode]).toEqual([path, 200]);
      expect(menu.map(({ href }) => href)).toEqual(links.map(({ href }) => href));
      expect(menu.filter(({ current }) => current).map(({ href }) => href)).toEqual([path]);
    }
  });

  test('has no links to parts that are switched off or cannot work', async () => {
    await using service = await testApp({ SETLIST_DB: 'off' });
    const hrefs = (await menuOf(service, '/')).map(({ href }) => href);

    expect(hrefs).toEqual(['/events', '/events#hours', '/tenders/', '/', '/programme', '/me']);
  });
});

test('a request with the key of the pub is described in words', async () => {
  await using service = await openService();
  const { body } = await read(service, '/admin/calendar', { authorization: `Bearer ${TOKEN}` });
  expect(body).toContain('You are here as a script with the pub’s key.');
});
