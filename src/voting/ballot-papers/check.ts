import type { Context } from '#kernel/context.ts';
import { forbidden, notFound } from '#kernel/http/errors.ts';
import { type CheckedCode, checkCode } from '#voting/ballots/ballot-store.ts';
import { readSettings } from '#voting/election-settings.ts';
import { type Election, electionStatus } from '#voting/elections/elections.ts';
import { listQuestions, type Paper } from '#voting/elections/issuers.ts';

/** What a question of a paper says about an inclusion code. */
export interface CheckedQuestion extends Partial<CheckedCode> {
  id: string;
  title: string;
  /** Codes can be looked up after the close; without it nothing was looked up. */
  closed: boolean;
  /** The vote is void: nothing of it is counted. */
  void?: true;
}

/** The questions of a paper that give codes, in their order. @throws 404 without any */
export function listChecked(ctx: Context, paper: Paper): Election[] {
  const questions = listQuestions(ctx.db, paper.id).filter(
    ({ settings }) => readSettings(settings).receipts !== 'off',
  );
  if (questions.length === 0) throw notFound('no_check_codes');
  return questions;
}

/** Whether codes of a vote can be looked up now. */
export const hasCheckedCodes = (ctx: Context, paperId: string): boolean =>
  listQuestions(ctx.db, paperId).some(
    (question) =>
      readSettings(question.settings).receipts !== 'off' && electionStatus(question, ctx.now()) === 'closed',
  );

/** Looks up the ballots of a paper's inclusion code, in its plain spelling. @throws 404; 403 before the first close */
export function checkPaperCode(ctx: Context, paper: Paper, code: string): CheckedQuestion[] {
  const questions = listChecked(ctx, paper);
  const isClosed = (question: Election) => electionStatus(question, ctx.now()) === 'closed';
  if (!questions.some(isClosed)) throw forbidden('checks_after_close');
  return questions.map((question) => {
    const { id, title } = question;
    if (!isClosed(question)) return { id, title, closed: false };
    const isVoid = question.voided_at !== null && { void: true as const };
    return { id, title, closed: true, ...checkCode(ctx.db, question, code), ...isVoid };
  });
}
