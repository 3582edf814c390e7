import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { recordAudits, startOfHour } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { BallotsTable } from '#kernel/db/schema.ts';
import { AppError, badField, badRequest, forbidden } from '#kernel/http/errors.ts';
import { fieldsOf, parseInput, refusal } from '#kernel/http/validation.ts';
import { newCode, newRandomId } from '#kernel/ids.ts';
import { coded } from '#kernel/messages/messages.ts';
import { sha256 } from '#kernel/secrets.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import {
  type BallotType,
  type Election,
  electionNotFound,
  electionStatus,
  getElection,
  listOptions,
  listStanding,
} from '#voting/elections/elections.ts';
import { deleteKeptLink, findMeetingOfPaper, type Issuer, notePaperUse } from '#voting/elections/issuers.ts';
import { openAndCloseDue, openForBallot } from '#voting/elections/lifecycle.ts';
import { type ReadableBallot, readableBallot } from '#voting/shared/ballot-file.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import { hasBallot, insertBallots, receiptOf } from './ballot-store.ts';
import { type BallotRoute, CHOICE_FIELDS, handlingOf } from './ballot-types.ts';
import { findToken } from './tokens.ts';
import { type CodeEnd, findCodeEnd } from './withdrawn-codes.ts';

export const Receipts = z.object({
  submission_id: z
    .string()
    .trim()
    .min(1)
    .max(64, coded('too_long', { max: 64 }))
    .optional(),
  inclusion_code: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{32}$/, coded('not_inclusion_code'))
    .optional(),
});

/** The body for each ballot type, only for the API description: the rules are in ballot-types.ts. */
export const BallotBody = z.union(
  CHOICE_FIELDS.map(([field, schema]) =>
    z.object({ token: z.string(), [field]: schema }).extend(Receipts.shape),
  ),
);

/** A ballot as it was sent. `token_hash` is that of the body's token. */
export interface SentBallot {
  electionId: string;
  route: BallotRoute;
  body: unknown;
  token_hash: string;
}

export interface CastBallot {
  success: true;
  message: string;
  /** Only in elections with inclusion codes; the voter's own, never stored. */
  inclusion_code?: string;
}

/**
 * Casts a ballot: marks the token as used and stores the ballot in one durable transaction. A repeat with the same
 * token and submission_id gets the same answer and stores no second ballot.
 * @returns the answer, and the ballot paper of the election
 * @throws 404 unknown election, 400 without a token, 401 unknown token, 403 used or not open, 400 invalid ballot;
 * in this order.
 */
export async function castBallot(
  ctx: Context,
  { electionId, route, body, token_hash }: SentBallot,
): Promise<{ answer: CastBallot; paperId: string | null }> {
  // Null fields count as absent. All are checked only after election and token (order of refusals).
  const fields = withoutNulls(fieldsOf(body));
  const receipts = parseInput(Receipts, fields, 'json');
  const { submission_id, inclusion_code } = receipts.data ?? {};

  const cast = (tx: Tx) => {
    const now = ctx.now();
    // Election and token are looked up separately by key: a join of them takes SQLite twice as long.
    const election = tx.first(electionForBallot({ id: electionId }));
    if (!election) throw electionNotFound();
    if (fields.token === undefined) throw badField('token', 'required');
    const settings = readSettings(election.settings);
    const withCodes = settings.receipts !== 'off';

    const submission_hash = submission_id ? sha256(submission_id) : null;
    const claim = { election_id: electionId, token_hash, used_at: startOfHour(now), submission_hash };
    const open = electionStatus(election, now) === 'open';
    if (!open || tx.run(useToken(claim)) !== 1) {
      const token = findToken(tx, electionId, token_hash);
      if (!token) throw invalidToken(findCodeEnd(tx, electionId, token_hash));
      if (!token.used) throw forbidden('election_not_open');
      if (!submission_hash || token.submission_hash !== submission_hash) throw forbidden('token_used');
      const known = withCodes && inclusion_code && hasBallot(tx, electionId, sha256(inclusion_code));
      return { answer: recorded(known ? inclusion_code : undefined), paperId: election.paper_id };
    }

    // A refusal from here on rolls back the use of the token.
    if (!receipts.success) throw refusal(receipts.error);
    const { route: takes } = handlingOf(election.ballot_type);
    if (route !== takes) throw badRequest('wrong_ballot_route', { route: takes });
    const code = withCodes ? (inclusion_code ?? newCode()) : undefined;
    const isCodeGiven = inclusion_code !== undefined;
    const row = readBallot(tx, { election, settings, fields, code, isCodeGiven, now });
    storeBallots(tx, [{ row, ballot_type: election.ballot_type }], now);
    if (election.paper_id === null) deleteKeptLink(tx, { election_id: electionId, token_hash });
    else notePaperUse(tx, { ...claim, election_id: election.paper_id });
    return { answer: recorded(code), paperId: election.paper_id };
  };
  try {
    return await ctx.write(cast, { repeatable: true });
  } catch (error) {
    // The refusal may mean that close_at has passed; this stores the close, so that it is permanent.
    await openAndCloseDue(ctx);
    throw error;
  }
}

