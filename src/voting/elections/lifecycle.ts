import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE, startOfHour } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import { type Election, findElection } from './elections.ts';
import { followQuestion, listQuestions } from './issuers.ts';
import { storeQuestion } from './question.ts';
import { countBallots } from './turnout.ts';

/** The actor of changes that happen because a time has passed. */
const clockAt = (now: number): Actor => ({ ip: SERVICE, at: now });

/**
 * Opens and closes the elections that are due. This is permanent, whatever the clock shows later. The first request
 * or job that notices a due election does it; while none is due, it only reads.
 */
export async function openAndCloseDue(ctx: Context): Promise<void> {
  if (!isDue(ctx.db, ctx.now())) return;
  await ctx.write((tx) => {
    const now = ctx.now();
    for (const election of tx.all(notOpened({ now }))) openElection(tx, election, now);
    closeDueElections(tx, now);
  });
}

/** Whether an election is due to be opened or closed. */
export const isDue = (reader: Reader, now: number): boolean =>
  reader.first(notClosed({ now })) !== undefined || reader.first(notOpened({ now })) !== undefined;

/** Closes the elections whose close_at has passed. closed_at is set to close_at, even if this runs later. */
export function closeDueElections(tx: Tx, now: number): void {
  for (const { id, close_at } of tx.all(notClosed({ now }))) {
    endVoting(tx, id, close_at);
    recordAudit(tx, clockAt(now), { action: 'election.closed', election_id: id, metadata: { by: 'clock' } });
  }
}

/** Ballots after a re-opening below which figures stay hidden: compared with the ones before, they show these votes. */
const SHOWN_FROM = 5;

/** Stores the end of voting, and whether the figures stay hidden. Without new ballots they are those shown before. */
export function endVoting(tx: Tx, id: string, closed_at: number): void {
  const before = tx.first(build.selectFrom('elections').select('reopened_ballots').where('id', '=', id));
  const shown = before?.reopened_ballots ?? null;
  const added = shown === null ? 0 : countBallots(tx, id) - shown;
  const figures_withheld = added > 0 && added < SHOWN_FROM ? 1 : 0;
  tx.run(build.updateTable('elections').set({ closed_at, figures_withheld }).where('id', '=', id));
  followQuestion(tx, id);
}

/**
 * Records that voting begins, with number and hash of the tokens and the hash of the question. Once for each
 * election.
 */
export function openElection(tx: Tx, { id }: Pick<Election, 'id'>, now: number): void {
  const electors = atOnce(hashElectors(tx, id));
  const set = { opened_at: now, electors: electors.electors };
  tx.run(build.updateTable('elections').set(set).where('id', '=', id));
  followQuestion(tx, id);
  const metadata = { ...electors, ...atOnce(hashCodes(tx, id)), ...storeQuestion(tx, id) };
  recordAudit(tx, clockAt(now), { action: 'election.opened', election_id: id, metadata });
}

/**
 * Opens an election whose first ballot came before the job or a request noticed that it is due. The recorded time is
 * open_at, or the hour if that is long ago: never the moment of the vote.
 */
export const openForBallot = (tx: Tx, election: Pick<Election, 'id' | 'open_at'>, now: number): void =>
  openElection(tx, election, Math.max(election.open_at, startOfHour(now)));

/**
 * Opens an election that was created after its open_at, when it gets its first tokens, and such questions of a paper.
 * They count as made before the opening. Callers refuse closed elections before.
 * @param issuerId of an election or a paper
 */
export function openIfBegun(tx: Tx, issuerId: string, now: number): void {
  for (const one of [findElection(tx, issuerId) ?? listQuestions(tx, issuerId)].flat())
    if (one.opened_at === null && one.open_at <= now && one.closed_at === null) openElection(tx, one, now);
}

export interface Electors {
  /** Number of tokens. */
  electors: number;
  electors_sha256: string;
}

/**
 * Returns the number of an election's tokens, and the SHA-256 of this number, a newline, and their hashes (SHA-256,
 * lower-case hex), sorted and joined by newlines. It yields about every millisecond.
 */
export function* hashElectors(reader: Reader, electionId: string): Generator<void, Electors> {
  const { count, sha256 } = yield* hashPages(reader, electionId, tokenHashes);
  return { electors: count, electors_sha256: sha256 };
}

export interface Codes {
  /** Number of codes: of those that can vote, and those that were withdrawn, replaced or returned. */
  codes: number;
  codes_sha256: string;
}

/**
 * Hashes every code of an election as `hashElectors` does, with those that ended before they were used: a card that is
 * returned, a lost one and a withdrawn link change nothing of it.
 */
export function* hashCodes(reader: Reader, electionId: string): Generator<void, Codes> {
  const { count, sha256 } = yield* hashPages(reader, electionId, codeHashes);
  return { codes: count, codes_sha256: sha256 };
}

function* hashPages(
  reader: Reader,
  electionId: string,
  read: typeof tokenHashes,
): Generator<void, { count: number; sha256: string }> {
  const pages: string[] = [];
  let count = 0;
  let after = '';
  for (let size = TOKEN_PAGE; size === TOKEN_PAGE; ) {
    const tokens = reader.all(read({ election_id: electionId, after }));
    size = tokens.length;
    count += size;
    pages.push(tokens.map(({ token_hash }) => `\n${token_hash}`).join(''));
    after = tokens.at(-1)?.token_hash ?? after;
    yield;
  }
  const hash = createHash('sha256').update(String(count));
  for (const page of pages) {
    hash.update(page);
    yield;
  }
  return { count, sha256: hash.digest('hex') };
}

/** Runs work without a pause, in a transaction. */
function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Tokens read in one turn. */
const TOKEN_PAGE = 1_000;

const tokenHashes = prepare((p: { election_id: string; after: string }) =>
  build
    .selectFrom('tokens')
    .select('token_hash')
    .where('election_id', '=', p.election_id)
    .where('token_hash', '>', p.after)
    .orderBy('token_hash')
    .limit(sql.lit(TOKEN_PAGE)),
);

const codeHashes: typeof tokenHashes = prepare((p: { election_id: string; after: string }) =>
  build
    .selectFrom('tokens')
    .select('token_hash')
    .where('election_id', '=', p.election_id)
    .where('token_hash', '>', p.after)
    .union(
      build
        .selectFrom('withdrawn_codes')
        .select('token_hash')
        .where('election_id', '=', p.election_id)
        .where('token_hash', '>', p.after),
    )
    .orderBy('token_hash')
    .limit(sql.lit(TOKEN_PAGE)),
);

const notClosed = prepare((p: { now: number }) =>
  build
    .selectFrom('elections')
    .select(['id', 'close_at'])
    .where('closed_at', 'is', null)
    .where('close_at', '<=', p.now),
);

// An election that was created after its open_at opens with its first tokens.
const notOpened = prepare((p: { now: number }) =>
  build
    .selectFrom('elections')
    .select('id')
    .where('opened_at', 'is', null)
    .where('open_at', '<=', p.now)
    .where('closed_at', 'is', null)
    .where(
      sql<SqlBool>`(created_at < open_at OR EXISTS (SELECT 1 FROM tokens WHERE tokens.election_id = elections.id))`,
    ),
);
