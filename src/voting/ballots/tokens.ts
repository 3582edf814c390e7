import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, prepareInsert, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { TokensTable } from '#kernel/db/schema.ts';
import { badField, badRequest, conflict, notFound } from '#kernel/http/errors.ts';
import { oneOf, optionalName, wholeNumber } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isSameName } from '#kernel/names.ts';
import { sha256 } from '#kernel/secrets.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import {
  codeHolders,
  getIssuer,
  hasCounted,
  isInMeeting,
  openHolders,
  waits,
} from '#voting/elections/issuers.ts';
import { openIfBegun } from '#voting/elections/lifecycle.ts';
import { ensureTrialRoom } from '#voting/elections/trials.ts';
import { areVotersHidden } from '#voting/elections/visibility.ts';
import { codeOfInvite, electorOfInvite } from '#voting/electors/joins.ts';
import { newShortCode, plainCode } from './voting-code.ts';

export const TOKENS_PER_CALL = 1_000;

export const TokensInput = z.object({
  count: wholeNumber(1, TOKENS_PER_CALL),
  batch_name: optionalName(200),
  /** `short` for printed slips: 16 characters to type. */
  format: oneOf(['uuid', 'short']).optional(),
});
export const BatchInput = z.object({
  // The unnamed batch must be sent as null, so that a misspelt key deletes nothing.
  batch_name: z
    .string(coded('not_batch_name'))
    .trim()
    .max(200, coded('too_long', { max: 200 }))
    .nullable()
    .transform((name) => name || null),
  /** In milliseconds; by the page that offers to delete codes whose first answer is lost. */
  made_at: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
});

/**
 * Creates single-use tokens of an election or a paper. Only their SHA-256 is stored: the plain tokens exist only in this
 * answer.
 * @throws 404, 409 for a question of a paper, 400 once voting has closed.
 */
export async function generateTokens(
  ctx: Context,
  electionId: string,
  { count, format, ...input }: z.output<typeof TokensInput>,
  actor: Actor,
) {
  let { batch_name } = input;
  const tokens = Array.from({ length: count }, format === 'short' ? newShortCode : newRandomId);
  await ctx.write((tx) => {
    const issuer = getIssuer(tx, electionId);
    ensureNoMeeting(tx, electionId);
    if (electionStatus(issuer, actor.at) === 'closed') throw badRequest('election_closed');
    batch_name = storedBatchName(tx, electionId, batch_name);
    const unused = { election_id: electionId, batch_name, created_at: actor.at, ...UNUSED };
    storeTokens(
      tx,
      electionId,
      tokens.map((token) => ({ token_hash: hashToken(token), ...unused })),
    );
    ensureTrialRoom(tx, issuer, 'count');
    recordAudit(tx, actor, {
      action: 'tokens.generated',
      election_id: electionId,
      metadata: { count, batch_name },
    });
    openIfBegun(tx, electionId, actor.at);
  });
  return {
    tokens,
    batch_name,
    count,
    made_at: actor.at,
    warning: 'These tokens are shown only once. Save or print them now.',
  };
}

/** @throws 409 for the paper of a meeting: its codes are those of cards and of invitations, each for one person */
function ensureNoMeeting(reader: Reader, issuerId: string): void {
  if (isInMeeting(reader, { paper_id: issuerId })) throw conflict('codes_of_meeting');
}

/** The columns of a token that nobody has voted with. */
export const UNUSED = { used_at: null, submission_hash: null };

/** A code that is stored: nobody was handed a paper for it yet. */
type NewToken = Omit<Selectable<TokensTable>, 'on_paper'>;

export const insertTokens = prepareInsert((rows: NewToken[]) =>
  build.insertInto('tokens').values(
    rows.map(({ token_hash, election_id, batch_name, created_at, used_at, submission_hash }) => ({
      token_hash,
      election_id,
      batch_name,
      created_at,
      used_at,
      submission_hash,
    })),
  ),
);

