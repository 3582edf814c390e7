import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PaperBatchesTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { listOf, optionalText, requiredText, wholeNumber } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import type { Note } from '#kernel/language/words.ts';
import { ensurePerson, type Pressed, recordAct } from '#meetings/item-acts.ts';
import { closeDueItems } from '#meetings/item-states.ts';
import { getItem, type Item } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { findTwo } from '#voting/elections/history.ts';
import { followPapers } from './awaited.ts';

export type Batch = Selectable<PaperBatchesTable>;

/** More papers are several batches. */
export const PAPERS_A_BATCH = 200;
const papers = wholeNumber(0, PAPERS_A_BATCH);

/** The papers of a batch as they were counted by hand, before anybody enters them. */
export const Control = z.object({ valid: papers, blank: papers.default(0), invalid: papers.default(0) });
export type ControlTotals = z.output<typeof Control>;

/** Why papers come after the announcement. */
const reason = optionalText(300);

export const BatchInput = z.object({
  control: Control,
  /** Further items that are on the same papers. */
  items: listOf(z.string().max(64), 50).optional(),
  reason,
});
export const JoinInput = z.preprocess(
  (body) => body ?? {},
  z.object({
    reason,
    /** Why more votes or papers than there can be do not change the result. */
    note: optionalText(1_000),
  }),
);
/** Why a batch is dropped. */
export const DropInput = z.object({ reason: requiredText(300) });
export const ControlInput = z.object({ control: Control });

/** The batch of an address. */
export interface PressedBatch extends Pressed {
  batchId: string;
}

/** A batch with its items, in the order of the agenda. */
export interface FoundBatch {
  batch: Batch;
  items: Item[];
}

/** @throws 404 */
export function getBatch(
  reader: Reader,
  { meetingId, itemId, batchId }: Omit<PressedBatch, 'actor'>,
): FoundBatch {
  getItem(reader, itemId, meetingId);
  const batch = reader.first(
    build.selectFrom('paper_batches').selectAll().where('id', '=', batchId).where('item_id', '=', itemId),
  );
  if (!batch) throw notFound('batch_of_papers_not_found');
  const ids = reader.all(
    build
      .selectFrom('paper_batch_questions')
      .select('item_id')
      .where('batch_id', '=', batchId)
      .orderBy('position'),
  );
  return { batch, items: ids.map(({ item_id }) => getItem(reader, item_id)) };
}

/** The batches in which papers of an item are counted. */
export const listBatches = (reader: Reader, itemId: string): Batch[] => reader.all(batchesOf({ id: itemId }));

const batchesOf = prepare((item: { id: string }) =>
  build
    .selectFrom('paper_batches')
    .innerJoin('paper_batch_questions', 'batch_id', 'paper_batches.id')
    .selectAll('paper_batches')
    .where('paper_batch_questions.item_id', '=', item.id)
    .orderBy('paper_batches.item_id')
    .orderBy('number'),
);

/** A public correction of an announced result: why papers came late, and how many ballots they were. */
export interface Correction {
  reason: string;
  ballots: number;
  /** Why more votes or papers than there can be did not change the result; absent without any. */
  note?: string;
  /** The two people who let them join; absent where an earlier version did not know them. */
  by?: Note;
}

export const listCorrections = (
  reader: Reader,
  { id, election_id }: Pick<Item, 'id' | 'election_id'>,
): Correction[] =>
  reader
    .all(
      build
        .selectFrom('paper_batches')
        .innerJoin('paper_batch_questions', 'batch_id', 'paper_batches.id')
        .select(['paper_batches.id', 'reason', 'note'])
        .select(['paper_batch_questions.valid', 'paper_batch_questions.blank'])
        .where('paper_batch_questions.item_id', '=', id)
        .where('late', '=', 1)
        .orderBy('number'),
    )
    .map(({ id: batch, reason, valid, blank, note }) => {
      const by = findTwo(reader, election_id ?? '', 'paper.joined', (metadata) => metadata.batch === batch);
      return {
        reason: reason ?? '',
        ballots: valid + blank,
        ...(note !== null && { note }),
        ...(by !== undefined && { by }),
      };
    });

/** @returns the id of the new batch @throws 404, 400, 409 that names the state */
export function createBatch(
  ctx: Context,
  { meetingId, itemId, actor }: Pressed,
  { control, items = [], reason }: z.output<typeof BatchInput>,
): Promise<string> {
  if (control.valid + control.blank + control.invalid === 0) throw badField('control', 'no_papers');
  return ctx.write((tx) => {
    closeDueItems(tx, actor.at);
    const first = getItem(tx, itemId, meetingId);
    const all = [
      first,
      ...[...new Set(items)].filter((id) => id !== itemId).map((id) => getItem(tx, id, meetingId)),
    ];
    ensureCounting(tx, all, reason);
    const number =
      1 +
      Math.max(0, ...listBatches(tx, itemId).map((batch) => (batch.item_id === itemId ? batch.number : 0)));
    const id = newId(actor.at);
    const row = { id, item_id: itemId, number, ...control, reason };
    tx.run(build.insertInto('paper_batches').values(row));
    for (const [position, one] of all.entries())
      tx.run(build.insertInto('paper_batch_questions').values({ batch_id: id, item_id: one.id, position }));
    for (const one of all) followPapers(tx, one);
    recordAct(tx, first, 'paper.batch_made', { batch: id, items: all.map((one) => one.id) }, actor);
    return id;
  });
}

