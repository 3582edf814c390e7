// Every drink and dish can be read on every size of screen, and each is seen in one round of the pages.
import { afterEach, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { fillTaps, menuWriter } from './menu-content.ts';
import { readingProblems } from './tv-measure.ts';

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1080, height: 1920 },
  { width: 1024, height: 768 },
];
/** The smallest words of a list that is too long for the usual type. */
const LEAST = 1 / 40;
/** Of a page that is not the last at least so much of its columns is used, and of the fullest one. */
const FILLED = { all: 0.6, fullest: 0.8 };
/** Less than the shortest turn of a page. */
const STEP_MS = 6 * SECOND;
const ROUND_MS = 3 * MINUTE;

afterEach(async () => closePages(await sharedBrowser()));

test.each(['de-DE', 'en-US'])(
  '1, 7, 40 and 120 items, prices in %s',
  { timeout: 600_000 },
  async (locale) => {
    await using service = await listeningService({ LOCALE: locale, CLUB_LANGUAGE: 'en' });
    const publishUpTo = await menuWriter(await editorAt(service));
    const page = await openTab(await sharedBrowser(), service.origin, { serviceWorkers: 'block' });
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(error.message));
    await page.clock.install({ time: service.clock.now - MINUTE });
    await page.clock.pauseAt(service.clock.now);
    const pass = async (ms: number) => {
      service.clock.now += ms;
      // The last second runs: a page that is turned by a leap comes by timers of its own.
      const leap = Math.max(0, ms - SECOND);
      await page.clock.fastForward(leap);
      await page.clock.runFor(ms - leap);
    };
    const problems: string[] = [];
    for (const count of [1, 7, 40, 120]) {
      const least = count < 40 ? 1 / 30 : LEAST;
      const names = await publishUpTo(count);
      await page.goto('/tv?layout=menu');
      await expect
        .poll(async () => {
          await pass(100);
          return page.evaluate(() => localStorage.getItem('tv:events') ?? '');
        })
        .toContain(names[names.length - 1]);
      expect(await page.locator('[data-menu]').isVisible()).toBe(true);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        const where = `${locale}, ${count} items, ${size.width}x${size.height}`;
        await expect.poll(() => readingProblems(page, least), { message: where }).toEqual([]);
        // Rows that were laid out for another size are as high as there.
        await expect.poll(() => page.evaluate(isLaidOut), { message: where }).toBe(true);
        const seen = new Set<string>();
        let last = '';
        for (let ms = 0; ms < ROUND_MS && seen.size < names.length; ms += STEP_MS) {
          const shown = await page.evaluate(shownNames);
          for (const name of shown) seen.add(name);
          if (String(shown) !== last)
            problems.push(...(await readingProblems(page, least)).map((problem) => `${where}: ${problem}`));
          last = String(shown);
          const { isLast, filled } = await page.evaluate(fillNow);
          const all = filled.reduce((sum, one) => sum + one, 0) / filled.length;
          if (!isLast && (all < FILLED.all || Math.max(...filled) < FILLED.fullest))
            problems.push(`${where}: a page is filled by ${filled.map((one) => one.toFixed(2)).join(', ')}`);
          const order = shown.map((name) => names.indexOf(name) % 3);
          if (String(order) !== String(order.toSorted()) && !(await page.evaluate(isSwapped)))
            problems.push(`${where}: not in the order of the sections: ${shown.join(', ')}`);
          if (await page.evaluate(isReversed))
            problems.push(`${where}: what goes on stands before its begin`);
          await pass(STEP_MS);
        }
        expect([where, names.filter((name) => !seen.has(name))]).toEqual([where, []]);
      }
    }
    expect([...new Set(problems)]).toEqual([]);
    expect(thrown).toEqual([]);
  },
);

