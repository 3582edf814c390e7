import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isDismissed, listSteps } from '#content/first-steps.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatInSentence, formatWhen, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { listAhead, needsOfMeeting } from '#meetings/ahead.ts';
import { listApprovals } from '#people/approvals/approvals.ts';
import { mailState } from '#routes/voting/officers-page/codes-and-invitations.ts';
import { meetingsAhead } from '#views/meetings/admin/meetings.ts';
import { dashboardPage } from '#views/voting/admin/dashboard.ts';
import { type DashboardRow, dismissHint, HintInput } from '#voting/elections/dashboard.ts';
import { DashboardQuery, ELECTIONS_A_PAGE, searchDashboard } from '#voting/elections/dashboard-search.ts';

const query = DashboardQuery.extend({ done: z.string().max(40).optional().catch(undefined) });
const params = z.object({ id: Id });
const DismissInput = HintInput.extend({ back: z.string().max(2_000).optional() });

const DONE: Readonly<Record<string, Words>> = {
  deleted: t('voting-admin.dashboard.election_deleted'),
  dismissed: t('voting-admin.dashboard.hint_come_back'),
};

/** The officers' overview of all elections. */
export function dashboard(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => ctx.config.TIME_ZONE;
  const when = (at: number) => formatInSentence(at, ctx.now(), zone());
  for (const url of ['/admin', '/admin/']) {
    app.get(url, { schema: { querystring: query } }, async (request, reply) => {
      const { done, ...asked } = request.query;
      const { rows: found, trials, waiting, ...search } = searchDashboard(ctx, asked);
      const shown = ({ open_at, ends_at, ...row }: DashboardRow) => ({
        ...row,
        opens: when(open_at),
        closes: when(ends_at),
      });
      return sendHtml(
        reply,
        dashboardPage({
          rows: found.map(shown),
          trials: trials.map(shown),
          search: { ...search, pageSize: ELECTIONS_A_PAGE },
          waiting,
          zone: zoneName(zone()),
          approvals: listApprovals(ctx).length,
          done: ownValue(DONE, done),
          clockJumped: ctx.clockWatch.jumped,
          mail: mailState(ctx),
          firstSteps: request.viewer?.permissions.has('settings:write') ? progressOf(ctx) : undefined,
          meetings: renderMeetings(ctx, request),
          viewer: request.viewer,
        }),
      );
    });
  }

  act(app, ctx, {
    both: 'POST /admin/elections/:id/hints',
    params,
    body: DismissInput,
    run: ({ params: { id }, body: { hint }, actor }) => dismissHint(ctx, id, hint, actor),
    json: (dismissed) => ({ success: true, dismissed }),
    next: (_, { body: { back = '/admin' } }) => {
      const to = /^\/admin(\?|$)/.test(back) ? back : '/admin';
      return `${to}${to.includes('?') ? '&' : '?'}done=dismissed`;
    },
  });
}

/** Meetings on this page; there are seldom more to come. */
const MEETINGS_AT_MOST = 5;

function renderMeetings(ctx: Context, { viewer }: FastifyRequest) {
  const meetings = listAhead(ctx);
  const rows = meetings.slice(0, MEETINGS_AT_MOST).map((meeting) => ({
    ...needsOfMeeting(ctx, meeting),
    when: formatWhen(meeting.held_at, ctx.config.TIME_ZONE),
  }));
  return meetingsAhead({ rows, total: meetings.length, viewer });
}

/** How many of the first steps are done or skipped; undefined once all are, or the list was put away. */
function progressOf(ctx: Context): { settled: number; all: number } | undefined {
  if (isDismissed(ctx)) return undefined;
  const steps = listSteps(ctx);
  const settled = steps.filter(({ state }) => state !== 'open').length;
  return settled === steps.length ? undefined : { settled, all: steps.length };
}
