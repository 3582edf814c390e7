import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import type { InvitesTable } from '#kernel/db/schema.ts';
import { build, type Tx } from '#kernel/db/writes.ts';
import { badRequest, notFound } from '#kernel/http/errors.ts';
import { flag, listOf, optionalText } from '#kernel/http/validation.ts';
import { newId, newRandomId } from '#kernel/ids.ts';
import { localDate } from '#kernel/local-time.ts';
import { open, seal, sha256 } from '#kernel/secrets.ts';
import { type Election, statusOf } from '#voting/elections/elections.ts';
import { type Recipients, RecipientsInput } from './recipients.ts';

export type Invite = Selectable<InvitesTable>;
export type InviteMode = 'individual' | 'batch';

const SEALED_FOR = 'voting links';

export const InviteInput = RecipientsInput.extend({
  invite_mode: z.enum(['individual', 'batch'], { error: 'must be individual or batch' }).nullish(),
  queue: flag.optional(),
  batch_name: optionalText(200).optional(),
});

export const BulkInviteInput = InviteInput.extend({
  election_ids: listOf(z.string(), 100).refine((ids) => ids.length > 0, 'name at least one election'),
});

/** What an invitation does with its recipients. */
export interface InvitePlan {
  elections: Election[];
  recipients: Recipients;
  mode: InviteMode;
  /** Invitations to elections that have not opened wait until they do. */
  queue: boolean;
  batch_name: string | null;
}

export interface PlacedInvites {
  /** To be sent now; claimed by this run. */
  now: Invite[];
  /** Waiting for their election to open. */
  queued: Invite[];
  /** Recipients that were invited before, per election, with the invite they have. */
  before: Invite[];
}

/**
 * Stores an invite with its own token for every recipient and election that has none yet. One that failed is used
 * again, with its token. Everything is stored before the first mail goes out, so a crash loses nobody.
 * @throws 400 when an election is closed
 */
export async function placeInvites(ctx: Context, plan: InvitePlan, actor: Actor): Promise<PlacedInvites> {
  const batch_name = plan.batch_name ?? `Invited ${localDate(actor.at, ctx.config.TIME_ZONE)}`;
  return ctx.write((tx) => {
    const placed: PlacedInvites = { now: [], queued: [], before: [] };
    for (const { id } of plan.elections) {
      const election = tx.first(build.selectFrom('elections').selectAll().where('id', '=', id));
      if (!election) throw notFound('Election not found');
      if (statusOf(election, actor.at) === 'closed') throw badRequest('Election is closed');
      const wait = plan.queue && statusOf(election, actor.at) === 'scheduled';
      const known = new Map(
        tx
          .all(build.selectFrom('invites').selectAll().where('election_id', '=', id))
          .map((row) => [row.email, row]),
      );
      for (const email of plan.recipients.emails) {
        const earlier = known.get(email);
        // A mail that seemed to fail may have arrived all the same: who has voted by it is not invited again.
        if (earlier && (earlier.status !== 'FAILED' || tokenState(tx, earlier) === 'used'))
          placed.before.push(earlier);
        else
          (wait ? placed.queued : placed.now).push(
            place(ctx, tx, { id, email, earlier, wait, batch_name, mode: plan.mode }, actor),
          );
      }
      const queued = placed.queued.filter(({ election_id }) => election_id === id).length;
      if (queued > 0)
        recordAudit(tx, actor, { action: 'invite.queued', election_id: id, metadata: { count: queued } });
    }
    return placed;
  });
}

/** The officer's listing of one election, the newest first. */
export async function listInvites(ctx: Context, electionId: string) {
  const rows = await ctx.db
    .selectFrom('invites')
    .leftJoin('tokens', (join) =>
      join
        .onRef('tokens.election_id', '=', 'invites.election_id')
        .onRef('tokens.token_hash', '=', 'invites.token_hash'),
    )
    .select([
      'id',
      'email',
      'status',
      'invites.created_at',
      'sent_at',
      'error',
      'used_at',
      'mailed_at',
      'wait_for_open',
    ])
    .where('invites.election_id', '=', electionId)
    .orderBy('invites.created_at', 'desc')
    .orderBy('email')
    .execute();
  return rows.map(({ used_at, ...row }) => ({ ...row, used: used_at !== null }));
}