/** Stores new codes of an election or a paper. Those of a paper are valid for all its questions that are not closed. */
export function storeTokens(tx: Tx, issuerId: string, rows: readonly NewToken[]): void {
  insertTokens(tx, rows);
  for (const election_id of openHolders(tx, issuerId))
    insertTokens(
      tx,
      rows.map((row) => ({ ...row, election_id })),
    );
}

export interface Batch {
  batch_name: string | null;
  count: number;
  created_at: number;
  /** Null of a void vote, of which only the sum is told. */
  used_count: number | null;
  unused_count: number | null;
  /** Addresses that were invited with tokens of a named batch. */
  emails: string[];
}

const NOT_TOLD = { used_count: null, unused_count: null };

/**
 * The election's tokens by batch, the oldest batch first.
 * @param showRoll whether addresses that come from the roll are listed
 */
export function listBatches(reader: Reader, electionId: string, showRoll: boolean): Batch[] {
  getIssuer(reader, electionId);
  const isHidden = areVotersHidden(reader, electionId);
  const batches = reader.all(
    build
      .selectFrom('tokens')
      .select((of) => [
        'batch_name',
        of.fn.countAll<number>().as('count'),
        of.fn.min<number>('created_at').as('created_at'),
        sql<number>`count(*) FILTER (WHERE used_at IS NOT NULL AND ${hasCounted})`.as('used_count'),
      ])
      .where('election_id', '=', electionId)
      .groupBy('batch_name')
      .orderBy('created_at'),
  );
  const invited = reader.all(
    build
      .selectFrom('invites')
      .innerJoin('tokens', codeOfInvite)
      .leftJoin('electors', electorOfInvite)
      .select(['tokens.batch_name', 'invites.email'])
      .distinct()
      .where('invites.email', '!=', '')
      .$if(!showRoll, (query) => query.where('as_of', 'is', null))
      .where('invites.election_id', '=', electionId)
      .where('tokens.batch_name', 'is not', null)
      .orderBy('invites.email'),
  );
  const emails = Map.groupBy(invited, (row) => row.batch_name);
  return batches.map((batch) => ({
    ...batch,
    ...(isHidden ? NOT_TOLD : { unused_count: batch.count - batch.used_count }),
    emails: emails.get(batch.batch_name)?.map(({ email }) => email) ?? [],
  }));
}

/** The name of a batch as it is stored, if the election has a batch whose name looks the same. */
export function storedBatchName<Name extends string | null>(
  reader: Reader,
  electionId: string,
  name: Name,
): Name {
  if (name === null) return name;
  const batches = reader.all(
    build.selectFrom('tokens').select('batch_name').distinct().where('election_id', '=', electionId),
  );
  const names = batches.flatMap(({ batch_name }) => batch_name ?? []);
  return (names.find((one) => one === name) ?? names.find((one) => isSameName(one, name)) ?? name) as Name;
}

/**
 * Deletes a batch of tokens, used ones too; with `made_at` those of it that were made at this moment and are unused. The
 * election's books still count them, and a used one stays refused as used.
 * @throws 404 without such tokens; 409 of a void vote
 */
export async function deleteBatch(
  ctx: Context,
  electionId: string,
  { batch_name: named, made_at }: z.output<typeof BatchInput>,
  actor: Actor,
) {
  return ctx.write((tx) => {
    getIssuer(tx, electionId);
    ensureNoMeeting(tx, electionId);
    // The public history says how many of a batch were used: of a batch of one, whether its holder has voted.
    if (areVotersHidden(tx, electionId)) throw conflict('election_void_voters');
    const batch_name = storedBatchName(tx, electionId, named);
    // The codes of a paper are deleted in each of its questions.
    const [own] = codeHolders(tx, electionId).map((id) => deleteStored(tx, id, batch_name, made_at));
    if (!own || own.deleted === 0) throw notFound('batch_not_found');
    const answer = { batch_name, ...own };
    recordAudit(tx, actor, { action: 'batch.deleted', election_id: electionId, metadata: answer });
    return answer;
  });
}

