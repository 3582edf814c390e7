import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, SERVICE } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import { keepText } from '#kernel/language/kept-text.ts';
import { getIssuer } from '#voting/elections/issuers.ts';
import { createInvites, type InvitePlan } from '#voting/invitations/create-invites.ts';
import { ensureMailConfigured } from './invite-mails.ts';
import { createMailing, finishMailing, hasOpenMails } from './mailings.ts';

/** A plan of invitations in the form in which it is stored until the invitations themselves are stored. */
type StoredPlan = Pick<InvitePlan, 'invitees' | 'mode' | 'queue' | 'batch_name' | 'roll'> & {
  election_ids: string[];
  actor: Actor;
};

/**
 * Invites everyone of a plan in the background. The plan is stored first, so that it continues after a restart.
 * @returns the id of the mailing that shows the progress
 */
export async function startInvitations(ctx: Context, plan: InvitePlan, actor: Actor): Promise<string> {
  ensureMailConfigured(ctx);
  const { elections, invitees, mode, queue, batch_name, roll } = plan;
  const election_ids = elections.map(({ id }) => id);
  const stored: StoredPlan = { invitees, mode, queue, batch_name, roll, election_ids, actor };
  const total = invitees.length * elections.length;
  const id = await ctx.write((tx) => {
    const of = { kind: 'invitations', election_id: election_ids[0]!, total } as const;
    return createMailing(tx, { ...of, plan: JSON.stringify(stored) }, [], actor).id;
  });
  await runPlan(ctx, id, stored);
  return id;
}

/**
 * The background job: continues the plans of an ended process and those that the disk refused, and finishes mailings
 * whose last mails were deleted.
 */
export async function continueMailings(ctx: Context): Promise<void> {
  const running = build.selectFrom('mailings').selectAll().where('finished_at', 'is', null);
  for (const { id, plan } of ctx.db.all(running.orderBy('started_at'))) {
    if (plan === null) {
      if (!hasOpenMails(ctx.db, id))
        await ctx.write((tx) => finishMailing(tx, id, { ip: SERVICE, at: ctx.now() }));
    } else {
      const stored = JSON.parse(plan) as StoredPlan;
      await runPlan(ctx, id, { ...stored, actor: { ...stored.actor, at: ctx.now() } });
    }
  }
}

/** Plans that are being stored: only this process serves the database, so no row says so. */
const RUNNING = kept<Promise<void>>({ age: 0 });

/** Stores the invitations of a plan, or waits for the run that does so already. */
const runPlan = (ctx: Context, id: string, plan: StoredPlan): Promise<void> =>
  ctx.cache.get(RUNNING, id, () => storeInvitations(ctx, id, plan));

/** Stores the invitations of a plan. Those that were stored before a restart are found, so nobody is invited twice. */
async function storeInvitations(ctx: Context, id: string, stored: StoredPlan): Promise<void> {
  const { election_ids, actor, ...plan } = stored;
  let note: string | null = null;
  try {
    const elections = election_ids.map((election) => getIssuer(ctx.db, election));
    const whole = { ...plan, elections, invalid: [], inBackground: true, mailing_id: id };
    await createInvites(ctx, whole, actor);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    note = keepText(error.pageText ?? error.message);
  }
  await ctx.write((tx) => {
    const { count } = tx.first(
      build
        .selectFrom('invites')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('mailing_id', '=', id),
    )!;
    const planned = plan.invitees.length * election_ids.length;
    const set = { plan: null, total: count, skipped: Math.max(0, planned - count), note };
    tx.run(build.updateTable('mailings').set(set).where('id', '=', id));
    finishMailing(tx, id, { ...actor, at: ctx.now() });
  });
}
