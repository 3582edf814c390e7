import type { Context } from '#kernel/context.ts';
import { recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { readSettings } from '#voting/election-settings.ts';
import { type Question, questionText } from '#voting/shared/question.ts';
import { type Election, getElection, listOptions } from './elections.ts';
import { translationsOf } from './translations.ts';
import { hasBallots } from './turnout.ts';

/** The actions whose entries may have the hash of the question. */
export const QUESTION_ACTIONS = [
  'election.opened',
  'election.question_recorded',
  'election.text_changed',
  'election.settings_changed',
  'election.attachment_changed',
  ...['candidate.added', 'candidate.removed', 'candidate.changed'],
  ...['option.added', 'option.removed', 'option.changed'],
] as const;

/** The fields of a question as its canonical text has them. */
type AskedQuestion = Pick<Question, 'title' | 'description' | 'attachment_url' | 'trial' | 'translations'>;

/** The canonical text of an election's question as its rows have it now, see `questionText`. */
export function readQuestion(reader: Reader, election: Election): string {
  const { ballot_type, settings, title, description, attachment_url, question: asked } = election;
  const rows = listOptions(reader, election.id);
  const options = rows.map((option) => ({
    ...option,
    is_none_of_the_above: option.is_none_of_the_above === 1,
  }));
  const question = { ballot_type, settings: readSettings(settings), options, title, description };
  // A trial that an earlier version opened was not called one in its question.
  const wasTold = asked === null || election.opened_at === null || 'trial' in JSON.parse(asked);
  const translations = translationsOf(election, rows);
  return questionText({ ...question, attachment_url, trial: election.trial === 1 && wasTold, translations });
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
  const { opened_at, question } = getElection(tx, electionId);
  if ((opened_at === null && question === null) || hasBallots(tx, electionId)) return {};
  // A result without ballots is settled again with the new question.
  tx.run(build.deleteFrom('results').where('election_id', '=', electionId));
  return storeQuestion(tx, electionId);
}

/** Records the questions of elections that an earlier version opened: from now on a change of them is found. */
export async function recordOpenQuestions(ctx: Context): Promise<void> {
  const open = build
    .selectFrom('elections')
    .select('id')
    .where('opened_at', 'is not', null)
    .where('closed_at', 'is', null)
    .where('question', 'is', null);
  if (!ctx.db.first(open)) return;
  await ctx.write((tx) => {
    for (const { id } of tx.all(open)) {
      const entry = {
        action: 'election.question_recorded',
        election_id: id,
        metadata: storeQuestion(tx, id),
      };
      recordAudit(tx, { ip: SERVICE, at: ctx.now() }, entry);
    }
  });
}

/** Title, description and attachment as they were when the first ballot was cast. */
export function askedQuestion(election: Election): AskedQuestion {
  const asked: AskedQuestion = election.question
    ? JSON.parse(election.question)
    : { ...election, trial: election.trial === 1, translations: undefined };
  const { title, description, attachment_url, trial, translations } = asked;
  return {
    title,
    description,
    attachment_url,
    ...(trial && { trial }),
    ...(translations && { translations }),
  };
}
