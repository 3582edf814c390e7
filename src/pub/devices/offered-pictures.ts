import { findPicture, listPictures } from '#content/pictures/pictures.ts';
import type { Context } from '#kernel/context.ts';
import { readMix } from './mixes.ts';
import { findById } from './screens.ts';

/** So many of the newest pictures are offered for a screen. */
const NEWEST = 30;

/** The pictures that a screen shows, in their order, then the newest others. */
export function offeredPictures({ db }: Pick<Context, 'db'>, id: string): { id: string; alt: string }[] {
  const row = findById(db, id);
  const shown = row ? readMix(row).pictures.flatMap((one) => findPicture(db, one.id) ?? []) : [];
  const known = new Set(shown.map((picture) => picture.id));
  const others = listPictures(db, NEWEST + shown.length, 0).filter((picture) => !known.has(picture.id));
  return [...shown, ...others.slice(0, NEWEST)].map(({ id: picture, alt }) => ({ id: picture, alt }));
}
