import { MENU_ITEM } from '#content/kinds/menu-item.ts';
import { MENU_SECTION } from '#content/kinds/menu-section.ts';
import { listRecords } from '#content/records/reading.ts';
import type { Context } from '#kernel/context.ts';
import { csvText } from '#kernel/csv.ts';
import { compareNames, formatNumber } from '#kernel/locale.ts';
import { typedPrice } from '#kernel/money.ts';

/** The columns of our own file, which the import knows. Only the first and the third are needed. */
export const MENU_COLUMNS = [
  ...(['section', 'kind', 'name', 'maker', 'style', 'abv', 'ibu', 'color_ebc', 'description'] as const),
  ...(['allergens', 'marks', 'url', 'order', 'size', 'volume', 'price', 'member_price', 'shown'] as const),
] as const;

/** A figure as a spreadsheet of the locale reads it: `4,5` where prices are `5,20`. */
const figure = (value: number | null): string =>
  value === null
    ? ''
    : formatNumber(value, { useGrouping: false, maximumFractionDigits: 3, numberingSystem: 'latn' });

/**
 * The list as a CSV file, in its order: a line for each size, whose figures are written as they are typed. Spreadsheets of locales
 * with decimal commas separate cells by semicolons.
 */
export function writeMenuCsv(ctx: Context): string {
  const all = { limit: 1_000 };
  const sections = listRecords(ctx, MENU_SECTION, all).items.sort((a, b) => a.body.order - b.body.order);
  const items = listRecords(ctx, MENU_ITEM, all).items.sort(
    (a, b) => a.body.order - b.body.order || compareNames(a.body.name, b.body.name),
  );
  const rows = sections.flatMap(({ id, body: { title, kind } }) =>
    items
      .filter(({ body }) => body.section === id)
      .flatMap(({ body }) => {
        const allergens = body.allergens.map(({ code, detail }) => (detail ? `${code} (${detail})` : code));
        const about = [
          ...[title, kind, body.name, body.maker, body.style],
          ...[body.abv, body.ibu, body.color_ebc].map(figure),
          body.description,
          body.allergens_known === 'unknown' ? '' : allergens.join(', ') || 'none',
          body.marks.join(' '),
          body.url,
          String(body.order),
        ];
        const sizes = body.sizes.map(({ label, volume_ml, price, member_price, shown }) => [
          label,
          // A small number without a unit could be another one.
          volume_ml === null ? '' : `${volume_ml}${volume_ml < 100 ? ' ml' : ''}`,
          typedPrice(price),
          typedPrice(member_price),
          shown ? '' : 'no',
        ]);
        return (sizes.length > 0 ? sizes : [['', '', '', '', '']]).map((size) => [...about, ...size]);
      }),
  );
  const separator = figure(0.5).includes(',') ? ';' : ',';
  return `\uFEFF${csvText([[...MENU_COLUMNS], ...rows], separator)}`;
}
