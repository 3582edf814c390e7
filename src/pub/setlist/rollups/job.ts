import { sql } from 'kysely';
import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/writes.ts';
import { findPubState } from '#pub/display/shifts.ts';
import { readHouse } from './load.ts';
import { type Counted, countNight, Known, keepChanges, keepNights, reaches } from './nightly-counts.ts';
import { SAME_PLAY } from './plays.ts';
import { boundsOf, nightAt } from './pub-days.ts';
import { spansOf } from './ranges.ts';
import { keepRollups, type Made, makeSurface } from './store.ts';
import { isEnabled, SURFACES } from './surfaces.ts';
import { keepSpans, subjectsMoved, sumSubjects } from './totals.ts';

/** Of the way of counting. A change of it counts everything again. */
const VERSION = 1;

/** How much is done in one go before other requests have their turn. */
const PLAYS_A_TURN = 5_000;
const NIGHTS_A_TURN = 5;
const CHANGES_A_TURN = 5_000;
const SUBJECTS_A_TURN = 700;
/** How many evenings are counted before anything of them is kept. */
const NIGHTS_AT_ONCE = 60;

/** Where no hours are known the pub is open as long as music was played so lately. */
const LATELY = HOUR / 2;

/**
 * Counts the plays that are new since the last run and the evenings that were rewritten, and makes the surfaces anew
 * when any figure can have changed: with new plays, at the turn of the evening, when the pub opens or closes.
 */
export async function refreshRollups(ctx: Context): Promise<void> {
  const zone = ctx.config.TIME_ZONE;
  const today = nightAt(ctx.now(), zone);
  const state = await ctx.db.selectFrom('rollup_state').selectAll().executeTakeFirstOrThrow();
  const again = state.version !== VERSION;
  if (again) await ctx.write(forgetCounts);

  const maxPlayId = await takeNewPlays(ctx, again ? 0 : state.max_play_id);
  const stale = await ctx.db.selectFrom('rollup_nights').select('night').where('stale', '>', 0).execute();
  const open = await isOpen(ctx);
  const same =
    state.settled === 1 && state.today === today && state.open === Number(open) && stale.length === 0;
  if (same) return;

  const changed = await countNights(
    ctx,
    stale.map(({ night }) => night),
  );
  // What an earlier run left half done is summed up as a whole.
  await sumUp(ctx, today, changed, again || state.settled === 0);
  const made = await makeSurfaces(ctx, open);
  await ctx.write((tx) => {
    keepRollups(tx, made, ctx.now(), maxPlayId);
    const done = { version: VERSION, today, open: open ? (1 as const) : (0 as const), settled: 1 as const };
    tx.run(build.updateTable('rollup_state').set(done));
  });
}

