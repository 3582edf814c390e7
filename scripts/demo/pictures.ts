// The pictures of the README, taken from the demo.
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { SESSION_COOKIE } from '#kernel/access/sessions.ts';
import { launch } from '#test/support/browser.ts';

const PHONE = { width: 375, height: 812 };
const DESK = { width: 1280, height: 800 };
const TV = { width: 1920, height: 1080 };
/** Of the longer side, in the README. */
const LONGEST = 1_000;

interface Places {
  service: string;
  /** The cookie of an owner's session. */
  session: string;
  /** The path of a ballot. */
  ballot: string;
  /** The id of a big election. */
  big: string;
}

/** Takes them into `folder`, as WebP of a few dozen kilobytes each. */
export async function takePictures({ service, session, ballot, big }: Places, folder: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const shots = [
    { name: 'result', address: `${service}/e/${big}`, size: DESK },
    { name: 'ballot', address: service + ballot, size: PHONE },
    { name: 'desk', address: `${service}/admin`, size: DESK },
    { name: 'tv', address: `${service}/tv`, size: TV },
    { name: 'bar-right', address: `${service}/tv/bar-right`, size: TV },
    { name: 'now', address: `${service}/now`, size: PHONE },
    { name: 'setlist', address: `${service}/setlist/top-songs`, size: DESK },
    { name: 'staff', address: `${service}/admin/pub`, size: PHONE },
    { name: 'calendar', address: `${service}/subscribe-programs`, size: PHONE },
  ];
  const browser = await launch();
  try {
    for (const { name, address, size } of shots) {
      const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' });
      if (address.includes('/admin'))
        await context.addCookies([{ name: SESSION_COOKIE, value: session, url: service }]);
      const page = await context.newPage();
      await page.goto(address);
      // Pictures and the first state of the stream arrive after the page.
      await page.waitForTimeout(4_000);
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
