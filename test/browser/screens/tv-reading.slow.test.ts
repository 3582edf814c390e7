// The texts on the TVs can be read from six metres, and none is cut off: with the usual content of an evening and with
// the longest, on every size of screen.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { englishOn } from '#test/browser/accessibility/left-in-english.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { PSEUDO } from '#test/support/pseudo-language.ts';
import {
  extremeScreens,
  fillScreens,
  playSong,
  type Screens,
  SPEECH,
  switchDisplays,
  usualScreens,
} from './tv-fixtures.ts';
import { everyTurn, readingProblems, startTurns } from './tv-measure.ts';

const SIZES = [
  { width: 1366, height: 768 },
  { width: 1280, height: 720, inset: 8 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1080, height: 1920 },
];
/** The longest is looked at in languages that exist: in one that is made longer than all of them it needs a larger screen. */
const CONTENTS: [string, () => Screens][] = [
  ['the usual', () => usual],
  ...(process.env.TEST_LANGUAGE === PSEUDO
    ? []
    : [['the longest', () => extreme] as [string, () => Screens]]),
];
/** For many slides on a slow machine. */
const LONG = { timeout: 300_000 };
/** Errors in the scripts of any screen. */
const thrown: string[] = [];

let browser: Browser;
let usual: Screens;
let extreme: Screens;

beforeAll(async () => {
  [browser, usual, extreme] = await Promise.all([sharedBrowser(), usualScreens(), extremeScreens()]);
});
afterEach(() => expect(thrown.splice(0)).toEqual([]));
afterAll(async () => {
  await closePages(browser);
  for (const screens of [usual, extreme]) await screens[Symbol.asyncDispose]();
});

/** One browser context for the screens of each pub, which caches the files of their pages. */
const devices = new Map<Screens, BrowserContext>();

/** Opens a screen whose clock only the test moves. */
async function openScreen(screens: Screens, path: string): Promise<Page> {
  const { origin, pub } = screens;
  const options = { viewport: SIZES[0]!, serviceWorkers: 'block' } as const;
  const page = await (devices.get(screens)?.newPage() ?? openTab(browser, origin, options));
  devices.set(screens, page.context());
  onTestFinished(() => page.close());
  page.on('pageerror', (error) => thrown.push(error.message));
  await page.clock.install({ time: pub.service.clock.now - MINUTE });
  await page.clock.pauseAt(pub.service.clock.now);
  await page.goto(path);
  return page;
}

/** Runs in the page. Resolves when all resize observers of the page have been notified of the new size. */
const MEASURED = (inset: number) =>
  new Promise<void>((done) => {
    document.documentElement.style.setProperty('--inset', String(inset));
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      done();
    });
    observer.observe(document.body);
  });

/** Gives the screen each size in turn, waits until its texts fit, and runs further checks. */
async function onEverySize(
  page: Page,
  look: (size: string) => Promise<void> = async () => {},
): Promise<void> {
  for (const { width, height, inset = 5 } of SIZES) {
    await page.setViewportSize({ width, height });
    await page.evaluate(MEASURED, inset);
    // The slides that the test turns, which the page does not know.
    await page.evaluate('window.turns?.refit()');
    await expect.poll(() => readingProblems(page), { message: `${width}x${height}` }).toEqual([]);
    expect(await englishOn(page)).toEqual([]);
    await look(`${width}x${height}`);
  }
}

/** Polls whether an element is visible, moving the page's clock, since the stream brings the content. */
function shows(page: Page, selector: string) {
  return expect.poll(async () => {
    await page.clock.runFor(100);
    return page.locator(selector).first().isVisible();
  });
}

test.each(CONTENTS)(
  'every slide and every page of the programme can be read: %s',
  LONG,
  async (_name, screens) => {
    const page = await openScreen(screens(), '/tv');
    // The page's own slides, which would write into the same places, are stopped with its clock.
    await expect.poll(() => page.locator('[data-rows=today] li').first().isVisible()).toBe(true);
    await startTurns(page);
    const problems: string[] = [];
    await onEverySize(page, async (size) => {
      const events = new Set<string>();
      const speech: string[] = [];
      for (const { name, problems: found, rows, title, body, code } of await everyTurn(page)) {
        problems.push(...found.map((problem) => `${size}, ${name}: ${problem}`));
        for (const row of rows) events.add(row);
        if (title === 'The annual meeting') speech.push(body);
        // The QR code of a page or a tender takes at least a third of the slide's height.
        if (code !== null && code < 1 / 3)
          problems.push(`${size}, ${name}: the code has ${code} of the height`);
      }
      if (screens() === usual) {
        expect([size, events.size]).toEqual([size, 8]);
        expect(speech.join(' ').split(/\s+/)).toEqual(SPEECH.trim().split(/\s+/));
      } else expect([size, events.size]).toEqual([size, 24]);
    });
    expect(problems).toEqual([]);
  },
);

