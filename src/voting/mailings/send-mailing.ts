import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { ComposeInvitation } from '#voting/invitations/invitation-mails.ts';
import { NOT_PUT_OFF, nextTry } from '#voting/invitations/put-off.ts';
import { type MailResult, queuedAgain, type TriedMail } from '#voting/invitations/recipients.ts';
import { countMails, getMailing, type Mailing, type MailingMail } from './mailings.ts';
import { reminderSender } from './reminder-sender.ts';
import { type ComposeResults, resultsSender } from './results-sender.ts';

/** Functions that compose the mails: the templates are views, which this layer does not import. */
export interface Composers {
  invitation: ComposeInvitation;
  results: ComposeResults;
}

/** A mailing with more mails than this is sent after the answer, at the pace of the queue. */
export const SENT_AT_ONCE = 100;

/** Sends the remaining mails of a mailing, all at once. @returns a row for each mail that was tried */
export async function sendMailing(
  ctx: Context,
  id: string,
  composers: Composers,
  actor: Actor,
): Promise<MailResult[]> {
  const results = await sendSlice(ctx, getMailing(ctx.db, id), Number.MAX_SAFE_INTEGER, composers, actor);
  await finishMailing(ctx, id, actor);
  return results;
}

/** The background job for long mailings, and for those of an ended process. It sends what the pace allows a second. */
export async function sendWaitingMailings(ctx: Context, composers: Composers): Promise<void> {
  if (ctx.mailer.missing().length > 0) return;
  let left = Math.max(1, Math.floor(ctx.config.MAILER_PACE_PER_MINUTE / 60));
  const running = ctx.db.all(
    build
      .selectFrom('mailings')
      .selectAll()
      .where('finished_at', 'is', null)
      .where('kind', '!=', 'invitations')
      .orderBy('started_at'),
  );
  for (const mailing of running) {
    const actor: Actor = {
      ip: SERVICE,
      at: ctx.now(),
      ...(mailing.started_by && { by: mailing.started_by }),
    };
    left -= (await sendSlice(ctx, mailing, left, composers, actor)).length;
    await finishMailing(ctx, mailing.id, actor);
    if (left <= 0) return;
  }
}

async function sendSlice(
  ctx: Context,
  mailing: Mailing,
  limit: number,
  composers: Composers,
  actor: Actor,
): Promise<MailResult[]> {
  const sender =
    mailing.kind === 'results'
      ? await resultsSender(ctx, mailing, composers.results)
      : reminderSender(ctx, mailing, composers.invitation, actor);
  if (typeof sender === 'string') {
    await ctx.write((tx) => abandon(tx, mailing.id, sender));
    return [];
  }
  const mails = await ctx.write((tx) => claim(tx, mailing.id, limit, ctx));
  const results = await Promise.all(
    mails.map(async (mail) => {
      const result = await sender(mail);
      return ctx.write((tx) => mark(tx, mail, result, ctx.now()));
    }),
  );
  return results.filter((result) => result !== 'skipped');
}

/** Claims mails to send. Those that an ended process was sending become UNSURE, and are sent again only on request. */
function claim(
  tx: Tx,
  mailingId: string,
  limit: number,
  { run, now }: Pick<Context, 'run' | 'now'>,
): MailingMail[] {
  tx.run(
    build
      .updateTable('mailing_mails')
      .set({ state: 'UNSURE' })
      .where('mailing_id', '=', mailingId)
      .where('state', '=', 'SENDING')
      .where('claimed_by', '!=', run),
  );
  const waiting = tx.all(
    build
      .selectFrom('mailing_mails')
      .selectAll()
      .where('mailing_id', '=', mailingId)
      .where('state', '=', 'WAITING')
      .where((where) => where.or([where('due_at', 'is', null), where('due_at', '<=', now())]))
      // In the order in which they were added.
      .orderBy(sql`rowid`)
      .limit(limit),
  );
  for (const { id } of waiting)
    tx.run(
      build.updateTable('mailing_mails').set({ state: 'SENDING', claimed_by: run }).where('id', '=', id),
    );
  return waiting;
}

function mark(tx: Tx, mail: MailingMail, result: TriedMail | 'skipped', now: number): MailResult | 'skipped' {
  const putOff = result !== 'skipped' && result.putOff ? result : undefined;
  const later = putOff && nextTry(mail, now);
  const set = later
    ? ({ state: 'WAITING', claimed_by: null, error: putOff.error ?? null, ...later } as const)
    : endOf(result, now);
  tx.run(build.updateTable('mailing_mails').set(set).where('id', '=', mail.id));
  if (later) return queuedAgain(putOff);
  if (result === 'skipped') return result;
  const { putOff: _, ...outcome } = result;
  return outcome;
}

function endOf(result: TriedMail | 'skipped', now: number) {
  if (result === 'skipped') return { ...NOT_PUT_OFF, state: 'SKIPPED' } as const;
  if (result.success) return { ...NOT_PUT_OFF, state: 'SENT', sent_at: now, error: null } as const;
  return { ...NOT_PUT_OFF, state: 'FAILED', error: result.error ?? 'Not sent' } as const;
}

function abandon(tx: Tx, mailingId: string, note: string): void {
  tx.run(build.updateTable('mailings').set({ note }).where('id', '=', mailingId));
  tx.run(
    build
      .updateTable('mailing_mails')
      .set({ state: 'SKIPPED' })
      .where('mailing_id', '=', mailingId)
      .where('state', '=', 'WAITING'),
  );
}

/** Stores the final counts and records what was sent, once all mails were tried. */
async function finishMailing(ctx: Context, id: string, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    const mailing = getMailing(tx, id);
    const { waiting, sent, failed, unsure } = countMails(tx, id);
    if (waiting > 0 || mailing.finished_at !== null) return;
    const at = ctx.now();
    const skipped = mailing.skipped + mailing.total - sent - failed - unsure;
    tx.run(
      build
        .updateTable('mailings')
        .set({ sent, failed, unsure, skipped, finished_at: at })
        .where('id', '=', id),
    );
    const { kind, election_id } = mailing;
    if (kind === 'results')
      recordAudit(
        tx,
        { ...actor, at },
        { action: 'results.emailed', election_id, metadata: { sent, failed, ...(unsure > 0 && { unsure }) } },
      );
    if (kind === 'reminders')
      tx.run(build.deleteFrom('mailing_mails').where('mailing_id', '=', id).where('state', '!=', 'FAILED'));
  });
}
