import type { Context } from '#kernel/context.ts';
import { startOfHour } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict, forbidden, inField, notFound } from '#kernel/http/errors.ts';
import { fieldsOf, parseInput, refusal } from '#kernel/http/validation.ts';
import { newCode } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hasBallot, questionCode } from '#voting/ballots/ballot-store.ts';
import {
  type CastBallot,
  type ElectionForBallot,
  invalidToken,
  questionsForBallot,
  Receipts,
  readBallot,
  storeBallots,
  useToken,
  withoutNulls,
} from '#voting/ballots/ballots.ts';
import type { StoredToken } from '#voting/ballots/tokens.ts';
import { findCode } from '#voting/ballots/withdrawn-codes.ts';
import { readSettings } from '#voting/election-settings.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { findPaper, notePaperUse } from '#voting/elections/issuers.ts';
import { openAndCloseDue } from '#voting/elections/lifecycle.ts';

/** Answers to questions of a paper as they were sent. `token_hash` is that of the body's token. */
export interface SentPaper {
  paperId: string;
  body: unknown;
  token_hash: string;
}

export interface CastPaper extends CastBallot {
  /** The questions that this code can still answer. */
  waiting: string[];
}

/**
 * Casts the ballots of several questions in one durable transaction: all of them or none. A repeat with the same token
 * and submission_id gets the same answer and stores nothing; it may bring the rest of the answers.
 * @throws 404 unknown paper, 400 without a token or an answer, 401 unknown token, 404 unknown question, 403 answered
 * question, 403 if no question is open, 409 naming the closed ones, 400 invalid ballot; in this order
 */
export async function castPaper(ctx: Context, { paperId, body, token_hash }: SentPaper): Promise<CastPaper> {
  const fields = withoutNulls(fieldsOf(body));
  const receipts = parseInput(Receipts, fields, 'json');
  const { submission_id, inclusion_code } = receipts.data ?? {};

  const cast = (tx: Tx): CastPaper => {
    const now = ctx.now();
    const questions = tx.all(questionsForBallot({ paper_id: paperId }));
    if (questions.length === 0 && !findPaper(tx, paperId)) throw notFound('paper_not_found');
    if (fields.token === undefined) throw badField('token', 'required');
    const known = findCode(tx, paperId, token_hash);
    if (!known.token) throw invalidToken(known.end);
    const answers = readAnswers(fields.answers);
    const unknown = [...answers.keys()].filter((id) => !questions.some((question) => question.id === id));
    if (unknown.length > 0) throw notFound('election_not_found', {}, { extra: { unknown } });

    const answered = questions.filter(({ id }) => answers.has(id));
    const used_at = startOfHour(now);
    // Of its own for each question: equal values would show which uses belong together.
    const submissionOf = (id: string) => (submission_id ? sha256(`${submission_id}:${id}`) : null);
    // Claimed before the uses of the code are read, which a whole new paper does not need. A refusal rolls it back.
    const claims = answered.filter((question) => {
      const { id: election_id } = question;
      const claim = { election_id, token_hash, used_at, submission_hash: submissionOf(election_id) };
      return electionStatus(question, now) === 'open' && tx.run(useToken(claim)) === 1;
    });
    const isWhole = claims.length === questions.length;
    const uses = isWhole ? new Map<string, StoredToken>() : listUses(tx, paperId, token_hash);
    const isRepeat = (id: string) => {
      const hash = submissionOf(id);
      return hash !== null && uses.get(id)?.submission_hash === hash;
    };
    const refused = answered.filter((question) => !claims.includes(question) && !isRepeat(question.id));
    ensureOpen(refused, questions, uses, now);
    if (!receipts.success) throw refusal(receipts.error);
    if (refused.length > 0) throw invalidToken(undefined);

    const fresh = claims.map((election) => ({ election, settings: readSettings(election.settings) }));
    const withCodes = fresh.some(({ settings }) => settings.receipts !== 'off');
    const code = withCodes ? (inclusion_code ?? newCode()) : undefined;
    const ballots = fresh.map(({ election, settings }) => {
      const { id, ballot_type } = election;
      const own = code && settings.receipts !== 'off' ? questionCode(code, id) : undefined;
      const fields = answers.get(id) ?? {};
      const ballot = {
        election,
        settings,
        fields,
        code: own,
        isCodeGiven: inclusion_code !== undefined,
        now,
      };
      return { ballot_type, row: inField(`answers.${id}`, () => readBallot(tx, ballot)) };
    });
    storeBallots(tx, ballots, now);
    if (fresh.length > 0) notePaperUse(tx, { election_id: paperId, token_hash, used_at });

    const isStored = ({ id }: ElectionForBallot) =>
      inclusion_code !== undefined && hasBallot(tx, id, sha256(questionCode(inclusion_code, id)));
    const shown = code ?? (answered.some(isStored) ? inclusion_code : undefined);
    const waiting = questions.filter(
      (question) =>
        uses.get(question.id)?.used === false &&
        !answers.has(question.id) &&
        electionStatus(question, now) !== 'closed',
    );
    return {
      success: true,
      message: 'Your vote has been recorded',
      ...(shown && { inclusion_code: shown }),
      waiting: waiting.map(({ id }) => id),
    };
  };
  try {
    return await ctx.write(cast, { repeatable: true });
  } catch (error) {
    // The refusal may mean that a close_at has passed; this stores the close, so that it is permanent.
    await openAndCloseDue(ctx);
    throw error;
  }
}

