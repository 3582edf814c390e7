import type { Selectable } from 'kysely';
import { DAY, MINUTE } from '#kernel/clock.ts';
import type { ScreensTable } from '#kernel/db/schema.ts';
import type { Expected } from './off-hours.ts';

/** A screen sends a heartbeat each minute. */
const RUNNING_WITHIN = 2 * MINUTE;
/** After this silence in its hours a screen is missing. */
export const MISSING_AFTER = 10 * MINUTE;
const SKEW_AT_MOST = 2 * MINUTE;
/** A new version is loaded within minutes; after this long somebody has to look. */
const OLD_AT_MOST = DAY;

export type ScreenState =
  | 'waiting for pairing'
  | 'running'
  | 'late'
  | 'off as expected'
  | 'missing'
  | 'old program'
  | 'clock wrong';

type Row = Pick<
  Selectable<ScreensTable>,
  | 'paired_at'
  | 'secret_hash'
  | 'last_seen_at'
  | 'started_at'
  | 'skew_ms'
  | 'outdated_since'
  | 'told_at'
  | 'first_seen_at'
>;

/** The state of a screen in a word or three, and since when. */
export function stateOf(row: Row, now: number, expected: Expected): { state: ScreenState; since: number } {
  const { last_seen_at, started_at, outdated_since, skew_ms } = row;
  if (isWaiting(row)) return { state: 'waiting for pairing', since: row.told_at ?? row.first_seen_at };
  if (now - last_seen_at >= RUNNING_WITHIN) {
    if (expected.off) return { state: 'off as expected', since: last_seen_at };
    const silent = now - Math.max(last_seen_at, expected.since);
    return { state: silent < MISSING_AFTER ? 'late' : 'missing', since: last_seen_at };
  }
  if (Math.abs(skew_ms ?? 0) > SKEW_AT_MOST) return { state: 'clock wrong', since: started_at };
  if (outdated_since !== null) return { state: 'old program', since: outdated_since };
  return { state: 'running', since: started_at };
}

/** Whether a screen has no secret yet, or no longer. */
export const isWaiting = ({ paired_at, secret_hash }: Pick<Row, 'paired_at' | 'secret_hash'>): boolean =>
  paired_at !== null && secret_hash === null;

/** Whether somebody has to look after a screen in this state. */
export const needsSomebody = (
  { state, since }: { state: ScreenState; since: number },
  now: number,
): boolean =>
  state === 'missing' || state === 'clock wrong' || (state === 'old program' && now - since > OLD_AT_MOST);
