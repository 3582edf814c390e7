import type { Context } from '#kernel/context.ts';
import { formatShort } from '#kernel/local-time.ts';
import { actorName } from '#people/actor-names.ts';
import type { ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import { listMailings, type Mailing, progressOf } from '#voting/mailings/mailings.ts';

/** The mailings of an election for display, the newest first. */
export const shownMailings = (ctx: Context, electionId: string): ShownMailing[] =>
  listMailings(ctx.db, electionId).map((mailing) => showMailing(ctx, mailing));

export function showMailing(ctx: Context, mailing: Mailing): ShownMailing {
  const { id, kind, started_at, started_by, total, skipped, finished_at, note } = mailing;
  return {
    id,
    kind,
    total,
    skipped,
    note,
    ...progressOf(ctx.db, mailing),
    when: formatShort(started_at, ctx.config.TIME_ZONE),
    by: started_by === null ? null : actorName(ctx.db, started_by),
    finished: finished_at !== null,
  };
}
