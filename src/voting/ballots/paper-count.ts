import { type Actor, recordAudit, startOfHour } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { newCode, newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import { type Election, listOptions, listStanding } from '#voting/elections/elections.ts';
import { notePaperUse } from '#voting/elections/issuers.ts';
import { findSettledResult } from '#voting/elections/stored-result.ts';
import { readableBallot } from '#voting/shared/ballot-file.ts';
import { receiptOf } from './ballot-store.ts';
import { handlingOf } from './ballot-types.ts';
import { storeBallots } from './ballots.ts';
import { shuffled } from './shown-order.ts';

/**
 * Ends a code in one question because its holder was handed a paper. It stays a code of an elector.
 * @returns false if it was used there, or is not valid for the question
 */
export function endForPaper(
  tx: Tx,
  { id: election_id, paper_id }: Pick<Election, 'id' | 'paper_id'>,
  token_hash: string,
  now: number,
): boolean {
  const ended = tx.run(
    build
      .updateTable('tokens')
      .set({ on_paper: 1 })
      .where('election_id', '=', election_id)
      .where('token_hash', '=', token_hash)
      .where('used_at', 'is', null)
      .where('on_paper', '=', 0),
  );
  if (ended === 0) return false;
  if (paper_id !== null) notePaperUse(tx, { election_id: paper_id, token_hash, used_at: startOfHour(now) });
  return true;
}

/**
 * Reads what a teller found on a paper. A paper that is left blank is one, also where no button offers that.
 * @returns the choice as ballots are stored @throws 400 naming the field
 */
export function readPaperBallot(
  reader: Reader,
  { id, ballot_type, settings }: Pick<Election, 'id' | 'ballot_type' | 'settings'>,
  fields: Record<string, unknown>,
): string {
  const rules = { ...readSettings(settings), allow_blank: true };
  return handlingOf(ballot_type).readAnswer(fields, rules, () => listStanding(reader, id));
}

/** Ballots from paper that join those of a closed question. */
interface JoiningPapers {
  /** In any order; see `readPaperBallot`. */
  choices: readonly string[];
  /** Papers that are no ballots. */
  invalid: number;
  /** Why they come after the result was announced; null before. */
  reason: string | null;
  /** Further facts for the log, which tell nothing of the choices. */
  metadata: Record<string, unknown>;
}

/**
 * Adds ballots from paper to those of a closed question, as ballots like all others: with random ids, votes in the log,
 * receipts that nobody has. The result is to be settled again; the public history keeps the one that was set aside after
 * its announcement.
 * @returns the id of the ballot of each choice, in their order
 */
export function joinPapers(
  tx: Tx,
  election: Election,
  { choices, invalid, reason, metadata }: JoiningPapers,
  actor: Actor,
): string[] {
  const { id: election_id, ballot_type } = election;
  const settings = readSettings(election.settings);
  const names = new Map(listOptions(tx, election_id).map(({ number, name }) => [number, name]));
  const rows = choices.map((choice) => {
    // As every other ballot has one: nothing tells which came on paper.
    const code = settings.receipts === 'off' ? undefined : newCode();
    const receipt = code && coversChoice(settings) ? receiptOf(code, readableBallot(choice, names)) : null;
    return { election_id, id: code ? sha256(code) : newRandomId(), choice, receipt };
  });
  storeBallots(
    tx,
    shuffled(rows).map((row) => ({ row, ballot_type })),
    actor.at,
  );
  const settled = findSettledResult(tx, election_id);
  const set_aside = settled && {
    total_ballots: settled.total_ballots,
    ballot_set_sha256: settled.ballot_set_sha256,
  };
  tx.run(
    build
      .updateTable('elections')
      .set((of) => ({
        paper_ballots: of('paper_ballots', '+', choices.length),
        invalid_papers: of('invalid_papers', '+', invalid),
        sealed_at: null,
      }))
      .where('id', '=', election_id),
  );
  // A lot that was drawn stays: it decides again where the same names tie, and says nothing else.
  countAgain(tx, election_id);
  recordAudit(tx, actor, {
    action: 'paper.joined',
    election_id,
    metadata: {
      ...metadata,
      ballots: choices.length,
      keeps_lots: true,
      ...(reason !== null && { late: true, ...(set_aside && { set_aside }) }),
    },
    ...(reason !== null && { personal: { reason } }),
  });
  return rows.map(({ id }) => id);
}

/** Lets the result of a closed question be settled again. */
export function countAgain(tx: Tx, electionId: string): void {
  tx.run(build.deleteFrom('results').where('election_id', '=', electionId));
}

/** Lets the log be overwritten again, after rows were deleted that told more than what stays. */
export function sealAgain(tx: Tx, electionId: string): void {
  tx.run(build.updateTable('elections').set({ sealed_at: null }).where('id', '=', electionId));
}
