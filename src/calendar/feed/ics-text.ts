import { shorten } from '#kernel/text.ts';

/** Longest line in octets, the line break not counted (RFC 5545 3.1). */
const LINE_OCTETS = 75;

/** Cleans a text for a calendar: no control characters, line breaks as `\n`, no broken characters, cut to a length. */
export function cleanText(text: string, longest: number): string {
  const lines = text.toWellFormed().replace(/\r\n|[\r\u0085\u2028\u2029\v\f]/g, '\n');
  // Parsers differ in the other control characters that they accept; all of them treat a tab as a space.
  const plain = lines.replace(/\t/g, ' ').replace(/[^\P{Cc}\n]/gu, '');
  return shorten(plain.trim(), longest);
}

/** The same for a text of one line. */
export function cleanLine(text: string, longest: number): string {
  return cleanText(text, longest).replace(/\s+/g, ' ');
}

/** Escapes a text as a property value (RFC 5545 3.3.11). */
export function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, (char) => `\\${char}`).replaceAll('\n', '\\n');
}

/** Reverses `escapeText`. */
export function unescapeText(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_match, char: string) => (/n/i.test(char) ? '\n' : char));
}

/** Splits a calendar into its lines, unfolded. */
export function unfold(text: string): string[] {
  const lines = text.replace(/\r\n[ \t]/g, '').split('\r\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Folds a line that is too long, never inside a character, and adds the line break. */
export function fold(line: string): string {
  if (Buffer.byteLength(line) <= LINE_OCTETS) return `${line}\r\n`;
  const pieces = [''];
  let octets = 0;
  for (const char of line) {
    const size = Buffer.byteLength(char);
    if (octets + size > LINE_OCTETS) {
      pieces.push(' ');
      octets = 1;
    }
    pieces[pieces.length - 1] += char;
    octets += size;
  }
  return `${pieces.join('\r\n')}\r\n`;
}
