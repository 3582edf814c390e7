import { badField } from '#kernel/http/errors.ts';

/** One record of a file, with the line on which it begins, from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

const SEPARATORS = [',', ';', '\t', '|'];

/** Number of lines from which the separator is guessed. */
const SAMPLE = 50;

/** Decodes bytes by their byte order mark (UTF-8 or UTF-16); without one as UTF-8 or, if invalid, Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Normalizes line ends to `\n` and removes a byte order mark. */
export function plainLines(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/**
 * Reads the records of a file with `\n` line ends (RFC 4180), without empty ones. A first line `sep=;`, as Excel reads
 * and writes it, gives the separator; otherwise it is the one that occurs equally often in the most lines.
 * @throws 400 for an unclosed quotation mark
 */
export function* readCsv(text: string): Generator<CsvRecord> {
  const [named, separatorNamed] = /^sep=(.)(?:\n|$)/i.exec(text) ?? [];
  const separator = separatorNamed ?? guessSeparator(text);
  let at = named?.length ?? 0;
  let line = named === undefined ? 1 : 2;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    for (let more = true; more; ) {
      const cell =
        text[at] === '"' ? readQuoted(text, at, { separator, line }) : readPlain(text, at, separator);
      record.cells.push(cell.text);
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

function readQuoted(
  text: string,
  start: number,
  { separator, line }: { separator: string; line: number },
): Cell {
  let end = start + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end === -1) throw badField('csv', `the quotation mark on line ${line} is never closed`);
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const inner = text.slice(start + 1, end).replaceAll('""', '"');
  // Text between the closing quotation mark and the separator is kept unchanged.
  let after = end + 1;
  while (after < text.length && text[after] !== separator && text[after] !== '\n') after += 1;
  return {
    text: inner + text.slice(end + 1, after),
    end: after,
    breaks: inner.split('\n').length - 1,
  };
}

function guessSeparator(text: string): string {
  const lines = text
    .slice(0, 100_000)
    .split('\n')
    .slice(0, SAMPLE)
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/"[^"]*"/g, ''));
  const scored = SEPARATORS.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1);
    const [first = 0] = counts;
    return { separator, first, alike: first === 0 ? 0 : counts.filter((count) => count === first).length };
  });
  return scored.sort((a, b) => b.alike - a.alike || b.first - a.first)[0]!.separator;
}
