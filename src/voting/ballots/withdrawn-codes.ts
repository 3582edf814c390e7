import { sql } from 'kysely';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { codeHolders } from '#voting/elections/issuers.ts';
import { countDeleted, findToken, type StoredToken } from './tokens.ts';

/** Why a code that was valid once opens no ballot any more. */
export type CodeEnd = 'withdrawn' | 'replaced';

/**
 * Ends a code that nobody has voted with; that of a paper in each of its questions. The books still count it as made. Of a ballot and a withdrawal at the same
 * time only one finds the code unused.
 * @returns the batch of the code; undefined if it was deleted with its batch before
 * @throws 409 once it was used
 */
export function endCode(
  tx: Tx,
  code: { election_id: string; token_hash: string | null; mailed: boolean },
  end: CodeEnd,
): { batch_name: string | null } | undefined {
  const { election_id, token_hash, mailed } = code;
  if (token_hash === null) return undefined;
  const token = tx.first(
    build
      .selectFrom('tokens')
      .select(['batch_name', 'used_at'])
      .where('election_id', '=', election_id)
      .where('token_hash', '=', token_hash),
  );
  if (!token) return undefined;
  if (token.used_at !== null) throw conflict('voting_code_used');
  const ended = { token_hash, replaced: end === 'replaced' ? 1 : 0, mailed: mailed ? 1 : 0 } as const;
  for (const id of codeHolders(tx, election_id)) {
    const own = build.deleteFrom('tokens').where('election_id', '=', id).where('token_hash', '=', token_hash);
    if (tx.run(own) === 0) continue;
    countDeleted(tx, id, 1);
    tx.run(build.insertInto('withdrawn_codes').values({ ...ended, election_id: id }));
  }
  return { batch_name: token.batch_name };
}

/**
 * Ends a code of a paper in the questions that it has not answered, and for which nobody was handed a paper; further
 * questions never get it. The books still count it as made.
 */
export function endUnused(tx: Tx, paperId: string, token_hash: string): void {
  for (const id of codeHolders(tx, paperId)) {
    const own = build.deleteFrom('tokens').where('election_id', '=', id).where('token_hash', '=', token_hash);
    const isUnused = tx.run(own.where('used_at', 'is', null).where('on_paper', '=', 0)) === 1;
    if (isUnused) countDeleted(tx, id, 1);
    if (!isUnused && id !== paperId) continue;
    const ended = { token_hash, election_id: id, replaced: 0, mailed: 0 } as const;
    tx.run(
      build
        .insertInto('withdrawn_codes')
        .values(ended)
        .onConflict((of) => of.doNothing()),
    );
  }
}

/** Finds how a code of an election ended; undefined for codes that were neither withdrawn nor replaced. */
export function findCodeEnd(reader: Reader, electionId: string, tokenHash: string): CodeEnd | undefined {
  const row = reader.first(codeEnd({ election_id: electionId, token_hash: tokenHash }));
  return row && endOf(row);
}

const codeEnd = prepare((p: { election_id: string; token_hash: string }) =>
  build
    .selectFrom('withdrawn_codes')
    .select('replaced')
    .where('token_hash', '=', p.token_hash)
    .where('election_id', '=', p.election_id),
);

/** A code as an election or a paper knows it: a token, or why it is none any more; neither of an unknown one. */
export interface KnownCode {
  token?: StoredToken;
  end?: CodeEnd;
}

export function findCode(reader: Reader, issuerId: string, tokenHash: string): KnownCode {
  const token = findToken(reader, issuerId, tokenHash);
  if (token) return { token };
  const end = findCodeEnd(reader, issuerId, tokenHash);
  return end ? { end } : {};
}

const endOf = ({ replaced }: { replaced: 0 | 1 }): CodeEnd => (replaced === 1 ? 'replaced' : 'withdrawn');

/** Finds how a code of any election ended, for a voter who typed only the code. */
export function findEndAnywhere(reader: Reader, tokenHash: string): CodeEnd | undefined {
  const row = reader.first(
    build.selectFrom('withdrawn_codes').select('replaced').where('token_hash', '=', tokenHash),
  );
  return row && endOf(row);
}

/** How many codes of an election were replaced and withdrawn, and how many of them had been mailed. */
export interface ChangedCodes {
  replaced: number;
  withdrawn: number;
}

export function countChangedCodes(reader: Reader, electionId: string): ChangedCodes & { mailed: number } {
  return reader.first(
    build
      .selectFrom('withdrawn_codes')
      .select([
        sql<number>`count(*) FILTER (WHERE replaced = 1)`.as('replaced'),
        sql<number>`count(*) FILTER (WHERE replaced = 0)`.as('withdrawn'),
        sql<number>`count(*) FILTER (WHERE mailed = 1)`.as('mailed'),
      ])
      .where('election_id', '=', electionId),
  )!;
}
