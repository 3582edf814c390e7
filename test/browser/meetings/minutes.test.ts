import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { heldMeeting } from '#test/meetings/held-meeting.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, openTab } from '#test/support/browser/browser-service.ts';
import { send } from '#test/support/factories.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

/** As long as those of a real meeting. */
const SENTENCES = 'The treasurer reported on the year. The auditors found the books in order. '.repeat(4);

test('minutes of three motions and an election have at most three pages of A4 without their annexes', async () => {
  const { one, patch, end } = await heldMeeting();
  const { service, base } = one;
  await using _ = service;
  await end();
  const { items } = await one.read();
  const notes = items.map(({ id }: { id: string }) => [id, SENTENCES]);
  const texts = { seat: 'Bonn', called: SENTENCES, objections: SENTENCES, items: Object.fromEntries(notes) };
  await patch({ chair: 'Ann', secretary: 'Bob', texts });
  await send(service, 'PATCH', base, { minutes_public: true });
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const page = await openTab(browser, origin, DESK);
  await page.goto(`${base}/minutes`);
  // What is printed has no controls, and the annexes begin on pages of their own.
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  const pages = async () =>
    (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)!.length;
  const whole = await pages();
  const annexes = page.getByRole('heading', { name: /^Annex \d/ });
  const count = await annexes.count();
  await annexes.first().evaluate((first) => {
    while (first.nextElementSibling) first.nextElementSibling.remove();
    first.remove();
  });
  expect(count).toBe(3);
  const own = await pages();
  expect(own).toBeLessThanOrEqual(3);
  expect(whole).toBe(own + count);
});
