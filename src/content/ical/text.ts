import { shorten, withoutMarkup } from '#kernel/text.ts';

const LONGEST = { line: 300, text: 1_000, read: 20_000 };

/** Unescapes the value of a text property (RFC 5545 3.3.11). */
export function unescapeValue(value: string): string {
  return value
    .slice(0, LONGEST.read)
    .replace(/\\([\\;,nN:"])/g, (_match, char: string) => (/n/i.test(char) ? '\n' : char));
}

/** Returns a value as one line of at most 300 characters. */
export const lineText = (value = ''): string =>
  shorten(clean(unescapeValue(value)).replace(/\s+/g, ' '), LONGEST.line);

/** Returns a value as text of several lines, at most 1,000 characters. Markup is removed. */
export function blockText(value = ''): string {
  const text = unescapeValue(value);
  return shorten(clean(/<[a-z!/][^<>]*>/i.test(text) ? withoutMarkup(text) : text), LONGEST.text);
}

/** Splits a list such as CATEGORIES. */
export function listText(value: string): string[] {
  const parts = value.slice(0, LONGEST.read).match(/(?:\\.|[^\\,])+/g) ?? [];
  return parts.map(lineText).filter((part) => part !== '');
}

/** Returns an address that a page may link to (http or https, without a user name), else null. */
export function webAddress(value = ''): string | null {
  const url = value.length <= 2_000 ? URL.parse(value) : null;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : null;
}

function clean(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n|[\r\u0085\u2028\u2029\v\f]/g, '\n');
  const plain = lines.replaceAll('\t', ' ').replace(/[^\P{Cc}\n]/gu, '');
  return plain
    .replace(/(?<! ) +\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
