/** Cuts a text to at most `longest` UTF-16 units, never inside a surrogate pair. */
export const truncate = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');

/** Shortens a text that is longer than `longest` UTF-16 units, and ends it with an ellipsis. */
export const shorten = (text: string, longest: number): string =>
  text.length <= longest ? text : `${truncate(text, longest - 1).trimEnd()}…`;

/** The named entities that programs write most: signs, quotation marks, and letters of the languages of our pages. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  (
    'amp & lt < gt > quot " apos \' ndash – mdash — hellip … lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ laquo « ' +
    'raquo » bull • middot · euro € pound £ copy © reg ® deg ° auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß ' +
    'agrave à acirc â aacute á aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë iacute í icirc î iuml ï ' +
    'ntilde ñ oacute ó ocirc ô oslash ø uacute ú ugrave ù ucirc û Eacute É Agrave À Ccedil Ç Aring Å Oslash Ø'
  )
    .split(' ')
    .flatMap((name, index, all) => (index % 2 === 0 ? [[name, all[index + 1] ?? '']] : [])),
);

const ENTITY = /&(?:([a-z]{2,8})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;

function decoded(match: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name?.toLowerCase() === 'nbsp') return ' ';
  if (name) return ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase()) ?? match;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : match;
}

/** Turns HTML into text: line breaks and ends of blocks are kept, tags removed, common entities decoded. */
export function withoutMarkup(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/li|\/h\d)\b[^<>]*>/gi, '\n')
    .replace(/<[a-z!/][^<>]*>/gi, '')
    .replace(ENTITY, decoded);
}
