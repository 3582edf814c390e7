import { SECOND } from '#kernel/clock.ts';
import { withoutMarkup } from '#kernel/text.ts';

/** One line of a song: its start in milliseconds, and its text, which is empty where nobody sings. */
export interface LyricLine {
  at: number;
  text: string;
}

const TEXT_BYTES = 64 * 1024;
const LINES = 2_000;
/** How many lines of the text are parsed at most, tags and empty ones included. */
const ROWS = 4_000;
const LINE_CHARS = 200;

/** Minutes, seconds and their fraction; hours only where a fraction follows, as `[01:02:03]` ends with hundredths. */
const STAMP = /^[\s\p{Cf}]*\[(?:(\d{1,2}):(?=\d{1,2}:\d{1,2}[.,]))?(\d{1,4}):(\d{1,2})(?:[.:,](\d{1,6}))?\]/u;
/** Stamps of single words, in either kind of brackets. */
const WORD_STAMPS = /<(?:\d{1,4}[.:,]){1,3}\d{1,6}>|\[(?:\d{1,4}[.:,]){1,3}\d{1,6}\]/g;
const OFFSET = /^\s*\[offset:\s*([+-]?\d{1,7})\s*\]/i;

/**
 * Returns the timed lines of an LRC text, sorted by time, with its own [offset:] applied (positive means sooner). A
 * line with several stamps is returned once for each; tags, stamps of single words and untimed lines are left out.
 * Undefined when no text is timed, or the input is larger than 64 KB.
 */
export function parseLrc(lrc: string): LyricLine[] | undefined {
  if (Buffer.byteLength(lrc) > TEXT_BYTES) return undefined;
  const rows = lrc.replace(/^\ufeff/, '').split(/\r\n|\n|\r/, ROWS);
  const sooner = parseOffset(rows);
  const lines = rows
    .flatMap(parseRow)
    .slice(0, LINES)
    .map(({ at, text }) => ({ at: Math.max(0, at - sooner), text }))
    .sort((a, b) => a.at - b.at);
  return lines.some(({ text }) => text) ? lines : undefined;
}

/** Formats timed lines as an LRC text of one stamp a line, as the screens get it. */
export function formatLrc(lines: LyricLine[]): string {
  return lines.map(({ at, text }) => `[${formatStamp(at)}]${text}\n`).join('');
}

/** Matches row by row: on the whole text the pattern would take quadratic time, as it starts at every line break. */
function parseOffset(rows: readonly string[]): number {
  for (const row of rows) {
    const [, offset] = OFFSET.exec(row) ?? [];
    if (offset) return Number(offset);
  }
  return 0;
}

function parseRow(row: string): LyricLine[] {
  const times: number[] = [];
  let rest = row;
  for (let stamp = STAMP.exec(rest); stamp; stamp = STAMP.exec(rest)) {
    const [all, hours = 0, minutes, seconds, fraction = ''] = stamp;
    const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    times.push(whole * SECOND + Number(fraction.slice(0, 3).padEnd(3, '0')));
    rest = rest.slice(all.length);
  }
  const words = withoutMarkup(rest.replace(WORD_STAMPS, '')).replace(/[\s\p{Cc}]+/gu, ' ');
  const text = words.trim().slice(0, LINE_CHARS).toWellFormed();
  return times.map((at) => ({ at, text }));
}

function formatStamp(at: number): string {
  const [minutes, seconds, rest] = [at / 60_000, (at / 1_000) % 60, at % 1_000].map(Math.floor);
  const two = (value = 0) => String(value).padStart(2, '0');
  return `${two(minutes)}:${two(seconds)}.${String(rest).padStart(3, '0')}`;
}
