import { type Selectable, sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, prepare, prepareInsert, type Reader } from '#kernel/db/queries.ts';
import type { BallotsTable } from '#kernel/db/schema.ts';
import { sha256 } from '#kernel/secrets.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import { type Election, listOptions } from '#voting/elections/elections.ts';
import { type ReadableBallot, readableBallot, receiptSpelling } from '#voting/shared/ballot-file.ts';
import { handlingOf } from './ballot-types.ts';

/** Ballots read in one turn, which takes less than a millisecond. */
const PAGE = 500;
/** Ids read in one turn. */
const ID_PAGE = 2_000;

/**
 * Reads every ballot of an election in the order of their random ids, page by page; other requests can run between
 * the pages. A ballot that is cast meanwhile may be read or not. In simple votes and polls, which have few distinct
 * ballots, the equal ballots of a page come as one with their count.
 */
export async function readBallots(
  ctx: Pick<Context, 'db' | 'queue'>,
  { id: electionId, ballot_type }: Pick<Election, 'id' | 'ballot_type'>,
  each: (choice: string, times: number) => void,
): Promise<void> {
  const pageAfter = handlingOf(ballot_type).fewDistinct ? choicesAfter : ballotsAfter;
  let last = '';
  for (let read = PAGE; read === PAGE; ) {
    await ctx.queue.turn();
    read = 0;
    for (const { id, choice, times } of ctx.db.all(pageAfter(electionId, last))) {
      each(choice, times);
      read += times;
      if (id > last) last = id;
    }
  }
}

/** Reads every ballot of an election with its receipt, as `readBallots` does. */
export async function readBallotRows(
  ctx: Pick<Context, 'db' | 'queue'>,
  electionId: string,
  each: (ballot: { id: string; choice: string; receipt: string | null }) => void,
): Promise<void> {
  let last = '';
  for (let read = PAGE; read === PAGE; ) {
    await ctx.queue.turn();
    const page = ctx.db.all(ballotsAfter(electionId, last).select('receipt'));
    for (const ballot of page) each(ballot);
    read = page.length;
    last = page.at(-1)?.id ?? last;
  }
}

/** The page of ballots that follows an id, in the order of their ids. */
function ballotsAfter(electionId: string, id: string) {
  return build
    .selectFrom('ballots')
    .select(['id', 'choice', sql.lit(1).as('times')])
    .where('election_id', '=', electionId)
    .where('id', '>', id)
    .orderBy('id')
    .limit(sql.lit(PAGE));
}

/** The same page grouped by choice, each group with its highest id. */
function choicesAfter(electionId: string, id: string) {
  return build
    .selectFrom(ballotsAfter(electionId, id).as('page'))
    .select((of) => ['choice', of.fn.sum<number>('times').as('times'), of.fn.max<string>('id').as('id')])
    .groupBy('choice');
}

const ballotById = prepare((p: { election_id: string; id: string }) =>
  build
    .selectFrom('ballots')
    .select(['id', 'choice', 'receipt'])
    .where('election_id', '=', p.election_id)
    .where('id', '=', p.id),
);

/** Returns the ballot with this id, which is the hash of its inclusion code. */
export function findBallot(reader: Reader, electionId: string, id: string) {
  return reader.first(ballotById({ election_id: electionId, id }));
}

export function hasBallot(reader: Reader, electionId: string, id: string): boolean {
  return findBallot(reader, electionId, id) !== undefined;
}

/**
 * The published receipt of a ballot whose code covers the choice. It hashes the names of the options, so that somebody
 * who exchanges two of them is found by the voters.
 */
export const receiptOf = (code: string, ballot: ReadableBallot): string =>
  sha256(`${code}:${receiptSpelling(ballot)}`);

/** The receipt as earlier versions made it, from the numbers of the options. @param choice in its stored spelling */
const earlierReceiptOf = (code: string, choice: string): string => sha256(`${code}:${choice}`);

/** Returns the sorted ids of an election's ballots; with inclusion codes they are the hashes of the codes. */
export function* listBallotIds(reader: Reader, electionId: string): Generator<void, string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = reader.all(idsAfter({ election_id: electionId, id: ids.at(-1) ?? '' }));
    for (const { id } of page) ids.push(id);
    if (page.length < ID_PAGE) return ids;
    yield;
  }
}

const idsAfter = prepare((p: { election_id: string; id: string }) =>
  build
    .selectFrom('ballots')
    .select(['id', 'receipt'])
    .where('election_id', '=', p.election_id)
    .where('id', '>', p.id)
    .orderBy('id')
    .limit(sql.lit(ID_PAGE)),
);

/** The receipts of an election's ballots, in the order of the ballots' ids. */
export function* listReceipts(reader: Reader, electionId: string): Generator<void, string[]> {
  const receipts: string[] = [];
  let after = '';
  for (;;) {
    const page = reader.all(idsAfter({ election_id: electionId, id: after }));
    for (const { receipt } of page) if (receipt !== null) receipts.push(receipt);
    if (page.length < ID_PAGE) return receipts;
    after = page.at(-1)?.id ?? after;
    yield;
  }
}

export const insertBallots = prepareInsert((rows: Selectable<BallotsTable>[]) =>
  build
    .insertInto('ballots')
    .values(rows.map(({ election_id, id, choice, receipt }) => ({ election_id, id, choice, receipt }))),
);

/** The inclusion code of one question, from that of its paper: whoever has the codes of two questions cannot pair them. */
export const questionCode = (code: string, electionId: string): string =>
  sha256(`${code}:${electionId}`).slice(0, 32);

/** The result of looking up a ballot by its inclusion code. */
export interface CheckedCode {
  found: boolean;
  /** Only with receipts that cover the choice: the ballot as counted. */
  ballot?: ReadableBallot;
  /** True if `ballot` is not what was cast with this code. */
  altered?: boolean;
}

/**
 * Looks up the ballot of an inclusion code, in its plain spelling, in a closed election. That of a question is found by
 * the code of its paper, and by its own.
 */
export function checkCode(reader: Reader, election: Election, given: string): CheckedCode {
  const codes = election.paper_id === null ? [given] : [questionCode(given, election.id), given];
  const found = codes.map((code) => ({ code, stored: findBallot(reader, election.id, sha256(code)) }));
  const { code = given, stored } = found.find((one) => one.stored) ?? {};
  if (!stored) return { found: false };
  if (!coversChoice(readSettings(election.settings))) return { found: true };
  const names = new Map(listOptions(reader, election.id).map(({ number, name }) => [number, name]));
  const ballot = readableBallot(stored.choice, names);
  const fitting = [receiptOf(code, ballot), earlierReceiptOf(code, stored.choice)];
  return { found: true, ballot, altered: !fitting.includes(stored.receipt ?? '') };
}