test.each(['de-DE', 'en-US'])(
  'the slide of forty taps, prices in %s',
  { timeout: 600_000 },
  async (locale) => {
    await using service = await listeningService({ LOCALE: locale, CLUB_LANGUAGE: 'en' });
    const names = await fillTaps(service, await editorAt(service), 40);
    const page = await openTab(await sharedBrowser(), service.origin, { serviceWorkers: 'block' });
    await page.clock.install({ time: service.clock.now - MINUTE });
    await page.clock.pauseAt(service.clock.now);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.goto('/tv');
      await page.evaluate(SLIDE);
      const where = `${locale}, ${size.width}x${size.height}`;
      const seen: string[] = [];
      const problems: string[] = [];
      for (let last = false; !last; ) {
        const said = await page.evaluate<string>('menuSlide.advance()');
        const [, index, count] = /(\d+) of (\d+)/.exec(said)?.map(Number) ?? [];
        expect(index, `${where}: ${said}`).toBeGreaterThan(0);
        last = index === count;
        seen.push(...(await page.locator('[data-slide][data-shown] .tv-drink-name:visible').allInnerTexts()));
        problems.push(...(await readingProblems(page)));
      }
      expect([where, seen, [...new Set(problems)]]).toEqual([where, names, []]);
    }
  },
);

test('an offer, two prices and long words leave the names of drinks their line, and nothing lies over another', async () => {
  await using service = await listeningService({
    LOCALE: 'de-AT',
    CLUB_LANGUAGE: 'en',
    TIME_ZONE: 'Europe/Vienna',
  });
  const owner = await appoint(service, 'olga@club.example', 'owner', 'tender');
  const headers = { accept: 'application/json', ...owner };
  const payload = { offers_allowed: true, price_columns: 2, volume_unit: 'l' };
  await service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers });
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', {
    title: `Vom Fass, ${'und was dazugehört, '.repeat(2)}`,
    on_tap: true,
  });
  const between = { from: '17:00', to: '19:00' };
  await editor.publish('offer', { title: 'Fünf bis sieben', between, sections: [section], percent: 20 });
  const sizes = [
    { label: 'Krügel', volume_ml: 500, price: 560, member_price: 480 },
    { label: 'Seidl', volume_ml: 300, price: 390, member_price: null },
  ];
  for (let tap = 1; tap <= 10; tap++) {
    const name = tap === 2 ? 'Weihenstephaner' : `Bier ${tap}`;
    const more = tap === 2 ? [{ label: 'Kleine Kostprobe vor', volume_ml: 100, price: null }] : [];
    const drink = { section, name, maker: 'Brauerei Süd', abv: 4.9, sizes: [...sizes, ...more] };
    const item_id = await editor.publish('menu_item', drink);
    await service.post(`/api/admin/taps/${tap}`, { item_id }, owner);
  }
  service.clock.now = Temporal.Instant.from('2026-11-22T16:30:00Z').epochMilliseconds;
  const page = await openTab(await sharedBrowser(), service.origin, { serviceWorkers: 'block' });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.goto('/tv?layout=menu');
    await expect.poll(() => page.locator('[data-menu]').innerText()).toContain('until 19:00');
    const lines = await page
      .locator('.tv-drink-name:visible')
      .evaluateAll((names) => names.map((name) => name.getClientRects().length));
    const covered = await page.locator('.tv-menu-column > li:visible').evaluateAll(
      (rows) =>
        rows.filter((row) => {
          const box = (name: string) => row.querySelector(name)?.getBoundingClientRect();
          const [words, size] = [box('.tv-drink-name'), box('.tv-drink-size:not([hidden])')];
          return row.scrollHeight > row.clientHeight + 2 || (words && size && size.left < words.right - 1);
        }).length,
    );
    const found = [size, new Set(lines), covered, await readingProblems(page, LEAST)];
    expect(found).toEqual([size, new Set([1]), 0, []]);
  }
});