test.each(CONTENTS)(
  'the music, its lyrics, the card and a notice can be read: %s',
  LONG,
  async (_name, screens) => {
    await switchDisplays(screens(), { barRightDisplay: true, barRightLyrics: false, projectorLyrics: false });
    const bar = await openScreen(screens(), '/tv/bar-right');
    await shows(bar, '[data-state=song] [data-part=title]').toBe(true);
    await onEverySize(bar);
    const projector = await openScreen(screens(), '/tv/projector');
    await shows(projector, '[data-state=showing] [data-show=showing-title]').toBe(true);
    await onEverySize(projector);

    await switchDisplays(screens(), { barRightLyrics: true, projectorLyrics: true });
    for (const page of [bar, projector]) {
      await shows(page, '[data-state=lyrics] [aria-current]').toBe(true);
      await onEverySize(page);
    }
    const end = await fillScreens(screens());
    await shows(bar, '[data-takeover]').toBe(true);
    await onEverySize(bar);
    await end();
  },
);

test(
  'names of songs as long as they may be are whole, and those of capitals alone end in dots',
  LONG,
  async () => {
    const words = 'Symphony number three in E flat major, the second movement, adagio ma non troppo; ';
    const song = {
      title: words.repeat(4).slice(0, 299),
      artist: `The ${words}`.repeat(4).slice(0, 299),
      album: words,
    };
    await playSong(extreme, song, extreme.pub.service.clock.now - 2 * SECOND);
    const bar = await openScreen(extreme, '/tv/bar-right');
    for (const lyrics of [true, false]) {
      await switchDisplays(extreme, { barRightDisplay: true, barRightLyrics: lyrics });
      await shows(bar, `[data-state=${lyrics ? 'lyrics' : 'song'}] [data-part=title]`).toBe(true);
      await onEverySize(bar);
      expect(await bar.getByText(song.title.trim()).isVisible()).toBe(true);
    }

    const wide = 'W'.repeat(300);
    await playSong(
      extreme,
      { title: wide, artist: wide, album: wide },
      extreme.pub.service.clock.now - SECOND,
    );
    for (const lyrics of [false, true]) {
      await switchDisplays(extreme, { barRightDisplay: true, barRightLyrics: lyrics });
      await shows(bar, `[data-state=${lyrics ? 'lyrics' : 'song'}] [data-part=title] >> text=${wide}`).toBe(
        true,
      );
      for (const { width, height } of SIZES) {
        await bar.setViewportSize({ width, height });
        // All visible lines are whole, and the last one ends in dots.
        await expect
          .poll(() => bar.locator('[data-part=words]').evaluate((box) => box.scrollHeight - box.clientHeight))
          .toBeLessThanOrEqual(1);
      }
    }
  },
);

// The last one: it ends the film of the other tests.
test('the longest song and names leave the slides of a paired screen their space', LONG, async () => {
  const { service } = extreme.pub;
  const tom = await appoint(service, 'tom@club.example', 'tender');
  await service.post('/api/admin/now-showing', { mode: 'automatic' }, tom);
  const { code, secret } = (await service.post('/api/screens/pairings', {})).json();
  await service.post('/api/admin/screens', { code, name: 'Bar', off_hours: 'never', mix: {} }, tom);
  const [cookie] = (await service.post('/api/screens/pairings/poll', { secret })).cookies;
  const page = await openTab(browser, extreme.origin, { viewport: SIZES[0]!, serviceWorkers: 'block' });
  await page.context().addCookies([{ name: cookie!.name, value: cookie!.value, url: extreme.origin }]);
  await page.clock.install({ time: service.clock.now });
  await page.goto('/tv');
  await shows(page, '[data-show=song]').toBe(true);
  for (const { width, height, inset = 5 } of SIZES) {
    await page.setViewportSize({ width, height });
    await page.evaluate(MEASURED, inset);
    const stage = await page.locator('[data-stage]').boundingBox();
    expect([width, height, (stage?.height ?? 0) / height > 0.2]).toEqual([width, height, true]);
  }
});
