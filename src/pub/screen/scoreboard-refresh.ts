import PQueue from 'p-queue';
import { backoff } from '#kernel/backoff.ts';
import { kept } from '#kernel/cache.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { keepText } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import { addDays, localDate } from '#kernel/local-time.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { fetchUpstream, hasContent, noteRetirement, retryAfter, statusInWords } from '#kernel/upstream.ts';
import { readGames, type StoredGame } from './games.ts';

/** The leagues of the club as paths of the source, the preferred first. */
export const leaguePaths = ({ SPORTS_LEAGUES }: Config): string[] => SPORTS_LEAGUES;

/** Today and yesterday on the local calendar: a late game runs past midnight. */
export function scoreboardDays(ctx: Context): string[] {
  const zone = ctx.config.TIME_ZONE;
  return [ctx.now(), addDays(ctx.now(), -1, zone)].map((at) => localDate(at, zone));
}

const RUN = kept<Promise<void>>({ age: 0 });

/**
 * Requests due scores per league and day: every minute while a game is in progress, else every ten minutes. A failing
 * league keeps its last games and does not affect the others. Concurrent calls share the requests. Does nothing while
 * both sports and Now Showing are switched off.
 */
export async function refreshScoreboard(ctx: Context): Promise<void> {
  if (!isOn(ctx, 'sports') && !isOn(ctx, 'big_screen')) return;
  await ctx.cache.get(RUN, '', () => refresh(ctx));
}

const TIMEOUT = 8 * SECOND;
/** The scores of a full Saturday of college games take a few megabytes. */
const MAX_BYTES = 8 * 1024 * 1024;
const LEAGUES_AT_ONCE = 3;
const LIVE_PACE = MINUTE;
const IDLE_PACE = 10 * MINUTE;
/** For this time after its planned start a game that has not begun is requested every minute. */
const LATE_START = 3 * HOUR;

type Answer =
  | { ok: true; games: StoredGame[] }
  | { ok: false; status: number | null; reason: Words; wait: number };

async function refresh(ctx: Context): Promise<void> {
  const days = scoreboardDays(ctx);
  const paths = leaguePaths(ctx.config);
  const rows = ctx.db.all(build.selectFrom('scoreboards').select(['league', 'day', 'next_at']));
  // No wait is longer than a day: a later time was stored while the clock was wrong.
  const waiting = rows.filter(({ next_at }) => next_at > ctx.now() && next_at <= ctx.now() + DAY);
  const waits = new Set(waiting.map(({ league, day }) => `${league} ${day}`));
  const due = paths
    .map((path) => ({ path, days: days.filter((day) => !waits.has(`${path} ${day}`)) }))
    .filter((league) => league.days.length > 0);
  if (due.length === 0) return;

  const queue = new PQueue({ concurrency: LEAGUES_AT_ONCE });
  await queue.addAll(due.map((league) => () => refreshLeague(ctx, league.path, league.days)));
  await ctx.write((tx) => deleteOthers(tx, paths, days.at(-1) ?? ''));
}

/** Today first: when that fails, yesterday is not requested either. */
async function refreshLeague(ctx: Context, path: string, days: string[]): Promise<void> {
  const jitter = 0.9 + 0.2 * Math.random();
  for (const day of days) {
    const answer = await askSource(ctx, path, day);
    const unasked = answer.ok ? [day] : days.slice(days.indexOf(day));
    await ctx.write((tx) => {
      for (const one of unasked) store(tx, ctx, path, one, answer, jitter);
      if (!answer.ok && answer.wait > 0) postpone(tx, path, ctx.now() + answer.wait);
    });
    if (!answer.ok) {
      ctx.log.warn(
        { league: path, day, status: answer.status, reason: answer.reason.for(ENGLISH) },
        'scoreboard failed',
      );
      return;
    }
  }
}

async function askSource(ctx: Context, path: string, day: string): Promise<Answer> {
  // The source rejects date ranges, and silently shortens the list if the limit is high.
  const query = `dates=${day.replaceAll('-', '')}&limit=300`;
  const answer = await fetchUpstream(`${ctx.config.SPORTS_API_URL}/${path}/scoreboard?${query}`, {
    headers: { 'user-agent': ctx.userAgent, accept: 'application/json' },
    timeoutMs: TIMEOUT,
    maxBytes: MAX_BYTES,
  });
  if (!answer.ok) return { ok: false, status: null, reason: answer.reason, wait: 0 };
  const { status, headers, body } = answer;
  noteRetirement(ctx, t('settings.check.sports'), answer);
  if (!hasContent(answer)) {
    const wait = Math.min(retryAfter(headers, ctx.now()) ?? 0, DAY);
    return { ok: false, status, reason: statusInWords(answer), wait };
  }
  const games = readGames(body.toString(), path);
  return games
    ? { ok: true, games }
    : { ok: false, status, reason: t('settings.upstream.no_scoreboard'), wait: 0 };
}

/** `jitter` spreads the requests of many services over time; it is the same for all days of a league. */
function store(tx: Tx, ctx: Context, league: string, day: string, answer: Answer, jitter: number): void {
  const now = ctx.now();
  const before = tx.first(
    build.selectFrom('scoreboards').select('failures').where('league', '=', league).where('day', '=', day),
  );
  const failures = (before?.failures ?? 0) + 1;
  const row = answer.ok
    ? {
        games: JSON.stringify(answer.games),
        read_at: now,
        failures: 0,
        status: null,
        error: null,
        next_at: now + Math.round(jitter * paceFor(answer.games, now)),
      }
    : {
        failures,
        status: answer.status,
        error: keepText(answer.reason),
        next_at: now + Math.round(jitter * backoff(failures, LIVE_PACE, IDLE_PACE)),
      };
  tx.run(
    build
      .insertInto('scoreboards')
      .values({ league, day, ...row })
      .onConflict((conflict) => conflict.columns(['league', 'day']).doUpdateSet(row)),
  );
}

/** Postpones all days of a league, because the wait that the source asked for applies to each. */
function postpone(tx: Tx, league: string, until: number): void {
  tx.run(
    build
      .updateTable('scoreboards')
      .set({ next_at: until })
      .where('league', '=', league)
      .where('next_at', '<', until),
  );
}

/** Lets leagues that failed be asked by the next refresh. */
export async function retryScoreboard(ctx: Context): Promise<void> {
  await ctx.write((tx) =>
    tx.run(build.updateTable('scoreboards').set({ next_at: ctx.now() }).where('failures', '>', 0)),
  );
}

/** A minute while a game is in progress or should have begun, else ten, but at most until the next planned start. */
function paceFor(games: StoredGame[], now: number): number {
  const starts = games
    .filter(({ state, calledOff }) => state === 'pre' && !calledOff)
    .map(({ startIso }) => Temporal.Instant.from(startIso).epochMilliseconds);
  const late = starts.some((start) => start <= now && start > now - LATE_START);
  if (late || games.some(({ state }) => state === 'in')) return LIVE_PACE;
  const next = Math.min(...starts.filter((start) => start > now)) - now;
  return Math.max(LIVE_PACE, Math.min(IDLE_PACE, next));
}

/** Deletes past days and leagues that are no longer configured. */
function deleteOthers(tx: Tx, paths: string[], oldest: string): void {
  tx.run(
    build
      .deleteFrom('scoreboards')
      .where((where) => where.or([where('day', '<', oldest), where('league', 'not in', paths)])),
  );
}
