import { build, type Reader } from '#kernel/db/queries.ts';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { sayFor } from '#kernel/language/message.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import type { TallyResult } from '#voting/shared/results.ts';
import type { Electorate } from '#voting/shared/tally.ts';

/** Numbers of an election that must agree: stored ballots, used tokens, votes in the audit log. */
export interface Books {
  ballots: number;
  /** Including those of deleted batches. */
  tokens_used: number;
  vote_entries: number;
  /** All that were ever made, including deleted, withdrawn and replaced ones. */
  tokens_made: number;
  tokens_mailed: number;
  tokens_deleted: number;
  /** Ballots that tellers entered from paper; absent without any. */
  paper?: number;
  /** ballots = tokens_used + paper = vote_entries */
  balanced: boolean;
}

/** The counted ballots of an election, and who could cast them; results of earlier versions do not say that. */
export interface Counted extends Partial<Electorate> {
  total_ballots: number;
  results: TallyResult;
}

/** The result of a closed election, which is stored once. */
export interface SettledResult extends Counted {
  /**
   * SHA-256 of question, salt and sorted ballots, hex, see `ballotSetHash`; of the ballots alone in earlier versions.
   */
  ballot_set_sha256: string;
  /** SHA-256 of the question that voters were asked, see `questionText`. Absent in results of earlier versions. */
  question_sha256?: string;
  /** 32 random hexadecimal digits. Absent in results of earlier versions. */
  ballot_set_salt?: string;
  books: Books;
  /** The hash of the tokens at the close, see `hashElectors`. */
  electors_sha256: string;
  /** The newest hash and the length of the audit log's chain right after the result was recorded in it. */
  anchor: { head: string; entries: number; at: string };
}

/** A stored result, and whether the last recount of the ballots gave it again. */
export interface StoredResult extends SettledResult {
  matches: boolean;
}

/** Returns the stored result of a closed election; undefined before it is settled. */
export function findSettledResult(reader: Reader, electionId: string): StoredResult | undefined {
  const row = findResultRow(reader, electionId);
  // Results stored by earlier versions have no books and no anchor: they are settled again.
  const result: Partial<SettledResult> | undefined = row && JSON.parse(row.result);
  // Of a vote that became void before its close the books alone are kept.
  return result?.anchor && result.results && { ...(result as SettledResult), matches: row?.matches === 1 };
}

/** The books of a vote that became void before its close, once they are taken. */
export function findVoidBooks(reader: Reader, electionId: string): Books | undefined {
  const row = findResultRow(reader, electionId);
  const { books, results }: Partial<SettledResult> = row ? JSON.parse(row.result) : {};
  return results === undefined ? books : undefined;
}

/** The figures of a stored result in one line, in English. */
export const figuresOf = ({ ballot_type }: { ballot_type: BallotType }, { results }: Counted): string =>
  rulesOf(ballot_type).figures(results as never, sayFor(ENGLISH));

export const findResultRow = (reader: Reader, electionId: string) =>
  reader.first(
    build.selectFrom('results').select(['result', 'matches']).where('election_id', '=', electionId),
  );
