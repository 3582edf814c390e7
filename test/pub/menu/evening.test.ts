// An evening of the landlady, from the list of drinks to the next morning; the list is right after each step.
import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

interface Shown {
  name: string;
  tap: number | null;
  state: string;
  sizes: { priceText: string }[];
}

test('an evening behind the bar', async () => {
  await using service = await testApp({ TIME_ZONE: 'Europe/London', LOCALE: 'en-GB' });
  const editor = await editorAt(service);
  const tender = await appoint(service, 'tom@club.example', 'tender');
  const at = (time: string) => {
    service.clock.now = Temporal.Instant.from(time).epochMilliseconds;
  };
  const list = async () => {
    const { sections } = (await service.get('/api/menu')).json();
    return new Map<string, Shown[]>(
      sections.map(({ title, items }: { title: string; items: Shown[] }) => [title, items]),
    );
  };
  const drinksOf = async (section: string) => (await list()).get(section) ?? [];
  const shown = async (name: string) =>
    [...(await list()).values()].flat().find((item) => item.name === name);
  const stateOf = async (name: string) => (await shown(name))?.state;
  const tap = (number: number, payload: object, path = '') =>
    service.post(`/api/admin/taps/${number}${path}`, payload, tender);

  at('2026-11-21T16:00:00Z');
  await editor.publish('menu_section', { title: 'On tap', on_tap: true });
  const csv = [
    'section,name,abv,size,volume,price',
    ...Array.from({ length: 12 }, (_, index) => `On tap,Ale ${index + 1},4.2,Pint,1 pint,4.50`),
    ...Array.from({ length: 18 }, (_, index) => `Bottles,Bottle ${index + 1},5,Bottle,330 ml,3.90`),
  ].join('\n');
  const imported = await service.post('/api/admin/menu/import', { text: csv, publish: true }, editor.headers);
  expect(imported.json()).toMatchObject({ items: 30, sections: ['Bottles'] });
  expect(await drinksOf('On tap')).toEqual([]);
  expect(await drinksOf('Bottles')).toHaveLength(18);

  const ids = new Map<string, string>(
    (await editor.read('menu_item?limit=100')).items.map(
      ({ id, body }: { id: string; body: { name: string } }) => [body.name, id],
    ),
  );
  const idOf = (name: string) => ids.get(name) ?? '';
  for (let number = 1; number <= 10; number++)
    await tap(number, {
      item_id: idOf(`Ale ${number}`),
      ...(number === 4 && { next_item_id: idOf('Ale 11') }),
    });
  const taps = async () => (await drinksOf('On tap')).map(({ name, tap: on }) => `${on}: ${name}`);
  expect(await taps()).toEqual(Array.from({ length: 10 }, (_, index) => `${index + 1}: Ale ${index + 1}`));

  at('2026-11-21T16:30:00Z');
  const page = (await service.get('/admin/content/prices', { ...editor.headers, accept: 'text/html' })).body;
  const fields = [...page.matchAll(/<input[^>]*\bname="([^"]+)"[^>]*\bvalue="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value === '4.50' ? '£4.80' : value],
  );
  expect(fields.filter(([, value]) => value === '£4.80')).toHaveLength(12);
  const raised = await service.submit('/admin/content/prices', Object.fromEntries(fields), editor.headers);
  expect(raised.headers.location).toBe('/admin/content/prices?done=saved');
  expect([(await shown('Ale 1'))?.sizes, (await shown('Bottle 1'))?.sizes]).toMatchObject([
    [{ priceText: '£4.80' }],
    [{ priceText: '£3.90' }],
  ]);

  at('2026-11-21T21:00:00Z');
  await tap(4, { state: 'last', seen: { item_id: idOf('Ale 4'), state: 'on' } });
  expect(await stateOf('Ale 4')).toBe('last');
  await tap(4, { seen: { item_id: idOf('Ale 4'), state: 'last' } }, '/swap');
  expect(await taps()).toContain('4: Ale 11');
  expect([await shown('Ale 4'), await stateOf('Ale 11')]).toEqual([undefined, 'on']);

  at('2026-11-22T00:30:00Z');
  await tap(7, { state: 'out' });
  await service.post(`/api/admin/menu/items/${idOf('Bottle 3')}/stock`, { state: 'out' }, tender);
  expect([await stateOf('Ale 7'), await stateOf('Bottle 3')]).toEqual(['out', 'out']);
  expect(await drinksOf('Bottles')).toHaveLength(18);

  // In the morning the bottles are there again; an empty keg is empty until somebody brings another.
  at('2026-11-22T04:59:59Z');
  expect(await stateOf('Bottle 3')).toBe('out');
  at('2026-11-22T05:00:00Z');
  expect([await stateOf('Bottle 3'), await shown('Ale 7')]).toEqual(['on', undefined]);
  await tap(7, { state: 'on' });
  expect([await stateOf('Ale 7'), (await taps()).length]).toEqual(['on', 10]);
});
