import type { Permission } from '#kernel/access/roles.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { formatNumber } from '#kernel/locale.ts';
import { isOn, type Part } from '#kernel/settings/parts.ts';
import { listTold } from '#meetings/meetings.ts';
import { listApprovals } from '#people/approvals/approvals.ts';
import { countFeedback } from '#pub/feedback/triage.ts';
import { listRequestsForStaff } from '#pub/requests/queue.ts';

/** A page on which somebody with a role has work to do. */
export interface Task {
  href: string;
  label: string;
  /** How much of it waits, in words; empty for nothing. */
  waits: string;
}

interface Place extends Omit<Task, 'waits'> {
  /** Any permission that begins with one of these. */
  needs: readonly string[];
  part?: Part;
  waits?(ctx: Context): string;
  /** Another page than usual, at this moment and for these permissions. */
  page?(ctx: Context, permissions: readonly Permission[]): Pick<Task, 'href' | 'label'> | undefined;
  /** Left out while nothing waits: another task leads to the page too. */
  ifWaiting?: true;
}

/** What somebody does in a meeting, by what they may; the first that fits. */
const OF_MEETING = [
  { needs: 'elections:run', page: 'chair', label: 'Chair the meeting' },
  { needs: 'meetings:door', page: 'door', label: 'The door' },
] as const;

const someOf = (count: number, words = ''): string =>
  count === 0 ? '' : [formatNumber(count), words].filter(Boolean).join(' ');

const PLACES: readonly Place[] = [
  { href: '/admin', label: 'Elections', needs: ['elections:'] },
  {
    href: '/admin/meetings',
    label: 'Meetings',
    needs: ['meetings:'],
    part: 'voting',
    // Whoever chairs, keeps the door or counts is told which one, and led to their page of it.
    waits: (ctx) => listNext(ctx).map(({ title }) => title)[0] ?? '',
    page: (ctx, permissions) => {
      const [next] = listNext(ctx);
      const place = next && OF_MEETING.find(({ needs }) => permissions.includes(needs));
      return place && { href: `/admin/meetings/${next.id}/${place.page}`, label: place.label };
    },
  },
  {
    href: '/admin/approvals',
    label: 'To be approved by a second person',
    needs: ['elections:read'],
    waits: (ctx) => someOf(listApprovals(ctx).length),
    ifWaiting: true,
  },
  {
    href: '/admin/pub',
    label: 'Tonight in the pub',
    needs: ['controls:', 'now_showing:', 'requests:', 'lighting:'],
  },
  {
    href: '/admin/pub#requests',
    label: 'Song requests',
    needs: ['requests:moderate'],
    part: 'requests',
    waits: (ctx) => someOf(listRequestsForStaff(ctx).filter(({ status }) => status === 'pending').length),
    ifWaiting: true,
  },
  {
    href: '/admin/feedback',
    label: 'Feedback',
    needs: ['feedback:'],
    part: 'feedback',
    waits: (ctx) => someOf(countFeedback(ctx, { state: 'new', before: null }), 'new'),
  },
  {
    href: '/admin/content',
    label: 'Events, hours and slides',
    needs: ['content:write'],
    waits: (ctx) => someOf(countDrafts(ctx), 'not published'),
  },
  { href: '/admin/people', label: 'Members', needs: ['people:'] },
  { href: '/admin/calendar', label: 'Calendar subscribers', needs: ['calendar:'] },
  { href: '/admin/pub/roles', label: 'Roles', needs: ['roles:'] },
];

/** Lists the pages that these permissions open, each with what waits there. */
export function listTasks(ctx: Context, permissions: readonly Permission[]): Task[] {
  return PLACES.filter(
    ({ needs, part }) =>
      (part === undefined || isOn(ctx, part)) &&
      permissions.some((permission) => needs.some((prefix) => permission.startsWith(prefix))),
  )
    .map(({ href, label, waits, page, ifWaiting }) => ({
      href,
      label,
      ...page?.(ctx, permissions),
      ifWaiting,
      waits: waits?.(ctx) ?? '',
    }))
    .filter(({ ifWaiting, waits }) => !ifWaiting || waits !== '');
}

/** The meetings that are going on, and those to come. */
const listNext = (ctx: Context) => listTold(ctx.db, ctx.now()).filter(({ state }) => state !== 'closed');

/** Counts the records whose newest version is not published. */
function countDrafts(ctx: Context): number {
  const drafts = build
    .selectFrom('content_records')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('removed_at', 'is', null)
    .where((of) =>
      of.or([of('published_version', 'is', null), of('published_version', '<', of.ref('version'))]),
    );
  return ctx.db.first(drafts)?.count ?? 0;
}
