import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict, forbidden } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { ensurePerson } from '#meetings/item-acts.ts';
import { closeDueItems } from '#meetings/item-states.ts';
import type { Item } from '#meetings/items.ts';
import { listPeopleWith, type TwoPeople } from '#people/approvals/approvals.ts';
import { joinPapers, sealAgain } from '#voting/ballots/paper-count.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { getElection } from '#voting/elections/elections.ts';
import { BLANK } from '#voting/shared/choice.ts';
import { noteNoMore } from './awaited.ts';
import {
  type Batch,
  type ControlTotals,
  countNow,
  type FoundBatch,
  getBatch,
  type JoinInput,
  type PressedBatch,
} from './batches.ts';
import {
  areSame,
  type Entry,
  ensureEntered,
  findTeller,
  INVALID,
  listDifferences,
  listEntries,
  totalsOf,
} from './entries.ts';

/**
 * Lets the ballots of a batch join the others in one step, split by question and in random order. Two chairs who press
 * at once do it once.
 * @param late for papers that come after the announcement: who does it, and what refuses the new result without a note
 * @throws 403 for a key; 404; 409 that names the state, while differences or totals are open, both entries come from one
 * person, or there are more votes or papers than there can be without a note
 */
export async function joinBatch(
  ctx: Context,
  pressed: PressedBatch,
  { reason, note }: z.output<typeof JoinInput>,
  {
    two,
    ensureNoted,
  }: { two?: TwoPeople | undefined; ensureNoted: (tx: Tx, item: Item, note: string | null) => void },
): Promise<void> {
  await ctx.write((tx) => {
    closeDueItems(tx, pressed.actor.at);
    ensurePerson(pressed.actor);
    const found = getBatch(tx, pressed);
    if (found.batch.state === 'joined') return;
    const { batch, items } = countNow(tx, found, two?.words.reason ?? reason);
    ensureJoinable(tx, { batch, items });
    const late = isLate(items);
    if (late && !two) throw conflict('item_state', { state: 'declared' });
    const noted = late ? (two?.words.note ?? note) : null;
    const entries = listEntries(tx, batch.id, 1);
    for (const item of items)
      joinQuestion(
        tx,
        { batch, item },
        entries.filter((one) => one.item_id === item.id),
        { actor: pressed.actor, two },
      );
    for (const item of items) noteNoMore(tx, item, null);
    if (late) for (const item of items) ensureNoted(tx, item, noted);
    const set = { state: 'joined', late: late ? 1 : 0, note: noted } as const;
    tx.run(build.updateTable('paper_batches').set(set).where('id', '=', batch.id));
    tx.run(build.deleteFrom('paper_entries').where('batch_id', '=', batch.id).where('teller', '=', 2));
    for (const { id, state } of items) if (state === 'declared') forgetEntries(tx, id);
  });
  // The result is counted again, and the log with what was entered is overwritten.
  await settleClosedElections(ctx);
}

/** Whether the papers of these items correct an announced result. */
export const isLate = (items: readonly Item[]): boolean => items.some(({ state }) => state === 'declared');

/**
 * At least one of the two who let late papers join has not entered them, where there is anybody else with the right.
 * @param ids of the people @throws 403
 */
export function ensureNoTellersAlone(ctx: Context, batch: Batch, ids: readonly string[]): void {
  const isTeller = (id: string) => findTeller(batch, `person:${id}`) !== undefined;
  if (!ids.every(isTeller)) return;
  const others = listPeopleWith(ctx.db, 'elections:certify', ctx.now()).filter((id) => !isTeller(id));
  if (others.length > 0) throw forbidden('late_papers_need_other');
}

/** @throws 409 */
function ensureJoinable(tx: Tx, found: FoundBatch): void {
  const { batch } = found;
  ensureEntered(batch);
  const people = [batch.teller_1_by, batch.teller_2_by].filter((by) => by?.startsWith('person:'));
  // An earlier version took the entry of a key.
  if (new Set(people).size < 2) throw conflict('entries_of_one_person');
  const differing = [...new Set(listDifferences(tx, found).map(({ number }) => number))];
  if (differing.length > 0) throw conflict('differences_open', { numbers: differing.map(String) });
  const totals = totalsOf(listEntries(tx, batch.id, 1));
  if (!areSame(totals, batch))
    throw conflict('totals_open', { entered: wordsOf(totals), control: wordsOf(batch) });
}

/** `12 valid, 1 blank, 0 invalid` */
const wordsOf = ({ valid, blank, invalid }: ControlTotals): Words =>
  t('errors-admin.papers.totals', { valid, blank, invalid });

function joinQuestion(
  tx: Tx,
  { batch, item }: { batch: Batch; item: Item },
  entries: readonly Entry[],
  { actor, two }: { actor: Actor; two: TwoPeople | undefined },
): void {
  const ballots = entries.filter(({ choice }) => choice !== INVALID);
  const blank = ballots.filter(({ choice }) => choice === BLANK).length;
  const invalid = entries.length - ballots.length;
  const reason = item.state === 'declared' ? batch.reason : null;
  const metadata = {
    meeting: item.meeting_id,
    item: item.id,
    batch: batch.id,
    ...(two && reason !== null && { by_two: two.by_two }),
  };
  const choices = ballots.map(({ choice }) => choice);
  const election = getElection(tx, item.election_id ?? '');
  const ids = joinPapers(tx, election, { choices, invalid, reason, metadata }, actor);
  for (const [at, { number }] of ballots.entries())
    tx.run(
      build
        .updateTable('paper_entries')
        .set({ ballot_id: ids[at]! })
        .where('batch_id', '=', batch.id)
        .where('teller', '=', 1)
        .where('number', '=', number)
        .where('item_id', '=', item.id),
    );
  tx.run(
    build
      .updateTable('paper_batch_questions')
      .set({ valid: ballots.length - blank, blank, invalid })
      .where('batch_id', '=', batch.id)
      .where('item_id', '=', item.id),
  );
}

/**
 * Erases which paper became which ballot, once the result is announced or void: the rows of an item, but for batches that
 * wait. The table is written anew, because a page that was split keeps bytes of deleted rows; the log is overwritten
 * when the question is sealed again.
 */
export function forgetPapers(tx: Tx, { id, election_id }: Pick<Item, 'id' | 'election_id'>): void {
  if (forgetEntries(tx, id) > 0 && election_id !== null) sealAgain(tx, election_id);
}

function forgetEntries(tx: Tx, itemId: string): number {
  const joined = build.selectFrom('paper_batches').select('id').where('state', '=', 'joined');
  const isKept = build
    .selectFrom('paper_entries')
    .selectAll()
    .where((is) => is.or([is('item_id', '!=', itemId), is('batch_id', 'not in', joined)]));
  const kept = tx.all(isKept);
  const deleted = tx.run(build.deleteFrom('paper_entries'));
  for (const row of kept) tx.run(build.insertInto('paper_entries').values(row));
  return deleted - kept.length;
}
