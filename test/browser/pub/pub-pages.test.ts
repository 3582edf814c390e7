import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { play } from '#test/pub/setlist/rollups/fixtures.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { type OpenPub, openPub } from './pub-fixtures.ts';

const SMALL = { viewport: { width: 320, height: 640 } };

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const openTab = keptTabs();
let full: OpenPub;

beforeAll(async () => {
  full = await openPub();
  await full.pub.refresh();
  expect((await full.pub.service.get('/api/events')).body).toMatch(/Knitting.*"name":"Ada & Bo"/s);
});
afterAll(() => full.pub[Symbol.asyncDispose]());

test('without script the pages show the same, and no control that needs script', async () => {
  const page = await openTab(full.origin, { ...CLIPBOARD, ...SMALL, javaScriptEnabled: false });
  await page.goto('/events');
  expect(await page.getByRole('main').innerText()).toMatch(
    /Open until 3:00\u00a0PM.*Early chess\s+Over.*Lunch\s+Now.*Knitting\s+Next/s,
  );
  await page.locator('summary', { hasText: 'More' }).click();
  await page.getByRole('link', { name: 'Behind the bar' }).click();
  await page.getByRole('link', { name: 'Bo Diddley-Featherstonehaugh' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bo Diddley-Featherstonehaugh' }).waitFor();
  expect(await page.locator('.tender-first .pay a').first().getAttribute('href')).toBe('tel:+15550109999');
  // The buttons of languages at the foot send a form.
  const languages = page.locator('form[action="/language"] [name="language"]');
  expect(await languages.count()).toBeGreaterThan(1);
  expect(await page.getByRole('button').count()).toBe(await languages.count());
});

test('a wide window shows the hours beside the programme, where they stay; a phone below it', async () => {
  const page = await openTab(full.origin, { viewport: { width: 1280, height: 500 } });
  await page.goto('/events');
  const boxOf = async (part: string) => (await page.locator(part).first().boundingBox())!;
  const [list, open, hours] = ['[data-programme]', '.tonight', '#hours'];
  expect((await boxOf(open)).x).toBeGreaterThan((await boxOf(list)).x + (await boxOf(list)).width);
  expect((await boxOf(hours)).x).toBe((await boxOf(open)).x);
  expect((await boxOf('.site-header .wrap')).width).toBe((await boxOf('main .wrap')).width);

  await page.setViewportSize(SMALL.viewport);
  expect((await boxOf(open)).y).toBeLessThan((await boxOf(list)).y);
  expect((await boxOf(hours)).y).toBeGreaterThan((await boxOf(list)).y + (await boxOf(list)).height);
});

test('an open programme page is updated as time passes, and payment details of a tender can be copied', async () => {
  const page = await openTab(full.origin, CLIPBOARD);
  await page.clock.install({ time: full.pub.service.clock.now });
  await page.goto('/events');
  const knitting = page.locator('li', { hasText: 'Knitting' });
  await expect.poll(() => knitting.innerText()).toContain('Next');
  await page.clock.fastForward(46 * MINUTE);
  await expect.poll(() => knitting.innerText()).toContain('Now');
  await page.clock.fastForward(240 * MINUTE);
  await expect.poll(() => knitting.innerText()).toContain('Over');

  await page.goto(`/tenders/?tender=${full.tender}`);
  await page.locator('.tender-first').getByRole('button', { name: 'Copy name of Bo' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('@bo');
});

test('on the smallest phone the pages of the setlist are one row, with the current page in sight', async () => {
  await play(full.pub.service, 'Björk – Jóga');
  await refreshRollups(full.pub.service.ctx);
  const page = await openTab(full.origin, SMALL);
  await page.goto('/setlist/wrapped');
  const place = () =>
    page.evaluate(() => {
      const { left, right } = document.querySelector('.surfaces [aria-current]')!.getBoundingClientRect();
      const tops = [...document.querySelectorAll('.surfaces a')].map(
        (one) => one.getBoundingClientRect().top,
      );
      return [left >= 0 && right <= innerWidth, new Set(tops).size];
    });
  await expect.poll(place).toEqual([true, 1]);
  // The last row of figures is as wide as the others.
  const rights = await page
    .locator('.stats > div')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
  expect(rights.at(-1)).toBe(Math.max(...rights));
});
