import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build, ONE, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { InvitesTable } from '#kernel/db/schema.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { flag, listOf, optionalText } from '#kernel/http/validation.ts';
import { newId, newRandomId } from '#kernel/ids.ts';
import { localDate } from '#kernel/local-time.ts';
import { open, seal } from '#kernel/secrets.ts';
import { findToken, hashToken, insertTokens, UNUSED } from '#voting/ballots/tokens.ts';
import { type Election, electionStatus, getElection } from '#voting/elections/elections.ts';
import { advanceElections, openIfBegun } from '#voting/elections/lifecycle.ts';
import { areVotersHidden } from '#voting/elections/visibility.ts';
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

export interface CreatedInvites {
  /** To be sent now; claimed by this process. */
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
export async function createInvites(ctx: Context, plan: InvitePlan, actor: Actor): Promise<CreatedInvites> {
  const batch_name = plan.batch_name ?? `Invited ${localDate(actor.at, ctx.config.TIME_ZONE)}`;
  return ctx.write((tx) => {
    const created: CreatedInvites = { now: [], queued: [], before: [] };
    for (const { id } of plan.elections) {
      const election = getElection(tx, id);
      if (electionStatus(election, actor.at) === 'closed') throw badRequest('Election is closed');
      const wait = plan.queue && electionStatus(election, actor.at) === 'scheduled';
      const known = new Map(
        tx
          .all(build.selectFrom('invites').selectAll().where('election_id', '=', id))
          .map((row) => [row.email, row]),
      );
      for (const email of plan.recipients.emails) {
        const earlier = known.get(email);
        // A mail that seemed to fail may have arrived: whoever has voted with its link is not invited again.
        if (earlier && (earlier.status !== 'FAILED' || tokenState(tx, earlier) === 'used'))
          created.before.push(earlier);
        else
          (wait ? created.queued : created.now).push(
            createInvite(ctx, tx, { id, email, earlier, wait, batch_name, mode: plan.mode }, actor),
          );
      }
      if (created.now.length + created.queued.length > 0) openIfBegun(tx, election, actor.at);
      const queued = created.queued.filter(({ election_id }) => election_id === id).length;
      if (queued > 0)
        recordAudit(tx, actor, { action: 'invite.queued', election_id: id, metadata: { count: queued } });
    }
    return created;
  });
}

/** Every invite with its token; the token's columns are null when its batch was deleted. */
export const invitesWithTokens = build
  .selectFrom('invites')
  .leftJoin('tokens', (join) =>
    join
      .onRef('tokens.election_id', '=', 'invites.election_id')
      .onRef('tokens.token_hash', '=', 'invites.token_hash'),
  );

/** The officer's listing of one election, the newest first; `used` is null while nobody is told who has voted. */
export function listInvites(reader: Reader, electionId: string, now: number) {
  const hidden = areVotersHidden(getElection(reader, electionId), now);
  const rows = reader.all(
    invitesWithTokens
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
      .orderBy('email'),
  );
  return rows.map(({ used_at, ...row }) => ({ ...row, used: hidden ? null : used_at !== null }));
}

/** Of all who were invited: how many have voted, and how many of those with a mail have not. */
export function countVoters(reader: Reader, electionId: string): { used: number; notVoted: number } {
  return reader.first(
    invitesWithTokens
      .select((of) => [
        of.fn.count<number>('used_at').as('used'),
        sql<number>`count(*) FILTER (WHERE used_at IS NULL AND status = 'SENT')`.as('notVoted'),
      ])
      .where('invites.election_id', '=', electionId),
  )!;
}

/** The form in which the token of an invite is kept for resending. */
export const sealToken = (ctx: Context, token: string): string => seal(ctx.secretKey, SEALED_FOR, token);

/** Decrypts the token of an invite; undefined once it was used, its election has closed or a backup was restored. */
export function openToken(ctx: Context, invite: Pick<Invite, 'token_plaintext'>): string | undefined {
  return invite.token_plaintext === null
    ? undefined
    : open(ctx.secretKey, SEALED_FOR, invite.token_plaintext);
}

/** Invites looked at in one turn. */
const PAGE = 1_000;

/**
 * Deletes the kept voting links of closed elections, and fails what was still queued for them, in pieces between which
 * other requests have their turn. A sealed election has had this done.
 */
export async function deleteClosedLinks(ctx: Context): Promise<void> {
  await advanceElections(ctx);
  const closed = build
    .selectFrom('elections')
    .select('id')
    .where('closed_at', 'is not', null)
    .where('sealed_at', 'is', null);
  for (const { id } of ctx.db.all(closed)) {
    if (hasQueued(ctx.db, id)) await ctx.write((tx) => failQueued(tx, id, ctx.now()));
    await deleteLinks(ctx, id);
  }
}

const queuedOf = (electionId: string) =>
  build
    .selectFrom('invites')
    .select('id')
    .where('election_id', '=', electionId)
    .where('status', '=', 'QUEUED');

const hasQueued = (reader: Reader, electionId: string): boolean =>
  reader.first(queuedOf(electionId).limit(ONE)) !== undefined;

function failQueued(tx: Tx, election_id: string, now: number): void {
  const waiting = {
    status: 'FAILED',
    claimed_by: null,
    error: 'The election closed before it was sent',
  } as const;
  const count = tx.run(build.updateTable('invites').where('id', 'in', queuedOf(election_id)).set(waiting));
  const metadata = { count, error: waiting.error };
  if (count > 0)
    recordAudit(tx, { ip: SERVICE, at: now }, { action: 'invite.failed', election_id, metadata });
}

async function deleteLinks(ctx: Context, election_id: string): Promise<void> {
  let after: string | null = '';
  while (after !== null) {
    await ctx.queue.turn();
    const page: { rows: number; links: number; last: string | null } = ctx.db.first(
      linksAfter({ election_id, after }),
    )!;
    const { rows, links, last } = page;
    if (links > 0 && last !== null) {
      const range = { election_id, after, last };
      await ctx.write((tx) => tx.run(deleteLinksBetween(range)), { repeatable: true });
    }
    after = rows < PAGE ? null : last;
  }
}

const linksAfter = prepare((p: { election_id: string; after: string }) =>
  build
    .selectFrom(
      build
        .selectFrom('invites')
        .select(['email', 'token_plaintext'])
        .where('election_id', '=', p.election_id)
        .where('email', '>', p.after)
        .orderBy('email')
        .limit(sql.lit(PAGE))
        .as('page'),
    )
    .select((of) => [
      of.fn.countAll<number>().as('rows'),
      of.fn.count<number>('token_plaintext').as('links'),
      sql<string | null>`max(email)`.as('last'),
    ]),
);

const deleteLinksBetween = prepare((p: { election_id: string; after: string; last: string }) =>
  build
    .updateTable('invites')
    .set({ token_plaintext: null })
    .where('election_id', '=', p.election_id)
    .where('email', '>', p.after)
    .where('email', '<=', p.last)
    .where('token_plaintext', 'is not', null),
);

interface NewInvite {
  id: string;
  email: string;
  earlier: Invite | undefined;
  wait: boolean;
  batch_name: string;
  mode: InviteMode;
}

function createInvite(
  ctx: Context,
  tx: Tx,
  { id, email, earlier, wait, batch_name, mode }: NewInvite,
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
  // The mail that seemed to fail may have arrived: one person must never have two valid tokens.
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
    token_hash: hashToken(token),
    token_plaintext: sealToken(ctx, token),
  };
  insertTokens(tx, [
    { token_hash: hashToken(token), election_id: id, batch_name, created_at: actor.at, ...UNUSED },
  ]);
  if (earlier) tx.run(build.updateTable('invites').set(invite).where('id', '=', invite.id));
  else tx.run(build.insertInto('invites').values(invite));
  return invite;
}

/** `gone` when its batch was deleted, and its token with it. */
function tokenState(tx: Tx, { election_id, token_hash }: Invite): 'unused' | 'used' | 'gone' {
  const token = findToken(tx, election_id, token_hash ?? '');
  if (!token) return 'gone';
  return token.used ? 'used' : 'unused';
}
