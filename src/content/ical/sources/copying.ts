import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import { EVENT } from '../../kinds/event.ts';
import type { Body, Kind } from '../../records/kind.ts';
import { createRecord } from '../../records/records.ts';
import { findRow, goesToOf, type SourceRow } from './rows.ts';
import { COPY_OF, type IcalEvent, listSourceEvents } from './shown.ts';

/** A date of a calendar that is read, with the club's own record that was made of it. */
export interface CopiableEvent {
  event: IcalEvent;
  /** The id of the copy; undefined where there is none. */
  copy: string | undefined;
}

/** What a source still brings, the next first. @throws 404 */
export function listCopiable(ctx: Context, source: string): CopiableEvent[] {
  const copies = copiesIn(ctx.db);
  return listSourceEvents(ctx, source)
    .filter(({ end }) => end > ctx.now())
    .map((event) => ({ event, copy: copies.get(COPY_OF + event.id) }));
}

/**
 * Makes a draft of the club's own of one date of a source. Once that is published, the source's date is left out. In
 * calendars it keeps its identity, so that no date stands there twice.
 * @returns the id of the record, of the one that there is already
 * @throws 404 for a date that the source does not have any more
 */
export async function copyEvent(
  ctx: Context,
  { source: id, event: of }: { source: string; event: string },
  actor: Actor,
): Promise<string> {
  const source = findRow(ctx.db, id);
  const event = listSourceEvents(ctx, id).find((one) => one.id === of);
  if (!source || !event) throw notFound('The calendar does not have this event any more');
  const origin = COPY_OF + event.id;
  const known = copiesIn(ctx.db).get(origin);
  if (known !== undefined) return known;
  const given = { input: bodyOf(event, source, ctx.config.TIME_ZONE), origin, uid_base: event.id };
  const created = await createRecord(ctx, EVENT as unknown as Kind, given, actor);
  return created.id;
}

const DAYS_AT_MOST = 60;

/** The date in the fields of an event, on the clocks of the club. */
function bodyOf(event: IcalEvent, source: SourceRow, zone: string): Body {
  const goesTo = goesToOf(source);
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const [start, end] = [at(event.start), at(event.end)];
  const days = start.toPlainDate().until(end.toPlainDate()).days;
  const clock = (moment: Temporal.ZonedDateTime) => moment.toPlainTime().toString().slice(0, 5);
  const [time, end_time] = [clock(start), clock(end)];
  // One that ends within its minute, or within the hour that a clock change repeats.
  const hasEnd = days > 0 || end_time > time;
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
    ...{ ...span, end_days: Math.min(span.end_days, DAYS_AT_MOST), cancelled: event.cancelled },
  };
}

/** The copies there are, removed ones too while they can be brought back, by what they were made of. */
function copiesIn(db: Reader): ReadonlyMap<string, string> {
  const rows = db.all(
    build.selectFrom('content_records').select(['id', 'origin']).where('origin', 'like', `${COPY_OF}%`),
  );
  return new Map(rows.map(({ id, origin }) => [origin ?? '', id]));
}
