import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MINUTE } from '../../src/kernel/clock.ts';
import { smallScreenProblems } from '../support/accessible.ts';
import { launch } from '../support/browser.ts';
import { openTab, watch } from '../support/browser-house.ts';
import {
  event,
  type Pub,
  record,
  relation,
  startPub,
  text,
  tick,
  url,
  when,
} from '../support/pub-workspace.ts';

// The clock of the tests stands at Sat, Nov 21, 2026, noon in New York (UTC-5).
const at = (time: string, day = '21') => `2026-11-${day}T${time}:00.000-05:00`;
const SMALL = { viewport: { width: 320, height: 640 } };
const TARGETS = 'a.button, button, .faces a, .pay-link, .tender-more';

/** Waits for what will be there, also on a slow machine. */
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 10_000 });

let browser: Browser;
let full: Pub;
let empty: Pub;
let origins: string[];
let bo: string;

beforeAll(async () => {
  browser = await launch();
  const ada = record('Ada Lovelace', {
    Active: tick(),
    Bio: text('Pours since 2019.\n\nOn Saturdays with the band.'),
    'Payment A': text('ada@club.example'),
    'Payment B': text(`https://pay.example/${'ada-'.repeat(20)}`),
    'Profile URL': url('https://ada.example/'),
  });
  const tender = record('Bo Diddley-Featherstonehaugh', {
    Active: tick(),
    'Payment A': text('+1 555 010 9999'),
    'Payment B': text('@bo'),
  });
  bo = tender.id;
  full = await startPub({
    events: [
      event('Early chess', at('09:00')),
      event('Lunch', at('11:30'), {}, at('14:00')),
      event('Knitting', at('12:45')),
      event(`Film club: ${'unbreakable'.repeat(6)}`, at('19:00', '22')),
    ],
    tenders: [ada, tender],
    shifts: [record('Lunch', { Shift: when(at('11:00'), at('15:00')), Tenders: relation(ada.id, bo) })],
  });
  empty = await startPub();
  origins = await Promise.all(
    [full, empty].map(({ house }) => house.app.listen({ port: 0, host: '127.0.0.1' })),
  );
  await vi.waitFor(
    async () => expect((await full.house.get('/api/events')).body).toMatch(/Knitting.*"name":"Ada & Bo"/s),
    10_000,
  );
});
afterAll(async () => {
  await browser.close();
  await full[Symbol.asyncDispose]();
  await empty[Symbol.asyncDispose]();
});

test('the pages of the pub fit a small screen and every reader', async () => {
  const page = await openTab(browser, '', { ...SMALL, bypassCSP: true });
  const troubles = watch(page.context(), origins);
  const problems: string[] = [];
  const [known = '', nothing = ''] = origins;
  for (const address of [
    `${known}/events`,
    `${known}/tenders/`,
    `${known}/tenders/?tender=${bo}`,
    `${nothing}/events`,
    `${nothing}/tenders/?tender=zz`,
  ]) {
    await page.goto(address);
    const found = [...(await smallScreenProblems(page, TARGETS)), ...troubles.splice(0)];
    problems.push(...found.map((problem) => `${address}: ${problem}`));
  }
  expect(problems).toEqual([]);
  await page.context().close();
});

test('without script the pages say the same, and offer nothing that would not work', async () => {
  const page = await openTab(browser, origins[0] ?? '', { ...SMALL, javaScriptEnabled: false });
  await page.goto('/events');
  expect(await page.getByRole('main').innerText()).toMatch(
    /Open until 3:00 PM.*Early chess\s+Over.*Lunch\s+Now.*Knitting\s+Next/s,
  );
  await page.getByRole('link', { name: 'Tenders' }).click();
  await page.getByRole('link', { name: 'Bo Diddley-Featherstonehaugh' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bo Diddley-Featherstonehaugh' }).waitFor();
  expect(await page.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:+15550109999');
  expect(await page.getByRole('button').count()).toBe(0);
  await page.context().close();
});

test('an open programme follows the time, and what pays a tender can be copied', async () => {
  const page = await openTab(browser, origins[0] ?? '', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.clock.install({ time: full.house.clock.now });
  await page.goto('/events');
  const knitting = page.locator('li', { hasText: 'Knitting' });
  await soon(() => knitting.innerText()).toContain('Next');
  await page.clock.fastForward(46 * MINUTE);
  await soon(() => knitting.innerText()).toContain('Now');
  await page.clock.fastForward(60 * MINUTE);
  await soon(() => knitting.innerText()).toContain('Over');

  await page.goto(`/tenders/?tender=${bo}`);
  await page.locator('.tender-first').getByRole('button', { name: 'Copy how to pay Bo' }).last().click();
  await soon(() => page.evaluate(() => navigator.clipboard.readText())).toBe('@bo');
  await page.context().close();
});
