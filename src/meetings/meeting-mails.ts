import type { Context } from '#kernel/context.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { mailClub } from '#kernel/mail/club.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { listItems } from './items.ts';
import { findMeeting } from './meetings.ts';
import { meetingFile, meetingPath } from './program.ts';

/** What the invitation to a meeting is composed from, and its file; undefined if the meeting is gone or over. */
export function prepareMeetingMail(ctx: Context, { ref, facts }: OutboxMail<'meeting-invitation'>) {
  const meeting = findMeeting(ctx.db, ref ?? '');
  if (!meeting || meeting.state === 'closed') return undefined;
  const { title, held_at, place, notes } = meeting;
  const props = {
    club: mailClub(ctx.config),
    title,
    when: formatWhen(held_at, ctx.config.TIME_ZONE),
    place,
    notes,
    agenda: listItems(ctx.db, meeting.id).map((item, index) => ({
      title: `${index + 1}. ${item.title}`,
      note: item.mover ? `Proposed by ${item.mover}` : '',
    })),
    link: facts.origin + meetingPath(meeting),
  };
  const content = meetingFile(ctx, meeting, facts.origin);
  return { props, files: [{ name: 'meeting.ics', type: 'text/calendar; charset=utf-8', content }] };
}
