import { isDeepStrictEqual } from 'node:util';
import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';

type ShownPictures = ReadonlyMap<string, { alt: string; focus: number }>;
const SHOWN = kept<ShownPictures>();

/**
 * Returns the description of each picture by id; the same map until a picture is changed. Leaves out imported pictures
 * that nobody has described yet.
 */
export function listShownPictures({ db, cache, hub }: Pick<Context, 'db' | 'cache' | 'hub'>): ShownPictures {
  const make = (before?: ShownPictures) => {
    const said = build
      .selectFrom('pictures')
      .select(['id', 'alt', 'focus'])
      .where((is) => is.or([is('alt', '!=', ''), is('decorative', '=', 1)]));
    const shown = new Map(db.all(said).map(({ id, alt, focus }) => [id, { alt, focus }]));
    return isDeepStrictEqual(shown, before) ? before! : shown;
  };
  return cache.get(SHOWN, '', make, [hub.version('content')]);
}
