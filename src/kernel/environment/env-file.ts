import fs from 'node:fs';

/** What an .env file holds, and what in it was probably meant otherwise. */
export interface EnvFile {
  values: Record<string, string>;
  /** One line each; they never quote a value, which may be a secret. */
  warnings: string[];
}

/** An .env file that cannot be read; the message says why in one line. */
export class EnvFileError extends Error {}

/** Reads an optional .env file. @throws EnvFileError if it cannot be read as text */
export function readEnvFile(file: string): EnvFile {
  let bytes: Buffer;
  try {
    bytes = fs.readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (file === '' || code === 'ENOENT' || code === 'ENOTDIR') return { values: {}, warnings: [] };
    throw new EnvFileError(`${file} cannot be read: ${message}`);
  }
  const { values, warnings } = parseEnvFile(decode(bytes, file));
  return { values, warnings: warnings.map((warning) => `${file}, ${warning}`) };
}

/** The decoder strips the byte order mark. UTF-16 without one is recognised by its zero bytes: names are ASCII. */
function decode(bytes: Buffer, file: string): string {
  const [first, second] = bytes;
  const littleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const bigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const encoding = littleEndian ? 'utf-16le' : bigEndian ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below: with replacement characters a password would be another one.
  }
  throw new EnvFileError(`${file} is neither UTF-8 nor UTF-16: save it as UTF-8`);
}

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)[^\S\n]*=[^\S\n]*/;

/**
 * Parses the text of an .env file. In quotes (', " or `) a value is taken as it is, over several lines too, and in
 * double quotes `\n` is a line break. Without quotes it ends at the end of the line, or where a `#` follows white
 * space: `pa#ss` is whole, as in a shell and in Docker Compose.
 */
function parseEnvFile(text: string): EnvFile {
  const values: Record<string, string> = {};
  const warnings: string[] = [];
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const number = at + 1;
    const [assigned, name] = ASSIGNMENT.exec(line) ?? [];
    if (assigned === undefined || name === undefined) {
      if (!/^\s*(#|$)/.test(line)) warnings.push(`line ${number} is ignored: it is not NAME=value`);
      at += 1;
      continue;
    }
    const rest = line.slice(assigned.length);
    const quoted = quotedValue([rest, ...lines.slice(at + 1)].join('\n'));
    if (name in values) warnings.push(`line ${number} sets ${name} again: the last value counts`);
    const value = quoted?.value ?? rest.replace(/(^|\s)#.*$/, '').trim();
    if (quoted === undefined && value !== '' && value !== rest.trim())
      warnings.push(
        `line ${number}: the value of ${name} ends before the #; to have it in the value, put quotes around the value`,
      );
    values[name] = value;
    at += quoted?.lines ?? 1;
  }
  return { values, warnings };
}

/** The quoted value at the beginning of a text; undefined if there is more than a comment behind its second quote. */
function quotedValue(text: string): { value: string; lines: number } | undefined {
  const [whole, quote, inner = ''] = /^(['"`])(.*?)\1[^\S\n]*(?:#[^\n]*)?(?=\n|$)/s.exec(text) ?? [];
  if (whole === undefined || inner.includes(quote ?? '')) return undefined;
  const value = quote === '"' ? inner.replaceAll('\\n', '\n') : inner;
  return { value, lines: inner.split('\n').length };
}

/**
 * The known variable that an unknown name probably means: one with the same letters (BASEURL), with more or fewer of
 * the same words (OIDC_ISSUER_URL), or two letters away (three in a long one); undefined if none is near.
 */
export function nearVariable(name: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  return (
    known.find((one) => lettersOf(one) === letters) ??
    known.find((one) => sharesWords(one, name)) ??
    known.find((one) => one.length >= 8 && distance(lettersOf(one), letters) <= (one.length >= 12 ? 3 : 2))
  );
}

const lettersOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

function sharesWords(one: string, other: string): boolean {
  const [fewer, more] = [one, other]
    .map((name) => new Set(name.toUpperCase().split(/[^A-Z0-9]+/)))
    .toSorted((a, b) => a.size - b.size) as [Set<string>, Set<string>];
  return fewer.size >= 2 && fewer.isSubsetOf(more);
}

/** The number of letters to insert, delete or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries())
      next.push(Math.min(row[column]! + (letter === other ? 0 : 1), row[column + 1]! + 1, next[column]! + 1));
    row = next;
  }
  return row.at(-1)!;
}
