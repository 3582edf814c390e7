import type { Reader } from '#kernel/db/queries.ts';
import { isSameName } from '#kernel/names.ts';
import type { Item } from '#meetings/items.ts';
import { listNominations } from '#meetings/nominations/nominations.ts';
import { actorName } from '#people/actor-names.ts';
import { listAddresses } from '#people/persons.ts';
import { listOptions } from '#voting/elections/elections.ts';
import { type ReadableBallot, readableBallot } from '#voting/shared/ballot-file.ts';
import {
  askedControl,
  type Batch,
  type ControlTotals,
  controlOf,
  type FoundBatch,
  listBatches,
} from './batches.ts';
import { areSame, type Entry, INVALID, listDifferences, listEntries, totalsOf } from './entries.ts';

/** What a paper says on a question: a ballot with names, `blank`, or `invalid`. */
export type ShownBallot = ReadableBallot;

/** A batch as the API returns it. What one teller entered is not shown before both have. */
export interface BatchJson {
  id: string;
  number: number;
  state: Batch['state'];
  items: { id: string; number: string; title: string; election_id: string }[];
  control: ControlTotals;
  reason: string | null;
  /** Who entered it, whether they stand in the election, and how many papers; null: not yet. */
  entries: Record<'1' | '2', { by: string | null; stands?: true; papers: number | null } | null>;
  both_from_one_person: boolean;
  differences: {
    number: number;
    item: string;
    title: string;
    /** Null: this teller has no such paper. */
    teller_1: ShownBallot | null;
    teller_2: ShownBallot | null;
  }[];
  /** As the entries give them; null before both are there. `open`: they are not the control totals. */
  totals: (ControlTotals & { open: boolean; teller_1: ControlTotals; teller_2: ControlTotals }) | null;
  /** How many differences were settled. */
  settled: number;
  /** Other control totals that wait for another person; null without any. */
  control_asked: (ControlTotals & { by: string | null }) | null;
  /** What became of each paper, from the join to the announcement. */
  papers?: { number: number; item: string; ballot: ShownBallot }[];
}

/**
 * @param seesBallots whether what is on the papers is shown: to the two tellers of the batch and to who may see figures.
 * A teller who read the papers of every batch would know the result.
 */
export function batchJson(reader: Reader, found: FoundBatch, seesBallots: boolean): BatchJson {
  const { batch, items } = found;
  const { id, number, state, valid, blank, invalid, reason, settled, teller_1_by, teller_2_by } = batch;
  const control = { valid, blank, invalid };
  const named = new Map(items.map((item) => [item.id, { ...item, read: readerOf(reader, item) }]));
  const shown = (item: string, choice: string | null) =>
    choice === null ? null : (named.get(item)?.read(choice) ?? choice);
  const entries = ([1, 2] as const).map((teller) => listEntries(reader, id, teller));
  const isEntered = teller_1_by !== null && teller_2_by !== null;
  const isJoined = state === 'joined';
  const asked = askedControl(batch);
  const [first = [], second = []] = entries;
  // What a joined batch was entered as may be erased; it was as its control totals.
  const ofFirst = isJoined ? control : totalsOf(first);
  const ofSecond = isJoined ? ofFirst : totalsOf(second);
  const entryOf = (by: string | null, own: readonly Entry[]) =>
    by === null
      ? null
      : {
          by: actorName(reader, by),
          ...(standsIn(reader, items, by).length > 0 && { stands: true as const }),
          papers: isEntered && !isJoined ? new Set(own.map((one) => one.number)).size : null,
        };
  return {
    id,
    number,
    state,
    items: items.map(({ id: item, number: onAgenda, title, election_id }) => ({
      id: item,
      number: onAgenda,
      title,
      election_id: election_id ?? '',
    })),
    control,
    reason,
    entries: { '1': entryOf(teller_1_by, first), '2': entryOf(teller_2_by, second) },
    both_from_one_person: isEntered && teller_1_by === teller_2_by,
    differences: (seesBallots ? listDifferences(reader, found) : []).map((one) => ({
      number: one.number,
      item: one.item_id,
      title: named.get(one.item_id)?.title ?? '',
      teller_1: shown(one.item_id, one.choices[0]),
      teller_2: shown(one.item_id, one.choices[1]),
    })),
    totals: isEntered
      ? {
          ...ofFirst,
          open: !(areSame(ofFirst, control) && areSame(ofSecond, control)),
          teller_1: ofFirst,
          teller_2: ofSecond,
        }
      : null,
    settled,
    control_asked: asked ? { ...controlOf(asked), by: actorName(reader, asked.by) } : null,
    ...(isJoined &&
      seesBallots && {
        papers: items
          .flatMap(({ id: item }) => first.filter((one) => one.item_id === item))
          .map((one) => ({
            number: one.number,
            item: one.item_id,
            ballot: shown(one.item_id, one.choice) ?? '',
          }))
          .sort((one, other) => one.number - other.number),
      }),
  };
}

/**
 * The items in which a teller stands, by the name on the ballot or the address of a nomination. Pages warn of it and
 * refuse nothing: a name can be somebody else's, and a small meeting may have nobody else.
 * @param by as `findPresser`
 */
export function standsIn(reader: Reader, items: readonly Item[], by: string): Item[] {
  const name = actorName(reader, by) ?? '';
  const [, person = ''] = /^person:(.+)$/.exec(by) ?? [];
  const emails = new Set(listAddresses(reader, person).map(({ email }) => email));
  return items.filter(({ id, election_id }) => {
    const nominated = listNominations(reader, id).filter((one) => emails.has(one.email));
    return listOptions(reader, election_id ?? '').some(
      (option) => isSameName(option.name, name) || nominated.some(({ option_id }) => option_id === option.id),
    );
  });
}

/** Shows the choices of an item with the names of its options. */
function readerOf(reader: Reader, { election_id }: Item): (choice: string) => ShownBallot {
  const names = new Map(listOptions(reader, election_id ?? '').map(({ number, name }) => [number, name]));
  return (choice) => (choice === INVALID ? INVALID : readableBallot(choice, names));
}

/** The batches of an item in a line each. */
export const batchRows = (reader: Reader, itemId: string) =>
  listBatches(reader, itemId).map(
    ({ id, item_id, number, state, valid, blank, invalid, teller_1_by, teller_2_by }) => ({
      id,
      /** The item of its address. */
      item: item_id,
      number,
      state,
      papers: valid + blank + invalid,
      entered: Number(teller_1_by !== null) + Number(teller_2_by !== null),
    }),
  );

/** What a teller has entered already, for that teller alone to go on; empty for everybody else. */
export const ownEntries = (
  reader: Reader,
  { batch }: FoundBatch,
  teller: 1 | 2,
  by: string | undefined,
): Entry[] =>
  by !== undefined && batch[`teller_${teller}_by`] === by ? listEntries(reader, batch.id, teller) : [];
