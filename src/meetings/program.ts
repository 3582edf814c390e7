import type { Program } from '#calendar/feed/programme.ts';
import { renderValidated } from '#calendar/feed/render.ts';
import { EVENT } from '#content/events/kind.ts';
import { endsOf } from '#content/open-ends.ts';
import { getRecord } from '#content/records/reading.ts';
import { announcePublished, changeRecordIn, createRecordIn } from '#content/records/records.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import { localDate, toLocalInput } from '#kernel/local-time.ts';
import { listItems } from './items.ts';
import { invitedPath } from './keys.ts';
import { getMeeting, type Meeting } from './meetings.ts';

export const meetingPath = ({ id }: Pick<Meeting, 'id'>): string => `/m/${id}`;

/** The agenda as lines of text. */
function agendaLines(reader: Reader, meeting: Meeting): string[] {
  return listItems(reader, meeting.id).map(({ number, title }) => `${number}. ${title}`);
}

/**
 * The iCalendar file of a meeting, which says so if it is called off.
 * @param origin what its link begins with
 * @param isReader whether it is for somebody who may read the meeting; others get its title and time
 */
export function meetingFile(
  ctx: Context,
  meeting: Meeting,
  origin: string | undefined,
  isReader: boolean,
): string {
  const path = meetingPath(meeting);
  const opens = isReader && meeting.public === 0 ? invitedPath(ctx, meeting, path) : path;
  const event = meeting.event_id === null ? undefined : findEvent(ctx, ctx.db, meeting.event_id);
  const program: Program = {
    id: meeting.id,
    title: meeting.title,
    start: meeting.held_at,
    end: meeting.held_at,
    allDay: false,
    // The end of a meeting is not known.
    openEnded: event?.inPub ? 'pub' : 'elsewhere',
    location: (isReader && meeting.place) || '',
    description: isReader ? agendaLines(ctx.db, meeting).join('\n') : '',
    url: origin === undefined ? null : origin + opens,
    cancelled: meeting.called_off_at !== null,
    // Calendars take over a file only if its number is higher than that of the one that they have.
    sequence: meeting.sequence,
    editedAt: meeting.changed_at,
  };
  const ends = endsOf(ctx, { of: 'meeting', placeOf: ({ location }: Program) => location });
  const { body, fault } = renderValidated({ zone: ctx.config.TIME_ZONE, programs: [ends(program)] });
  if (fault) ctx.log.error({ ...fault, id: meeting.id }, 'the file of a meeting has a fault');
  if (body === undefined || fault) throw new AppError(500, 'event_not_written');
  return body;
}

/** Gives the event of a meeting, if it has one, the meeting's day, title and place, or that it is called off. */
export async function followMeeting(ctx: Context, id: string, actor: Actor): Promise<void> {
  const { event_id } = getMeeting(ctx.db, id);
  if (event_id !== null && findEvent(ctx, ctx.db, event_id)) await makeEvent(ctx, id, actor);
}

/**
 * Makes the event of a meeting in the club's calendar, or gives it the meeting's present day, title and place.
 * @returns its id. @throws 404
 */
export async function makeEvent(ctx: Context, id: string, actor: Actor): Promise<string> {
  const made = await ctx.write((tx) => {
    const meeting = getMeeting(tx, id);
    const input = eventFields(ctx, tx, meeting);
    const known = meeting.event_id === null ? undefined : findEvent(ctx, tx, meeting.event_id);
    if (known)
      return changeRecordIn(
        ctx,
        tx,
        EVENT,
        known.id,
        { input, publish: true, version: known.version },
        actor,
      );
    const event = createRecordIn(ctx, tx, EVENT, { input, publish: true, prefix: '' }, actor);
    tx.run(build.updateTable('meetings').set({ event_id: event.id }).where('id', '=', id));
    return event;
  });
  if (made.shown) announcePublished(ctx, EVENT);
  return made.id;
}

/** The event that was made, unless somebody removed it meanwhile. */
function findEvent(
  { now }: Context,
  reader: Reader,
  id: string,
): { id: string; version: number; inPub: boolean } | undefined {
  try {
    const { state, version, body } = getRecord({ db: reader, now }, EVENT, id);
    return state === 'removed' ? undefined : { id, version, inPub: body.in_pub };
  } catch (error) {
    if (error instanceof AppError && error.statusCode === 404) return undefined;
    throw error;
  }
}

function eventFields(ctx: Context, reader: Reader, meeting: Meeting) {
  const { TIME_ZONE: zone, BASE_URL: base } = ctx.config;
  return {
    title: meeting.title.slice(0, 200),
    place: meeting.place ?? '',
    // Everybody reads the events of the club. That there is one, and where, an officer has told them by making it.
    description: meeting.public === 1 ? agendaLines(reader, meeting).join('\n').slice(0, 8_000) : '',
    url: base === undefined ? '' : base + meetingPath(meeting),
    date: localDate(meeting.held_at, zone),
    time: toLocalInput(meeting.held_at, zone).slice(11, 16),
    end_time: null,
    end_days: 0,
    cancelled: meeting.called_off_at !== null,
  };
}
