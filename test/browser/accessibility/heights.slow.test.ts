// No page of officers is longer than a few screens, with every fold open: what is longer is divided, or has pages.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVERYTHING, type SamplePub, startSamplePub } from '#test/browser/pub/pub-fixtures.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';

const HIGHEST = { 1280: 3_000, 375: 5_000 };

/** Pages that may be as high as what they show: used from top to bottom, or printed. */
const EXEMPT = [/^\/admin\/pub$/, /\/door$/, /\/minutes$/, /\/print$/, /\/preview\//];

/** Pages that are higher, by the shape of their address. */
const HIGHER: Record<string, { 1280: number; 375: number }> = {
  '/admin/elections/new': { 1280: 4_100, 375: 6_100 },
};

/** Of pages whose addresses differ by an id alone, so many are looked at. */
const OF_A_SHAPE = 2;

const openTab = keptTabs();
let sample: SamplePub;

beforeAll(async () => {
  sample = await startSamplePub(EVERYTHING);
  const rows = Array.from({ length: 120 }, (_, at) => `Person ${at},p${at}@club.example,full,2020-01-01`);
  const csv = `name,email,kind,since\n${rows.join('\n')}\n`;
  const send = (body: object) => sample.pub.service.post('/api/admin/people/import', body, sample.owner);
  const { check } = (await send({ csv, dry_run: true })).json();
  expect((await send({ csv, dry_run: false, check })).statusCode).toBe(200);
});
afterAll(() => sample.pub[Symbol.asyncDispose]());

/** The address with each id replaced, which all pages of one kind share. */
const shapeOf = (path: string) =>
  path.replaceAll(/\/(?:[0-9a-f-]{20,}|\d{4}-\d{2}-\d{2}|\d+)(?=\/|$)/g, '/:id');

/** The height of a page with all its folds open, or undefined for what is no page. */
async function heightOf(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    return document.documentElement.scrollHeight;
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
  const waiting = ['/admin', '/admin/pub', '/admin/content', '/admin/people', '/admin/settings'];
  const shapes = new Map<string, Set<string>>();
  const tooHigh: [shape: string, width: number, height: number][] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const shape = shapeOf(path);
    const seen = shapes.get(shape) ?? new Set();
    if (seen.has(path) || seen.size >= OF_A_SHAPE) continue;
    shapes.set(shape, seen.add(path));
    const answer = await page.request.get(sample.origin + path, { headers: sample.owner });
    if (!/html/.test(answer.headers()['content-type'] ?? '')) continue;
    await page.goto(path);
    for (const width of [1280, 375] as const) {
      const height = await heightOf(page, width);
      const most = (HIGHER[shape] ?? HIGHEST)[width];
      if (height > most && !EXEMPT.some((one) => one.test(path!))) tooHigh.push([shape, width, height]);
    }
    waiting.push(...(await linksOf(page)));
  }
  expect(tooHigh).toEqual([]);
  // It went through the pages, and did not stop at the first.
  expect(shapes.size).toBeGreaterThan(50);
});
