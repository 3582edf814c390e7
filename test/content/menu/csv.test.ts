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

  // Names are in the order of the locale, sections in that of the file.
  expect(beer.items.map(({ name }: { name: string }) => name).slice(0, 3)).toEqual([
    'Drink 1',
    'Drink 2',
    'Drink 3',
  ]);
  const { items: sections } = await editor.read('menu_section');
  expect(
    sections.map(({ body }: { body: { title: string; order: number } }) => [body.title, body.order]),
  ).toEqual([
    ['Bier', 0],
    ['Food', 1],
  ]);
  const out = (await service.get('/api/admin/menu/export', editor.headers)).body;
  expect(out).toContain("Food,'=Pie");
  expect((await send({ text: out })).json()).toMatchObject({ items: 0, sections: [] });
});

it('all that a file says of a drink comes back from another club; a word that is not known is named', async () => {
  const csv = [
    'section,name,maker,style,abv,ibu,color_ebc,description,allergens,marks,url,order,size,volume,price,member_price',
    'Beer,Pils,Brewery,Lager,4.9,35,8,Fresh,"gluten (barley), milk",cask,https://brewery.example/,3,Pint,568,5.20,4.80',
    'Beer,Water,,,0,,,,none,vegan alcohol_free,,0,,,,',
  ];
  await using service = await testApp({ LOCALE: 'en-GB' });
  const { headers } = await editorAt(service);
  const send = (text: string) => service.post('/api/admin/menu/import', { text }, headers);
  expect((await send(csv.join('\n'))).json()).toMatchObject({ items: 2 });
  const out = (await service.get('/api/admin/menu/export', headers)).body;
  expect(out.slice(1).trim().split('\r\n')).toEqual(csv);

  const text =
    'section,name,allergens,marks\nBeer,Export,"Gluten, Laktose",veggie\nBeer,Bock,gluten milk,Gluten-free';
  const refused = await send(text);
  expect(refused.json().errors).toMatchObject([
    { path: 'lines.2.allergens', message: expect.stringMatching(/“Laktose”.* gluten, .* or none/) },
    { path: 'lines.2.marks', message: expect.stringMatching(/“veggie”.* vegan, .* or cask/) },
    { path: 'lines.3.confirm' },
  ]);

  // What is doubtful is asked, also by the page.
  const doubtful = 'section,name,allergens,marks\nBeer,Bock,gluten,gluten-free';
  const form = async (fields: Record<string, string>) =>
    (await service.submit('/admin/content/menu-import', { text: doubtful, ...fields }, headers)).body;
  expect(await form({})).toContain('name="confirm" value="gluten_free"');
  const checked = await form({ confirm: 'gluten_free' });
  expect(checked).toContain('Add 1 entry and publish');
  expect(checked).toContain('name="confirm" value="gluten_free"');
  await form({ confirm: 'gluten_free', dry_run: 'false', publish: 'true' });
  expect((await service.get('/api/menu')).json().sections[0].items).toMatchObject([{ name: 'Bock' }]);
});

it('a page takes the file, names what is wrong by its lines, shows what would be added, and adds it', async () => {
  await using service = await testApp();
  const { headers, read } = await editorAt(service);
  const html = { ...headers, accept: 'text/html' };
  const send = (fields: Record<string, string>, file = '') => {
    const payload = new FormData();
    payload.set('text', new File([file], 'drinks.csv', { type: 'text/csv' }));
    for (const [name, value] of Object.entries(fields)) payload.append(name, value);
    return service.request({ method: 'POST', url: '/admin/content/menu-import', headers: html, payload });
  };
  const words = (body: string) => body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  for (const address of ['/admin/content', '/admin/content/menu_item'])
    expect((await service.get(address, html)).body).toContain('href="/admin/content/menu-import"');

  const wrong = 'section,name,price\nBottles,Stout,dear\nBottles,,5';
  const refused = await send({ text: '' }, wrong);
  expect(refused.statusCode).toBe(400);
  expect(words(refused.body)).toMatch(/Line 2, price: .*Line 3, name: /);
  // It can be corrected on the page.
  expect(refused.body).toContain('Bottles,Stout,dear');

  const text = 'section,name,price\nBottles,Stout,5\nBottles,Cider,4';
  const checked = await send({ text: '' }, text);
  expect(checked.statusCode).toBe(200);
  expect(words(checked.body)).toMatch(/Add 2 entries and publish/);
  expect((await read('menu_item')).total).toBe(0);
  const added = await send({ text, dry_run: 'false', publish: 'true' });
  expect(added.headers.location).toBe('/admin/content/menu-import?done=published');
  expect((await service.get('/api/menu')).json().sections).toMatchObject([
    { title: 'Bottles', items: [{ name: 'Cider' }, { name: 'Stout' }] },
  ]);
  expect(words((await send({ text })).body)).toContain('There is nothing to add.');
});

