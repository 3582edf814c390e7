import type { Html } from '#kernel/html.ts';
import { ENGLISH, type Reader } from '#kernel/language/words.ts';
import { accentOf } from '#kernel/settings/colours.ts';
import { PARTS, type Part, type Parts } from '#kernel/settings/parts.ts';
import { renderFor, type Site } from '#kernel/site.ts';

/** A site where every part is on. */
const WHOLE: Site = {
  name: 'Public House',
  shortName: 'Public House',
  about: null,
  contact: null,
  imprint: null,
  privacy: null,
  accent: accentOf(null),
  logo: null,
  hasCard: true,
  hasMenu: true,
  canMail: true,
  needsSetUp: false,
  house: { address: null, way: null, wifi: null },
  hereOnly: undefined,
  version: '',
  off: new Set<Part>(),
  parts: Object.fromEntries(PARTS.map((part) => [part, true])) as Parts,
};

/** The text of a page or of a part of one, for tests of views, which send nothing. */
export const pageText = (page: Html, reader: Reader = ENGLISH): string => renderFor(WHOLE, page, reader);
