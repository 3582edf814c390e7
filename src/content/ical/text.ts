import { shorten, withoutMarkup } from '#kernel/text.ts';

const LONGEST = { line: 300, text: 1_000, read: 20_000 };

/** Unescapes the value of a text property (RFC 5545 3.3.11). */
export function unescapeValue(value: string): string {
  return value
    .slice(0, LONGEST.read)
    .replace(/\\([\\;,nN:"])/g, (_match, char: string) => (/n/i.test(char) ? '\n' : char));
}

/** Elements that programs write into titles and places; other words in angle brackets are text. */
const ELEMENTS =
  'a|abbr|b|big|br|center|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|small|span|strike|strong|sub|sup|u|ul';
const IN_LINE = new RegExp(
  `</?(?:${ELEMENTS})(?:\\s[^<>]*)?/?>|&(?:[a-z]{2,8}|#\\d{1,7}|#x[0-9a-f]{1,6});`,
  'i',
);
const OTHER = new RegExp(`<(?!/?(?:${ELEMENTS})(?:\\s[^<>]*)?/?>)`, 'gi');

/**
 * Returns a value as one line of at most 300 characters. Markup, which some programs write into titles and places, is
 * removed once.
 */
export function lineText(value = ''): string {
  const text = unescapeValue(value);
  const plain = IN_LINE.test(text) ? withoutMarkup(text.replace(OTHER, '&lt;')) : text;
  return shorten(clean(plain).replace(/\s+/g, ' '), LONGEST.line);
}

/** Returns a value as text of several lines, at most 1,000 characters. Markup is removed. */
export const blockText = (value = ''): string =>
  shorten(clean(withoutMarkup(unescapeValue(value))), LONGEST.text);

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
