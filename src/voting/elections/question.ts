import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hasBallots } from '#voting/ballots/ballot-store.ts';
import { type Question, questionText } from '#voting/shared/question.ts';
import { type Election, getElection, listOptions } from './elections.ts';
import { readSettings } from './settings.ts';

/** The fields of a question as its canonical text has them. */
type AskedQuestion = Pick<Question, 'title' | 'description' | 'attachment_url'>;

/** The canonical text of an election's question as its rows have it now, see `questionText`. */
export function readQuestion(reader: Reader, election: Election): string {
  const { ballot_type, settings, title, description, attachment_url } = election;
  const options = listOptions(reader, election.id).map((option) => ({
    ...option,
    is_none_of_the_above: option.is_none_of_the_above === 1,
  }));
  const question = { ballot_type, settings: readSettings(settings), options, title, description };
  return questionText({ ...question, attachment_url });
}

/** Stores the question that voters are asked from now on. @returns its hash for the audit entry */
export function storeQuestion(tx: Tx, electionId: string): { question_sha256: string } {
  const question = readQuestion(tx, getElection(tx, electionId));
  tx.run(build.updateTable('elections').set({ question }).where('id', '=', electionId));
  return { question_sha256: sha256(question) };
}

/**
 * Stores the question anew after a change that was made between the opening and the first ballot: the last one before
 * the first ballot counts. @returns its hash for the audit entry of the change, if it was stored
 */
export function storeChangedQuestion(tx: Tx, electionId: string): { question_sha256?: string } {
  const { opened_at } = getElection(tx, electionId);
  return opened_at === null || hasBallots(tx, electionId) ? {} : storeQuestion(tx, electionId);
}

/** Title, description and attachment as they were when the first ballot was cast. */
export function askedQuestion(election: Election): AskedQuestion {
  const { title, description, attachment_url } = election.question
    ? (JSON.parse(election.question) as AskedQuestion)
    : election;
  return { title, description, attachment_url };
}
