import type { Context } from '#kernel/context.ts';
import type { Reader } from '#kernel/db/queries.ts';
import { type CodeEnd, findCode } from '#voting/ballots/withdrawn-codes.ts';
import { electionStatus, type PublicElectionJson, publicJson } from '#voting/elections/elections.ts';
import { agendaNumbers, listQuestions, type Paper } from '#voting/elections/issuers.ts';
import { listUses } from './casting.ts';
import { type PaperJson, paperJson } from './papers.ts';

/** A ballot paper for voters' pages, without the fields that only officers need. */
export type PublicPaperJson = Omit<PaperJson, 'invite_mode' | 'created_at' | 'settings' | 'questions'> & {
  /** `number`: on the agenda of a meeting. */
  questions: (PublicElectionJson & { number?: string })[];
};

export function publicPaperJson(ctx: Context, paper: Paper): PublicPaperJson {
  const { invite_mode: _, created_at: __, settings: ___, questions, ...json } = paperJson(ctx, paper);
  const numbers = agendaNumbers(ctx.db, paper.id);
  const withNumber = (question: PublicElectionJson) => {
    const number = numbers.get(question.id);
    return { ...question, ...(number !== undefined && { number }) };
  };
  return { ...json, questions: questions.map(publicJson).map(withNumber) };
}

/** How a voting code stands to a paper. */
export interface PaperCode {
  valid: boolean;
  /** Whether a question was answered with it and none waits for it. */
  used: boolean;
  /** The ids of the questions that were answered with it, and of those that it can still answer, in their order. */
  answered: string[];
  waiting: string[];
  /** Set if it was withdrawn or replaced. */
  end?: CodeEnd;
}

export function findPaperCode(reader: Reader, paper: Paper, token_hash: string, now: number): PaperCode {
  const { token, end } = findCode(reader, paper.id, token_hash);
  if (!token) return { valid: false, used: false, answered: [], waiting: [], ...(end && { end }) };
  const uses = listUses(reader, paper.id, token_hash);
  const questions = listQuestions(reader, paper.id);
  const answered = questions.filter(({ id }) => uses.get(id)?.used).map(({ id }) => id);
  const waiting = questions
    .filter((question) => uses.get(question.id)?.used === false && electionStatus(question, now) !== 'closed')
    .map(({ id }) => id);
  return { valid: true, used: answered.length > 0 && waiting.length === 0, answered, waiting };
}
