// Games of the club's leagues: one in progress, one finished, one upcoming.
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { type FakeGame, fakeGame, playOn } from '#test/stand-ins/scoreboard-server.ts';
import type { DemoClub } from './clubs/club.ts';

export function gamesOf({ games }: DemoClub, now: number): FakeGame[] {
  const [first, second, third] = games;
  if (!first || !second || !third) throw new Error('A club of the demo has three games');
  const on = fakeGame({ ...first, id: '401', startsAt: now - HOUR });
  playOn(on, 1_500);
  const over = fakeGame({ ...second, id: '402', startsAt: now - 5 * HOUR });
  playOn(over, 9 * HOUR);
  return [on, over, fakeGame({ ...third, id: '403', startsAt: now + 90 * MINUTE })];
}
