// No page of officers is longer than a few screens, with every fold open: what is longer is divided, or has pages.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVERYTHING, type SamplePub, startSamplePub } from '#test/browser/pub/pub-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { addElection, addPoll, addRanked, castAll } from '#test/support/factories.ts';

const HIGHEST = { 1280: 3_000, 375: 5_000 };

/** Pages that may be as high as what they show: used from top to bottom, or printed. */
const EXEMPT = [/\/door$/, /\/minutes$/, /\/print$/, /\/preview\//];

/** Of pages whose addresses differ by an id alone, so many are looked at: elections of every kind among them. */
const OF_A_SHAPE = 2;
const OF_ELECTIONS = 8;
const ELECTIONS = /^\/admin\/(elections|papers|content\/event)\/:id/;

const openTab = keptTabs();
let sample: SamplePub;

beforeAll(async () => {
  sample = await startSamplePub(EVERYTHING);
  const rows = Array.from({ length: 120 }, (_, at) => `Person ${at},p${at}@club.example,full,2020-01-01`);
  const csv = `name,email,kind,since\n${rows.join('\n')}\n`;
  const send = (body: object) => sample.pub.service.post('/api/admin/people/import', body, sample.owner);
  const { check } = (await send({ csv, dry_run: true })).json();
  expect((await send({ csv, dry_run: false, check })).statusCode).toBe(200);
  await fillElections(sample.pub.service);
});
afterAll(() => sample.pub[Symbol.asyncDispose]());

/** A list of elections, some with pages that are long: a count of many stages, and a poll with all its rules. */
async function fillElections(service: TestApp): Promise<void> {
  const names = ['Ada Thorn', 'Bo Lind', 'Cyrus Okafor', 'Delia Marsh', 'Edwin Pym', 'Flora Reyes'];
  for (let number = 1; number <= 12; number++) await addElection(service, { title: `Question ${number}` });
  const seats = { seats: 3, poll_response_type: 'multiple' };
  await addPoll(service, names, { title: 'Who is on the committee of the garden?', settings: seats });
  const stv = { title: 'House committee', ballot_type: 'RANKED_STV', settings: { seats: 3 } };
  for (const fields of [{ title: 'President' }, stv]) {
    const { id, ids } = await addRanked(service, names, fields);
    const all = Object.values(ids);
    const ballots = Array.from({ length: 41 }, (_, at) => {
      const first = (at * at) % all.length;
      return { ranking: [...all.slice(first), ...all.slice(0, first)] };
    });
    await castAll(service, id, ballots);
    await service.post(`/admin/elections/${id}/close`);
  }
}

/** The address with each id replaced, which all pages of one kind share. */
const shapeOf = (path: string) =>
  path.replaceAll(/\/(?:[0-9a-f-]{20,}|\d{4}-\d{2}-\d{2}|\d+)(?=\/|$)/g, '/:id');

/** The height of a page with its folds open. */
async function heightOf(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(() => {
    const root = document.documentElement;
    let highest = 0;
    // Of folds with one name, one is open at a time: each of them in turn, beside all others.
    for (const fold of document.querySelectorAll('details')) {
      fold.open = true;
      highest = Math.max(highest, root.scrollHeight);
    }
    return Math.max(highest, root.scrollHeight);
  });
}

const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]:not([download])')]
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/admin'))
      .map(({ pathname }) => pathname),
  );

test('no page that officers reach by links is higher than a few screens', async () => {
  const page = await openTab(sample.origin, { extraHTTPHeaders: sample.owner });
  const waiting = [
    '/admin',
    '/admin/pub',
    '/admin/content',
    '/admin/people',
    '/admin/settings',
    '/admin/papers/new',
  ];
  const shapes = new Map<string, Set<string>>();
  const tooHigh: [shape: string, width: number, height: number][] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const shape = shapeOf(path);
    const seen = shapes.get(shape) ?? new Set();
    if (seen.has(path) || seen.size >= (ELECTIONS.test(shape) ? OF_ELECTIONS : OF_A_SHAPE)) continue;
    shapes.set(shape, seen.add(path));
    const answer = await page.request.get(sample.origin + path, { headers: sample.owner });
    if (!/html/.test(answer.headers()['content-type'] ?? '')) continue;
    await page.goto(path);
    for (const width of [1280, 375] as const) {
      const height = await heightOf(page, width);
      if (height > HIGHEST[width] && !EXEMPT.some((one) => one.test(path!)))
        tooHigh.push([shape, width, height]);
    }
    waiting.push(...(await linksOf(page)));
  }
  expect(tooHigh).toEqual([]);
  // It went through the pages, and did not stop at the first.
  expect(shapes.size).toBeGreaterThan(50);
  for (const shape of [
    '/admin/pub/heard',
    '/admin/elections/:id/results-preview',
    '/admin/elections/:id/chair',
  ])
    expect([...shapes.keys()]).toContain(shape);
});
