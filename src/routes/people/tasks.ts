import type { Permission } from '#kernel/access/roles.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { isOn, type Part } from '#kernel/settings/parts.ts';
import { listTold } from '#meetings/meetings.ts';
import { listApprovals } from '#people/approvals/approvals.ts';
import { countFeedback } from '#pub/feedback/triage.ts';
import { listRequestsForStaff } from '#pub/requests/queue.ts';

/** A page on which somebody with a role has work to do. */
export interface Task {
  href: string;
  label: Words;
  /** How much of it waits, in words; undefined for nothing. */
  waits: Words | string | undefined;
}

interface Place extends Omit<Task, 'waits'> {
  /** Any permission that begins with one of these. */
  needs: readonly string[];
  part?: Part;
  waits?(ctx: Context): Words | string | undefined;
  /** Another page than usual, at this moment and for these permissions. */
  page?(ctx: Context, permissions: readonly Permission[]): Pick<Task, 'href' | 'label'> | undefined;
  /** Left out while nothing waits: another task leads to the page too. */
  ifWaiting?: true;
}

/** What somebody does in a meeting, by what they may; the first that fits. */
const OF_MEETING = [
  { needs: 'elections:run', page: 'chair', label: t('people.task.chair') },
  { needs: 'meetings:door', page: 'door', label: t('people.task.door') },
] as const;

/** How many wait, by itself or in words; undefined for none. */
const someOf = (n: number, words: (n: Words) => Words = (n) => n): Words | undefined =>
  n === 0 ? undefined : words(formatNumber(n));

const PLACES: readonly Place[] = [
  { href: '/admin', label: t('people.task.elections'), needs: ['elections:'] },
  {
    href: '/admin/meetings',
    label: t('people.task.meetings'),
    needs: ['meetings:'],
    part: 'voting',
    // Whoever chairs, keeps the door or counts is told which one, and led to their page of it.
    waits: (ctx) => listNext(ctx)[0]?.title,
    page: (ctx, permissions) => {
      const [next] = listNext(ctx);
      const place = next && OF_MEETING.find(({ needs }) => permissions.includes(needs));
      return place && { href: `/admin/meetings/${next.id}/${place.page}`, label: place.label };
    },
  },
  {
    href: '/admin/approvals',
    label: t('people.task.approvals'),
    needs: ['elections:read'],
    waits: (ctx) => someOf(listApprovals(ctx).length),
    ifWaiting: true,
  },
  {
    href: '/admin/pub',
    label: t('people.task.pub'),
    needs: ['controls:', 'now_showing:', 'requests:', 'lighting:'],
  },
  {
    href: '/admin/pub#requests',
    label: t('people.task.requests'),
    needs: ['requests:moderate'],
    part: 'requests',
    waits: (ctx) => someOf(listRequestsForStaff(ctx).filter(({ status }) => status === 'pending').length),
    ifWaiting: true,
  },
  {
    href: '/admin/feedback',
    label: t('people.task.feedback'),
    needs: ['feedback:'],
    part: 'feedback',
    waits: (ctx) =>
      someOf(countFeedback(ctx, { state: 'new', before: null }), (n) => t('people.task.new', { n })),
  },
  {
    href: '/admin/content',
    label: t('people.task.content'),
    needs: ['content:write'],
    waits: (ctx) => someOf(countDrafts(ctx), (n) => t('people.task.not_published', { n })),
  },
  { href: '/admin/people', label: t('people.task.people'), needs: ['people:'] },
  { href: '/admin/calendar', label: t('people.task.calendar'), needs: ['calendar:'] },
  { href: '/admin/pub/roles', label: t('people.task.roles'), needs: ['roles:'] },
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
      waits: waits?.(ctx),
    }))
    .filter(({ ifWaiting, waits }) => !ifWaiting || waits !== undefined);
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