/** @throws 400 */
function readAnswers(value: unknown): Map<string, Record<string, unknown>> {
  if (value === undefined) throw badField('answers', 'required');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badField('answers', 'not_answers');
  const given = Object.entries(value).filter(([, ballot]) => ballot !== null);
  if (given.length === 0) throw badField('answers', 'no_answers');
  return new Map(
    given.map(([id, ballot]) => {
      if (typeof ballot !== 'object' || Array.isArray(ballot)) throw badField(`answers.${id}`, 'not_ballot');
      return [id, withoutNulls(fieldsOf(ballot))];
    }),
  );
}

/** @throws 403, 409 for questions that were answered with the code, or take no ballot now */
function ensureOpen(
  refused: readonly ElectionForBallot[],
  all: readonly ElectionForBallot[],
  uses: Map<string, StoredToken>,
  now: number,
): void {
  const status = (question: ElectionForBallot) => electionStatus(question, now);
  const ids = (questions: readonly ElectionForBallot[]) => questions.map(({ id }) => id);
  const used = refused.filter(({ id }) => uses.get(id)?.used);
  if (used.length > 0) throw forbidden('token_used', {}, { extra: { used: ids(used) } });
  if (refused.length === 0) return;
  if (all.every((question) => status(question) === 'closed')) throw forbidden('election_not_open');
  const closed = refused.filter((question) => status(question) === 'closed');
  if (closed.length > 0) throw conflict('questions_closed', {}, { extra: { closed: ids(closed) } });
  const notOpen = refused.filter((question) => status(question) !== 'open');
  if (notOpen.length > 0) throw forbidden('election_not_open', {}, { extra: { not_open: ids(notOpen) } });
}

const usesOfCode = prepare((p: { paper_id: string; token_hash: string }) =>
  build
    .selectFrom('elections')
    .innerJoin('tokens', 'tokens.election_id', 'elections.id')
    .select(['elections.id', 'used_at', 'submission_hash', 'on_paper'])
    .where('paper_id', '=', p.paper_id)
    .where('token_hash', '=', p.token_hash),
);

const usesOfDeleted = prepare((p: { paper_id: string; token_hash: string }) =>
  build
    .selectFrom('deleted_used_codes')
    .innerJoin('elections', 'elections.id', 'election_id')
    .select(['elections.id', 'submission_hash'])
    .where('paper_id', '=', p.paper_id)
    .where('token_hash', '=', p.token_hash),
);

/** The questions of a paper that a code is or was valid for, by id. */
export function listUses(reader: Reader, paper_id: string, token_hash: string): Map<string, StoredToken> {
  const code = { paper_id, token_hash };
  const stored = reader.all(usesOfCode(code));
  if (stored.length > 0)
    return new Map(
      stored.map(({ id, used_at, submission_hash, on_paper }) => [
        id,
        { used: used_at !== null || on_paper === 1, submission_hash, ...(on_paper === 1 && { on_paper }) },
      ]),
    );
  const deleted = reader.all(usesOfDeleted(code));
  return new Map(deleted.map(({ id, submission_hash }) => [id, { used: true, submission_hash }]));
}
