/** One record of a file, with the line on which it begins, from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
  /** The index of a cell that was cut at `LONGEST_CELL`: the reader of the record refuses it, and says so. */
  long?: number;
}

/** Most characters of a cell. */
export const LONGEST_CELL = 10_000;

/** Where several occur equally often, the first: commas also occur in names and titles. */
const SEPARATORS = [';', ',', '\t', '|'];

/** Number of lines from which the separator is guessed. */
const SAMPLE = 50;

/** Normalizes line ends to `\n` and removes a byte order mark. */
export function plainLines(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** A quotation mark that is never closed. */
export class OpenQuote extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`the quotation mark on line ${line} is never closed`);
    this.line = line;
  }
}

/** The line with which spreadsheets name the separator: `sep=;`, also in quotes or filled up with separators. */
const NAMED_SEPARATOR = /^"?sep ?= ?(.)"?([,;\t|"]*)(?:\n|$)/i;

/** The separator that the first line names, and that line. */
export function namedSeparator(text: string): { line: string; separator: string } | undefined {
  const [line, separator] = NAMED_SEPARATOR.exec(text) ?? [];
  return line === undefined || separator === undefined ? undefined : { line, separator };
}

interface CsvOptions {
  /** Most lines of a quoted cell: an opening quotation mark that is not closed within them is a plain character. */
  longestCell?: number;
}

/**
 * Reads the records of a file with `\n` line ends (RFC 4180), without empty ones. A first line `sep=;`, as Excel reads
 * and writes it, gives the separator; otherwise it is the one that occurs equally often in the most records. Blanks
 * before an opening quotation mark are left out.
 * @throws OpenQuote for an unclosed quotation mark, unless `longestCell` is given
 */
export function* readCsv(text: string, { longestCell }: CsvOptions = {}): Generator<CsvRecord> {
  const named = namedSeparator(text);
  const separator = named?.separator ?? guessSeparator(text);
  let at = named?.line.length ?? 0;
  let line = named ? 2 : 1;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    for (let more = true; more; ) {
      const quoted = readQuoted(text, at, separator);
      if (quoted === 'open' && longestCell === undefined) throw new OpenQuote(line);
      const isStray = quoted === 'open' || (quoted && quoted.breaks >= (longestCell ?? Infinity));
      const cell = !quoted || isStray ? readPlain(text, at, separator) : quoted;
      if (cell.text.length > LONGEST_CELL) record.long ??= record.cells.length;
      record.cells.push(cell.text.slice(0, LONGEST_CELL));
      line += cell.breaks;
      more = text[cell.end] === separator;
      at = cell.end + 1;
    }
    line += 1;
    if (record.cells.some((cell) => cell.trim() !== '')) yield record;
  }
}

interface Cell {
  text: string;
  /** Position of the separator or line break after the cell. */
  end: number;
  /** Number of line breaks in the cell. */
  breaks: number;
}

function readPlain(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end += 1;
  return { text: text.slice(start, end), end, breaks: 0 };
}

/** The cell if it begins with a quotation mark, or that the mark is never closed. */
function readQuoted(text: string, at: number, separator: string): Cell | 'open' | undefined {
  let start = at;
  while (text[start] === ' ') start += 1;
  if (text[start] !== '"') return undefined;
  let end = start + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end === -1) return 'open';
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const inner = text.slice(start + 1, end).replaceAll('""', '"');
  // Text between the closing quotation mark and the separator is kept unchanged.
  const rest = readPlain(text, end + 1, separator);
  return { text: inner + rest.text, end: rest.end, breaks: inner.split('\n').length - 1 };
}

function guessSeparator(text: string): string {
  // Within quotes a line break or a separator belongs to the cell.
  const lines = text
    .slice(0, 100_000)
    .replace(/"[^"]*"/g, '""')
    .split('\n')
    .slice(0, SAMPLE)
    .filter((line) => line.trim() !== '');
  const scored = SEPARATORS.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1).filter((count) => count > 0);
    const byCount = Map.groupBy(counts, (count) => count);
    const [often = []] = [...byCount.values()].sort((a, b) => b.length - a.length);
    return { separator, alike: often.length, count: often[0] ?? 0 };
  });
  return scored.sort((a, b) => b.alike - a.alike || b.count - a.count)[0]!.separator;
}
