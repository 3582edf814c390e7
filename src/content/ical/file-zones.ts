import { type Component, lineOf, linesOf } from './components.ts';
import { expandRule } from './rules.ts';
import { parseTime, wallMs } from './times.ts';
import type { Zone } from './zones.ts';

/** An offset change: from the wall-clock time `wall` (in the old offset) on, `after` applies; in milliseconds. */
interface Change {
  wall: number;
  before: number;
  after: number;
}

const PARTS_AT_MOST = 100;
const CHANGES_AT_MOST = 2_000;

/**
 * Builds the zone that a VTIMEZONE describes, correct for the years around the window; undefined if it has nothing
 * that can be read.
 */
export function fileZone(component: Component, window: { from: number; until: number }): Zone | undefined {
  const changes = component.parts
    .slice(0, PARTS_AT_MOST)
    .flatMap((part) => changesOf(part, window))
    .sort((a, b) => a.wall - b.wall)
    .slice(-CHANGES_AT_MOST);
  const [first] = changes;
  if (!first) return undefined;
  const toWall = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDateTime();
  return {
    toInstant: (wall) => {
      const ms = wallMs(wall);
      const last = changes.findLast((change) => change.wall <= ms) ?? { ...first, after: first.before };
      // Within the skipped hour the old offset applies, so that the time moves forward.
      const skipped = ms - last.wall < last.after - last.before;
      return ms - (skipped ? last.before : last.after);
    },
    toWall: (at) => {
      const last = changes.findLast((change) => change.wall - change.before <= at);
      return toWall(at + (last ? last.after : first.before));
    },
  };
}

function changesOf(part: Component, window: { from: number; until: number }): Change[] {
  const start = parseTime(lineOf(part, 'DTSTART')?.value ?? '')?.wall;
  const before = parseOffset(lineOf(part, 'TZOFFSETFROM')?.value);
  const after = parseOffset(lineOf(part, 'TZOFFSETTO')?.value);
  if (!start || after === undefined) return [];
  const range = (years: number, at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC').toPlainDateTime().add({ years });
  const [from, until] = [range(-3, window.from), range(3, window.until)];
  const walls = [start];
  for (const { value } of linesOf(part, 'RDATE').slice(0, 100))
    for (const text of value.split(',').slice(0, 200)) walls.push(parseTime(text)?.wall ?? start);
  for (const { value } of linesOf(part, 'RRULE').slice(0, 5)) {
    try {
      walls.push(...(expandRule(value, start, [from, until], (last) => last.wall.add({ days: 1 })) ?? []));
    } catch {
      // The other rules of the zone still apply.
    }
  }
  return [...new Set(walls.map(wallMs))].map((wall) => ({ wall, before: before ?? after, after }));
}

/** Parses `+0100` or `-053000`; returns milliseconds. */
function parseOffset(text = ''): number | undefined {
  const [, sign, hours, minutes, seconds = 0] = /^([+-])(\d{2}):?(\d{2})(\d{2})?$/.exec(text) ?? [];
  if (!sign) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
}
