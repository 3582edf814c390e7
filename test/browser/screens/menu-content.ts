// A list of drinks and food as long as a pub may have, with long names and several sizes.
import type { editorAt } from '#test/support/content.ts';

const NAMES = [
  'Weihenstephaner Helles',
  'Oatmeal Stout',
  'Dry Irish Cider',
  'Pale Ale',
  'Nitro Coffee Porter with Vanilla and Cacao Nibs',
  'Saison du Jardin',
  'Rauchbier',
];
const MAKERS = ['Bayerische Staatsbrauerei Weihenstephan', 'Lantern Ferry Brewing', '', 'Orchard & Sons'];
const TITLES = ['Bottles and cans', 'Wine', 'Kitchen'];

/** Publishes items until there are `count`. @returns their names */
export async function publishItems(
  editor: Awaited<ReturnType<typeof editorAt>>,
  count: number,
): Promise<string[]> {
  const known = (await editor.read('menu_section')).records as { id: string; title: string }[];
  const sections = known.map(({ id }) => id);
  for (const [order, title] of TITLES.entries())
    if (!sections[order]) {
      const kind = title === 'Kitchen' ? 'food' : 'drinks';
      sections[order] = await editor.publish('menu_section', {
        title,
        order,
        kind,
        rows: order === 2 ? 1 : 2,
      });
    }
  const names = Array.from({ length: count }, (_, index) => `${NAMES[index % NAMES.length]} ${index}`);
  const before = ((await editor.read('menu_item')).records as unknown[]).length;
  for (const [index, name] of names.entries()) {
    if (index < before) continue;
    await editor.publish('menu_item', {
      section: sections[index % 3],
      name,
      order: index % 100,
      maker: MAKERS[index % 4],
      style: index % 3 === 0 ? 'Unfiltered lager' : '',
      abv: index % 3 === 2 ? null : 5.1,
      color_ebc: index % 2 === 0 ? 12 : null,
      marks: index % 5 === 0 ? ['vegan'] : [],
      sizes: [
        { label: '0.3 l', volume_ml: 300, price: 320 + index },
        ...(index % 3 === 0
          ? [{ label: '0.5 l', volume_ml: 500, price: index % 6 === 0 ? null : 12_480 }]
          : []),
      ],
    });
  }
  return names;
}
