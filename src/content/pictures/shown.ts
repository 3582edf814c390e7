import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';

const NAME = 'words of the pictures';

/**
 * Returns the description of each picture by id; the same map until a picture is changed. Leaves out imported pictures
 * that nobody has described yet.
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

/** Announces that pictures or their descriptions have changed; call after the commit. */
export function announcePictures({ derived, hub }: Pick<Context, 'derived' | 'hub'>): void {
  derived.forget(NAME);
  hub.publish('content');
}