function deleteStored(
  tx: Tx,
  id: string,
  batch_name: string | null,
  made_at: number | undefined,
): { deleted: number; deleted_used: number } {
  const named = batch_name === null ? 'is' : '=';
  if (made_at !== undefined) {
    const unused = build.deleteFrom('tokens').where('election_id', '=', id).where('created_at', '=', made_at);
    const deleted = tx.run(
      unused.where('batch_name', named, batch_name).where('used_at', 'is', null).where('on_paper', '=', 0),
    );
    countDeleted(tx, id, deleted);
    return { deleted, deleted_used: 0 };
  }
  const inBatch = build
    .selectFrom('tokens')
    .where('election_id', '=', id)
    .where('batch_name', named, batch_name);
  const counts = tx.first(inBatch.select((of) => of.fn.count<number>('used_at').as('used')));
  const deleted_used = counts?.used ?? 0;
  const used = inBatch
    .select(['token_hash', 'election_id', 'submission_hash'])
    .where('used_at', 'is not', null);
  tx.run(
    build
      .insertInto('deleted_used_codes')
      .columns(['token_hash', 'election_id', 'submission_hash'])
      .expression(used),
  );
  const deleted = tx.run(
    build.deleteFrom('tokens').where('election_id', '=', id).where('batch_name', named, batch_name),
  );
  countDeleted(tx, id, deleted, deleted_used);
  return { deleted, deleted_used };
}

/** Adds to the deleted codes of an election, or of a paper. */
export function countDeleted(tx: Tx, id: string, deleted: number, used = 0): void {
  for (const table of ['elections', 'papers'] as const)
    tx.run(
      build
        .updateTable(table)
        .set((of) => ({
          tokens_deleted: of('tokens_deleted', '+', deleted),
          used_tokens_deleted: of('used_tokens_deleted', '+', used),
        }))
        .where('id', '=', id),
    );
}

/** With fewer voters than this, the result alone can show how each of them voted. */
export const FEW = 5;

const firstTokens = prepare((p: { election_id: string }) =>
  build
    .selectFrom('tokens')
    .select('token_hash')
    .where('election_id', '=', p.election_id)
    .limit(sql.lit(FEW)),
);

/** Whether an election has fewer than five voting codes. */
export const hasFewTokens = (reader: Reader, electionId: string): boolean =>
  reader.all(firstTokens({ election_id: electionId })).length < FEW;

/** The voting code in an address. A repeated parameter counts as an unknown code, not as a bad request. */
export const CodeQuery = z.object({
  t: z.union([z.string().trim(), z.array(z.string()).transform((codes) => codes.join(','))]).optional(),
});

/**
 * Returns the stored form of a token that a voter sent in any spelling.
 * @param electionId where it was sent; the token of a paper's question is `<code>.<election id>`
 */
export function hashToken(token: string, electionId?: string): string {
  const code = codeOf(token, electionId);
  return sha256(plainCode(code) ?? code.trim());
}

/** The code in a token that was sent to an election: what precedes its id in the token of a paper's question. */
export function codeOf(token: string, electionId: string | undefined): string {
  const end = token.lastIndexOf('.');
  return end > 0 && token.slice(end + 1).trim() === electionId ? token.slice(0, end) : token;
}

const tokenByHash = prepare((p: { election_id: string; token_hash: string }) =>
  build
    .selectFrom('tokens')
    .select(['used_at', 'submission_hash', 'on_paper'])
    .where('election_id', '=', p.election_id)
    .where('token_hash', '=', p.token_hash),
);

export interface StoredToken {
  used: boolean;
  submission_hash: string | null;
  /** Where its holder was handed a paper instead; only from `listUses`. */
  on_paper?: 1;
}

