import { beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, page } from '#test/support/factories.ts';

let service: TestApp;
let ids: string[];

/** 45 elections: two open, one scheduled, the others closed in the last years, every second one published. */
beforeAll(async () => {
  service = await testApp();
  const { now } = service.clock;
  const closed = Array.from({ length: 42 }, (_, n) => ({
    title: `Vote ${n}`,
    open_at: isoTime(now - (n * 20 + 3) * DAY),
    close_at: isoTime(now - (n * 20 + 1) * DAY),
    allow_past_close: true,
    settings: { publish_results_to_home: n % 2 === 0 },
  }));
  const current = [
    { title: 'The piano', settings: { publish_results_to_home: true } },
    { title: 'The roof', close_at: isoTime(now + DAY) },
    { title: 'The garden', open_at: isoTime(now + HOUR), close_at: isoTime(now + DAY) },
  ];
  ids = [];
  for (const fields of [...closed, ...current]) ids.push(await addElection(service, fields));
  return () => service[Symbol.asyncDispose]();
});

const admin = async (query = '') => (await page(service, `/admin${query}`)).body;
const titlesIn = (body: string) =>
  [...body.matchAll(/<h3><a href="\/(?:e|admin\/elections)\/[^"]*">([^<]*)/g)].map(([, title]) => title);

test('the list has numbered pages, open elections first, and years for closed ones', async () => {
  const [first, last] = [await admin(), await admin('?page=5')];

  expect(titlesIn(first)).toHaveLength(10);
  expect(titlesIn(first).slice(0, 3)).toEqual(['The piano', 'The roof', 'The garden']);
  expect(first).toContain('1 to 10 of 45 elections');
  expect(titlesIn(last)).toHaveLength(5);
  expect(titlesIn(await admin('?page=99'))).toEqual(titlesIn(last));
  expect(first).toMatch(/href="\/admin\?state=closed&amp;year=2025">2025: 18</);
  expect(first.length).toBeLessThan(60_000);
});

test('search, state, year and order can be combined, and are kept from page to page', async () => {
  expect(titlesIn(await admin('?q=PIANO'))).toEqual(['The piano']);
  expect(titlesIn(await admin('?q=vote+1&sort=title')).slice(0, 3)).toEqual(['Vote 1', 'Vote 10', 'Vote 11']);
  const inYear = await admin('?state=closed&year=2026&sort=newest');
  expect(titlesIn(inYear).slice(0, 2)).toEqual(['Vote 0', 'Vote 1']);
  const second = await admin('?state=closed&year=2026&sort=newest&page=2');
  expect([titlesIn(inYear).length, titlesIn(second).length]).toEqual([10, 7]);
  expect(await admin('?state=closed&sort=title&page=2')).toContain(
    'href="/admin?state=closed&amp;sort=title&amp;page=3" rel="next"',
  );
  expect(await admin('?q=%22%3E%3Cscript%3E')).toContain('No election matches.');
  expect(titlesIn(await admin('?state=nonsense&year=x&sort=__proto__&page=-1'))).toHaveLength(10);
});

test('only elections that need action are counted, with a link to them', async () => {
  const body = await admin();

  expect(body).toContain('<a class="link-alone" href="/admin?state=waiting">3 elections need you.</a>');
  expect(titlesIn(await admin('?state=waiting'))).toEqual(['The piano', 'The roof', 'The garden']);
  expect(body).not.toContain('not on the home page yet');
});

test('a hint is dismissed permanently, which is audited, and leads back to the same page', async () => {
  const [, id = ''] = ids;
  const query = '?q=Vote+1&sort=title';
  const hint = `action="/admin/elections/${id}/hints"`;
  expect(await admin(query)).toContain(hint);

  const url = `/admin/elections/${id}/hints`;
  const fields = { hint: 'not_on_home', back: `/admin${query}` };
  const answers = [await service.submit(url, fields), await service.submit(url, fields)];
  const elsewhere = await service.submit(url, { ...fields, back: 'https://evil.example/admin' });

  expect(answers.map(({ statusCode, headers }) => [statusCode, headers.location])).toEqual(
    Array(2).fill([303, `/admin${query}&done=dismissed`]),
  );
  expect(elsewhere.headers.location).toBe('/admin?done=dismissed');
  expect(await admin(query)).not.toContain(hint);
  expect(await admin(`${query}&done=dismissed`)).toContain('The hint will not come back.');
  expect(
    (await auditOf(service, id)).filter(({ action }) => action === 'election.hint_dismissed'),
  ).toMatchObject([{ metadata: { hint: 'not_on_home' } }]);
  expect((await service.post(url, { hint: 'all' })).statusCode).toBe(400);
  expect((await service.post('/admin/elections/nothing/hints', { hint: 'not_on_home' })).statusCode).toBe(
    404,
  );
});

test('the home page has current elections and the newest results; an archive has the others by year', async () => {
  const home = (await page(service, '/')).body;
  const archive = (await page(service, '/archive')).body;
  const earlier = (await page(service, '/archive?year=2025')).body;

  expect(home).toContain('The piano');
  expect(home.match(/class="said"/g)).toHaveLength(9);
  expect(home).toContain('href="/archive">All results, by year</a>');
  expect(archive).toContain('<h1 tabindex="-1">Results of 2026</h1>');
  expect(archive).toMatch(/href="\/archive\?year=2025">2025/);
  expect(titlesIn(earlier)).toHaveLength(9);
  expect(titlesIn(earlier)[0]).toBe('Vote 18');
  expect(titlesIn(earlier)).not.toContain('Vote 19');
  expect((await page(service, '/archive?year=1999')).body).toContain('No result of this year is published.');
  expect((await page(service, '/archive?year=x&page=y')).statusCode).toBe(200);
});
