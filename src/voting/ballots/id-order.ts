import { randomInt } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, prepareInsert, type Tx } from '#kernel/db/queries.ts';
import type { TokensTable } from '#kernel/db/schema.ts';
import { insertBallots } from './ballot-store.ts';

/** Range of the number of rows rewritten in one transaction, which takes a few milliseconds. */
const SLICE = { atLeast: 700, below: 1_000 };
/** Rows at a slice's end that the next slice rewrites again: more than the six pages around the end hold. */
const OVERLAP = 300;
/** Slices after which the write-ahead log is moved into the file, before it is so long that a commit does it. */
const SLICES_IN_LOG = 40;

/**
 * Rewrites the stored ballots of an election in the order of their random ids, and its codes in that of their hashes,
 * those of its ballot paper too. SQLite finds the rows of a page by key, but fills the page from its end in the order of
 * insertion, and moves a row that becomes longer, as that of a code does with its use: the file would show who voted
 * after whom.
 *
 * It works in slices. The pages at a slice's end hold rewritten rows beside rows in the order of insertion, and the gaps
 * filled there show which came early; so the next slice rewrites these pages completely. The ends of slices are random
 * and not stored. If the process stops between two slices, every row can still be found, and a new run gives the same
 * result.
 * @param paperId whose codes are noted as used with each question, also while others are open
 */
export async function rewriteInKeyOrder(
  ctx: Pick<Context, 'write' | 'queue' | 'moveLog'>,
  { electionId, paperId }: { electionId: string; paperId: string | null },
): Promise<void> {
  const parts = [
    (tx: Tx, after: string, size: number) => rewriteBallots(tx, electionId, after, size),
    ...[electionId, ...(paperId === null ? [] : [paperId])].map(
      (issuer) => (tx: Tx, after: string, size: number) => rewriteCodes(tx, issuer, after, size),
    ),
  ];
  let slices = 0;
  for (const rewrite of parts)
    for (let after: string | undefined = ''; after !== undefined; slices++) {
      if (slices % SLICES_IN_LOG === SLICES_IN_LOG - 1) await ctx.moveLog();
      await ctx.queue.turn();
      const from: string = after;
      const size = randomInt(SLICE.atLeast, SLICE.below);
      after = await ctx.write((tx) => rewrite(tx, from, size), { repeatable: true });
    }
}

/** The key after which the next slice begins; undefined after the last one. */
const nextAfter = (keys: readonly string[], size: number): string | undefined =>
  keys.length < size ? undefined : keys.at(-1 - OVERLAP);

function rewriteBallots(tx: Tx, election_id: string, after: string, size: number): string | undefined {
  const of = build.selectFrom('ballots').selectAll().where('election_id', '=', election_id);
  const rows = tx.all(of.where('id', '>', after).orderBy('id').limit(size));
  const ids = rows.map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return undefined;
  const own = build.deleteFrom('ballots').where('election_id', '=', election_id);
  tx.run(own.where('id', '>', after).where('id', '<=', last));
  insertBallots(tx, rows);
  return nextAfter(ids, size);
}

function rewriteCodes(tx: Tx, issuer: string, after: string, size: number): string | undefined {
  const of = build.selectFrom('tokens').selectAll().where('election_id', '=', issuer);
  const rows = tx.all(of.where('token_hash', '>', after).orderBy('token_hash').limit(size));
  const hashes = rows.map(({ token_hash }) => token_hash);
  const last = hashes.at(-1);
  if (last === undefined) return undefined;
  const own = build.deleteFrom('tokens').where('election_id', '=', issuer);
  tx.run(own.where('token_hash', '>', after).where('token_hash', '<=', last));
  insertCodes(tx, rows);
  return nextAfter(hashes, size);
}

const insertCodes = prepareInsert((rows: Selectable<TokensTable>[]) =>
  build.insertInto('tokens').values(
    rows.map(({ election_id, token_hash, batch_name, created_at, used_at, submission_hash, on_paper }) => ({
      election_id,
      token_hash,
      batch_name,
      created_at,
      used_at,
      submission_hash,
      on_paper,
    })),
  ),
);
