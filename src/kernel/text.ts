/** Cuts a text to at most `longest` UTF-16 units, never inside a surrogate pair. */
export const truncate = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');

/** Shortens a text that is longer than `longest` UTF-16 units, and ends it with an ellipsis. */
export const shorten = (text: string, longest: number): string =>
  text.length <= longest ? text : `${truncate(text, longest - 1).trimEnd()}…`;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Turns HTML into text: line breaks and ends of blocks are kept, tags removed, common entities decoded. */
export function withoutMarkup(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/li|\/h\d)\b[^<>]*>/gi, '\n')
    .replace(/<[a-z!/][^<>]*>/gi, '')
    .replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7}));/gi, (match, name?: string, code?: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? match;
      return Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : match;
    });
}
