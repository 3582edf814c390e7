import type { Selectable } from 'kysely';
import { findPubState } from '#content/shifts.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, type Tx } from '#kernel/db/queries.ts';
import type { ScreeningsTable } from '#kernel/db/schema.ts';
import { newId } from '#kernel/ids.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { findDevice, SURE, type Verdict } from '#pub/now-playing/device.ts';
import { findOverride, type Override } from './override.ts';
import { findOpenScreening } from './screenings.ts';

/**
 * Applies a new override to the screenings, in its transaction: `movie` opens one, or takes over the one that the
 * device opened; other modes end it, `automatic` only if an override had opened it or taken it over.
 */
export function applyOverride(tx: Tx, ctx: Context, { mode, label }: Override): void {
  const now = ctx.now();
  if (mode === 'movie') continueClosed(tx, now, label);
  const open = findOpenScreening(tx);
  if (mode !== 'movie') {
    if (open && (mode !== 'automatic' || open.override_at !== null)) close(tx, open, 'override', now);
    return;
  }
  if (open) {
    const change = { shadow: 0, override_at: now, doubted_at: null, ...(label && { title: label }) } as const;
    tx.run(build.updateTable('screenings').set(change).where('id', '=', open.id));
  } else if (isOn(ctx, 'films')) {
    insert(tx, now, { title: label, origin: 'operator', shadow: 0, confidence: null, override_at: now });
  }
}

/**
 * Closes the open screening when it is over, or opens a shadow for a film that the device detects without an override.
 */
export async function updateScreenings(ctx: Context): Promise<void> {
  const pubOpen = isPubOpen(ctx);
  await ctx.write((tx) => {
    const now = ctx.now();
    const state = { now, pubOpen, override: findOverride(tx, now), verdict: findDevice(tx, ctx).verdict };
    const open = findOpenScreening(tx);
    if (!open) return openShadow(tx, ctx, state);
    const reason = findCloseReason(open, state);
    if (reason) return close(tx, open, reason, now);
    updateOpen(tx, open, state);
  });
}

/** Ends a screening; a short one becomes a shadow. @returns false when it had ended already */
export function close(
  tx: Tx,
  { id, opened_at, origin, shadow }: Selectable<ScreeningsTable>,
  close_reason: NonNullable<ScreeningsTable['close_reason']>,
  now: number,
): boolean {
  // After an outage the end is not known: it is at most the longest duration.
  const closed_at = Math.max(opened_at, Math.min(now, opened_at + LONGEST));
  const short = closed_at - opened_at < SHORTEST[origin];
  const closed = build
    .updateTable('screenings')
    .set({ closed_at, close_reason, shadow: short ? 1 : shadow, doubted_at: null })
    .where('id', '=', id)
    .where('closed_at', 'is', null);
  return tx.run(closed) > 0;
}

interface ScreeningState {
  now: number;
  /** Undefined while no hours are known. */
  pubOpen: boolean | undefined;
  override: Override;
  verdict: Verdict | null;
}

const LONGEST = 6 * HOUR;
/** Shorter screenings become shadows, which are not in the archive: they may be a wrong tap. */
const SHORTEST = { operator: 10 * MINUTE, auto: 20 * MINUTE };
/** If staff choose the same film again within this time, its screening continues. */
const CONTINUED_WITHIN = 10 * MINUTE;
/** How long something else must be detected before the film counts as over. */
const DOUBT_FOR = 10 * MINUTE;
/** How long, and with which confidence, a film must be detected before it counts as one. */
const HEARD_FOR = 5 * MINUTE;
const VERY_SURE = 0.8;

type Open = Selectable<ScreeningsTable>;

/** Undefined while no screening is open or no hours are known. */
function isPubOpen(ctx: Context): boolean | undefined {
  const running = build.selectFrom('screenings').select('id').where('closed_at', 'is', null);
  if (!ctx.db.first(running)) return undefined;
  const { configured, open } = findPubState(ctx);
  return configured ? open : undefined;
}

