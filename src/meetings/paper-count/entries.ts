import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PaperEntriesTable } from '#kernel/db/schema.ts';
import { badField, conflict, forbidden, inField } from '#kernel/http/errors.ts';
import { flag, optionalText } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { ensurePerson } from '#meetings/item-acts.ts';
import type { Item } from '#meetings/items.ts';
import { withoutNulls } from '#voting/ballots/ballots.ts';
import { readPaperBallot } from '#voting/ballots/paper-count.ts';
import { getElection } from '#voting/elections/elections.ts';
import { BLANK } from '#voting/shared/choice.ts';
import {
  type Batch,
  type ControlTotals,
  type FoundBatch,
  onBatch,
  PAPERS_A_BATCH,
  type PressedBatch,
  recordBatch,
} from './batches.ts';

export type Entry = Selectable<PaperEntriesTable>;
export type Teller = 1 | 2;

/** What stands in the place of a choice where the paper, or its part for a question, is no ballot. */
export const INVALID = 'invalid';

const numberError = coded('not_number_of_paper');
/** As it is written on a paper: `7` and `07` would be two papers. */
const number = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^[1-9]\d{0,6}$/)
        .transform(Number),
    ],
    { error: numberError },
  )
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= 1_000_000, { error: numberError });

/** A paper: the fields of a ballot, or `blank`, or `invalid`; of several questions in `answers`, by election. */
const Paper = z.looseObject({ number });

export const EntriesInput = z.object({
  papers: z
    .array(Paper, coded('not_papers'))
    .max(PAPERS_A_BATCH, coded('too_many_entries', { max: PAPERS_A_BATCH })),
  reason: optionalText(300),
});

/** What a teller corrects: a paper as it is, or `remove` where there is no such paper. */
export const OwnEntryInput = z.object({
  papers: z
    .array(Paper.extend({ remove: flag.optional() }), coded('not_papers'))
    .min(1, coded('required'))
    .max(PAPERS_A_BATCH, coded('too_many_entries', { max: PAPERS_A_BATCH })),
});

type SentPaper = z.output<typeof Paper>;
/** What a paper says on an item. */
type Read = Pick<Entry, 'number' | 'item_id' | 'choice'>;

/**
 * Stores what a teller read on the papers of a batch, in place of what that teller entered before, until both have.
 * @throws 400 naming the field; 403 for a key; 404; 409 that names the state, for the other teller, and once both have
 */
export function enterPapers(
  ctx: Context,
  pressed: PressedBatch,
  teller: Teller,
  { papers, reason }: z.output<typeof EntriesInput>,
): Promise<void> {
  const enter = (tx: Tx, { batch, items }: FoundBatch) => {
    const by = ensurePerson(pressed.actor);
    const own = batch[`teller_${teller}_by`];
    const other = batch[`teller_${teller === 1 ? 2 : 1}_by`];
    if (own !== null && other !== null) throw conflict('entries_are_in');
    if (other === by) throw conflict('entries_of_one_person');
    if (own !== null && own !== by) throw conflict('entry_of_other', { teller: String(teller) });
    const read = readPapers(tx, items, papers);
    tx.run(build.deleteFrom('paper_entries').where('batch_id', '=', batch.id).where('teller', '=', teller));
    insertEntries(tx, batch, teller, read);
    const set = teller === 1 ? { teller_1_by: by } : { teller_2_by: by };
    tx.run(build.updateTable('paper_batches').set(set).where('id', '=', batch.id));
    recordBatch(tx, items, 'paper.batch_entered', { batch: batch.id, teller }, pressed.actor);
  };
  return onBatch(ctx, pressed, enter, reason);
}

/** @throws 400 naming the field */
function readPapers(tx: Tx, items: readonly Item[], papers: readonly SentPaper[]): Read[] {
  const seen = new Set<number>();
  return papers.flatMap((paper, at) => {
    if (seen.has(paper.number))
      throw badField(`papers.${at}.number`, 'number_twice', { number: String(paper.number) });
    seen.add(paper.number);
    return inField(`papers.${at}`, () => readPaper(tx, items, paper));
  });
}

function readPaper(
  tx: Tx,
  items: readonly Item[],
  { number: own, remove, ...sent }: SentPaper & { remove?: unknown },
): Read[] {
  const fields = withoutNulls(sent);
  if (remove === true) {
    if (Object.keys(fields).length > 0) throw badField('remove', 'removed_with_choice');
    return [];
  }
  const isWhole = flag.safeParse(fields.blank).data === true || flag.safeParse(fields.invalid).data === true;
  if (items.length === 1 || isWhole)
    return items.map((item) => ({ number: own, item_id: item.id, choice: readChoice(tx, item, fields) }));
  const answers = z.record(z.string(), z.looseObject({}), coded('not_answers')).safeParse(fields.answers);
  if (!answers.success) throw badField('answers', fields.answers === undefined ? 'required' : 'not_answers');
  const unknown = Object.keys(answers.data).find(
    (id) => !items.some(({ election_id }) => election_id === id),
  );
  if (unknown !== undefined) throw badField(`answers.${unknown}`, 'not_on_paper');
  return items.map((item) => {
    // A question without a mark is left blank.
    const answer = answers.data[item.election_id ?? ''] ?? { blank: true };
    const choice = inField(`answers.${item.election_id}`, () => readChoice(tx, item, withoutNulls(answer)));
    return { number: own, item_id: item.id, choice };
  });
}

