import { z } from 'zod';
import { MENU_ITEM } from '#content/kinds/menu-item.ts';
import { recordId, shortText } from '#content/records/fields.ts';
import { recordById, storedName } from '#content/records/rows.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { oneOf, wholeNumber } from '#kernel/http/validation.ts';
import type { TapRow } from './facts.ts';
import { keepUndo, type UndoWork } from './undo.ts';

const TAPS_AT_MOST = 60;
const STATES = ['on', 'last', 'out', 'cleaning'] as const;

/** The number of a tap, in addresses. */
export const TapNumber = wholeNumber(1, TAPS_AT_MOST);

const drink = recordId.nullable();
/** What the sender saw of a tap: its state, or what is given of it. */
const seen = z
  .union([
    oneOf(STATES).transform((state) => ({ state })),
    z.object({
      state: oneOf(STATES).optional(),
      item_id: drink.optional(),
      next_item_id: drink.optional(),
    }),
  ])
  .optional();

export const TapInput = z.object({
  label: shortText(20).unwrap().optional(),
  item_id: drink.optional(),
  next_item_id: drink.optional(),
  state: oneOf(STATES).optional(),
  seen,
});
export const SwapInput = z.object({ item_id: recordId.optional(), seen });

type Place = Pick<TapRow, 'label' | 'item_id' | 'next_item_id' | 'state' | 'tapped_at'>;
const EMPTY: Place = { label: '', item_id: null, next_item_id: null, state: 'on', tapped_at: null };

/** A tap as the API answers with it. */
export interface TapJson {
  tap: number;
  label: string;
  item_id: string | null;
  next_item_id: string | null;
  state: TapRow['state'];
  /** ISO 8601: when its drink was connected. */
  tapped_at: string | null;
}

/** What a command has done. */
export interface TapDone {
  tap: TapJson | null;
  undoUntil: number | null;
  undo?: UndoWork;
}

export const tapJson = (tap: number, { label, item_id, next_item_id, state, tapped_at }: Place): TapJson => ({
  tap,
  label,
  item_id,
  next_item_id,
  state,
  tapped_at: tapped_at === null ? null : isoTime(tapped_at),
});

/**
 * Changes what a tap has, or how it is; a tap that is not known yet is added. Another drink is connected now.
 * @throws 400 for an unknown drink; 409 with the present tap if it is not as it was seen
 */
export function changeTap(
  ctx: Context,
  tap: number,
  { seen: saw, ...input }: z.output<typeof TapInput>,
  actor: Actor,
): Promise<TapDone> {
  return changing(ctx, { tap, saw, action: 'taps.changed' }, actor, (tx, before) => {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const after: Place = { ...(before ?? EMPTY), ...given };
    for (const field of ['item_id', 'next_item_id'] as const)
      if (input[field] && input[field] !== before?.[field]) ensureDrink(tx, field, input[field]);
    if (after.item_id === (before?.item_id ?? null)) return after;
    return { ...after, state: input.state ?? 'on', tapped_at: after.item_id === null ? null : actor.at };
  });
}

/**
 * Connects the next drink, or a given one.
 * @throws 404; 400 if no drink is next and none is given; 409 with the present tap if it is not as it was seen
 */
export function swapTap(
  ctx: Context,
  tap: number,
  { seen: saw, item_id: chosen }: z.output<typeof SwapInput>,
  actor: Actor,
): Promise<TapDone> {
  return changing(ctx, { tap, saw, action: 'taps.swapped' }, actor, (tx, before) => {
    if (!before) throw notFound('no_such_tap');
    const item_id = chosen ?? before.next_item_id;
    if (item_id === null) throw badField('item_id', 'which_drink');
    ensureDrink(tx, 'item_id', item_id);
    const next_item_id = before.next_item_id === item_id ? null : before.next_item_id;
    return { ...before, item_id, next_item_id, state: 'on', tapped_at: actor.at };
  });
}

/** Takes a tap away. @throws 404 */
export function removeTap(ctx: Context, tap: number, actor: Actor): Promise<TapDone> {
  return changing(ctx, { tap, saw: undefined, action: 'taps.removed' }, actor, (_, before) => {
    if (!before) throw notFound('no_such_tap');
    return undefined;
  });
}

