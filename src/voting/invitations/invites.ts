import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build, ONE, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { InvitesTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { flag, listOf, oneOf, optionalName } from '#kernel/http/validation.ts';
import type { MailReason } from '#kernel/mail/reasons.ts';
import { coded } from '#kernel/messages/messages.ts';
import { open, seal } from '#kernel/secrets.ts';
import { getIssuer, hasCounted, waits } from '#voting/elections/issuers.ts';
import { openAndCloseDue } from '#voting/elections/lifecycle.ts';
import { areVotersHidden } from '#voting/elections/visibility.ts';
import { codeOfInvite, electorOfInvite } from '#voting/electors/joins.ts';
import { finishMailing } from './mailings.ts';
import { InvitedInput } from './recipients.ts';

export type Invite = Selectable<InvitesTable>;
export type InviteMode = 'individual' | 'batch';

const SEALED_FOR = 'voting links';

export const InviteInput = InvitedInput.extend({
  invite_mode: oneOf(['individual', 'batch']).nullish(),
  queue: flag.optional(),
  batch_name: optionalName(200).optional(),
});

export const BulkInviteInput = InviteInput.extend({
  election_ids: listOf(z.string(), 100).refine((ids) => ids.length > 0, coded('no_election')),
});

/** Every invite with its token; the token's columns are null when its batch was deleted. */
export const invitesWithTokens = build.selectFrom('invites').leftJoin('tokens', codeOfInvite);

/** Whether its code was used: one of a paper for every question that is not closed. A vote that is void is not told. */
const isUsed = sql<0 | 1>`(tokens.token_hash IS NOT NULL AND NOT ${waits()} AND ${hasCounted})`;

/** Whether its link has ended although nobody withdrew it: its holder got a card at the door, or links ended for all. */
const hasEnded = sql<0 | 1>`(withdrawn_at IS NULL AND EXISTS (
  SELECT 1 FROM withdrawn_codes AS ended
  WHERE ended.election_id = invites.election_id AND ended.token_hash = invites.token_hash))`;

export const findInvite = (reader: Reader, id: string): Invite | undefined =>
  reader.first(build.selectFrom('invites').selectAll().where('id', '=', id));

/** @throws 404 */
export function getInvite(reader: Reader, electionId: string, inviteId: string): Invite {
  const own = build.selectFrom('invites').selectAll().where('id', '=', inviteId);
  const invite = reader.first(own.where('election_id', '=', electionId));
  if (!invite) throw notFound('invite_not_found');
  return invite;
}

/**
 * Lists the invites of an election for officers, the newest first.
 * @param showRoll whether to show the names and addresses that come from the roll; otherwise they are empty
 * @returns with `used` null where the vote is void: nobody learns who voted
 */
export function listInvites(reader: Reader, electionId: string, showRoll: boolean) {
  getIssuer(reader, electionId);
  const isHidden = areVotersHidden(reader, electionId);
  const rows = reader.all(
    invitesWithTokens
      .leftJoin('electors', electorOfInvite)
      .leftJoin('addresses as roll', (join) =>
        join.onRef('roll.person_id', '=', 'invites.person_id').on('roll.is_primary', '=', sql.lit(1)),
      )
      .select([
        'invites.id',
        'invites.email',
        'electors.name as elector_name',
        'recipient_name',
        'standing',
        'as_of',
        'status',
        'invites.created_at',
        'sent_at',
        'error',
        isUsed.as('used'),
        hasEnded.as('ended'),
        'mailed_at',
        'mailing_id',
        'batch_name',
        'invites.person_id',
        'slip_printed_at',
        'withdrawn_at',
        'roll.email as roll_email',
      ])
      .where('invites.election_id', '=', electionId)
      .orderBy('invites.created_at', 'desc')
      .orderBy('invites.email'),
  );
  return rows.map(({ as_of, elector_name, recipient_name, roll_email, ...row }) => ({
    ...row,
    slip: row.status === 'SLIP' ? slipState(row) : null,
    /** The address that the roll has now, where it is not the one of the invitation. */
    roll_email: showRoll && roll_email !== row.email ? roll_email : null,
    email: showRoll || as_of === null ? row.email : '',
    name: (showRoll ? elector_name : null) ?? (as_of === null ? recipient_name : null),
    standing: showRoll ? row.standing : null,
    used: isHidden ? null : row.used === 1,
    ended: row.ended === 1,
  }));
}

/** How far the printed slip of somebody without an address is. */
export type SlipState = 'to_print' | 'printed' | 'used';

const slipState = ({
  used,
  slip_printed_at,
}: Pick<Invite, 'slip_printed_at'> & { used: 0 | 1 }): SlipState =>
  used === 1 ? 'used' : slip_printed_at === null ? 'to_print' : 'printed';

/** Counts of an election's invitations by state; those whose code was withdrawn are counted apart. */
export interface InviteCounts {
  /** Taken over from a void election, not invited yet. */
  prepared: number;
  queued: number;
  sent: number;
  failed: number;
  slips: { to_print: number; printed: number; used: number };
  withdrawn: number;
}

export function countByStatus(reader: Reader, electionId: string): InviteCounts {
  const is = (state: RawBuilder<unknown>) =>
    sql<number>`count(*) FILTER (WHERE withdrawn_at IS NULL AND ${state})`;
  const { to_print, printed, used, ...counts } = reader.first(
    invitesWithTokens
      .select([
        is(sql`status = 'PREPARED'`).as('prepared'),
        is(sql`status = 'QUEUED'`).as('queued'),
        is(sql`status = 'SENT'`).as('sent'),
        is(sql`status = 'FAILED'`).as('failed'),
        is(sql`status = 'SLIP' AND NOT ${isUsed} AND slip_printed_at IS NULL`).as('to_print'),
        is(sql`status = 'SLIP' AND NOT ${isUsed} AND slip_printed_at IS NOT NULL`).as('printed'),
        is(sql`status = 'SLIP' AND ${isUsed}`).as('used'),
        sql<number>`count(withdrawn_at)`.as('withdrawn'),
      ])
      .where('invites.election_id', '=', electionId),
  )!;
  return { ...counts, slips: { to_print, printed, used } };
}

/** Counts the invited people who have voted, and those who were mailed and have not voted. */
export function countVoters(reader: Reader, electionId: string): { used: number; notVoted: number } {
  return reader.first(
    invitesWithTokens
      .select([
        sql<number>`count(*) FILTER (WHERE ${isUsed})`.as('used'),
        sql<number>`count(*) FILTER (WHERE NOT ${isUsed} AND status = 'SENT' AND withdrawn_at IS NULL)`.as(
          'notVoted',
        ),
      ])
      .where('invites.election_id', '=', electionId),
  )!;
}

/** Encrypts the token of an invite, which is stored for resending. */
export const sealToken = (ctx: Context, token: string): string => seal(ctx.secretKey, SEALED_FOR, token);

/** Decrypts the token of an invite; undefined once it was used, its election has closed or a backup was restored. */
export function openToken(ctx: Context, invite: Pick<Invite, 'token_plaintext'>): string | undefined {
  return invite.token_plaintext === null
    ? undefined
    : open(ctx.secretKey, SEALED_FOR, invite.token_plaintext);
}

/** Invites read in one turn. */
const PAGE = 1_000;

/**
 * Deletes the stored voting links of closed elections and papers, and marks their queued invites as failed. Other requests can run
 * between its steps. Sealed elections are left out, because this was done before the sealing.
 */
export async function deleteClosedLinks(ctx: Context): Promise<void> {
  await openAndCloseDue(ctx);
  const closed = build
    .selectFrom('elections')
    .select('id')
    .where('closed_at', 'is not', null)
    .where('sealed_at', 'is', null);
  const papers = build.selectFrom('papers').select('id').where('closed_at', 'is not', null).where(hasLinks);
  for (const { id } of [...ctx.db.all(closed), ...ctx.db.all(papers)]) {
    if (hasQueued(ctx.db, id)) await ctx.write((tx) => failQueued(tx, id, ctx.now()));
    await deleteLinks(ctx, id);
  }
}

const hasLinks = sql<SqlBool>`EXISTS (
  SELECT 1 FROM invites WHERE invites.election_id = papers.id AND token_plaintext IS NOT NULL)`;

/** As a literal: an index of such rows alone is not used for a parameter. */
const QUEUED = sql.lit<'QUEUED'>('QUEUED');

const queuedOf = (electionId: string) =>
  build.selectFrom('invites').select('id').where('election_id', '=', electionId).where('status', '=', QUEUED);

const hasQueued = (reader: Reader, electionId: string): boolean =>
  reader.first(queuedOf(electionId).limit(ONE)) !== undefined;

function failQueued(tx: Tx, election_id: string, now: number): void {
  const actor: Actor = { ip: SERVICE, at: now };
  const ended = { error: 'The election closed before it was sent' } satisfies { error: MailReason };
  const queued = tx.all(queuedOf(election_id).select('mailing_id'));
  // The outcome of a mail that is being sent is stored all the same.
  tx.run(
    build
      .updateTable('outbox')
      .set({ state: 'FAILED', ended_at: now, ...ended })
      .where('ref', 'in', queuedOf(election_id))
      .where('kind', '=', 'invitation')
      .where('state', '=', 'WAITING'),
  );
  const failed = { status: 'FAILED', ...ended } as const;
  const count = tx.run(build.updateTable('invites').where('id', 'in', queuedOf(election_id)).set(failed));
  const metadata = { count, error: ended.error };
  if (count > 0) recordAudit(tx, actor, { action: 'invite.failed', election_id, metadata });
  for (const mailing of new Set(queued.map(({ mailing_id }) => mailing_id)))
    finishMailing(tx, mailing, actor);
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
        .select(['id', 'token_plaintext'])
        .where('election_id', '=', p.election_id)
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(sql.lit(PAGE))
        .as('page'),
    )
    .select((of) => [
      of.fn.countAll<number>().as('rows'),
      of.fn.count<number>('token_plaintext').as('links'),
      sql<string | null>`max(id)`.as('last'),
    ]),
);

const deleteLinksBetween = prepare((p: { election_id: string; after: string; last: string }) =>
  build
    .updateTable('invites')
    .set({ token_plaintext: null })
    .where('election_id', '=', p.election_id)
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .where('token_plaintext', 'is not', null),
);
