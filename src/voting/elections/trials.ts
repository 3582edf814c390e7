import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { SERVICE } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { deleteElection } from './deletion.ts';
import { deleteAt, type Election } from './elections.ts';
import { getTurnout } from './turnout.ts';

/** How many people can vote in a trial. */
export const TRIAL_VOTERS = 20;

/**
 * Refuses more voting codes, mailed and printed together, than a trial may have. Call it after the codes were stored, in
 * their transaction. @throws 400 naming the field and the limit
 */
export function ensureTrialRoom(
  reader: Reader,
  { id, trial }: Pick<Election, 'id' | 'trial'>,
  field: 'count' | 'emails' | 'to',
): void {
  if (trial === 1 && getTurnout(reader, id).issued > TRIAL_VOTERS)
    throw badField(field, 'trial_full', { max: TRIAL_VOTERS });
}

/**
 * Checks the period of a trial: it ends at the latest with its deletion.
 * @throws 400 if it would open only after that
 */
export function trialWindow(
  election: Pick<Election, 'created_at'>,
  window: { open_at: number; close_at: number },
): { open_at: number; close_at: number } {
  const deleted = deleteAt(election);
  if (window.open_at >= deleted) throw badField('open_at', 'trial_opens_late', { at: isoTime(deleted) });
  return { ...window, close_at: Math.min(window.close_at, deleted) };
}

/** Deletes the trials whose time is over, with everything but their entries in the audit log. */
export async function deleteOldTrials(ctx: Context): Promise<void> {
  const trials = build.selectFrom('elections').select(['id', 'created_at']).where('trial', '=', 1);
  for (const { id, created_at } of ctx.db.all(trials)) {
    const now = ctx.now();
    if (deleteAt({ created_at }) > now) continue;
    await deleteElection(ctx, id, { reason: null, figures: undefined }, { ip: SERVICE, at: now });
  }
}
