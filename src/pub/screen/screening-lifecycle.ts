import type { Selectable } from 'kysely';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { ScreeningsTable } from '#kernel/db/schema.ts';
import { newId } from '#kernel/ids.ts';
import { findPubState } from '#pub/display/shifts.ts';
import { findDevice, SURE, type Verdict } from '#pub/now-playing/device.ts';
import { findOverride, type Override } from './override.ts';
import { findOpenScreening, hasScreenings } from './screenings.ts';

/**
 * What a decision of the staff means for the films: `movie` opens a screening, or makes the one that the device
 * opened theirs; anything else ends it. In the transaction of the decision.
 */
export function applyOverride(tx: Tx, ctx: Context, { mode, label }: Override): void {
  const now = ctx.now();
  const open = findOpenScreening(tx);
  if (mode !== 'movie') {
    if (open && (mode !== 'automatic' || open.override_at !== null)) close(tx, open, 'override', now);
    return;
  }
  if (open) {
    const change = { shadow: 0, override_at: now, doubted_at: null, ...(label && { title: label }) } as const;
    tx.run(build.updateTable('screenings').set(change).where('id', '=', open.id));
  } else if (hasScreenings(ctx.config)) {
    insert(tx, now, { title: label, origin: 'operator', shadow: 0, confidence: null, override_at: now });
  }
}

/**
 * Brings the screenings up to now: closes the open one when its time has come, or opens a shadow for a film that the
 * device hears and nobody announced.
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

/** Ends a screening. One that the device opened and that was short becomes a shadow. @returns false when it was over */
export function close(
  tx: Tx,
  { id, opened_at, origin, shadow }: Selectable<ScreeningsTable>,
  close_reason: NonNullable<ScreeningsTable['close_reason']>,
  now: number,
): boolean {
  // After an outage it did not go on for longer than a film can.
  const closed_at = Math.max(opened_at, Math.min(now, opened_at + LONGEST));
  const short = origin === 'auto' && closed_at - opened_at < SHORTEST;
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
const SHORTEST = 20 * MINUTE;
/** So long something else is heard before the film counts as over. */
const DOUBT = 10 * MINUTE;
/** So long, and with this confidence, a film is heard before it counts as one. */
const HEARD_FOR = 5 * MINUTE;
const VERY_SURE = 0.8;

type Open = Selectable<ScreeningsTable>;

/** Hours are asked for only while somebody needs to know them. */
function isPubOpen(ctx: Context): boolean | undefined {
  const running = build.selectFrom('screenings').select('id').where('closed_at', 'is', null);
  if (!ctx.db.first(running)) return undefined;
  const { configured, open } = findPubState(ctx);
  return configured ? open : undefined;
}

/** Why the open screening is over, if it is. */
function findCloseReason(
  open: Open,
  { now, pubOpen, override }: ScreeningState,
): ScreeningsTable['close_reason'] {
  if (now - open.opened_at >= LONGEST) return 'length';
  if (override.mode !== 'movie' && (override.mode !== 'automatic' || open.override_at !== null))
    return 'override';
  // A film after hours, or on a day without any, is not ended by hours that it never had.
  if (open.pub_was_open === 1 && pubOpen === false) return 'pub_closed';
  return open.doubted_at !== null && now - open.doubted_at >= DOUBT ? 'verdict' : null;
}

/** Writes down what `findCloseReason` will want to know. */
function updateOpen(tx: Tx, open: Open, state: ScreeningState): void {
  const pub_was_open = open.pub_was_open === 1 || state.pubOpen === true ? 1 : 0;
  const doubted_at = isDoubtful(state) ? (open.doubted_at ?? state.now) : null;
  if (pub_was_open === open.pub_was_open && doubted_at === open.doubted_at) return;
  tx.run(build.updateTable('screenings').set({ pub_was_open, doubted_at }).where('id', '=', open.id));
}

/**
 * Against the staff's word only the device's own word counts, not its silence: a house without verdicts has films
 * too, and a film has quiet scenes.
 */
function isDoubtful({ override, verdict }: ScreeningState): boolean {
  const sure = verdict !== null && verdict.confidence >= SURE;
  if (override.mode === 'movie') return sure && ['music', 'sports'].includes(verdict.kind);
  return !(sure && ['movie', 'tv'].includes(verdict.kind));
}

function openShadow(tx: Tx, ctx: Context, { now, override, verdict }: ScreeningState): void {
  if (!hasScreenings(ctx.config) || override.mode !== 'automatic') return;
  if (verdict?.kind !== 'movie' || verdict.confidence < VERY_SURE || now - verdict.since < HEARD_FOR) return;
  // What was closed while this film was heard stays closed.
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