/**
 * Papers are counted once voting is over. After the announcement they are a correction in public, also of a meeting that
 * is over.
 * @throws 409 that names the state
 */
function ensureCounting(reader: Reader, items: readonly Item[], reason: string | null): void {
  for (const item of items) {
    const { state, counted, election_id } = item;
    if (counted !== null) throw conflict('counted_by_hand', { state });
    if (election_id === null || (state !== 'closed' && state !== 'declared'))
      throw conflict('item_state', { state });
    if (state === 'declared' && reason === null) throw conflict('papers_after_declaration', { state });
    if (state === 'closed') ensureNotClosed(getMeeting(reader, item.meeting_id));
  }
}

/** Runs an act on a batch that has not joined. @throws 404, 409 that names the state */
export function onBatch<Done>(
  ctx: Context,
  pressed: PressedBatch,
  work: (tx: Tx, found: FoundBatch) => Done,
  reason: string | null = null,
): Promise<Done> {
  return ctx.write((tx) => {
    closeDueItems(tx, pressed.actor.at);
    const found = getBatch(tx, pressed);
    if (found.batch.state === 'joined') throw conflict('batch_of_papers_joined');
    return work(tx, countNow(tx, found, reason));
  });
}

/** Refuses where the batch cannot be counted now, and keeps the reason that was sent with the act. @throws 409 */
export function countNow(tx: Tx, { batch, items }: FoundBatch, sent: string | null): FoundBatch {
  const reason = sent ?? batch.reason;
  ensureCounting(tx, items, reason);
  if (reason !== batch.reason)
    tx.run(build.updateTable('paper_batches').set({ reason }).where('id', '=', batch.id));
  return { items, batch: { ...batch, reason } };
}

export const controlOf = ({ valid, blank, invalid }: ControlTotals): ControlTotals => ({
  valid,
  blank,
  invalid,
});

/** The control totals that somebody wants instead, and who. */
export const askedControl = ({
  control_asked,
  control_asked_by,
}: Batch): (ControlTotals & { by: string }) | undefined =>
  control_asked === null ? undefined : { ...JSON.parse(control_asked), by: control_asked_by ?? '' };

/**
 * Corrects the control totals of a batch that were counted wrongly. Once somebody has entered it they can be made to fit
 * an entry, so the other teller agrees by the same request; until there is one, anybody else.
 * @returns whether another person has to agree still @throws 403 for a key, else as `onBatch`
 */
export function changeControl(
  ctx: Context,
  pressed: PressedBatch,
  { control }: z.output<typeof ControlInput>,
): Promise<boolean> {
  return onBatch(ctx, pressed, (tx, { batch, items }) => {
    const own = ensurePerson(pressed.actor);
    const tellers = [batch.teller_1_by, batch.teller_2_by].filter((one) => one !== null);
    const asked = askedControl(batch);
    const isSame = asked !== undefined && JSON.stringify(controlOf(asked)) === JSON.stringify(control);
    const mayAgree = asked?.by !== own && (tellers.length < 2 || tellers.includes(own));
    const isDone = tellers.length === 0 || (isSame && mayAgree);
    const numbers = { batch: batch.id, from: controlOf(batch), to: control };
    if (isDone) {
      const set = { ...control, control_asked: null, control_asked_by: null };
      tx.run(build.updateTable('paper_batches').set(set).where('id', '=', batch.id));
      const both = asked && isSame ? { by_two: [asked.by, own] } : {};
      recordBatch(tx, items, 'paper.control_changed', { ...numbers, ...both }, pressed.actor);
    } else if (!isSame) {
      const set = { control_asked: JSON.stringify(control), control_asked_by: own };
      tx.run(build.updateTable('paper_batches').set(set).where('id', '=', batch.id));
      recordBatch(tx, items, 'paper.control_asked', numbers, pressed.actor);
    }
    return !isDone;
  });
}

/**
 * Drops a batch that has not joined, with what was entered of it: any two people enter its papers anew.
 * @throws as `onBatch`
 */
export function dropBatch(
  ctx: Context,
  pressed: PressedBatch,
  { reason }: z.output<typeof DropInput>,
): Promise<void> {
  return onBatch(ctx, pressed, (tx, { batch, items }) => {
    tx.run(build.deleteFrom('paper_batches').where('id', '=', batch.id));
    for (const item of items) followPapers(tx, item);
    const { id, number } = batch;
    const entered = Number(batch.teller_1_by !== null) + Number(batch.teller_2_by !== null);
    const metadata = { batch: id, number, control: controlOf(batch), entered };
    recordAct(tx, items[0]!, 'paper.batch_removed', metadata, pressed.actor, reason);
  });
}

/** Records an act on a batch, with its first item. */
export const recordBatch = (
  tx: Tx,
  [item]: readonly Item[],
  action: string,
  metadata: Record<string, unknown>,
  actor: Actor,
): void => recordAct(tx, item!, action, metadata, actor);
