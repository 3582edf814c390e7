import type { Context } from '#kernel/context.ts';
import { formatShort, formatWhen } from '#kernel/local-time.ts';
import { listGroups, listKinds } from '#people/roll/kinds-and-groups.ts';
import { todayOf } from '#people/roll/people.ts';
import type { Invitations, InviteFilter } from '#views/voting/admin/election.ts';
import type { RollChoice } from '#views/voting/admin/invitations/invite-fields.ts';
import { type Election, electionStatus } from '#voting/elections/elections.ts';
import { areVotersHidden } from '#voting/elections/visibility.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';
import { countUnaddressed, countVoters, listInvites } from '#voting/invitations/invites.ts';

const PAGE_SIZE = 100;

type Row = ReturnType<typeof listInvites>[number];

const FILTERS: Record<InviteFilter, (row: Row) => boolean> = {
  all: () => true,
  queued: ({ status }) => status === 'QUEUED',
  sent: ({ status }) => status === 'SENT',
  failed: ({ status }) => status === 'FAILED',
  'not-voted': ({ status, used }) => status === 'SENT' && used === false,
};

/** What the officer's page of an election shows of its invitations. */
export function loadInvitations(
  ctx: Context,
  election: Election,
  { filter, page = 1 }: { filter?: string | undefined; page?: number | undefined },
  mailed: Invitations['mailed'],
  showRoll: boolean,
): Invitations {
  const zone = ctx.config.TIME_ZONE;
  const all = listInvites(ctx.db, election.id, ctx.now(), showRoll);
  const showVoters = !areVotersHidden(election, ctx.now());
  const chosen = isFilter(filter) && (showVoters || filter !== 'not-voted') ? filter : 'all';
  const rows = all.filter(FILTERS[chosen]);
  const shown = Math.min(page, Math.max(1, Math.ceil(rows.length / PAGE_SIZE)));
  const count = (which: InviteFilter) => all.filter(FILTERS[which]).length;
  const waiting = electionStatus(election, ctx.now()) === 'scheduled' && count('queued') > 0;
  return {
    rows: rows.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE).map((row) => ({
      id: row.id,
      email: row.email,
      name: row.name,
      standing: row.standing,
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
      ...countVoters(ctx.db, election.id),
    },
    showVoters,
    filter: chosen,
    page: shown,
    pageSize: PAGE_SIZE,
    goesOut: waiting ? goesOut(ctx, [election]) : undefined,
    lists: listDistributionLists(ctx.db),
    roll: rollChoice(ctx),
    // Once voting is open and nobody is told who has voted, slips that are left would tell it.
    unaddressed: showVoters || election.opened_at === null ? countUnaddressed(ctx.db, election.id) : 0,
    mailed,
    ...mailState(ctx),
  };
}

function isFilter(text: string | undefined): text is InviteFilter {
  return text !== undefined && Object.hasOwn(FILTERS, text);
}

/** What of the roll can be chosen: kinds with a vote, and groups. */
export function rollChoice(ctx: Context): RollChoice {
  const kinds = listKinds(ctx.db).filter(({ votes }) => votes);
  return { kinds, groups: listGroups(ctx.db), today: todayOf(ctx) };
}

/** Whether mails can be sent, for the pages that offer it. */
export function mailState(ctx: Context) {
  const missing = ctx.mailer.missing();
  return { mailReady: missing.length === 0, missing };
}

/** When queued invitations are sent: the first opening of their elections. */
export function goesOut(ctx: Context, waiting: Election[]): string | undefined {
  const [first] = waiting.map(({ open_at }) => open_at).sort((a, b) => a - b);
  return first === undefined ? undefined : formatWhen(first, ctx.config.TIME_ZONE);
}
