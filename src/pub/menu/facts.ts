import type { Selectable } from 'kysely';
import { MENU_ITEM, type MenuItemBody } from '#content/kinds/menu-item.ts';
import { MENU_SECTION, type MenuSectionBody } from '#content/kinds/menu-section.ts';
import { OFFER, type OfferBody } from '#content/kinds/offer.ts';
import { listShownPictures } from '#content/pictures/shown.ts';
import { listPublished, type Published } from '#content/records/published.ts';
import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { MenuStockTable, TapsTable } from '#kernel/db/schema.ts';
import { byOrder } from '#kernel/shared/menu-words.js';

export type StockRow = Selectable<MenuStockTable>;
export type TapRow = Selectable<TapsTable>;

/** The published list and what is known of it now: all that the list on screens is made of, besides the time. */
export interface MenuFacts {
  sections: readonly Published<MenuSectionBody>[];
  /** Those whose section is published. */
  items: readonly Published<MenuItemBody>[];
  offers: readonly Published<OfferBody>[];
  stock: ReadonlyMap<string, StockRow>;
  /** By their numbers. */
  taps: readonly TapRow[];
  /** When each item was first published. */
  firstShown: ReadonlyMap<string, number>;
  pictures: ReturnType<typeof listShownPictures>;
}

type Memory = Pick<Context, 'db' | 'cache' | 'hub'>;

const FACTS = kept<MenuFacts>();
const FIRST_SHOWN = kept<ReadonlyMap<string, number>>();

/** Reads the published list; the same object until it, a tap or the stock changes. */
export function readMenu(ctx: Memory): MenuFacts {
  const { db, cache, hub } = ctx;
  const sections = listPublished(ctx, MENU_SECTION);
  const all = listPublished(ctx, MENU_ITEM);
  const offers = listPublished(ctx, OFFER);
  const pictures = listShownPictures(ctx);
  const firstShown = cache.get(FIRST_SHOWN, '', () => listFirstShown(ctx), [all]);
  const make = (): MenuFacts => {
    const known = new Set(sections.map(({ id }) => id));
    const stock = db.all(build.selectFrom('menu_stock').selectAll());
    return {
      sections: sections.map(withoutTapsForFood).toSorted((a, b) => byOrder(a.body, b.body)),
      items: all.filter(({ body }) => known.has(body.section)),
      offers,
      stock: new Map(stock.map((row) => [row.item_id, row])),
      taps: db.all(build.selectFrom('taps').selectAll().orderBy('tap')),
      firstShown,
      pictures,
    };
  };
  return cache.get(FACTS, '', make, [sections, all, offers, pictures, hub.version('menu')]);
}

/** No tap has food. */
const withoutTapsForFood = (section: Published<MenuSectionBody>): Published<MenuSectionBody> =>
  section.body.kind === 'food' && section.body.on_tap
    ? { ...section, body: { ...section.body, on_tap: false } }
    : section;

/** Whether something is published: until then guests see no trace of the list. */
export const hasMenu = (ctx: Memory): boolean => readMenu(ctx).items.length > 0;

function listFirstShown({ db }: Memory): ReadonlyMap<string, number> {
  const rows = db.all(
    build
      .selectFrom('content_records as record')
      .innerJoin('content_revisions as revision', 'revision.record_id', 'record.id')
      .select((of) => ['record.id', of.fn.min('revision.published_at').as('at')])
      .where('record.kind', '=', MENU_ITEM.name)
      .where('revision.published_at', 'is not', null)
      .groupBy('record.id'),
  );
  return new Map(rows.map(({ id, at }) => [id, at ?? 0]));
}
