import { type SqlBool, sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, ONE, type Reader } from '#kernel/db/queries.ts';
import { hashReceipts } from '#voting/ballots/ballot-hash.ts';
import type { Election } from '#voting/elections/elections.ts';
import { issuerIds } from '#voting/elections/history.ts';
import { type Codes, type Electors, hashCodes, hashElectors } from '#voting/elections/lifecycle.ts';
import type { StoredResult } from '#voting/elections/stored-result.ts';
import { type Entry, listEntries, sinceTakenBack, TAKEN_BACK } from './chain-check.ts';
import { LOGGED } from './differences.ts';

/**
 * Compares the voting codes with those at the opening and at the close, where the log has no change of codes between.
 * Added codes are not a difference: pages show how many were made after the opening. Codes that were withdrawn, lost or
 * returned count as what they were. Receipts are compared with those at the close.
 */
export async function listCodeDifferences(
  ctx: Pick<Context, 'db' | 'queue'>,
  election: Election,
  settled: StoredResult | undefined,
): Promise<string[]> {
  const { db, queue } = ctx;
  const entries = sinceTakenBack(
    listEntries(db, election.id, ['election.opened', TAKEN_BACK, 'results.settled']),
  );
  const opened = entries.find(({ action }) => action === 'election.opened');
  const closed = settled && entries.findLast(({ action }) => action === 'results.settled');
  const receipts = closed?.metadata.receipts_sha256;
  return [
    ...(isRecorded(closed ?? opened)
      ? await compareCodes(ctx, election, isRecorded(opened) ? opened : undefined, closed)
      : await compareElectors({ db, queue }, election, { settled, opened, closed })),
    ...(receipts === undefined || receipts === (await hashReceipts(ctx, election.id))
      ? []
      : [LOGGED.receipts]),
  ];
}

/** Whether an entry has all codes; those of earlier versions have the ones that can vote. */
const isRecorded = (entry: Entry | undefined): entry is Entry => entry?.metadata.codes_sha256 !== undefined;

async function compareCodes(
  { db, queue }: Pick<Context, 'db' | 'queue'>,
  { id }: Election,
  // None where an earlier version opened it, or hands were counted.
  opened: Entry | undefined,
  closed: Entry | undefined,
): Promise<string[]> {
  const present = await queue.inTurns(hashCodes(db, id));
  const atOpening = opened?.metadata as unknown as Codes | undefined;
  const atClose = closed ? (closed.metadata as unknown as Codes) : present;
  return [
    ...(atOpening !== undefined &&
    atOpening.codes >= atClose.codes &&
    atOpening.codes_sha256 !== atClose.codes_sha256 &&
    !changedCodes(db, id, opened?.seq, closed?.seq)
      ? [LOGGED.codes_since_opening]
      : []),
    ...(present.codes_sha256 !== atClose.codes_sha256 && !changedCodes(db, id, closed?.seq)
      ? [LOGGED.codes_since_close]
      : []),
  ];
}

/** Compares as far as an earlier version has recorded the codes. It did not record what the door does with cards. */
async function compareElectors(
  { db, queue }: Pick<Context, 'db' | 'queue'>,
  election: Election,
  {
    settled,
    opened,
    closed,
  }: Record<'opened' | 'closed', Entry | undefined> & { settled: StoredResult | undefined },
): Promise<string[]> {
  if (hasCards(db, election)) return [];
  const present = await queue.inTurns(hashElectors(db, election.id));
  const atClose = settled
    ? {
        electors: settled.books.tokens_made - settled.books.tokens_deleted,
        electors_sha256: settled.electors_sha256,
      }
    : present;
  const atOpening = opened?.metadata as Partial<Electors> | undefined;
  return [
    ...(atOpening?.electors !== undefined &&
    atOpening.electors >= atClose.electors &&
    atOpening.electors_sha256 !== atClose.electors_sha256 &&
    !changedCodes(db, election.id, opened?.seq, settled && closed?.seq)
      ? [LOGGED.codes_since_opening]
      : []),
    ...(settled &&
    present.electors_sha256 !== atClose.electors_sha256 &&
    !changedCodes(db, election.id, closed?.seq)
      ? [LOGGED.codes_since_close]
      : []),
  ];
}

/** Whether codes of an election are cards of a meeting. */
const hasCards = (reader: Reader, { paper_id }: Election): boolean =>
  reader.first(
    build
      .selectFrom('meetings')
      .innerJoin('card_packs', 'card_packs.meeting_id', 'meetings.id')
      .select('meetings.id')
      .where('paper_id', '=', paper_id)
      .limit(ONE),
  ) !== undefined;

/** The nouns of entries of an election that are not about its voting codes. */
const OTHERS = ['vote', 'election', 'paper', 'results', 'candidate', 'option', 'workspace', 'facts'];

/** Whether the log has an entry of an election that may be about its voting codes. */
export function changedCodes(
  reader: Reader,
  electionId: string,
  after = 0,
  before = Number.MAX_SAFE_INTEGER,
): boolean {
  return (
    reader.first(
      build
        .selectFrom('audit_log')
        .select('seq')
        .where(sql<SqlBool>`election_id IN (${issuerIds(electionId)})`)
        .where('seq', '>', after)
        .where('seq', '<', before)
        .where(sql<SqlBool>`substr(action, 1, instr(action, '.') - 1) NOT IN (${sql.join(OTHERS)})`)
        .limit(ONE),
    ) !== undefined
  );
}