function forgetCounts(tx: Tx): void {
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

/** Marks the evenings of new plays. @returns the newest play that is marked */
async function takeNewPlays(ctx: Context, after: number): Promise<number> {
  for (let last = after; ; ) {
    const fresh = await ctx.db
      .selectFrom('plays')
      .select(['id', 'started_at'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PLAYS_A_TURN)
      .execute();
    if (fresh.length === 0) return last;
    last = fresh.at(-1)!.id;
    const nights = nightsOf(
      fresh.map(({ started_at }) => started_at),
      ctx.config.TIME_ZONE,
    );
    const max_play_id = last;
    await ctx.write((tx) => {
      for (const night of nights) markNight(tx, night, ctx.config.TIME_ZONE);
      tx.run(build.updateTable('rollup_state').set({ max_play_id }));
    });
  }
}

function nightsOf(times: readonly number[], zone: string): number[] {
  const nights = new Set<number>();
  let end = Number.NEGATIVE_INFINITY;
  let start = Number.POSITIVE_INFINITY;
  for (const at of times.toSorted((a, b) => a - b)) {
    if (at >= start && at < end) continue;
    const night = nightAt(at, zone);
    ({ from: start, to: end } = boundsOf(night, zone));
    nights.add(night);
  }
  return [...nights];
}

/**
 * An evening with new plays, and the neighbours whose figures depend on them: its first row ends the last row of the
 * evening before, and a song may play over the edge.
 */
function markNight(tx: Tx, night: number, zone: string): void {
  const { from, to } = boundsOf(night, zone);
  const known = tx.first(build.selectFrom('rollup_nights').select('stale').where('night', '=', night));
  if (!known || reaches(tx, from - SAME_PLAY, from)) {
    const before = build
      .selectFrom('rollup_nights')
      .select((of) => of.fn.max('night').as('night'))
      .where('night', '<', night);
    tx.run(build.updateTable('rollup_nights').set({ stale: 1 }).where('night', '=', before));
  }
  if (reaches(tx, to, to + SAME_PLAY))
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
 * Counts these evenings. What changes is kept in the order in which the subjects lie, so that each part of the file is
 * written once for many evenings. @returns the subjects whose counts are others now
 */
async function countNights(ctx: Context, nights: number[]): Promise<Set<number>> {
  const changed = new Set<number>();
  const known = new Known();
  for (const some of slices(nights, NIGHTS_AT_ONCE)) {
    const counted: Counted[] = [];
    for (const few of slices(some, NIGHTS_A_TURN))
      counted.push(...(await ctx.write((tx) => countFew(tx, few, ctx.config.TIME_ZONE, known))));
    const changes = counted.flatMap((one) => one.changes).sort((a, b) => a.subject - b.subject);
    for (const { subject } of changes) changed.add(subject);
    const parts = slices(changes, CHANGES_A_TURN);
    for (const part of parts.slice(0, -1)) await ctx.write((tx) => keepChanges(tx, part));
    await ctx.write((tx) => {
      keepChanges(tx, parts.at(-1) ?? []);
      keepNights(tx, counted);
    });
  }
  return changed;
}

function countFew(tx: Tx, nights: readonly number[], zone: string, known: Known): Counted[] {
  // Until the run is through, the totals and the surfaces may not fit the counts.
  tx.run(build.updateTable('rollup_state').set({ settled: 0 }));
  return nights.map((night) => countNight(tx, night, zone, known));
}

async function sumUp(ctx: Context, today: number, changed: Set<number>, all: boolean): Promise<void> {
  const nights = await ctx.db.selectFrom('rollup_nights').select('night').where('plays', '>', 0).execute();
  const spans = spansOf(
    today,
    nights.map(({ night }) => night),
  );
  if (!all) for (const subject of await ctx.write((tx) => subjectsMoved(tx, spans))) changed.add(subject);
  const subjects = all ? await ctx.db.selectFrom('rollup_subjects').select('id').orderBy('id').execute() : [];
  const ids = all ? subjects.map(({ id }) => id) : [...changed].sort((a, b) => a - b);
  const parts = slices(ids, SUBJECTS_A_TURN);
  for (const part of parts.slice(0, -1)) await ctx.write((tx) => sumSubjects(tx, part, spans));
  await ctx.write((tx) => {
    sumSubjects(tx, parts.at(-1) ?? [], spans);
    keepSpans(tx, spans);
  });
}

function slices<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** One surface at a time, so that none of them keeps other requests waiting for the rest. */
async function makeSurfaces(ctx: Context, open: boolean): Promise<Made[]> {
  const house = await ctx.write((tx) => readHouse(tx, ctx, open));
  if (!house) return [];
  const made: Made[] = [];
  for (const surface of SURFACES.filter((one) => isEnabled(ctx.config, one)))
    made.push(...(await ctx.write((tx) => makeSurface(surface, { ...house, read: tx }))));
  return made;
}

async function isOpen(ctx: Context): Promise<boolean> {
  const { configured, open } = await findPubState(ctx);
  if (configured) return open;
  const last = await ctx.db
    .selectFrom('plays')
    .select('started_at')
    // Written out, not bound: only so does SQLite know that its index plays_public has them all.
    .where('silent', '=', sql.lit(0))
    .where('kind', '=', sql.lit('music'))
    .where('hidden', '=', sql.lit(0))
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last !== undefined && ctx.now() - last.started_at < LATELY;
}
