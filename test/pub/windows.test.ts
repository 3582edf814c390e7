import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { slidesAt } from '#views/assets/tv/round.js';

const ms = (time: string) => Temporal.Instant.from(time).epochMilliseconds;

const feedOf = async (service: TestApp): Promise<EventsFeed> => (await service.get('/api/events')).json();
const titlesOf = (slides: readonly object[]) => slides.map((slide) => ('title' in slide ? slide.title : ''));

/** What a screen shows at a moment, from one feed. */
const shown = (feed: EventsFeed, time: string, screen = 'bar') =>
  titlesOf(slidesAt(feed, ms(time), [screen]).own);

test('a slide for late Friday is shown into Saturday morning, also on a screen without a network', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const late = { title: 'Late', days: ['fri'], between: { from: '22:00', to: '02:00' } };
  await eve.publish('announcement', late);
  await eve.publish('announcement', { title: 'Always' });

  // The last feed is from Friday noon.
  service.clock.now = ms('2026-11-27T12:00-05:00');
  const feed = await feedOf(service);
  expect(titlesOf(feed.slides)).toEqual(['Always']);
  expect(feed.laterSlides).toMatchObject([
    { title: 'Late', windows: [['2026-11-28T03:00:00.000Z', '2026-11-28T07:00:00.000Z']] },
  ]);
  expect(shown(feed, '2026-11-27T21:59:59-05:00')).toEqual(['Always']);
  expect(shown(feed, '2026-11-27T22:00-05:00')).toEqual(['Always', 'Late']);
  expect(shown(feed, '2026-11-28T01:59:59-05:00')).toEqual(['Always', 'Late']);
  expect(shown(feed, '2026-11-28T02:00-05:00')).toEqual(['Always']);
  expect(shown(feed, '2026-11-29T01:00-05:00')).toEqual(['Always']);

  service.clock.now = ms('2026-11-28T01:30-05:00');
  expect((await feedOf(service)).announcements).toMatchObject([{ title: 'Always' }, { title: 'Late' }]);
  service.clock.now = ms('2026-11-28T02:00-05:00');
  expect((await feedOf(service)).announcements).toMatchObject([{ title: 'Always' }]);
});

test('a time range past midnight belongs to the day on which it begins, on the first and the last date', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const between = { from: '22:00', to: '02:00' };
  await eve.publish('announcement', {
    title: 'Two nights',
    between,
    from: '2026-11-23',
    until: '2026-11-24',
  });
  const at = async (time: string) => {
    service.clock.now = ms(time);
    return titlesOf((await feedOf(service)).slides).length;
  };

  expect(await at('2026-11-23T01:00-05:00')).toBe(0);
  expect(await at('2026-11-23T22:00-05:00')).toBe(1);
  expect(await at('2026-11-25T01:59-05:00')).toBe(1);
  expect(await at('2026-11-25T02:00-05:00')).toBe(0);
  expect(await at('2026-11-25T22:00-05:00')).toBe(0);
});

test('days without times are whole days; dates start and end slides also without a network', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  await eve.publish('announcement', { title: 'Weekend', days: ['sat', 'sun'] });
  await eve.publish('announcement', { title: 'Until today', until: '2026-11-21' });
  await eve.publish('announcement', { title: 'From tomorrow', from: '2026-11-22T10:00' });

  const feed = await feedOf(service);
  expect(shown(feed, '2026-11-21T12:00-05:00')).toEqual(['Until today', 'Weekend']);
  expect(shown(feed, '2026-11-22T10:00-05:00')).toEqual(['Weekend', 'From tomorrow']);
  expect(shown(feed, '2026-11-23T00:00-05:00')).toEqual(['From tomorrow']);
  expect(shown(feed, '2027-11-23T00:00-05:00')).toEqual(['From tomorrow']);
});

test('a slide for one screen is on no other, and the slides of an unchanged feed stay the same all day', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  await eve.publish('announcement', { title: 'Bar', screens: ['bar'], days: ['sat'] });
  await eve.publish('announcement', { title: 'All' });

  const first = await feedOf(service);
  expect(first.slides).toMatchObject([{ title: 'All' }, { title: 'Bar', screens: ['bar'] }]);
  expect(shown(first, '2026-11-21T12:00-05:00', 'bar')).toEqual(['All', 'Bar']);
  expect(shown(first, '2026-11-21T12:00-05:00', 'hall')).toEqual(['All']);
  for (let poll = 0; poll < 10; poll += 1) {
    service.clock.now += 30 * MINUTE;
    expect((await feedOf(service)).slides).toEqual(first.slides);
  }
});
