import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/writes.ts';
import { badField, badRequest, notFound } from '#kernel/http/errors.ts';
import { optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { getElection, statusOf } from '#voting/elections/elections.ts';

export const TOKENS_PER_CALL = 1_000;

export const TokensInput = z.object({
  count: wholeNumber(1, TOKENS_PER_CALL),
  batch_name: optionalText(200),
});
export const BatchInput = z.object({
  // The unnamed batch takes a null, so that a misspelt key deletes nothing.
  batch_name: z
    .string({ error: 'must be a name, or null for the unnamed batch' })
    .trim()
    .max(200, 'must have at most 200 characters')
    .nullable()
    .transform((name) => name || null),
  /** What the officer typed to confirm; the page asks for it when used tokens would go. */
  confirm: z.string().trim().optional(),
});

/**
 * Makes single-use tokens. Only their SHA-256 is stored: the plain tokens exist in this answer alone.
 * @throws 404, 400 once the election has closed.
 */
export async function generateTokens(
  ctx: Context,
  electionId: string,
  { count, batch_name }: z.output<typeof TokensInput>,
  actor: Actor,
) {
  const tokens = Array.from({ length: count }, newRandomId);
  await ctx.write((tx) => {
    const election = tx.first(build.selectFrom('elections').selectAll().where('id', '=', electionId));
    if (!election) throw notFound('Election not found');
    if (statusOf(election, actor.at) === 'closed') throw badRequest('Election is closed');
    for (const token of tokens) {
      const row = { token_hash: sha256(token), election_id: electionId, batch_name, created_at: actor.at };
      tx.run(build.insertInto('tokens').values({ ...row, used_at: null, submission_hash: null }));
    }
    recordAudit(tx, actor, {
      action: 'tokens.generated',
      election_id: electionId,
      metadata: { count, batch_name },
    });
  });
  return { tokens, batch_name, count, warning: 'These tokens are shown only once. Save or print them now.' };
}

export interface Batch {
  batch_name: string | null;
  count: number;
  created_at: number;
  used_count: number;
  unused_count: number;
  /** Addresses that were invited with tokens of a named batch. */
  emails: string[];
}

/** The election's tokens by batch, the oldest batch first. */
export async function listBatches(ctx: Context, electionId: string): Promise<Batch[]> {
  await getElection(ctx, electionId);
  const batches = await ctx.db
    .selectFrom('tokens')
    .select((of) => [
      'batch_name',
      of.fn.countAll<number>().as('count'),
      of.fn.min<number>('created_at').as('created_at'),
      of.fn.count<number>('used_at').as('used_count'),
    ])
    .where('election_id', '=', electionId)
    .groupBy('batch_name')
    .orderBy('created_at')
    .execute();
  const invited = await ctx.db
    .selectFrom('invites')
    .innerJoin('tokens', (join) =>
      join
        .onRef('tokens.election_id', '=', 'invites.election_id')
        .onRef('tokens.token_hash', '=', 'invites.token_hash'),
    )
    .select(['tokens.batch_name', 'invites.email'])
    .distinct()
    .where('invites.election_id', '=', electionId)
    .where('tokens.batch_name', 'is not', null)
    .orderBy('invites.email')
    .execute();
  const emails = Map.groupBy(invited, (row) => row.batch_name);
  return batches.map((batch) => ({
    ...batch,
    unused_count: batch.count - batch.used_count,
    emails: emails.get(batch.batch_name)?.map(({ email }) => email) ?? [],
  }));
}

/** Deletes every token of a batch, used ones too. The ballots cast with them stay. @throws 404 without such tokens */
export async function deleteBatch(ctx: Context, electionId: string, batch_name: string | null, actor: Actor) {
  await getElection(ctx, electionId);
  return ctx.write((tx) => {
    const inBatch = build
      .selectFrom('tokens')
      .where('election_id', '=', electionId)
      .where('batch_name', batch_name === null ? 'is' : '=', batch_name);
    const counts = tx.first(inBatch.select((of) => of.fn.count<number>('used_at').as('deleted_used')));
    const deleted = tx.run(
      build
        .deleteFrom('tokens')
        .where('election_id', '=', electionId)
        .where('batch_name', batch_name === null ? 'is' : '=', batch_name),
    );
    if (deleted === 0) throw notFound('Batch not found');
    const answer = { batch_name, deleted, deleted_used: counts?.deleted_used ?? 0 };
    recordAudit(tx, actor, { action: 'batch.deleted', election_id: electionId, metadata: answer });
    return answer;
  });
}

export interface Turnout {
  issued: number;
  used: number;
}

/** Tokens handed out and tokens used, per election. Elections without tokens are absent. */
export async function turnoutOf(ctx: Context, electionIds: string[]): Promise<Map<string, Turnout>> {
  const rows = await ctx.db
    .selectFrom('tokens')
    .select((of) => [
      'election_id',
      of.fn.countAll<number>().as('issued'),
      of.fn.count<number>('used_at').as('used'),
    ])
    .where('election_id', 'in', electionIds)
    .groupBy('election_id')
    .execute();
  return new Map(rows.map(({ election_id, ...turnout }) => [election_id, turnout]));
}

/** The same for one election, with how many were invited by mail. */
export async function officerTurnout(
  ctx: Context,
  electionId: string,
): Promise<Turnout & { invited: number }> {
  const turnout = (await turnoutOf(ctx, [electionId])).get(electionId) ?? { issued: 0, used: 0 };
  const { invited } = await ctx.db
    .selectFrom('invites')
    .select((of) => of.fn.countAll<number>().as('invited'))
    .where('election_id', '=', electionId)
    .executeTakeFirstOrThrow();
  return { ...turnout, invited };
}

/** The voting code in an address. One that is sent twice is an unknown one, not a bad request. */
export const CodeQuery = z.object({
  t: z.union([z.string().trim(), z.array(z.string()).transform((codes) => codes.join(','))]).optional(),
});

/** Looks at a token without using it: undefined when it is not one of the election's. */
export async function findToken(
  ctx: Context,
  electionId: string,
  token: string,
): Promise<{ used: boolean } | undefined> {
  const row = await ctx.db
    .selectFrom('tokens')
    .select('used_at')
    .where('token_hash', '=', sha256(token.trim()))
    .where('election_id', '=', electionId)
    .executeTakeFirst();
  return row && { used: row.used_at !== null };
}

/** @throws 400 unless every one is a token of the election: slips are printed only by who holds the tokens. */
export async function ensureTokensOf(ctx: Context, electionId: string, tokens: string[]): Promise<void> {
  await getElection(ctx, electionId);
  const hashes = tokens.map(sha256);
  const known = await ctx.db
    .selectFrom('tokens')
    .select('token_hash')
    .where('election_id', '=', electionId)
    .where('token_hash', 'in', hashes)
    .execute();
  if (known.length !== new Set(hashes).size)
    throw badField('tokens', 'holds a token that is not of this election');
}