/**
 * Reopens the screening that staff ended a moment ago when they choose the same film: the titles match, or it lasted
 * less than ten minutes and one of the titles is missing.
 */
function continueClosed(tx: Tx, now: number, label: string | null): void {
  const last = tx.first(latestScreening);
  if (!last?.closed_at || now - last.closed_at >= CONTINUED_WITHIN || last.reverted_at !== null) return;
  if (last.close_reason !== 'override' && last.close_reason !== 'operator') return;
  const short = last.closed_at - last.opened_at < SHORTEST.operator;
  const same = label !== null && last.title !== null && foldTitle(label) === foldTitle(last.title);
  if (!same && !(short && (label === null || last.title === null))) return;
  const reopened = { closed_at: null, close_reason: null };
  tx.run(build.updateTable('screenings').set(reopened).where('id', '=', last.id));
}

const foldTitle = (title: string) => title.trim().toLowerCase();

/** Why the open screening is over; null while it is not. */
function findCloseReason(
  open: Open,
  { now, pubOpen, override }: ScreeningState,
): ScreeningsTable['close_reason'] {
  if (now - open.opened_at >= LONGEST) return 'length';
  if (override.mode !== 'movie' && (override.mode !== 'automatic' || open.override_at !== null))
    return 'override';
  // Closing time only ends a film during which the pub was open.
  if (open.pub_was_open === 1 && pubOpen === false) return 'pub_closed';
  return open.doubted_at !== null && now - open.doubted_at >= DOUBT_FOR ? 'verdict' : null;
}

/** Stores the facts that `findCloseReason` needs later. */
function updateOpen(tx: Tx, open: Open, state: ScreeningState): void {
  const pub_was_open = open.pub_was_open === 1 || state.pubOpen === true ? 1 : 0;
  const doubted_at = isDoubtful(state) ? (open.doubted_at ?? state.now) : null;
  if (pub_was_open === open.pub_was_open && doubted_at === open.doubted_at) return;
  tx.run(build.updateTable('screenings').set({ pub_was_open, doubted_at }).where('id', '=', open.id));
}

/**
 * Whether the film may be over. With an override by staff only if the device detects music or sports, not if it has no
 * verdict: a pub without verdicts shows films too, and a film has quiet scenes.
 */
function isDoubtful({ override, verdict }: ScreeningState): boolean {
  const sure = verdict !== null && verdict.confidence >= SURE;
  if (override.mode === 'movie') return sure && ['music', 'sports'].includes(verdict.kind);
  return !(sure && ['movie', 'tv'].includes(verdict.kind));
}

function openShadow(tx: Tx, ctx: Context, { now, override, verdict }: ScreeningState): void {
  if (!isOn(ctx, 'films') || override.mode !== 'automatic') return;
  if (verdict?.kind !== 'movie' || verdict.confidence < VERY_SURE || now - verdict.since < HEARD_FOR) return;
  // A screening that was closed during this verdict is not opened again.
  const closedSince = build.selectFrom('screenings').select('id').where('closed_at', '>=', verdict.since);
  if (tx.first(closedSince)) return;
  insert(tx, now, {
    title: null,
    origin: 'auto',
    shadow: 1,
    confidence: verdict.confidence,
    override_at: null,
  });
}

function insert(
  tx: Tx,
  now: number,
  of: Pick<ScreeningsTable, 'title' | 'origin' | 'shadow' | 'confidence' | 'override_at'>,
): void {
  const row = { id: newId(now), kind: 'movie', opened_at: now, ...of } as const;
  tx.run(
    build.insertInto('screenings').values({
      ...row,
      doubted_at: null,
      closed_at: null,
      close_reason: null,
      reverted_at: null,
      reverted_by: null,
    }),
  );
}

const latestScreening = build
  .selectFrom('screenings')
  .selectAll()
  .orderBy('opened_at', 'desc')
  .orderBy('id', 'desc')
  .limit(ONE)
  .compile();
