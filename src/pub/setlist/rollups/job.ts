import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { findPubState } from '#content/shifts.ts';
import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, prepare, type Tx } from '#kernel/db/queries.ts';
import { clubReader } from '#kernel/locale.ts';
import { normalizeName } from '#pub/now-playing/track-key.ts';
import { publicPlays } from '#pub/setlist/setlist.ts';
import { COMPUTE_SURFACES } from './compute.ts';
import { countNight } from './counts/count-night.ts';
import { nightAt, nightBounds } from './counts/pub-days.ts';
import { rebuildSongKeys } from './song-keys.ts';
import { listComputed, replaceRollups } from './store.ts';
import { isEnabled, SURFACES } from './surfaces.ts';

/** Increase this when the rules of counting change: everything is then counted again. */
const VERSION = 4;

/** New plays that are looked at in one turn of the event loop; other requests are served in between. */
const PLAYS_PER_TURN = 1_000;

/** While no hours are known, the pub counts as open this long after its last song. */
const RECENTLY = HOUR / 2;

/**
 * Counts new plays and changed evenings, and computes the surfaces again when a figure may have changed: after new
 * plays, when an evening ends, the pub opens or closes, a surface is switched on, or the language or the locale changes. When the time
 * zone changes everything is counted again, because the evenings have other limits.
 */
export async function refreshRollups(ctx: Context): Promise<void> {
  const zone = ctx.config.TIME_ZONE;
  const today = nightAt(ctx.now(), zone);
  const state = ctx.db.first(build.selectFrom('rollup_state').selectAll())!;
  if (state.version !== VERSION) await rebuildSongKeys(ctx);
  const countAll = state.version !== VERSION || (state.zone ?? zone) !== zone;
  if (countAll) await ctx.write(deleteCounts);

  const maxPlayId = await markNewPlays(ctx, countAll ? 0 : state.max_play_id);
  const stale = ctx.db.all(build.selectFrom('rollup_nights').select('night').where('stale', '=', sql.lit(1)));
  const open = isPubOpen(ctx);
  const { language, locale } = clubReader();
  const writtenFor = `${language} ${locale}`;
  const unchanged =
    state.settled === 1 &&
    state.today === today &&
    state.open === Number(open) &&
    state.locale === writtenFor &&
    stale.length === 0;
  const surfaces = SURFACES.filter((surface) => isEnabled(ctx.config, surface)).map(({ name }) => name);
  if (unchanged && !lacksSurface(ctx, surfaces)) return;

  const names = new Map<string, string>();
  const normalize = (name: string) => names.getOrInsertComputed(name, normalizeName);
  for (const { night } of stale) {
    await setImmediate();
    await ctx.write((tx) => {
      // Until the run has finished, the surfaces may not match the counts.
      tx.run(build.updateTable('rollup_state').set({ settled: 0 }));
      countNight(tx, night, zone, normalize);
    });
  }
  const task = { surfaces, now: ctx.now(), zone, open };
  const rollups = await ctx.inThread(COMPUTE_SURFACES, task);
  await ctx.write((tx) => {
    replaceRollups(tx, rollups, ctx.now(), maxPlayId);
    const done = { version: VERSION, today, zone, locale: writtenFor, settled: 1 as const };
    tx.run(build.updateTable('rollup_state').set({ ...done, open: open ? 1 : 0 }));
  });
}

function deleteCounts(tx: Tx): void {
  for (const table of ['rollup_counts', 'rollup_nights'] as const) tx.run(build.deleteFrom(table));
  tx.run(build.updateTable('rollup_state').set({ version: VERSION, max_play_id: 0, settled: 0 }));
}

/** Marks the evenings of new plays as stale. @returns the id of the newest play */
async function markNewPlays(ctx: Context, after: number): Promise<number> {
  for (let last = after; ; ) {
    const plays = ctx.db.all(playsAfter({ id: last }));
    if (plays.length === 0) return last;
    last = plays.at(-1)!.id;
    const nights = listNights(
      plays.map(({ started_at }) => started_at),
      ctx.config.TIME_ZONE,
    );
    const max_play_id = last;
    await ctx.write((tx) => {
      for (const night of nights) markStale(tx, night, ctx.config.TIME_ZONE);
      tx.run(build.updateTable('rollup_state').set({ max_play_id }));
    });
  }
}

function listNights(times: readonly number[], zone: string): number[] {
  const nights = new Set<number>();
  let end = Number.NEGATIVE_INFINITY;
  let start = Number.POSITIVE_INFINITY;
  for (const at of times.toSorted((a, b) => a - b)) {
    if (at >= start && at < end) continue;
    const night = nightAt(at, zone);
    ({ from: start, to: end } = nightBounds(night, zone));
    nights.add(night);
  }
  return [...nights];
}

/**
 * Marks an evening with new plays, and the evenings before and after it: its first row ends the last row of the evening
 * before, and a song may play past the end of an evening.
 */
function markStale(tx: Tx, night: number, zone: string): void {
  const starts_at = nightBounds(night, zone).from;
  tx.run(
    build
      .insertInto('rollup_nights')
      .values({ night, starts_at })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const before = build
    .selectFrom('rollup_nights')
    .select(({ fn }) => fn.max('night').as('night'))
    .where('night', '<', night);
  tx.run(
    build
      .updateTable('rollup_nights')
      .set({ stale: 1 })
      .where(({ or, eb }) => or([eb('night', 'in', [night, night + 1]), eb('night', '=', before)])),
  );
}

const playsAfter = prepare((p: { id: number }) =>
  build
    .selectFrom('plays')
    .select(['id', 'started_at'])
    .where('id', '>', p.id)
    .orderBy('id')
    .limit(sql.lit(PLAYS_PER_TURN)),
);

/** Whether an enabled surface has no rollup although there is music: it was switched on after the last run. */
function lacksSurface(ctx: Context, surfaces: readonly string[]): boolean {
  const music = build.selectFrom('rollup_nights').select('night').where('plays', '>', 0).limit(ONE);
  if (!ctx.db.first(music)) return false;
  const computed = new Set(listComputed(ctx.db));
  return surfaces.some((name) => !computed.has(name));
}

function isPubOpen(ctx: Context): boolean {
  const { configured, open } = findPubState(ctx);
  if (configured) return open;
  const last = ctx.db.first(publicPlays().select('started_at').orderBy('started_at', 'desc').limit(ONE));
  return last !== undefined && ctx.now() - last.started_at < RECENTLY;
}
