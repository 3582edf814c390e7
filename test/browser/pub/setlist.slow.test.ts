import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { evening } from '#test/pub/setlist/rollups/fixtures.ts';
import { addPlays, setlistOf } from '#test/stand-ins/plays.ts';
import { NARROW } from '#test/support/browser/accessible.ts';
import { type ListeningService, listeningService } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { findMisfits } from '#test/support/browser/misfits.ts';

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const openTab = keptTabs();
let service: ListeningService;

beforeAll(async () => {
  service = await listeningService();
  service.clock.now = evening('2026-11-20') + 5 * HOUR;
  const rows = [...setlistOf({ until: service.clock.now + 4 * HOUR, evenings: 60, rows: 900, songs: 90 })];
  const long = {
    artist: `Unbreakable${'unbreakable'.repeat(8)}`,
    title: 'نسم علينا الهوى 🔥 '.repeat(6).trim(),
  };
  await addPlays(
    service.ctx,
    rows
      .filter(({ started_at }) => started_at <= service.clock.now)
      .map((row) => (row.title === 'Song number 1' ? { ...row, ...long } : row)),
  );
  await refreshRollups(service.ctx);
});
afterAll(() => service[Symbol.asyncDispose]());

test('charts have text: the songs of each hour, the rank of each top song, the quarter of the compass', async () => {
  const page = await openTab(service.origin, { ...CLIPBOARD, javaScriptEnabled: false });
  await page.goto('/setlist/tonight');
  const hours = page.getByRole('list', { name: 'Songs an hour' }).getByRole('listitem');
  expect(await hours.count()).toBeGreaterThan(3);
  expect(await hours.first().textContent()).toMatch(/(am|pm|noon|midnight): \d+ songs?/);

  await page.goto('/setlist/top-songs?range=all');
  const first = page.getByRole('list', { name: 'The first three' }).getByRole('listitem').first();
  expect(await first.textContent()).toMatch(/Song number 0.*plays.*Rank 1/s);

  await page.goto('/setlist/vibe-compass');
  const compass = page.getByRole('img', { name: /^Compass from acoustic to electronic/ });
  expect(await compass.getAttribute('aria-label')).toMatch(
    /quarter (Fireside|Singalong|Late drive|Dance floor)\./,
  );
});

test('a page is shared as a link, by the system’s share sheet or as a picture, and each is counted once', async () => {
  const page = await openTab(service.origin, CLIPBOARD);
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(globalThis, { shared });
    Object.defineProperty(navigator, 'share', {
      value: async (what: unknown) => void shared.push(what),
      configurable: true,
    });
  });
  const clicks = async () =>
    service.ctx.db
      .all(build.selectFrom('share_clicks').select(['surface', 'channel', 'clicks']).orderBy('channel'))
      .map(({ surface, channel, clicks: many }) => `${surface} ${channel} ${many}`);
  await page.goto('/setlist/top-songs?range=30d');
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await page.getByText('The link is copied.').waitFor();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect.poll(clicks).toEqual(['top-songs copy 1', 'top-songs native 1']);

  const url = `${service.origin}/setlist/top-songs?range=30d`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  expect(await page.evaluate(() => (globalThis as unknown as { shared: unknown[] }).shared)).toMatchObject([
    { url, title: 'Top songs', text: expect.stringContaining('leads with') },
  ]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save picture' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('top-songs.png');
  await expect.poll(clicks).toContain('top-songs download 1');
});

/** The texts of the compass that reach beyond its dial. */
const beyondDial = (page: Page) =>
  page.evaluate(() => {
    const dial = document.querySelector('.compass-dial')!.getBoundingClientRect();
    const [x, y, reach] = [dial.x + dial.width / 2, dial.y + dial.height / 2, dial.width / 2];
    return [...document.querySelectorAll<SVGTextElement>('.compass text')].flatMap((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      // Its lines are higher than its letters.
      const baseline = (top + bottom) / 2;
      return Math.hypot(Math.max(x - left, right - x), baseline - y) > reach ? [text.textContent] : [];
    });
  });

test.each(['de', 'fr', 'es', 'nl', 'it'])(
  'on the smallest phone every text has its room in %s',
  async (language) => {
    await addPlays(service.ctx, [
      { artist: 'Fleetwood Mac', title: 'Dreams', started_at: service.clock.now - 146 * DAY },
      { artist: 'Fleetwood Mac', title: 'Dreams', started_at: service.clock.now - MINUTE },
    ]);
    await refreshRollups(service.ctx);
    const page = await openTab(service.origin, {
      viewport: NARROW,
      extraHTTPHeaders: { 'accept-language': language },
    });
    for (const name of ['echo', 'vibe-compass', 'top-songs', 'wrapped']) {
      await page.goto(`/setlist/${name}`);
      await page.evaluate(() => document.fonts.ready);
      expect([name, await page.evaluate(findMisfits, true)]).toEqual([name, []]);
      if (name === 'vibe-compass') expect(await beyondDial(page)).toEqual([]);
    }
  },
);
