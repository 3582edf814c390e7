import { z } from 'zod';
import { MENU_ITEM } from '#content/kinds/menu-item.ts';
import { isDate } from '#content/records/fields.ts';
import { recordById, storedName } from '#content/records/rows.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { morningOf, nextMorning } from '#pub/pub-day.ts';
import type { StockRow } from './facts.ts';
import { keepUndo, type UndoWork } from './undo.ts';

const STATES = ['on', 'last', 'out'] as const;

export const StockInput = z.object({
  state: oneOf(STATES),
  /** The date on which it is back; null: once somebody says so. Left out: the next day of the pub. */
  until: z.string().refine(isDate, coded('not_date')).nullable().optional(),
  /** The state that the sender saw. */
  seen: oneOf(STATES).optional(),
});

/** Whether an item can be had. */
export interface Stock {
  state: StockRow['state'];
  /** When it is on again by itself, in milliseconds. */
  until: number | null;
}

/** What a command has done. */
export interface StockDone extends Stock {
  undoUntil: number | null;
  undo?: UndoWork;
}

/** The state at `now`: one whose time is over is on again. */
export function stockAt(row: StockRow | undefined, now: number): Stock {
  const isOver = !row || row.state === 'on' || (row.until !== null && row.until <= now);
  return isOver ? { state: 'on', until: null } : { state: row.state, until: row.until };
}

/**
 * Says whether an item can be had. The same state again changes nothing.
 * @throws 404; 400 for a date that is over; 409 with the present state if it is not the one that was seen
 */
export async function setStock(
  ctx: Context,
  id: string,
  input: z.output<typeof StockInput>,
  actor: Actor,
): Promise<StockDone> {
  const item = id.replaceAll('-', '');
  const { state, seen } = input;
  const until = untilOf(ctx, input, actor.at);
  const changed = await ctx.write((tx) => {
    const record = tx.first(recordById({ id: item, kind: MENU_ITEM.name }));
    if (!record || record.removed_at !== null) throw notFound('no_such_item');
    const row = findRow(tx, item);
    const now = stockAt(row, actor.at);
    if (now.state === state && (input.until === undefined || now.until === until)) return { now };
    if (seen !== undefined && seen !== now.state) throw changedSince(now);
    const next = { state, until, changed_at: actor.at, changed_by: storedName(actor) };
    tx.run(build.replaceInto('menu_stock').values({ item_id: item, ...next }));
    const metadata = { item, state, was: now.state, until: until === null ? null : isoTime(until) };
    recordAudit(tx, actor, { action: 'menu.stock_set', metadata });
    return { row, now: { state, until } };
  });
  if (!('row' in changed)) return { ...changed.now, undoUntil: null };
  ctx.hub.publish('menu');
  const undo = (by: Actor) => putBack(ctx, item, { row: changed.row, made: actor }, by);
  return { ...changed.now, undo, undoUntil: keepUndo(ctx, `item ${item}`, actor, undo) };
}

/** Brings the former state of an item back. @throws 409 if somebody has changed it since */
async function putBack(
  ctx: Context,
  item: string,
  { row, made }: { row: StockRow | undefined; made: Actor },
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    const present = findRow(tx, item);
    if (present?.changed_at !== made.at || present.changed_by !== storedName(made))
      throw changedSince(stockAt(present, actor.at));
    const stamp = { changed_at: actor.at, changed_by: storedName(actor) };
    const former = row ?? { state: 'on' as const, until: null };
    tx.run(build.replaceInto('menu_stock').values({ ...former, item_id: item, ...stamp }));
    recordAudit(tx, actor, { action: 'menu.stock_undone', metadata: { item, state: former.state } });
  });
  ctx.hub.publish('menu');
}

const findRow = (reader: Reader, item: string): StockRow | undefined =>
  reader.first(build.selectFrom('menu_stock').selectAll().where('item_id', '=', item));

const changedSince = ({ state, until }: Stock) =>
  conflict(
    'stock_changed',
    { of: 'other', tap: '', now: state === 'on' ? 'other' : state },
    { extra: { state, until: until === null ? null : isoTime(until) } },
  );

/** When a state ends by itself: at five in the morning, which the clock has on every day, also when it changes. */
function untilOf(
  { config: { TIME_ZONE: zone } }: Context,
  { state, until }: z.output<typeof StockInput>,
  now: number,
): number | null {
  if (state === 'on' || until === null) return null;
  if (until === undefined) return nextMorning(now, zone);
  const at = morningOf(until, zone);
  if (at <= now) throw badField('until', 'date_over');
  return at;
}
