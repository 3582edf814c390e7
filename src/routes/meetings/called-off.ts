import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { meetingNow } from '#meetings/meetings.ts';
import { mayReadPapers } from '#routes/readers.ts';

/** The file says itself that the meeting is called off, so that calendars take it off. */
const SAYS_SO = '/m/:id/calendar.ics';

/**
 * Every address of a meeting that is called off says so: its pages, its wall, its forms and its stream. Why is said to those
 * who may read the meeting.
 */
export function answerForCalledOff(ctx: Context, scope: App): void {
  scope.addHook('preValidation', async (request: FastifyRequest) => {
    const { id } = fieldsOf(request.params);
    if (typeof id !== 'string' || request.routeOptions.url === SAYS_SO) return;
    const meeting = meetingNow(ctx, id);
    if (!meeting || meeting.called_off_at === null) return;
    const { title } = meeting;
    const when = formatWhen(meeting.held_at, ctx.config.TIME_ZONE);
    if (!(await mayReadPapers(ctx, request, meeting)))
      throw new AppError(410, 'meeting_called_off_for_others', { title, when });
    throw new AppError(410, 'meeting_called_off', { title, when, reason: meeting.called_off_reason ?? '' });
  });
}