/** A ballot whose token was claimed. */
interface NewBallot {
  election: ElectionForBallot;
  settings: ElectionSettings;
  fields: Record<string, unknown>;
  /** The inclusion code; undefined without receipts. */
  code: string | undefined;
  /** Whether the code came with the ballot: only such a one can be taken already. */
  isCodeGiven: boolean;
  now: number;
}

type BallotRow = Selectable<BallotsTable>;

/** Reads the choice of a ballot, and opens its election if that was not done yet. @returns the row to store @throws 400 */
export function readBallot(
  tx: Tx,
  { election, settings, fields, code, isCodeGiven, now }: NewBallot,
): BallotRow {
  const { id: election_id, ballot_type } = election;
  const choice = handlingOf(ballot_type).readAnswer(fields, settings, () => listStanding(tx, election_id));
  const id = code ? sha256(code) : newRandomId();
  if (code && isCodeGiven && hasBallot(tx, election_id, id))
    throw badField('inclusion_code', 'inclusion_code_taken');
  if (election.opened_at === null) openForBallot(tx, election, now);
  const receipt =
    code && coversChoice(settings) ? receiptOf(code, readableChoice(tx, election_id, choice)) : null;
  return { election_id, id, choice, receipt };
}

/** Stores ballots, of one voter or of a batch of papers, and records their votes. */
export function storeBallots(
  tx: Tx,
  ballots: readonly { row: BallotRow; ballot_type: BallotType }[],
  now: number,
): void {
  tx.insertTogether(
    insertBallots,
    ballots.map(({ row }) => row),
  );
  const votes = ballots.map(({ row: { election_id }, ballot_type }) => ({
    action: 'vote.submitted',
    election_id,
    metadata: { ballot_type },
    hourOnly: true,
  }));
  // Neither client nor moment: with the live figures, or what else is known of a person, they would tell the vote.
  recordAudits(tx, { ip: '', at: now }, votes);
}

/** The refusal of a code that is not one of the election's; it says if it was one before. */
export const invalidToken = (end: CodeEnd | undefined): AppError =>
  end ? new AppError(401, 'token_ended', { end }) : new AppError(401, 'invalid_token');

/** The path of the ballot that a voting code opens. */
export const ballotPath = (
  { id, ballot_type }: { id: string; ballot_type: BallotType },
  token: string,
): string => `/e/${id}/${handlingOf(ballot_type).route}?t=${encodeURIComponent(token)}`;

/** The path of the ballot that a code of an election or a ballot paper opens; in a meeting that of its page. */
export function votingPath(
  reader: Reader,
  { id, isPaper }: Pick<Issuer, 'id' | 'isPaper'>,
  code: string,
): string {
  if (!isPaper) return ballotPath(getElection(reader, id), code);
  const meeting = findMeetingOfPaper(reader, id);
  return `${meeting === undefined ? `/p/${id}/vote` : `/m/${meeting}`}?t=${encodeURIComponent(code)}`;
}

function readableChoice(tx: Tx, electionId: string, choice: string): ReadableBallot {
  const names = listOptions(tx, electionId).map(({ number, name }) => [number, name] as const);
  return readableBallot(choice, new Map(names));
}

/** Adds to the path of a ballot the list that the voter came from: the token of /vote/my-elections, or `me`. */
export const withList = (path: string, list: string): string =>
  list === '' ? path : `${path}${path.includes('?') ? '&' : '?'}list=${encodeURIComponent(list)}`;

export function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(fields).includes(null)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function recorded(inclusion_code?: string): CastBallot {
  return { success: true, message: 'Your vote has been recorded', ...(inclusion_code && { inclusion_code }) };
}

// Not the whole election: its description can be long.
const FOR_BALLOT = [
  'id',
  'ballot_type',
  'open_at',
  'close_at',
  'closed_at',
  'opened_at',
  'settings',
  'paper_id',
] as const;

/** What is read of an election to cast a ballot. */
export type ElectionForBallot = Pick<Election, (typeof FOR_BALLOT)[number]>;

const electionForBallot = prepare((p: { id: string }) =>
  build.selectFrom('elections').select(FOR_BALLOT).where('id', '=', p.id),
);

/** The same of every question of a paper, in their order. */
export const questionsForBallot = prepare((p: { paper_id: string }) =>
  build
    .selectFrom('elections')
    .select(FOR_BALLOT)
    .where('paper_id', '=', p.paper_id)
    .orderBy('paper_position'),
);

// Claims the token: of two ballots with the same token, only one finds used_at still empty. Whoever was handed a paper
// casts nothing.
export const useToken = prepare(
  (p: { election_id: string; token_hash: string; used_at: number; submission_hash: string | null }) =>
    build
      .updateTable('tokens')
      .set({ used_at: p.used_at, submission_hash: p.submission_hash })
      .where('election_id', '=', p.election_id)
      .where('token_hash', '=', p.token_hash)
      .where('used_at', 'is', null)
      .where('on_paper', '=', 0),
);
