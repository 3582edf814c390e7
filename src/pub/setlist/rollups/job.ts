import { setImmediate } from 'node:timers/promises';
import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, type Reader, type Tx } from '#kernel/db/queries.ts';
import { locale } from '#kernel/settings/locale.ts';
import { findPubState } from '#pub/display/shifts.ts';
import { publicPlays } from '#pub/setlist/setlist.ts';
import {
  type Change,
  type CountedNight,
  countNight,
  hasRows,
  KeyCache,
  storeChanges,
  storeNights,
} from './counts/nightly-counts.ts';
import { SAME_PLAY } from './counts/plays.ts';
import { nightAt, nightBounds } from './counts/pub-days.ts';
import { listSpans } from './counts/ranges.ts';
import { listMovedSubjects, storeSpans, sumSubjects } from './counts/totals.ts';
import { readSurfaceInput } from './load.ts';
import { rebuildSongKeys } from './song-keys.ts';
import { computeRollup, listComputed, type NewRollup, replaceRollups } from './store.ts';
import { isEnabled, SURFACES } from './surfaces.ts';

/** Increase this when the rules of counting change: everything is then counted again. */
const VERSION = 2;

/** The work of one turn of the event loop; other requests are served in between. */
const PLAYS_PER_TURN = 1_000;
const NIGHTS_PER_TURN = 1;
const CHANGES_PER_TURN = 500;
const SUBJECTS_PER_TURN = 150;
/** Evenings that are counted before their counts are stored. */
const NIGHTS_PER_BATCH = 60;

/** While no hours are known, the pub counts as open this long after its last song. */
const RECENTLY = HOUR / 2;

