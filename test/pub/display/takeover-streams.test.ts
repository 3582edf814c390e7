import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { NOON, type TestApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { startPub } from '#test/support/pub-service.ts';
import { type Heard, listen, openStream, type StreamClient } from '#test/support/stream-client.ts';

const SCREENS = 20;

// The test advances the ticker of the streams by hand: events that arrive without it are sent at once.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const openAll = async (pub: TestApp): Promise<StreamClient[]> => {
  const origin = await listen(pub);
  return Promise.all(Array.from({ length: SCREENS }, () => openStream(origin)));
};
/** Runs `done`, and returns the next event of a name, which is the same on every screen. */
async function allHear(screens: StreamClient[], event: string, done: () => unknown): Promise<Heard['data']> {
  const told = screens.map((screen) => screen.next(event));
  await done();
  const [first, ...others] = (await Promise.all(told)).map(({ data }) => data);
  for (const other of others) expect(other).toEqual(first);
  return first;
}
const namesOf = ({ heard }: StreamClient) => heard.map(({ event }) => event);
const FIRST = ['now_playing_display', 'track', 'status', 'lyrics_toggle'];

test('twenty screens get a notice, the changes that staff make and its end, also across a restart', async () => {
  const settings = { NOW_SHOWING_ENABLED: 'on', NOW_PLAYING_SSE_MAX_CONNECTION_MS: '86400000' };
  await using pub = await startPub({}, settings, { durable: true });
  const tess = await appoint(pub.service, 'tess@club.example', 'tender', 'manager');
  const post = (url: string, body: object) => pub.service.post(url, body, tess);
  let screens = await openAll(pub.service);
  for (const screen of screens) expect(namesOf(screen)).toEqual([...FIRST, 'ping']);

  const notice = await allHear(screens, 'takeover', () =>
    post('/api/admin/takeover', { kind: 'voting', minutes: 5 }),
  );
  expect(notice).toMatchObject({ kind: 'voting', screens: [], expiresAt: isoTime(NOON + 5 * MINUTE) });
  const film = await allHear(screens, 'screen', () =>
    post('/api/admin/now-showing', { mode: 'movie', label: 'The Third Man' }),
  );
  expect(film).toMatchObject({ showing: true, title: 'The Third Man' });
  const off = await allHear(screens, 'screen', () => post('/api/admin/now-showing', { mode: 'off' }));
  expect(off).toMatchObject({ showing: false });
  const lyrics = await allHear(screens, 'lyrics_toggle', () =>
    post('/api/admin/now-playing/controls', { barRightLyrics: true }),
  );
  expect(lyrics).toMatchObject({ barRight: true });

  const next = await pub.restart();
  await Promise.all(screens.map(({ gone }) => gone));
  next.clock.now = NOON + 5 * MINUTE - SECOND;
  screens = await openAll(next);
  for (const screen of screens) {
    expect(namesOf(screen)).toEqual([...FIRST, 'lyrics', 'offset', 'takeover', 'ping']);
    expect(screen.heard.find(({ event }) => event === 'takeover')?.data).toEqual(notice);
  }
  const over = await allHear(screens, 'takeover', () => {
    next.clock.now += SECOND;
    vi.advanceTimersByTime(SECOND);
  });
  expect(over).toBeNull();

  const again = await allHear(screens, 'takeover', () =>
    next.post('/api/admin/takeover', { kind: 'leave' }, tess),
  );
  expect(
    await allHear(screens, 'takeover', () => next.post(`/api/admin/takeover/${again.id}/end`, {}, tess)),
  ).toBe(null);
  for (const screen of screens) expect(namesOf(screen).filter((name) => name === 'takeover')).toHaveLength(4);
});
