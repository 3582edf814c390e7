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

/** Returns a function that publishes items until there are `count`, and returns their names. */
export async function menuWriter(editor: Awaited<ReturnType<typeof editorAt>>) {
  const sections: string[] = [];
  for (const [order, title] of TITLES.entries()) {
    const kind = title === 'Kitchen' ? 'food' : 'drinks';
    const body = { title, order, kind, rows: kind === 'food' ? 1 : 2 };
    sections.push(await editor.publish('menu_section', body));
  }
  const names: string[] = [];
  return async (count: number) => {
    for (let index = names.length; index < count; index++) {
      const name = `${NAMES[index % NAMES.length]} ${index}`;
      names.push(name);
      await editor.publish('menu_item', itemBody(index, name, sections[index % 3] ?? ''));
    }
    return names;
  };
}

const itemBody = (index: number, name: string, section: string) => ({
  section,
  name,
  order: index % 100,
  maker: MAKERS[index % 4],
  style: index % 3 === 0 ? 'Unfiltered lager' : '',
  abv: index % 3 === 2 ? null : 5.1,
  color_ebc: index % 2 === 0 ? 12 : null,
  marks: index % 5 === 0 ? ['vegan'] : [],
  sizes: [
    { label: '0.3 l', volume_ml: 300, price: 320 + index },
    ...(index % 3 === 0 ? [{ label: '0.5 l', volume_ml: 500, price: index % 6 === 0 ? null : 12_480 }] : []),
  ],
});