/**
 * Reads a token without using it: undefined when it is not one of the election's. One whose holder was handed a paper is
 * used.
 */
export function findToken(reader: Reader, electionId: string, tokenHash: string): StoredToken | undefined {
  const code = { election_id: electionId, token_hash: tokenHash };
  const row = reader.first(tokenByHash(code)) ?? reader.first(deletedCode(code));
  return row && { used: row.used_at !== null || row.on_paper === 1, submission_hash: row.submission_hash };
}

const waitingToken = prepare((p: { election_id: string; token_hash: string }) =>
  build
    .selectFrom('tokens')
    .select('token_hash')
    .where('election_id', '=', p.election_id)
    .where('token_hash', '=', p.token_hash)
    .where(waits()),
);

/** Whether a ballot waits for a code: a paper's waits until each question that is not closed was answered. */
export const isWaiting = (reader: Reader, issuerId: string, tokenHash: string | null): boolean =>
  reader.first(waitingToken({ election_id: issuerId, token_hash: tokenHash ?? '' })) !== undefined;

const deletedCode = prepare((p: { election_id: string; token_hash: string }) =>
  build
    .selectFrom('deleted_used_codes')
    .select(['submission_hash', sql<number | null>`1`.as('used_at'), sql<0 | 1>`0`.as('on_paper')])
    .where('election_id', '=', p.election_id)
    .where('token_hash', '=', p.token_hash),
);

const electionOfToken = prepare((p: { token_hash: string }) =>
  build
    .selectFrom('elections')
    .innerJoin('tokens', 'tokens.election_id', 'elections.id')
    .select(['election_id', 'used_at', 'on_paper'])
    .where('token_hash', '=', p.token_hash),
);

const electionOfDeleted = prepare((p: { token_hash: string }) =>
  build
    .selectFrom('deleted_used_codes')
    .leftJoin('papers', 'papers.id', 'election_id')
    .select(['election_id', 'papers.id as paper_id'])
    .where('token_hash', '=', p.token_hash)
    .orderBy('paper_id', 'desc'),
);

const paperOfToken = prepare((p: { token_hash: string; now: number }) =>
  build
    .selectFrom('papers')
    .innerJoin('tokens', 'tokens.election_id', 'papers.id')
    .select(['papers.id', waits(p.now).as('waits'), 'used_at'])
    .where('token_hash', '=', p.token_hash),
);

/** The election or the paper that a code belongs to. */
export interface FoundCode {
  election_id: string;
  /** Whether `election_id` is that of a ballot paper. */
  isPaper: boolean;
  /** Of a paper: whether it was used for every question that is open. */
  used: boolean;
}

/** Finds a token in any election or paper, for a voter who typed only the code. */
export function findTokenAnywhere(reader: Reader, tokenHash: string, now: number): FoundCode | undefined {
  const ofPaper = reader.first(paperOfToken({ token_hash: tokenHash, now }));
  if (ofPaper) return { election_id: ofPaper.id, isPaper: true, used: !ofPaper.waits };
  const row = reader.first(electionOfToken({ token_hash: tokenHash }));
  if (row)
    return { election_id: row.election_id, isPaper: false, used: row.used_at !== null || row.on_paper === 1 };
  const deleted = reader.first(electionOfDeleted({ token_hash: tokenHash }));
  return deleted && { election_id: deleted.election_id, isPaper: deleted.paper_id !== null, used: true };
}

/** @throws 400 unless all are tokens of the election: only somebody who has the tokens can print slips. */
export function ensureTokensBelong(reader: Reader, electionId: string, tokens: string[]): void {
  getIssuer(reader, electionId);
  const hashes = tokens.map((token) => hashToken(token));
  const known = reader.all(
    build
      .selectFrom('tokens')
      .select('token_hash')
      .where('election_id', '=', electionId)
      .where('token_hash', 'in', hashes),
  );
  if (known.length !== new Set(hashes).size) throw badField('tokens', 'token_of_other_election');
}