type Action = 'taps.changed' | 'taps.swapped' | 'taps.removed';

async function changing(
  ctx: Context,
  { tap, saw, action }: { tap: number; saw: z.output<typeof seen>; action: Action },
  actor: Actor,
  change: (tx: Tx, before: TapRow | undefined) => Place | undefined,
): Promise<TapDone> {
  const done = await ctx.write((tx) => {
    const before = findTap(tx, tap);
    const sawItem = saw && 'item_id' in saw ? saw.item_id : undefined;
    const isSeen = Object.entries(saw ?? {}).every(
      ([field, value]) => value === undefined || value === (before ?? EMPTY)[field as keyof Place],
    );
    // A swap that was made already is not made again; any other command that changes nothing is done.
    if (!isSeen && action === 'taps.swapped') throw changedSince(tap, before, sawItem);
    const after = change(tx, before);
    if (before && after && isSame(before, after)) return { after, isChanged: false };
    if (!isSeen) throw changedSince(tap, before, sawItem);
    store(tx, tap, after, actor);
    recordAudit(tx, actor, { action, metadata: { tap, ...changesOf(before ?? EMPTY, after) } });
    return { before, after, isChanged: true };
  });
  const { before, after, isChanged } = done;
  const json = after ? tapJson(tap, after) : null;
  if (!isChanged) return { tap: json, undoUntil: null };
  ctx.hub.publish('menu');
  const undo = async (by: Actor) => {
    await ctx.write((tx) => {
      const present = findTap(tx, tap);
      const isLast = present
        ? after && present.changed_at === actor.at && present.changed_by === storedName(actor)
        : !after;
      if (!isLast) throw changedSince(tap, present, after?.item_id);
      store(tx, tap, before, by);
      recordAudit(tx, by, { action: 'taps.undone', metadata: { tap } });
    });
    ctx.hub.publish('menu');
  };
  return { tap: json, undo, undoUntil: keepUndo(ctx, `tap ${tap}`, actor, undo) };
}

const FIELDS = ['label', 'item_id', 'next_item_id', 'state', 'tapped_at'] as const;

const isSame = (one: Place, other: Place): boolean => FIELDS.every((field) => one[field] === other[field]);

/** The values that a change has set, for the log. */
function changesOf(before: Place, after: Place | undefined): Partial<Place> {
  if (!after) return {};
  return Object.fromEntries(
    FIELDS.filter((field) => before[field] !== after[field]).map((field) => [field, after[field]]),
  );
}

function store(tx: Tx, tap: number, place: Place | undefined, actor: Actor): void {
  if (!place) {
    tx.run(build.deleteFrom('taps').where('tap', '=', tap));
    return;
  }
  const { label, item_id, next_item_id, state, tapped_at } = place;
  const stamp = { changed_at: actor.at, changed_by: storedName(actor) };
  tx.run(build.replaceInto('taps').values({ tap, label, item_id, next_item_id, state, tapped_at, ...stamp }));
}

const findTap = (reader: Reader, tap: number): TapRow | undefined =>
  reader.first(build.selectFrom('taps').selectAll().where('tap', '=', tap));

function changedSince(tap: number, present: TapRow | undefined, seenItem: string | null | undefined) {
  const { item_id, state } = present ?? EMPTY;
  const isOther = seenItem !== undefined && seenItem !== item_id;
  const drink = item_id === null ? 'no_drink' : 'another_drink';
  const now = isOther ? drink : state === 'on' ? 'other' : state;
  const extra = { tap: tapJson(tap, present ?? EMPTY) };
  return conflict('stock_changed', { of: 'tap', tap: String(tap), now }, { extra });
}

function ensureDrink(tx: Tx, field: string, id: string): void {
  const record = tx.first(recordById({ id, kind: MENU_ITEM.name }));
  if (!record || record.removed_at !== null) throw badField(field, 'no_such_item');
  // Nothing would be shown.
  if (record.published_version === null) throw badField(field, 'item_is_draft');
}