/** The plain token of an invite; undefined once it was used or its election has closed. */
export function tokenOf(ctx: Context, invite: Pick<Invite, 'token_plaintext'>): string | undefined {
  return invite.token_plaintext === null
    ? undefined
    : open(ctx.secretKey, SEALED_FOR, invite.token_plaintext);
}

/** Erases the voting links kept for elections that have closed: nobody needs them any more. */
export async function forgetClosedLinks(ctx: Context): Promise<void> {
  const kept = await ctx.db
    .selectFrom('invites')
    .innerJoin('elections', 'elections.id', 'invites.election_id')
    .select('elections.id')
    .distinct()
    .where('token_plaintext', 'is not', null)
    .where((where) => where.or([where('close_at', '<=', ctx.now()), where('closed_at', 'is not', null)]))
    .execute();
  if (kept.length === 0) return;
  const ids = kept.map(({ id }) => id);
  await ctx.write((tx) => {
    const waiting = {
      status: 'FAILED',
      claimed_by: null,
      error: 'The election closed before it was sent',
    } as const;
    for (const id of ids) {
      const queued = build
        .updateTable('invites')
        .where('election_id', '=', id)
        .where('status', '=', 'QUEUED');
      const count = tx.run(queued.set(waiting));
      const actor = { ip: SERVICE, at: ctx.now() };
      const metadata = { count, error: waiting.error };
      if (count > 0) recordAudit(tx, actor, { action: 'invite.failed', election_id: id, metadata });
    }
    tx.run(build.updateTable('invites').set({ token_plaintext: null }).where('election_id', 'in', ids));
  });
}

interface Place {
  id: string;
  email: string;
  earlier: Invite | undefined;
  wait: boolean;
  batch_name: string;
  mode: InviteMode;
}

function place(
  ctx: Context,
  tx: Tx,
  { id, email, earlier, wait, batch_name, mode }: Place,
  actor: Actor,
): Invite {
  const state = {
    mode,
    status: 'QUEUED',
    wait_for_open: wait ? 1 : 0,
    claimed_by: wait ? null : ctx.run,
    sent_at: null,
    error: null,
  } as const;
  if (earlier?.token_plaintext && tokenState(tx, earlier) === 'unused') {
    tx.run(build.updateTable('invites').set(state).where('id', '=', earlier.id));
    return { ...earlier, ...state };
  }
  // Its link may be in a mail that did arrive: one person never has two that vote.
  if (earlier) {
    tx.run(
      build
        .deleteFrom('tokens')
        .where('election_id', '=', id)
        .where('token_hash', '=', earlier.token_hash ?? ''),
    );
  }
  const token = newRandomId();
  const invite: Invite = {
    ...state,
    id: earlier?.id ?? newId(actor.at),
    election_id: id,
    email,
    created_at: earlier?.created_at ?? actor.at,
    mailed_at: null,
    token_hash: sha256(token),
    token_plaintext: seal(ctx.secretKey, SEALED_FOR, token),
  };
  const row = { token_hash: sha256(token), election_id: id, batch_name, created_at: actor.at };
  tx.run(build.insertInto('tokens').values({ ...row, used_at: null, submission_hash: null }));
  if (earlier) tx.run(build.updateTable('invites').set(invite).where('id', '=', invite.id));
  else tx.run(build.insertInto('invites').values(invite));
  return invite;
}

/** `gone` when its batch was deleted, and its token with it. */
function tokenState(tx: Tx, { election_id, token_hash }: Invite): 'unused' | 'used' | 'gone' {
  const token = tx.first(
    build
      .selectFrom('tokens')
      .select('used_at')
      .where('election_id', '=', election_id)
      .where('token_hash', '=', token_hash ?? ''),
  );
  if (!token) return 'gone';
  return token.used_at === null ? 'unused' : 'used';
}
