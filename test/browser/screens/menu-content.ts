// A list of drinks and food as long as a pub may have, with long names and several sizes.
import { expect } from 'vitest';
import type { TestApp } from '#test/support/app.ts';
import type { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

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

/** Publishes as many drinks, each on a tap of its own, of which some are nearly empty or sold out. @returns their names */
export async function fillTaps(
  service: TestApp,
  editor: Awaited<ReturnType<typeof editorAt>>,
  count: number,
): Promise<string[]> {
  const barkeeper = await appoint(service, 'tom@club.example', 'tender');
  const section = await editor.publish('menu_section', { title: 'Draught', on_tap: true });
  const names = Array.from({ length: count }, (_, index) => `${NAMES[index % NAMES.length]} ${index}`);
  for (const [index, name] of names.entries()) {
    const item_id = await editor.publish('menu_item', itemBody(index, name, section));
    const state = ['on', 'last', 'on', 'out', 'on', 'cleaning'][index % 6];
    const answer = await service.post(`/api/admin/taps/${index + 1}`, { item_id, state }, barkeeper);
    expect(answer.json()).toMatchObject({ ok: true });
  }
  return names;
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
