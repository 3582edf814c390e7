import { EVENT } from '#content/events/kind.ts';
import type { Body, Kind } from '#content/records/kind.ts';
import { createRecord } from '#content/records/records.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import { findRow, goesToOf, type SourceRow } from './rows.ts';
import { COPY_OF, type IcalEvent, listSourceEvents } from './shown.ts';

/** A date of an external calendar, with the club's own event that was copied from it. */
export interface CopiableEvent {
  event: IcalEvent;
  /** The id of the copy; undefined if there is none. */
  copy: string | undefined;
}

/** Lists the dates of a source that have not ended, ordered by start. @throws 404 */
export function listCopiable(ctx: Context, source: string): CopiableEvent[] {
  const copies = copiesIn(ctx.db);
  return listSourceEvents(ctx, source)
    .filter(({ end }) => end > ctx.now())
    .map((event) => ({ event, copy: copies.get(COPY_OF + event.id) }));
}

/**
 * Copies a date of a source into a draft of the club's own event. Once the draft is published, the source's date is
 * hidden. The copy keeps the date's calendar id, so that calendars do not show both.
 * @returns the record's id; that of the existing copy if there is one
 * @throws 404 if the source does not have the date any more
 */
export async function copyEvent(
  ctx: Context,
  { source: id, event: of }: { source: string; event: string },
  actor: Actor,
): Promise<string> {
  const source = findRow(ctx.db, id);
  const event = listSourceEvents(ctx, id).find((one) => one.id === of);
  if (!source || !event) throw notFound('not_event_of_calendar');
  const origin = COPY_OF + event.id;
  const known = copiesIn(ctx.db).get(origin);
  if (known !== undefined) return known;
  const given = { input: bodyOf(event, source, ctx.config.TIME_ZONE), origin, uid_base: event.id };
  const created = await createRecord(ctx, EVENT as unknown as Kind, given, actor);
  return created.id;
}

const DAYS_AT_MOST = 60;

/** Converts a date to the fields of an event, in the club's wall-clock time. */
function bodyOf(event: IcalEvent, source: SourceRow, zone: string): Body {
  const goesTo = goesToOf(source);
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const [start, end] = [at(event.start), at(event.end)];
  const days = start.toPlainDate().until(end.toPlainDate()).days;
  const clock = (moment: Temporal.ZonedDateTime) => moment.toPlainTime().toString().slice(0, 5);
  const [time, end_time] = [clock(start), clock(end)];
  // False for an event that ends within the hour that a clock change repeats, too.
  const hasEnd = !event.openEnded && (days > 0 || end_time > time);
  const timed = { time, end_time: hasEnd ? end_time : null, end_days: hasEnd ? days : 0 };
  const span = event.allDay ? { time: null, end_time: null, end_days: Math.max(days - 1, 0) } : timed;
  return {
    title: event.title.slice(0, 200),
    place: event.location.slice(0, 300),
    description: event.description.slice(0, 8_000),
    url: (event.url ?? '').length <= 2_000 ? (event.url ?? '') : '',
    in_pub: goesTo.includes('screens'),
    in_calendar: goesTo.includes('calendar'),
    date: start.toPlainDate().toString(),
    ...span,
    end_days: Math.min(span.end_days, DAYS_AT_MOST),
    cancelled: event.cancelled,
  };
}

/** Returns the ids of all copies by origin, including removed ones that can still be restored. */
function copiesIn(db: Reader): ReadonlyMap<string, string> {
  const rows = db.all(
    build.selectFrom('content_records').select(['id', 'origin']).where('origin', 'like', `${COPY_OF}%`),
  );
  return new Map(rows.map(({ id, origin }) => [origin ?? '', id]));
}
