import { isDeepStrictEqual } from 'node:util';
import type { EventBody } from '#content/events/body.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import { DIFFERENT, type ImportLine, type KnownPages, type PlannedRecord } from './planned.ts';

/** The pages of two databases, with those that describe the same event merged into one record. */
export interface Paired {
  records: PlannedRecord[];
  pairs: ImportLine[];
  kept: ImportLine[];
}

/**
 * Merges an event of the screens and its entry in the programme if their title, time, place and text are the same.
 * Others stay separate. A pair that was imported before stays one record.
 */
export function pairEvents(
  events: readonly PlannedRecord[],
  programs: readonly PlannedRecord[],
  recordOf: KnownPages,
): Paired {
  const result: Paired = { records: [], pairs: [], kept: [] };
  const waiting = Map.groupBy(programs, keyOf);
  const taken = new Set<PlannedRecord>();
  for (const event of events) {
    const known = recordOf(event.id);
    const partner = waiting.get(keyOf(event))?.find((program) => isPair(event, program, taken, recordOf));
    if (partner) {
      taken.add(partner);
      result.records.push(merge(event, partner));
      result.pairs.push(lineOf(partner, t('content-admin.import_note.two_are_one')));
    } else if (known !== undefined && known !== event.id) {
      // If only the other page were imported, the event would disappear from the screens.
      const other = programs.find(({ id }) => id === known);
      if (other) taken.add(other);
      result.kept.push(lineOf({ ...event, id: known }, DIFFERENT));
    } else result.records.push(event);
  }
  for (const program of programs) if (!taken.has(program)) result.records.push(program);
  return result;
}

function isPair(
  event: PlannedRecord,
  program: PlannedRecord,
  taken: ReadonlySet<PlannedRecord>,
  recordOf: KnownPages,
): boolean {
  const [ofEvent, ofProgram] = [recordOf(event.id), recordOf(program.id)];
  // Both are new, or both are in the same record.
  if (taken.has(program) || ofEvent !== ofProgram) return false;
  const [shown, listed] = [event.body as EventBody, program.body as EventBody];
  const said = (body: EventBody) => [body.place, body.end_time, body.end_days, body.zone];
  return (
    program.publish &&
    !listed.cancelled &&
    isDeepStrictEqual(said(shown), said(listed)) &&
    (shown.description === '' || shown.description === listed.description)
  );
}

/** Keeps the id of the programme's page, which calendars know. */
function merge(event: PlannedRecord, program: PlannedRecord): PlannedRecord {
  const { in_pub, tag } = event.body;
  return {
    ...program,
    page: event.id,
    body: { ...program.body, in_pub, tag },
    notes: [...new Map([...event.notes, ...program.notes].map((note) => [note.for(ENGLISH), note])).values()],
  };
}

const keyOf = ({ body }: PlannedRecord): string => JSON.stringify([body.title, body.date, body.time]);

const lineOf = ({ kind, id, title }: PlannedRecord, text: Words): ImportLine => ({
  kind: kind.name,
  id,
  title,
  text,
});
