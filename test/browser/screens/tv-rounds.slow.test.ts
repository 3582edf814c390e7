// A screen over many slides: a whole round, and the reload for a new build.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { record, when } from '#test/stand-ins/pub-workspace.ts';
import { NOON, testApp } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { editorAt } from '#test/support/content.ts';
import { CuttableProxy } from '#test/support/cuttable-proxy.ts';
import type { Pub } from '#test/support/pub-service.ts';
import {
  at,
  listen,
  openStoppedScreen,
  passTime,
  programme,
  slideShown,
  soon,
  startEvening,
  thrown,
} from './tv-steps.ts';

let browser: Browser;
let pub: Pub;
let port: number;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ pub, port } = await startEvening());
});
afterEach(() => closePages(browser));
afterAll(() => pub[Symbol.asyncDispose]());
afterEach(() => expect(thrown).toEqual([]));

test('a whole round with urgent announcements shows every slide, also while the feed changes', async () => {
  await using service = await testApp({
    NOW_SHOWING_ENABLED: 'on',
    NOW_PLAYING_SSE_MAX_CONNECTION_MS: '86400000',
    RATE_LIMIT_GENERAL: '10000',
    RATE_LIMIT_ADMIN: '10000',
  });
  const origin = `http://127.0.0.1:${await listen(service)}`;
  service.ctx.config.BASE_URL = 'https://publichouse.club.example';
  const eve = await editorAt(service);
  const says = (title: string, priority = 'normal') =>
    eve.publish('announcement', { title, priority, seconds: 5 });
  const names = ['Book club', 'Choir', 'Darts', 'Ferry', 'House band', 'Lost keys', 'Pies', 'Raffle', 'Roof'];
  const tenders = ['Ann Byrne', 'Bo Lee', 'Cy Ng', 'Di Fox'];
  const crew = 'Ann, Bo, Cy & Di';
  await says('Vote today', 'urgent');
  for (const name of names) await says(name);
  for (const name of tenders) await eve.publish('tender', { full_name: name, meet: true });
  const page = await openStoppedScreen(browser, `${origin}/tv`, service.clock, { serviceWorkers: 'block' });

  /** @returns the titles in the order they were shown, until one of them is shown for the nth time */
  const watchUntil = async (last: string, times: number) => {
    const shown: string[] = [];
    for (let second = 0; second < 300 && shown.filter((one) => one === last).length < times; second++) {
      await passTime(page, SECOND, service);
      const title = await slideShown(page);
      if (title !== shown.at(-1)) shown.push(title);
    }
    return shown.join(', ');
  };
  await watchUntil('Vote today', 1);
  expect(await watchUntil(crew, 1)).toBe(
    [
      ...['Vote today', ...names.slice(0, 4), 'Vote today', ...names.slice(4, 8)],
      ...['Vote today', 'Roof', crew],
    ].join(', '),
  );

  // A slide that comes and one that goes while a copy of the urgent one is shown do not start the round anew.
  await watchUntil('Vote today', 2);
  await says('Meeting');
  const { items } = await eve.read('announcement?q=Choir');
  await eve.post(`announcement/${items[0].id}/remove`, { version: 1 });
  expect(await watchUntil(crew, 1)).toBe(
    [...['Vote today', 'Lost keys', 'Meeting', 'Pies', 'Raffle'], ...['Vote today', 'Roof', crew]].join(', '),
  );
});

test('a new build is loaded once, between two slides', async () => {
  pub.service.clock.now = NOON;
  await using proxy = await CuttableProxy.to(`http://127.0.0.1:${port}`);
  const page = await openStoppedScreen(browser, `${proxy.origin}/tv`, pub.service.clock);
  await soon(page, () => programme(page)).toHaveLength(2);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });

  const next = await pub.restart();
  next.clock.now = pub.service.clock.now;
  next.ctx.version = 'the next one';
  port = await listen(next);
  proxy.connectTo(`http://127.0.0.1:${port}`);
  proxy.cut();
  const build = async () => {
    await passTime(page, 20 * SECOND, next);
    return page.locator('body').getAttribute('data-build');
  };
  await expect.poll(build).toMatch(/^the next one/);
  await soon(page, () => programme(page)).toHaveLength(2);
  for (let minute = 0; minute < 5; minute++) await passTime(page, MINUTE, next);
  expect(loads).toBe(1);

  // It also reloads each night, a little after five, but not while the pub is open.
  const early = ['05:00', '05:45'].map((time) => at(time).replace('-21T', '-22T'));
  pub.pages('shifts').push(record('Sunday', { Shift: when(early[0]!, early[1]!) }));
  await passTime(page, (16 * 60 + 30) * MINUTE, next);
  // So large a step of the clock makes slides late, which is another reason.
  for (let minute = 0; minute < 3; minute++) await passTime(page, MINUTE, next);
  await pub.refresh();
  await passTime(page, 42 * MINUTE, next);
  for (let minute = 0; minute < 3; minute++) await passTime(page, MINUTE, next);
  const reason = () =>
    page.evaluate(() => JSON.parse(sessionStorage.getItem('tv:reloaded') ?? '{}').reason as string);
  expect(await reason()).not.toBe('the night');
  await passTime(page, 20 * MINUTE, next);
  const later = async () => {
    await passTime(page, 20 * SECOND, next);
    return reason();
  };
  await expect.poll(later).toBe('the night');
});