it('lines of one name are one drink only where they agree: another maker is another one, and nothing is dropped', async () => {
  await using service = await testApp({ LOCALE: 'en-GB' });
  const { headers, read } = await editorAt(service);
  const send = (text: string, more: object = {}) =>
    service.post('/api/admin/menu/import', { text, ...more }, headers);
  const head = 'section;name;maker;abv;allergens;size;volume;price';
  const twoMakers = [
    head,
    'Beer;Pale Ale;North Brewery;4.5;none;Pint;568;5.00',
    'Beer;Pale Ale;South Brewery;6.1;gluten (barley, wheat), milk;Half;284;3.00',
    'Beer;Pale Ale;;;;Pint;568;5.50',
    'Beer;Pale Ale;;;;Pint;568;5.50',
  ].join('\n');
  expect((await send(twoMakers)).json()).toMatchObject({ items: 2 });
  type Body = Record<'name' | 'maker' | 'section', string>;
  // Those of one name have no order of their own.
  const bodies = async (): Promise<Body[]> =>
    (await read('menu_item')).items
      .map(({ body }: { body: Body }) => body)
      .sort((a: Body, b: Body) => a.maker.localeCompare(b.maker));
  const made = await bodies();
  expect(made).toEqual([
    expect.objectContaining({ maker: 'North Brewery', allergens_known: 'none', sizes: [expect.anything()] }),
    expect.objectContaining({
      maker: 'South Brewery',
      abv: 6.1,
      allergens: [
        { code: 'gluten', detail: 'barley, wheat' },
        { code: 'milk', detail: '' },
      ],
      sizes: [
        expect.objectContaining({ label: 'Half', price: 300 }),
        expect.objectContaining({ label: 'Pint', price: 550 }),
      ],
    }),
  ]);

  // The file of the house comes back whole, also into a section of another name.
  const out = (await service.get('/api/admin/menu/export', headers)).body;
  expect((await send(out)).json()).toMatchObject({ items: 0 });
  expect((await send(out.replaceAll('Beer', 'Cask'))).json()).toMatchObject({ items: 2 });
  const { section } = made[0]!;
  const again = (await bodies()).filter((body) => body.section !== section);
  expect(again.map((body) => ({ ...body, section }))).toEqual(made);

  const problems = async (...lines: string[]) => {
    const answer = await send([head, ...lines].join('\n'));
    return [answer.statusCode, answer.json().errors?.map(({ path }: { path: string }) => path)];
  };
  expect(await problems('Beer;Stout;N;4;milk;Pint;568;5', 'Beer;Stout;N;4;none;Half;284;3')).toEqual([
    400,
    ['lines.3.allergens'],
  ]);
  expect(await problems('Beer;Stout;N;4;;Pint;568;5', 'Beer;Stout;N;5;;Half;284;3')).toEqual([
    400,
    ['lines.3.abv'],
  ]);
  expect(await problems('Beer;Mild;N;4;;Pint;568;5,20;4,80')).toEqual([400, ['lines.2']]);
  expect(await problems('Beer;Mild;N;4;;Small;33;5')).toEqual([400, ['lines.2.volume']]);
  const twice = await send('section;name;price;price\nBeer;Mild;5;4');
  expect([twice.statusCode, twice.json().errors[0].path]).toEqual([400, 'text']);
  const inCl = 'section;name;size;Volume (cl);price\nBeer;Mild;Small;33;5';
  expect((await send(inCl)).json()).toMatchObject({ items: 1 });
  const mild = (await bodies()).find(({ name }) => name === 'Mild');
  expect(mild).toMatchObject({ sizes: [{ volume_ml: 330 }] });
});
