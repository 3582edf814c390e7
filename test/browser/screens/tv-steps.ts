// Screens whose clocks only the test moves, and a pub with an evening to show.
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import {
  event,
  file,
  number,
  onTv,
  record,
  relation,
  text,
  tick,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import type { TestApp } from '#test/support/app.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

// The clock of the tests is stopped at Sat, Nov 21, 2026, noon in New York (UTC-5).
export const at = (time: string) => `2026-11-21T${time}:00.000-05:00`;
export const SCREEN = { viewport: { width: 1920, height: 1080 } };
export const STAFF = { 'x-admin-token': 'the token of the staff' };

/** Errors in the scripts of any screen. */
export const thrown: string[] = [];
/** The pending requests of each screen. */
const asked = new WeakMap<Page, Set<Request>>();

/** Starts a pub with two events, a slide, a slide whose picture is missing, and a tender. */
export async function startEvening(): Promise<{ pub: Pub; port: number }> {
  const ada = record('Ada Lovelace', { Active: tick(), 'Meet your Tender': tick() });
  const slide = (name: string, more: Parameters<typeof record>[1]) =>
    record(name, { ...onTv, Duration: number(5), ...more });
  const pub = await startPub(
    {
      events: [
        event('Quiz night', at('12:30'), {}, at('13:30')),
        event('Band', at('20:00'), {}, at('22:00')),
      ],
      announcements: [
        slide('Winter ale is on', { Content: text('Five weeks in oak.') }),
        // Its picture cannot be loaded.
        slide('Broken poster', { Image: file('http://127.0.0.1:9/poster.png') }),
      ],
      tenders: [ada],
      shifts: [record('Saturday', { Shift: when(at('11:00'), at('18:00')), Tenders: relation(ada.id) })],
    },
    { PUB_ADMIN_TOKEN: STAFF['x-admin-token'], NOW_SHOWING_ENABLED: 'on' },
  );
  const port = await listen(pub.service);
  // With a BASE_URL the service draws a QR code once, and not for each request.
  pub.service.ctx.config.BASE_URL = 'https://publichouse.club.example';
  await pub.refresh();
  expect((await pub.service.get('/api/events')).body).toMatch(/Quiz night.*Winter ale.*"name":"Ada"/s);
  return { pub, port };
}

export async function listen(service: TestApp): Promise<number> {
  return Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port);
}

/** Opens a screen whose clock only the test moves. */
export async function openStoppedScreen(
  browser: Browser,
  address: string,
  clock: { now: number },
  more: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openTab(browser, '', { ...SCREEN, ...more });
  page.on('pageerror', (error) => thrown.push(error.message));
  const pending = new Set<Request>();
  asked.set(page, pending);
  // The stream stays open and is not counted.
  page.on('request', (request) => request.resourceType() !== 'eventsource' && pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  await page.clock.install({ time: clock.now - MINUTE });
  await page.clock.pauseAt(clock.now);
  // Moving the clock would make pending requests time out.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await page.goto(address);
  return page;
}

/**
 * Moves the clocks of the service and the screen, and waits for the requests of the screen. It waits for earlier ones
 * first: an answer between the two moves would set the screen's clock too far ahead.
 */
export async function passTime(page: Page, ms: number, service: TestApp): Promise<void> {
  const pending = () => [...(asked.get(page) ?? [])].map((request) => request.url());
  await expect.poll(pending).toEqual([]);
  service.clock.now += ms;
  await page.clock.fastForward(ms);
  await expect.poll(pending).toEqual([]);
}

/** Polls, and moves the clock of the screen by a tenth of a second each time. */
export function soon<T>(page: Page, look: () => T | Promise<T>) {
  return expect.poll(async () => {
    await page.clock.runFor(100);
    return look();
  });
}

export const programme = (page: Page) => page.locator('[data-rows=today] li:visible').allInnerTexts();
export const slideShown = (page: Page) => page.locator('[data-slide][data-shown] h1').innerText();
export const noteOf = (page: Page) => page.locator('[data-note]').innerText();
