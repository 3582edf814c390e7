import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen, zoneName } from '#kernel/local-time.ts';
import { type Item, listItems } from '#meetings/items.ts';
import { documentsOf, getMeeting, type Meeting } from '#meetings/meetings.ts';
import { callSummary, shownCandidates } from '#meetings/nominations/candidates.ts';
import { meetingFile } from '#meetings/program.ts';
import { publicMeetingPage } from '#views/meetings/meeting.ts';

const params = z.object({ id: Id });

/** The page of a meeting for its members: agenda, documents, and how to take part. */
export function publicMeeting(app: App, { ctx }: { ctx: Context }): void {
  app.get('/m/:id', { schema: { summary: 'A meeting', params } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const meeting = getMeeting(ctx.db, request.params.id);
    const json = publicJson(ctx, meeting);
    if (!wantsHtml(request)) return json;
    return sendHtml(
      reply,
      publicMeetingPage({
        ...json,
        items: json.items.map((item) => ({
          ...item,
          closes: item.nominations && formatWhen(timeOf(item.nominations.closes_at), ctx.config.TIME_ZONE),
        })),
        when: formatWhen(meeting.held_at, ctx.config.TIME_ZONE),
        zone: zoneName(ctx.config.TIME_ZONE),
      }),
    );
  });

  app.get(
    '/m/:id/calendar.ics',
    { config: { json: true }, schema: { summary: 'A meeting for a calendar', params } },
    async (request, reply) => {
      const meeting = getMeeting(ctx.db, request.params.id);
      return reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'attachment; filename="meeting.ics"')
        .send(meetingFile(ctx, meeting, ctx.config.BASE_URL));
    },
  );
}

/** The call for candidates of an item as everybody may see it. */
function publicCall(ctx: Context, item: Item) {
  const call = callSummary(ctx.db, item, ctx.now());
  if (!call) return {};
  const { state, opens_at, closes_at } = call;
  const candidates = state === 'over' ? shownCandidates(ctx.db, item) : undefined;
  return { nominations: { state, opens_at, closes_at, ...(candidates && { candidates }) } };
}

/** A meeting as everybody may see it. */
function publicJson(ctx: Context, meeting: Meeting) {
  const { id, title, place, notes, state } = meeting;
  return {
    meeting: {
      id,
      title,
      held_at: isoTime(meeting.held_at),
      place,
      notes,
      documents: documentsOf(meeting),
      state,
      allows_remote: meeting.remote === 1,
    },
    items: listItems(ctx.db, id).map((item) => ({
      id: item.id,
      kind: item.kind,
      title: item.title,
      text: item.text,
      mover: item.mover,
      state: item.state,
      ...publicCall(ctx, item),
    })),
  };
}

const timeOf = (iso: string): number => Temporal.Instant.from(iso).epochMilliseconds;