test('the numbers of taps stand apart from the name of their drink', async () => {
  await using service = await listeningService();
  const owner = await appoint(service, 'olga@club.example', 'owner', 'tender');
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'Draught', on_tap: true });
  const item_id = await editor.publish('menu_item', { section, name: 'Lager' });
  for (const tap of [1, 2, 12]) await service.post(`/api/admin/taps/${tap}`, { item_id }, owner);
  const page = await openTab(await sharedBrowser(), service.origin, { serviceWorkers: 'block' });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.goto('/tv?layout=menu');
    const tap = page.locator('.tv-drink-tap:visible').first();
    await expect.poll(() => tap.textContent()).toBe('1, 2, 12');
    const gap = await tap.evaluate((numbers) => {
      const range = document.createRange();
      range.selectNodeContents(numbers);
      const name = numbers.parentElement!.querySelector('.tv-drink-name')!.getBoundingClientRect();
      const { fontSize } = getComputedStyle(numbers);
      return (name.left - range.getBoundingClientRect().right) / Number.parseFloat(fontSize);
    });
    expect([size, gap > 0.25]).toEqual([size, true]);
    expect(await readingProblems(page, LEAST)).toEqual([]);
  }
});

/** The names of the drinks on the page that is shown. Runs in the page. */
function shownNames(): string[] {
  const names = [...document.querySelectorAll<HTMLElement>('.tv-drink-name')];
  return names.filter((name) => name.checkVisibility()).map((name) => name.innerText);
}

/** How much of the height of each column is used, and whether this is the last page. Runs in the page. */
function fillNow(): { isLast: boolean; filled: number[] } {
  const area = document.querySelector<HTMLElement>('.tv-menu-columns');
  const columns = [...document.querySelectorAll<HTMLElement>('ol.tv-menu-column:not([hidden])')];
  const [, page = 1, pages = 1] =
    /(\d+) of (\d+)/.exec(document.querySelector('[data-menu] [data-part=page]')?.textContent ?? '') ?? [];
  const filled = columns.map((column) => {
    const rows = [...column.children].filter(
      (row): row is HTMLElement => row instanceof HTMLElement && !row.hidden,
    );
    const last = rows[rows.length - 1];
    return last && area ? (last.offsetTop + last.offsetHeight) / area.clientHeight : 0;
  });
  return { isLast: page === pages, filled };
}

/** Whether each row has the height that it needs at this size of the screen. Runs in the page. */
function isLaidOut(): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('ol.tv-menu-column > li:not([hidden])')];
  const words = rows.map(
    (row) => row.querySelector<HTMLElement>(':scope > :not([hidden])')?.offsetHeight ?? 0,
  );
  return rows.every((row, index) => Math.abs(row.clientHeight - words[index]!) <= row.clientHeight / 2);
}

/** Whether the columns have changed sides, as they do each hour. Runs in the page. */
function isSwapped(): boolean {
  return document.querySelector('.tv-menu-columns')?.hasAttribute('data-swap') ?? false;
}

/** Whether the columns of a divided section stand in the other order. Runs in the page. */
function isReversed(): boolean {
  const shown = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (one) => one.offsetHeight > 0 && one.checkVisibility({ visibilityProperty: true }),
    );
  const [first = 0, second = first] = shown('.tv-menu-column').map((one) => one.getBoundingClientRect().left);
  return second < first && shown('h2').some((one) => one.textContent?.includes('continued'));
}

/** Shows the parts of the slide of the list alone, one at each call of `advance`. The page's own clock must stand still. */
const SLIDE = `(async () => {
  const script = document.querySelector('script[src*="tv/main"]').src;
  const of = (name) => import(script.replace('tv/main', 'tv/' + name));
  const [{ slideshow }, { menuSlides }] = await Promise.all(['slides', 'menu/slide'].map(of));
  const { menu } = await (await fetch('/api/events')).json();
  const { locale } = document.documentElement.dataset;
  const show = slideshow(document.querySelector('[data-stage]'));
  show.set(menuSlides(menu, { at: Date.now(), known: true, locale, time: String }), { type: 'welcome', title: '', week: [] });
  window.menuSlide = {
    async advance() {
      await show.advance();
      return document.querySelector('[data-slide][data-shown] [data-part=pages]').textContent;
    },
  };
})()`;
