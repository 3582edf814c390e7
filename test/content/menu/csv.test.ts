import { expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';

it('thirty drinks come from a file: tried first, then all or none, and go out again', async () => {
  await using service = await testApp({ LOCALE: 'de-DE' });
  const editor = await editorAt(service);
  const send = (payload: object) => service.post('/api/admin/menu/import', payload, editor.headers);
  const drinks = Array.from(
    { length: 30 },
    (_, index) =>
      `Bier;Drink ${index + 1};Brauerei;4,9;gluten;Halbe;0,5 l;5,20 €\nBier;Drink ${index + 1};;;;Kleines;0,3 l;3,60`,
  );
  const text = `section;name;maker;abv;allergens;size;volume;price\n${drinks.join('\n')}\nFood;=Pie;;;;;;`;
  const tried = await send({ text, dry_run: true });
  expect(tried.json()).toEqual({
    ok: true,
    dry_run: true,
    items: 31,
    sections: ['Bier', 'Food'],
    known: [],
  });
  expect((await editor.read('menu_section')).total).toBe(0);

  const bad = await send({ text: text.replace('5,20 €', 'ab 5').replace('0,3 l', 'klein') });
  expect(bad.statusCode).toBe(400);
  expect(bad.json().errors.map(({ path }: { path: string }) => path)).toEqual([
    'lines.2.price',
    'lines.3.volume',
  ]);
  expect((await editor.read('menu_item')).total).toBe(0);

  expect((await send({ text, publish: true })).json()).toMatchObject({ items: 31 });
  const [beer] = (await service.get('/api/menu')).json().sections;
  expect(beer.items).toHaveLength(30);
  expect(beer.items[0]).toMatchObject({
    abv: 4.9,
    allergens: [{ code: 'gluten' }],
    sizes: [
      { label: 'Halbe', volumeMl: 500, price: 520 },
      { label: 'Kleines', price: 360 },
    ],
  });
  expect((await send({ text })).json()).toMatchObject({
    items: 0,
    known: expect.arrayContaining(['Drink 1']),
  });

  const out = (await service.get('/api/admin/menu/export', editor.headers)).body;
  expect(out).toContain("Food,'=Pie");
  expect((await send({ text: out })).json()).toMatchObject({ items: 0, sections: [] });
});
