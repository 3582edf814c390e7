import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Tx } from '#kernel/db/writes.ts';
import { AppError, badField, badRequest, forbidden, notFound } from '#kernel/http/errors.ts';
import { refusal } from '#kernel/http/validation.ts';
import { newCode, newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type BallotType, statusOf } from '#voting/elections/elections.ts';
import { readSettings } from '#voting/elections/settings.ts';
import { readChoice } from './ballot-input.ts';

/** The two routes that take ballots. */
export type BallotRoute = 'vote' | 'vote/poll';

/**
 * The fields of a ballot as it arrives; one that is null counts as absent. They are read once election and token are
 * known (order of refusals).
 */
const BallotFields = z
  .record(z.string(), z.unknown())
  .transform((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)))
  .catch({});

const Receipts = z.object({
  submission_id: z.string().trim().min(1).max(64, 'must have at most 64 characters').optional(),
  inclusion_code: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{32}$/, 'must be 128 bits as 32 hexadecimal digits')
    .optional(),
});

const id = z.string();
const choices = {
  choice: z.enum(['yes', 'no', 'abstain']),
  selected_option: id,
  selected_options: z.array(id).min(1),
  ranking: z.array(id).min(1),
};

/** What each ballot type sends, for the API description alone: the rules are in choices.ts. */
export const BallotBody = z.union(
  Object.entries(choices).map(([field, schema]) =>
    z.object({ token: z.string(), [field]: schema }).extend(Receipts.shape),
  ),
);

export interface CastBallot {
  success: true;
  message: string;
  /** Only in elections with inclusion codes; the voter's own, never stored. */
  inclusion_code?: string;
}

/**
 * Casts a ballot: token used and ballot stored in one durable transaction, or neither. The same token with the same
 * submission_id is answered again without a second ballot.
 * @throws 404 unknown election, 400 without a token, 401 unknown token, 403 used or not open, 400 for the ballot's
 * shape; in this order.
 */
export async function castBallot(
  ctx: Context,
  electionId: string,
  route: BallotRoute,
  body: unknown,
  ip: string,
): Promise<CastBallot> {
  const fields = BallotFields.parse(body);
  const receipts = Receipts.safeParse(fields);
  const { submission_id, inclusion_code } = receipts.data ?? {};

  const cast = (tx: Tx): CastBallot => {
    const now = ctx.now();
    const election = tx.first(electionById(electionId));
    if (!election) throw notFound('Election not found');
    if (fields.token === undefined) throw badField('token', 'is required');
    const withCodes = readSettings(election.settings).inclusion_codes;

    const token_hash = hashOf(fields.token);
    const submission_hash = submission_id ? sha256(submission_id) : null;
    const open = statusOf(election, now) === 'open';
    if (!open || tx.run(useToken(now, submission_hash, electionId, token_hash)) !== 1) {
      const token = tx.first(tokenByHash(electionId, token_hash));
      if (!token) throw new AppError(401, 'Invalid token');
      if (token.used_at === null) throw forbidden('Election is not open for voting');
      if (!submission_hash || token.submission_hash !== submission_hash)
        throw forbidden('Token already used');
      const known = withCodes && inclusion_code && isInBox(tx, electionId, inclusion_code);
      return recorded(known ? inclusion_code : undefined);
    }

    // From here on whatever is wrong with the ballot takes the token's use back with it.
    if (!receipts.success) throw refusal(receipts.error);
    ensureRoute(election.ballot_type, route);
    const choice = readChoice(election, () => tx.all(optionsOf(electionId)), fields);
    const code = withCodes ? (inclusion_code ?? newCode()) : undefined;
    if (code && isInBox(tx, electionId, code)) throw badField('inclusion_code', 'is taken: make another one');
    tx.run(insertBallot(electionId, code ? sha256(code) : newRandomId(), choice));
    tx.run(forgetLink(token_hash));
    const metadata = { ballot_type: election.ballot_type };
    recordAudit(tx, { ip, at: now }, { action: 'vote.submitted', election_id: electionId, metadata });
    return recorded(code);
  };
  return ctx.write(cast, { repeatable: true });
}

/** The stored form of a token; whatever is no text is no election's token either. */
const hashOf = (token: unknown): string => sha256(typeof token === 'string' ? token.trim() : '');

export const ballotRouteOf = (type: BallotType): BallotRoute => (type === 'POLL' ? 'vote/poll' : 'vote');

function recorded(inclusion_code?: string): CastBallot {
  return { success: true, message: 'Your vote has been recorded', ...(inclusion_code && { inclusion_code }) };
}

function ensureRoute(type: BallotType, route: BallotRoute): void {
  const right = ballotRouteOf(type);
  if (route !== right) throw badRequest(`This election takes ballots at POST /e/:id/${right}`);
}

function isInBox(tx: Tx, electionId: string, code: string): boolean {
  return tx.first(ballotById(electionId, sha256(code))) !== undefined;
}

// Two look-ups by key: the planner makes one join of them that takes twice as long.
const electionById = prepare(
  build
    .selectFrom('elections')
    .select(['ballot_type', 'open_at', 'close_at', 'closed_at', 'settings'])
    .where('id', '=', ''),
  (electionId: string) => [electionId],
);

const tokenByHash = prepare(
  build
    .selectFrom('tokens')
    .select(['used_at', 'submission_hash'])
    .where('election_id', '=', '')
    .where('token_hash', '=', ''),
  (electionId: string, hash: string) => [electionId, hash],
);

const optionsOf = prepare(
  build.selectFrom('options').selectAll().where('election_id', '=', ''),
  (electionId: string) => [electionId],
);

// The claim: of two ballots with one token, one finds used_at still empty.
const useToken = prepare(
  build
    .updateTable('tokens')
    .set({ used_at: 0, submission_hash: '' })
    .where('election_id', '=', '')
    .where('token_hash', '=', '')
    .where('used_at', 'is', null),
  (now: number, submissionHash: string | null, electionId: string, hash: string) => [
    now,
    submissionHash,
    electionId,
    hash,
  ],
);

const insertBallot = prepare(
  build.insertInto('ballots').values({ election_id: '', id: '', choice: '' }),
  (electionId: string, id: string, choice: string) => [electionId, id, choice],
);

const ballotById = prepare(
  build.selectFrom('ballots').select('id').where('election_id', '=', '').where('id', '=', ''),
  (electionId: string, id: string) => [electionId, id],
);

// A used voting link is of no more use: the copy kept for resending goes with it.
const forgetLink = prepare(
  build.updateTable('invites').set({ token_plaintext: null }).where('token_hash', '=', ''),
  (hash: string) => [null, hash],
);
