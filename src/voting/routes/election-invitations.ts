import type { Context } from '#kernel/context.ts';
import { formatShort } from '#kernel/local-time.ts';
import type { Invitations, InviteFilter } from '#views/voting/admin/election.ts';
import { type Election, statusOf } from '#voting/elections/elections.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';
import { listInvites } from '#voting/invitations/invites.ts';
import { goesOut, mailState } from './mail-state.ts';

const PAGE_SIZE = 100;

type Row = Awaited<ReturnType<typeof listInvites>>[number];

const FILTERS: Record<InviteFilter, (row: Row) => boolean> = {
  all: () => true,
  queued: ({ status }) => status === 'QUEUED',
  sent: ({ status }) => status === 'SENT',
  failed: ({ status }) => status === 'FAILED',
  'not-voted': ({ status, used }) => status === 'SENT' && !used,
};

/** What the officer's page of an election shows of its invitations. */
export async function invitationsOf(
  ctx: Context,
  election: Election,
  { filter, page = 1 }: { filter?: string | undefined; page?: number | undefined },
  mailed: Invitations['mailed'],
): Promise<Invitations> {
  const zone = ctx.config.TIME_ZONE;
  const all = await listInvites(ctx, election.id);
  const chosen = isFilter(filter) ? filter : 'all';
  const rows = all.filter(FILTERS[chosen]);
  const shown = Math.min(page, Math.max(1, Math.ceil(rows.length / PAGE_SIZE)));
  const count = (which: InviteFilter) => all.filter(FILTERS[which]).length;
  const waiting = statusOf(election, ctx.now()) === 'scheduled' && count('queued') > 0;
  return {
    rows: rows.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE).map((row) => ({
      id: row.id,
      email: row.email,
      status: row.status,
      created: formatShort(row.created_at, zone),
      sent: row.sent_at === null ? null : formatShort(row.sent_at, zone),
      used: row.used,
      error: row.error,
    })),
    total: rows.length,
    counts: {
      queued: count('queued'),
      sent: count('sent'),
      failed: count('failed'),
      used: all.filter(({ used }) => used).length,
      notVoted: count('not-voted'),
    },
    filter: chosen,
    page: shown,
    pageSize: PAGE_SIZE,
    goesOut: waiting ? goesOut(ctx, [election]) : undefined,
    lists: await listDistributionLists(ctx),
    mailed,
    ...mailState(ctx),
  };
}

function isFilter(text: string | undefined): text is InviteFilter {
  return text !== undefined && Object.hasOwn(FILTERS, text);
}