function readChoice(tx: Tx, { election_id }: Item, { invalid, ...fields }: Record<string, unknown>): string {
  const isInvalid = invalid === undefined ? undefined : flag.safeParse(invalid);
  if (isInvalid?.success === false) throw badField('invalid', 'not_true_or_false');
  if (!isInvalid?.data) return readPaperBallot(tx, getElection(tx, election_id ?? ''), fields);
  if (Object.keys(fields).length > 0) throw badField('invalid', 'invalid_with_choice');
  return INVALID;
}

function insertEntries(tx: Tx, { id: batch_id }: Batch, teller: Teller, read: readonly Read[]): void {
  for (const one of read)
    tx.run(build.insertInto('paper_entries').values({ ...one, batch_id, teller, ballot_id: null }));
}

/** What a teller entered, by the numbers of the papers. */
export const listEntries = (reader: Reader, batchId: string, teller: Teller): Entry[] =>
  reader.all(
    build
      .selectFrom('paper_entries')
      .selectAll()
      .where('batch_id', '=', batchId)
      .where('teller', '=', teller)
      .orderBy('number')
      .orderBy('item_id'),
  );

/** A paper on which the tellers differ, for one item; null: one of them has no such paper. */
export interface Difference {
  number: number;
  item_id: string;
  choices: [string | null, string | null];
}

/** Compares both entries, paper by paper; nothing is compared before both are there. */
export function listDifferences(reader: Reader, { batch, items }: FoundBatch): Difference[] {
  if (batch.state === 'joined' || batch.teller_1_by === null || batch.teller_2_by === null) return [];
  const keyOf = (one: Pick<Entry, 'number' | 'item_id'>) => `${one.number} ${one.item_id}`;
  const [first, second] = ([1, 2] as const).map(
    (teller) => new Map(listEntries(reader, batch.id, teller).map((one) => [keyOf(one), one])),
  );
  const rank = new Map(items.map(({ id }, at) => [id, at]));
  return [...new Map([...first!, ...second!]).values()]
    .map(({ number: own, item_id }): Difference => {
      const key = keyOf({ number: own, item_id });
      return {
        number: own,
        item_id,
        choices: [first!.get(key)?.choice ?? null, second!.get(key)?.choice ?? null],
      };
    })
    .filter(({ choices: [one, other] }) => one !== other)
    .sort((a, b) => a.number - b.number || rank.get(a.item_id)! - rank.get(b.item_id)!);
}

/** Counts papers as tellers pile them: one is blank or invalid if it says nothing valid on any of its questions. */
export function totalsOf(entries: readonly Pick<Entry, 'number' | 'choice'>[]): ControlTotals {
  const totals = { valid: 0, blank: 0, invalid: 0 };
  for (const parts of Map.groupBy(entries, (one) => one.number).values()) {
    const choices = parts.map(({ choice }) => choice);
    if (choices.some((choice) => choice !== BLANK && choice !== INVALID)) totals.valid++;
    else if (choices.includes(INVALID)) totals.invalid++;
    else totals.blank++;
  }
  return totals;
}

export const areSame = (one: ControlTotals, other: ControlTotals): boolean =>
  one.valid === other.valid && one.blank === other.blank && one.invalid === other.invalid;

/**
 * Corrects what a teller read on papers on which the two differ at this moment, until they agree: in the own entry
 * alone. The log has the numbers of the papers, and nothing that is on them.
 * @throws 400 for a paper on which they agree; 403 for anybody else; 404; 409 that names the state, or while an entry is
 * missing
 */
export function changeOwnEntry(
  ctx: Context,
  pressed: PressedBatch,
  { papers }: z.output<typeof OwnEntryInput>,
): Promise<void> {
  return onBatch(ctx, pressed, (tx, { batch, items }) => {
    const own = ensurePerson(pressed.actor);
    const teller = findTeller(batch, own);
    if (teller === undefined) throw forbidden('not_teller');
    ensureEntered(batch);
    const differing = () => new Set(listDifferences(tx, { batch, items }).map((one) => one.number));
    const open = differing();
    for (const [at, one] of papers.entries())
      if (!open.has(one.number))
        throw badField(`papers.${at}.number`, 'tellers_agree', { number: String(one.number) });
    const read = readPapers(tx, items, papers);
    const numbers = papers.map((one) => one.number);
    tx.run(
      build
        .deleteFrom('paper_entries')
        .where('batch_id', '=', batch.id)
        .where('teller', '=', teller)
        .where('number', 'in', numbers),
    );
    insertEntries(tx, batch, teller, read);
    const left = differing();
    const settled = numbers.filter((one) => !left.has(one)).length;
    tx.run(
      build
        .updateTable('paper_batches')
        .set((of) => ({ settled: of('settled', '+', settled) }))
        .where('id', '=', batch.id),
    );
    recordBatch(
      tx,
      items,
      'paper.entry_corrected',
      { batch: batch.id, teller, numbers, settled },
      pressed.actor,
    );
  });
}

/** Which teller of a batch somebody is. @param by as `findPresser` */
export const findTeller = (batch: Batch, by: string | undefined): Teller | undefined =>
  ([1, 2] as const).find((teller) => by !== undefined && batch[`teller_${teller}_by`] === by);

/** @throws 409 while an entry is missing */
export function ensureEntered({ teller_1_by, teller_2_by }: Batch): void {
  if (teller_1_by === null || teller_2_by === null)
    throw conflict('entry_missing', { teller: teller_1_by === null ? '1' : '2' });
}
