import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';

const NAME = 'words of the pictures';

/**
 * What pages say of each picture, by its id: the same map until a picture is changed. Not of those that were imported and
 * of which nobody has said yet what they show.
 */
export function listShownPictures({
  db,
  derived,
}: Pick<Context, 'db' | 'derived'>): ReadonlyMap<string, { alt: string; focus: number }> {
  return derived.get(NAME, [], () => {
    const said = build
      .selectFrom('pictures')
      .select(['id', 'alt', 'focus'])
      .where((is) => is.or([is('alt', '!=', ''), is('decorative', '=', 1)]));
    return new Map(db.all(said).map(({ id, alt, focus }) => [id, { alt, focus }]));
  });
}

/** Tells that pictures are others now, or that other things are said of them; after the commit. */
export function announcePictures({ derived, hub }: Pick<Context, 'derived' | 'hub'>): void {
  derived.forget(NAME);
  hub.publish('content');
}
