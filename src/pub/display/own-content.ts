import { listShownPictures } from '#content/pictures/shown.ts';
import type { Body, Kind } from '#content/records/kind.ts';
import { listImportedPages, listPublished, type Published } from '#content/records/published.ts';
import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import { type ContentSource, readContent } from '#kernel/workspace/stored-source.ts';

/** By kind. */
const UNIONS = kept<Snapshot<{ id: string }[]>>();

/**
 * Reads the items of a kind: workspace pages that were not imported, and the club's own published records. Returns the
 * same object until one of its inputs changes. Never waits for the workspace.
 */
export function readUnion<Item extends { id: string }, B extends Body>(
  ctx: Context,
  source: ContentSource<Item[]>,
  kind: Kind<B>,
  { toItem, compare }: { toItem: (record: Published<B>) => Item; compare: (a: Item, b: Item) => number },
): Snapshot<Item[]> {
  const snapshot = readContent(ctx, source);
  const own = listPublished(ctx, kind);
  const imported = listImportedPages(ctx, kind);
  const pictures = listShownPictures(ctx);
  const inputs = [snapshot, own, imported, pictures, ctx.config.TIME_ZONE];
  const make = (): Snapshot<{ id: string }[]> => {
    if (own.length === 0 && imported.size === 0) return snapshot;
    const pages = (snapshot.content ?? []).filter(({ id }) => !imported.has(id));
    return {
      ...snapshot,
      content: [
        ...pages,
        ...own.map((record) => ({ ...toItem(record), ...wordsOf(pictures, record.body) })),
      ].sort(compare),
    };
  };
  return ctx.cache.get(UNIONS, kind.name, make, inputs) as Snapshot<Item[]>;
}

/** Alternative text and focus area of a record's picture; empty without a picture. */
function wordsOf(
  pictures: ReturnType<typeof listShownPictures>,
  { picture }: Body,
): { imageAlt?: string; imageFocus?: number } {
  const shown = typeof picture === 'string' ? pictures.get(picture) : undefined;
  return shown ? { imageAlt: shown.alt, imageFocus: shown.focus } : {};
}
