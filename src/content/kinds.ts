import { notFound } from '#kernel/http/errors.ts';
import { EVENT } from './events/kind.ts';
import { ANNOUNCEMENT } from './kinds/announcement.ts';
import { HOURS } from './kinds/hours.ts';
import { MENU_ITEM } from './kinds/menu-item.ts';
import { MENU_SECTION } from './kinds/menu-section.ts';
import { OFFER } from './kinds/offer.ts';
import { ROSTER } from './kinds/roster.ts';
import { SPECIAL } from './kinds/special.ts';
import { TENDER } from './kinds/tender.ts';
import type { Kind } from './records/kind.ts';

/** Every kind of content, in the order in which lists show them. */
export const KINDS = [
  EVENT,
  ANNOUNCEMENT,
  MENU_SECTION,
  MENU_ITEM,
  OFFER,
  HOURS,
  SPECIAL,
  ROSTER,
  TENDER,
] as readonly Kind[];

/** @throws 404 */
export function getKind(name: string): Kind {
  const kind = KINDS.find((known) => known.name === name);
  if (!kind) throw notFound('no_such_kind');
  return kind;
}
