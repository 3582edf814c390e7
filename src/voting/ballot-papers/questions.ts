import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { BallotType } from '#kernel/db/schema.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { newOrNamed, requiredText } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { knowsSetting, type SettingsInput } from '#voting/election-settings.ts';
import {
  ElectionInput,
  insertElection,
  type PlannedElection,
  planElection,
} from '#voting/elections/changes.ts';
import { type Election, electionStatus, getElection } from '#voting/elections/elections.ts';
import {
  coverQuestion,
  ensureOffAgenda,
  followQuestions,
  getPaper,
  listQuestions,
} from '#voting/elections/issuers.ts';
import { openIfBegun } from '#voting/elections/lifecycle.ts';
import { ballotsExist } from '#voting/elections/options.ts';
import { PERIOD } from '#voting/elections/texts-and-period.ts';
import { countTokensMade, getOfficerTurnout, hasBallots } from '#voting/elections/turnout.ts';

/** A paper with more is too long to fill in, and for the limit of a body. */
export const QUESTIONS_AT_MOST = 50;

/** The fields of an election. Without dates it has those of the paper. */
export const QuestionInput = ElectionInput.extend({
  ...PERIOD.patch.shape,
});

const JoinInput = z.object({ election_id: requiredText(64) });

/** A new question, or an election that exists. */
export const AddedQuestion = newOrNamed(QuestionInput, JoinInput);

export const OrderInput = z.object({ order: z.array(z.string(), coded('not_ids')) });

type Settings = z.output<typeof SettingsInput>;

/** The settings of a paper that a type of ballot knows. */
export const knownSettings = (type: BallotType, settings: Settings): Settings =>
  Object.fromEntries(
    Object.entries(settings).filter(([setting]) => knowsSetting(type, setting as keyof Settings)),
  );

/** Checks the fields of a new question. @param shared the settings of the paper @throws 400 naming the field */
export async function planQuestion(
  ctx: Context,
  { open_at = '', close_at = '', ...input }: z.output<typeof QuestionInput>,
  shared: Settings,
  actor: Actor,
  where: { in_meeting?: boolean } = {},
): Promise<PlannedElection> {
  if (input.trial) throw badField('trial', 'trial_not_on_paper');
  const settings = { ...knownSettings(input.ballot_type, shared), ...input.settings };
  return planElection(ctx, { ...input, open_at, close_at, settings }, actor, where);
}

/** Stores a new question at the end of a paper. The codes of the paper are valid for it. @returns its id */
export function insertQuestion(tx: Tx, paperId: string, planned: PlannedElection, actor: Actor): string {
  const id = insertElection(tx, planned, actor);
  putOnPaper(tx, paperId, id, actor);
  return id;
}

/** Puts an election on a paper, at its end. */
export function putOnPaper(tx: Tx, paper_id: string, id: string, actor: Actor): void {
  const paper_position = (listQuestions(tx, paper_id).at(-1)?.paper_position ?? 0) + 1;
  tx.run(build.updateTable('elections').set({ paper_id, paper_position }).where('id', '=', id));
  followQuestions(tx, paper_id);
  const metadata = { question: id };
  recordAudit(tx, actor, { action: 'paper.question_added', election_id: paper_id, metadata });
  if (coverQuestion(tx, { id, paper_id }) > 0) openIfBegun(tx, id, actor.at);
}

/**
 * Adds a question to a paper: a new one, or an election that nobody has a code for yet.
 * @returns its id @throws 404, 400, 409
 */
export async function addQuestion(
  ctx: Context,
  paperId: string,
  input: z.output<typeof AddedQuestion>,
  actor: Actor,
): Promise<string> {
  const { open_at, close_at, settings } = getPaper(ctx.db, paperId);
  ensureOffAgenda(ctx.db, { paper_id: paperId });
  if ('election_id' in input) return joinElection(ctx, paperId, input.election_id, actor);
  const asked = { ...input };
  asked.open_at ??= isoTime(open_at);
  asked.close_at ??= isoTime(close_at);
  const planned = await planQuestion(ctx, asked, JSON.parse(settings), actor);
  return ctx.write((tx) => {
    ensureOffAgenda(tx, { paper_id: paperId });
    ensureRoom(tx, paperId);
    return insertQuestion(tx, paperId, planned, actor);
  });
}

async function joinElection(ctx: Context, paperId: string, id: string, actor: Actor): Promise<string> {
  return ctx.write((tx) => {
    ensureRoom(tx, paperId);
    const election = getElection(tx, id);
    const refusal = whyNotJoined(tx, election, actor.at);
    if (refusal) throw conflict(refusal);
    putOnPaper(tx, paperId, id, actor);
    return id;
  });
}

/** Why an election cannot become a question of a paper; undefined if it can. */
export function whyNotJoined(reader: Reader, election: Election, now: number) {
  if (election.paper_id !== null) return 'election_on_paper';
  if (election.trial === 1) return 'trial_not_on_paper';
  if (electionStatus(election, now) === 'closed') return 'election_closed';
  const turnout = getOfficerTurnout(reader, election.id);
  return countTokensMade(election, turnout) > 0 || turnout.invited > 0 ? 'election_has_codes' : undefined;
}

function ensureRoom(tx: Tx, paperId: string): void {
  getPaper(tx, paperId);
  if (listQuestions(tx, paperId).length >= QUESTIONS_AT_MOST)
    throw conflict('too_many_questions', { max: QUESTIONS_AT_MOST });
}

/** Puts the questions of a paper in an order. @throws 404, 400, 409 if a question with ballots would move */
export async function orderQuestions(
  ctx: Context,
  paperId: string,
  { order }: z.output<typeof OrderInput>,
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    getPaper(tx, paperId);
    ensureOffAgenda(tx, { paper_id: paperId });
    const before = listQuestions(tx, paperId).map(({ id }) => id);
    const isWhole = order.length === before.length && before.every((id) => order.includes(id));
    if (!isWhole) throw badField('order', 'not_every_question');
    const moved = order.filter((id, index) => before[index] !== id);
    if (moved.length === 0) return;
    if (moved.some((id) => hasBallots(tx, id))) throw ballotsExist('order');
    for (const [index, id] of order.entries())
      tx.run(
        build
          .updateTable('elections')
          .set({ paper_position: index + 1 })
          .where('id', '=', id),
      );
    recordAudit(tx, actor, {
      action: 'paper.questions_ordered',
      election_id: paperId,
      metadata: { order },
    });
  });
}