/**
 * Counts new plays and changed evenings, and computes the surfaces again when a figure may have changed: after new
 * plays, when an evening ends, the pub opens or closes, a surface is switched on, or the locale changes. When the time
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
  const stale = ctx.db.all(build.selectFrom('rollup_nights').select('night').where('stale', '>', 0));
  const open = isPubOpen(ctx);
  const unchanged =
    state.settled === 1 &&
    state.today === today &&
    state.open === Number(open) &&
    (state.locale ?? 'en-US') === locale() &&
    stale.length === 0;
  if (unchanged && !lacksSurface(ctx)) return;

  const changed = await countNights(
    ctx,
    stale.map(({ night }) => night),
  );
  // An unfinished run may have left totals that do not match the counts, so all of them are computed again.
  await updateTotals(ctx, today, changed, countAll || state.settled === 0);
  const rollups = await computeSurfaces(ctx, open);
  await ctx.write((tx) => {
    replaceRollups(tx, rollups, ctx.now(), maxPlayId);
    const done = { version: VERSION, today, zone, locale: locale(), settled: 1 as const };
    tx.run(build.updateTable('rollup_state').set({ ...done, open: open ? 1 : 0 }));
  });
}

function deleteCounts(tx: Tx): void {
  for (const table of [
    'rollup_counts',
    'rollup_totals',
    'rollup_spans',
    'rollup_subjects',
    'rollup_nights',
  ] as const)
    tx.run(build.deleteFrom(table));
  tx.run(build.updateTable('rollup_state').set({ version: VERSION, max_play_id: 0, settled: 0 }));
}

/** Marks the evenings of new plays as stale. @returns the id of the newest play */
async function markNewPlays(ctx: Context, after: number): Promise<number> {
  for (let last = after; ; ) {
    const plays = ctx.db.all(
      build
        .selectFrom('plays')
        .select(['id', 'started_at'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(PLAYS_PER_TURN),
    );
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
 * Marks an evening with new plays, and the adjacent ones whose figures depend on them: its first row ends the last row
 * of the evening before, and a song may play past its end.
 */
function markStale(tx: Tx, night: number, zone: string): void {
  const { from, to } = nightBounds(night, zone);
  const counted = tx.first(build.selectFrom('rollup_nights').select('stale').where('night', '=', night));
  if (!counted || hasRows(tx, from - SAME_PLAY, from)) {
    const before = build
      .selectFrom('rollup_nights')
      .select((of) => of.fn.max('night').as('night'))
      .where('night', '<', night);
    tx.run(build.updateTable('rollup_nights').set({ stale: 1 }).where('night', '=', before));
  }
  if (hasRows(tx, to, to + SAME_PLAY))
    tx.run(
      build
        .updateTable('rollup_nights')
        .set({ stale: 1 })
        .where('night', '=', night + 1),
    );
  tx.run(
    build
      .insertInto('rollup_nights')
      .values({ night, starts_at: from })
      .onConflict((conflict) => conflict.column('night').doUpdateSet({ stale: 1 })),
  );
}

/**
 * Counts these evenings. Changes are stored in the order of their subjects, like the rows of the table, so that a page
 * of the database file is written once for many evenings. @returns the subjects whose counts changed
 */
async function countNights(ctx: Context, nights: number[]): Promise<Set<number>> {
  const changed = new Set<number>();
  const keys = new KeyCache();
  for (const some of chunk(nights, NIGHTS_PER_BATCH)) {
    const counted: CountedNight[] = [];
    for (const few of chunk(some, NIGHTS_PER_TURN))
      counted.push(...(await ctx.write((tx) => countSome(tx, few, ctx.config.TIME_ZONE, keys))));
    await setImmediate();
    const changes = inOrder(counted.flatMap((one) => one.changes));
    for (const { subject } of changes) changed.add(subject);
    const parts = chunk(changes, CHANGES_PER_TURN);
    for (const part of parts.slice(0, -1)) await ctx.write((tx) => storeChanges(tx, part));
    await ctx.write((tx) => {
      storeChanges(tx, parts.at(-1) ?? []);
      storeNights(tx, counted);
    });
  }
  return changed;
}

/** Sorts changes by subject, as numbers, which takes a fifth of the time of a comparison function. */
function inOrder(changes: readonly Change[]): Change[] {
  const order = Float64Array.from(changes, ({ subject }, index) => subject * changes.length + index).sort();
  return Array.from(order, (place) => changes[place % changes.length]!);
}

function countSome(tx: Tx, nights: readonly number[], zone: string, keys: KeyCache): CountedNight[] {
  // Until the run has finished, the totals and the surfaces may not match the counts.
  tx.run(build.updateTable('rollup_state').set({ settled: 0 }));
  return nights.map((night) => countNight(tx, night, zone, keys));
}

async function updateTotals(ctx: Context, today: number, changed: Set<number>, all: boolean): Promise<void> {
  const nights = ctx.db.all(build.selectFrom('rollup_nights').select('night').where('plays', '>', 0));
  const spans = listSpans(
    today,
    nights.map(({ night }) => night),
  );
  if (!all) for (const subject of listMovedSubjects(ctx.db, spans)) changed.add(subject);
  const some = () =>
    chunk(
      [...changed].sort((a, b) => a - b),
      SUBJECTS_PER_TURN,
    );
  let last: number[] = [];
  for (const part of all ? allSubjects(ctx.db) : some()) {
    const before = last;
    if (before.length > 0) await ctx.write((tx) => sumSubjects(tx, before, spans));
    last = part;
  }
  await ctx.write((tx) => {
    sumSubjects(tx, last, spans);
    storeSpans(tx, spans);
  });
}

/** The ids of all subjects, read part by part. */
function* allSubjects(db: Reader): Iterable<number[]> {
  for (let after = 0; ; ) {
    const part = build
      .selectFrom('rollup_subjects')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(SUBJECTS_PER_TURN);
    const ids = db.all(part).map(({ id }) => id);
    if (ids.length === 0) return;
    yield ids;
    after = ids.at(-1)!;
  }
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Whether an enabled surface has no rollup although there is music: it was switched on after the last run. */
function lacksSurface(ctx: Context): boolean {
  const music = build.selectFrom('rollup_nights').select('night').where('plays', '>', 0).limit(ONE);
  if (!ctx.db.first(music)) return false;
  const computed = new Set(listComputed(ctx.db));
  return enabledSurfaces(ctx).some(({ name }) => !computed.has(name));
}

const enabledSurfaces = (ctx: Context) => SURFACES.filter((surface) => isEnabled(ctx.config, surface));

/** Computes one range of a surface per turn of the event loop, so that other requests are served in between. */
async function computeSurfaces(ctx: Context, open: boolean): Promise<NewRollup[]> {
  const input = readSurfaceInput(ctx, open);
  if (!input) return [];
  const rollups: NewRollup[] = [];
  for (const surface of enabledSurfaces(ctx)) {
    for (const [position, range] of surface.ranges(input).entries()) {
      await setImmediate();
      rollups.push(computeRollup(surface, input, { range, position }));
    }
  }
  return rollups;
}

function isPubOpen(ctx: Context): boolean {
  const { configured, open } = findPubState(ctx);
  if (configured) return open;
  const last = ctx.db.first(publicPlays().select('started_at').orderBy('started_at', 'desc').limit(ONE));
  return last !== undefined && ctx.now() - last.started_at < RECENTLY;
}
