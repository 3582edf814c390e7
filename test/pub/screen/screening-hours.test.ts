import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { updateNowShowing } from '#pub/screen/now-showing.ts';
import type { ScreeningRecord } from '#pub/screen/screenings.ts';
import { record, when } from '#test/stand-ins/pub-workspace.ts';
import { NOON } from '#test/support/app.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';
import { STAFF } from './screen-service.ts';

/** Open from five to eleven in the evening. */
const OPENS = NOON + 5 * HOUR;
const CLOSES = NOON + 11 * HOUR;

async function startAt(at: number): Promise<Pub> {
  const shift = when('2026-11-21T17:00:00.000-05:00', '2026-11-21T23:00:00.000-05:00');
  const pub = await startPub(
    { shifts: [record('Saturday', { Shift: shift, 'Operating Hours': shift })] },
    { NOW_SHOWING_ENABLED: 'on', SCREENINGS_ENABLED: 'on', PUB_ADMIN_TOKEN: STAFF['x-admin-token'] },
  );
  pub.service.clock.now = at;
  await pub.service.post('/api/admin/now-showing', { mode: 'movie', label: 'Heat' }, STAFF);
  return pub;
}

async function after({ service }: Pub, at: number): Promise<(string | null)[]> {
  while (service.clock.now < at) {
    service.clock.now = Math.min(at, service.clock.now + 10 * MINUTE);
    await updateNowShowing(service.ctx);
  }
  const { screenings } = (await service.get('/api/admin/screenings', STAFF)).json<{
    screenings: ScreeningRecord[];
  }>();
  return screenings.flatMap(({ state, closeReason }) => [state, closeReason]);
}

test('closing time ends the film', async () => {
  await using pub = await startAt(CLOSES - HOUR);

  expect(await after(pub, CLOSES - 1)).toEqual(['open', null]);
  expect(await after(pub, CLOSES)).toEqual(['closed', 'pub_closed']);
});

test('a film that begins after closing time is not ended by it', async () => {
  await using pub = await startAt(CLOSES + 30 * MINUTE);

  expect(await after(pub, CLOSES + 2 * HOUR)).toEqual(['open', null]);
});

test('a film that begins before the pub opens goes on until it closes', async () => {
  await using pub = await startAt(OPENS - 10 * MINUTE);

  expect(await after(pub, OPENS + HOUR)).toEqual(['open', null]);
});
