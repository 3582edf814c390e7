// Takes the screenshots of the README from the demo.
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { SESSION_COOKIE } from '#kernel/access/sessions.ts';
import { launch } from '#test/support/browser/browser.ts';
import type { Meeting } from './meeting.ts';

/** Tall enough to stand beside a screenshot of a phone. */
const LONG = { width: 800, height: 1_320 };
const PHONE = { width: 375, height: 812 };
const DESK = { width: 1280, height: 800 };
const TV = { width: 1920, height: 1080 };
/** Pixels of the longer side in the README. */
const LONGEST = 1_000;

interface Shot {
  name: string;
  address: string;
  size: { width: number; height: number };
  /** The mail address of the account that is signed in. */
  as?: string;
  act?: (page: Page) => Promise<void>;
}

interface Places {
  service: string;
  /** Signs in an account. @returns the value of the session cookie */
  sessionOf: (email: string) => Promise<string>;
  /** The path of a ballot that has not been cast. */
  ballot: string;
  /** The id of the big election. */
  big: string;
  meeting: Meeting;
}

/** Sets the clock of this process to the evening, so that screenshots do not depend on when they are taken. */
export function moveToEvening(zone: string): void {
  const local = Temporal.Now.zonedDateTimeISO(zone);
  const ahead = local.withPlainTime('18:50').epochMilliseconds - local.epochMilliseconds;
  const systemNow = Date.now;
  Date.now = () => systemNow() + ahead;
}

/** Takes all screenshots and writes them to `folder`, as WebP files of a few dozen kilobytes each. */
export async function takePictures(
  { service, sessionOf, ballot, big, meeting }: Places,
  folder: string,
): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const shots: Shot[] = [
    {
      name: 'result',
      address: `${service}/e/${big}`,
      size: LONG,
      act: (page) => toTop(page, 'h2, h3', 'Result'),
    },
    { name: 'ballot', address: service + ballot, size: PHONE, act: rankSome },
    { name: 'desk', address: `${service}/admin`, size: LONG, as: 'otto@club.example' },
    { name: 'tv', address: `${service}/tv`, size: TV, act: waitForPicture },
    { name: 'bar-right', address: `${service}/tv/bar-right`, size: TV },
    { name: 'list', address: `${service}/tv?layout=menu&screen=list`, size: TV },
    { name: 'menu', address: `${service}/menu`, size: PHONE },
    { name: 'meeting', address: `${service}/m/${meeting.id}/wall`, size: TV },
    { name: 'now', address: `${service}/now`, size: PHONE },
    { name: 'setlist', address: `${service}/setlist/top-songs`, size: DESK },
    { name: 'staff', address: `${service}/admin/pub`, size: PHONE, as: 'tess@club.example' },
    { name: 'calendar', address: `${service}/subscribe-programs`, size: PHONE },
  ];
  const browser = await launch();
  try {
    for (const { name, address, size, as, act } of shots) {
      const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' });
      await context.clock.install({ time: Date.now() });
      await context.clock.resume();
      if (as) await context.addCookies([{ name: SESSION_COOKIE, value: await sessionOf(as), url: service }]);
      const page = await context.newPage();
      await page.goto(address);
      // Waits for images and the first state of the stream.
      await page.waitForTimeout(4_000);
      await act?.(page);
      const png = await page.screenshot();
      await sharp(png)
        .resize({ width: LONGEST, height: LONGEST, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 82 })
        .toFile(path.join(folder, `${name}.webp`));
      console.log(`${name}.webp`);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

/** Scrolls until a heading is near the upper edge. */
const toTop = (page: Page, selector: string, text: string): Promise<void> =>
  page
    .locator(selector, { hasText: text })
    .first()
    .evaluate((heading) => scrollTo(0, heading.getBoundingClientRect().top + scrollY - 24));

async function rankSome(page: Page): Promise<void> {
  for (const name of ['Ines Albrecht', 'Lee Park', 'Gus Marten'])
    await page.locator('li', { hasText: name }).getByRole('button', { name: 'Add' }).click();
  await toTop(page, 'h2', 'Rank all');
  await page.waitForTimeout(500);
}

/** Waits until the slides show the one with a picture. */
async function waitForPicture(page: Page): Promise<void> {
  const isShown = () => {
    const slide = document.querySelector('[data-slide][data-shown]');
    return slide?.textContent?.includes('The roof is done') === true;
  };
  await page.waitForFunction(isShown, undefined, { polling: 250, timeout: 180_000 });
}
