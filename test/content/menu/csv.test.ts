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
  const found = { items: 31, changed: 0, left_out: 0, sections: ['Bier', 'Food'], known: [], questions: [] };
  expect(tried.json()).toMatchObject({ ok: true, dry_run: true, ...found });
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

  // All is in the order of the file.
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
  expect(out).toContain("Food;food;'=Pie");
  expect((await send({ text: out })).json()).toMatchObject({ items: 0, sections: [] });
});

it('all that a file says of a drink comes back from another club; a word that is not known is named', async () => {
  const csv = [
    'section,kind,name,maker,style,abv,ibu,color_ebc,description,allergens,marks,url,order,size,volume,price,member_price,shown',
    'Beer,drinks,Water,,,0,,,,none,vegan alcohol_free,,0,,,,,',
    'Beer,drinks,Pils,Brewery,Lager,4.9,35,8,Fresh,"gluten (barley), milk",cask,https://brewery.example/,3,Pint,568,5.20,4.80,',
  ];
  await using service = await testApp({ LOCALE: 'en-GB' });
  const { headers } = await editorAt(service);
  const send = (text: string) => service.post('/api/admin/menu/import', { text }, headers);
  expect((await send(csv.join('\n'))).json()).toMatchObject({ items: 2 });
  const out = (await service.get('/api/admin/menu/export', headers)).body;
  expect(out.slice(1).trim().split('\r\n')).toEqual(csv);

  const text =
    'section,name,allergens,marks\nBeer,Export,"Gluten, Zucker",veggie\nBeer,Bock,gluten milk,Gluten-free';
  const refused = await send(text);
  expect(refused.json().errors).toMatchObject([
    { path: 'lines.2.allergens', message: expect.stringMatching(/“Zucker”.* gluten, .* or none/) },
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
  const check = /name="check" value="(\w+)"/.exec(checked)?.[1] ?? '';
  await form({ confirm: 'gluten_free', dry_run: 'false', publish: 'true', check });
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
  expect(words(refused.body)).toMatch(
    /Left out 2 .*Stout Price: “dear” is .* 2 – Name: .* 3 .*There is nothing to add/,
  );
  // It can be corrected on the page.
  expect(refused.body).toContain('Bottles,Stout,dear');
  const open = await send({ text: 'section,name\nBottles,"Stout' });
  expect([open.statusCode, words(open.body)]).toEqual([
    400,
    expect.stringContaining('quotation mark on line 2'),
  ]);

  const text = 'section,name,price\nBottles,Stout,5\nBottles,Cider,4';
  const checked = await send({ text: '' }, text);
  expect(checked.statusCode).toBe(200);
  expect(words(checked.body)).toMatch(/Add 2 entries and publish/);
  expect((await read('menu_item')).total).toBe(0);
  const check = /name="check" value="(\w+)"/.exec(checked.body)?.[1] ?? '';
  // Nothing is added that nobody has looked at.
  await send({ text, publish: 'true', dry_run: 'false' });
  await send({ text: `${text}\nBottles,Ale,5`, publish: 'true', dry_run: 'false', check });
  expect((await read('menu_item')).total).toBe(0);
  const added = await send({ text, dry_run: 'false', publish: 'true', check });
  expect(added.headers.location).toBe('/admin/content/menu-import?done=published');
  expect((await service.get('/api/menu')).json().sections).toMatchObject([
    { title: 'Bottles', items: [{ name: 'Stout' }, { name: 'Cider' }] },
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

it('what the export of a house writes, another house imports to the last field, also through a spreadsheet', async () => {
  await using service = await testApp({ LOCALE: 'de-AT' });
  const { headers, publish, read } = await editorAt(service);
  const beer = await publish('menu_section', { title: 'Bier; vom Fass', order: 3 });
  const food = await publish('menu_section', { title: 'Küche', order: 1, kind: 'food' });
  const odd = await publish('menu_section', { title: 'Speisen', order: 7 });
  const allergens = [
    { code: 'gluten', detail: 'Weizen, Gerste; Malz' },
    { code: 'milk', detail: '' },
  ];
  const full = {
    section: beer,
    name: 'Helles "Spezial"',
    maker: 'Brauerei, Nord',
    style: 'Lager',
    abv: 4.5,
    ibu: 20,
    color_ebc: 9,
    description: 'Frisch;\n"hell", mild',
    allergens_known: 'listed',
    allergens,
    marks: ['vegan', 'cask'].slice(1),
    url: 'https://brewery.example/?a=1;b=2',
    order: 2,
    sizes: [
      { label: '', volume_ml: 500, price: 490, member_price: 440 },
      { label: 'Stange', volume_ml: 33, price: 360, shown: false },
      { label: '1', price: 120_000 },
      { label: '0,2l', volume_ml: 200, price: null, member_price: 5 },
    ],
  };
  await publish('menu_item', full);
  await publish('menu_item', { ...full, maker: 'Süd', abv: 12, order: 1, sizes: [] });
  await publish('menu_item', {
    section: beer,
    name: '=1+1',
    order: 0,
    allergens_known: 'none',
    sizes: [{ label: '', price: 5 }],
  });
  await publish('menu_item', {
    section: food,
    name: 'Strudel',
    order: 4,
    sizes: [{ label: '', price: 590 }],
  });
  await publish('menu_item', { section: odd, name: 'Toast, kalt', order: 0 });
  const text = (await service.get('/api/admin/menu/export', headers)).body;
  expect(text.slice(1).split('\r\n')[0]).toContain('section;kind;name;');
  expect(text).toContain('"4,5"');

  await using other = await testApp({ LOCALE: 'de-AT' });
  const there = await editorAt(other);
  const bodies = async (from: typeof read, kind: string) => {
    const { items } = await from(`${kind}?limit=200`);
    return items.map(({ body }: { body: object }) => body);
  };
  const titles = new Map<string, string>();
  const plain = async (from: typeof read) => {
    for (const { id, body } of (await from('menu_section')).items) titles.set(id, body.title);
    const items = await bodies(from, 'menu_item');
    return items
      .map((body: { section: string }) => ({ ...body, section: titles.get(body.section) }))
      .sort((a: { name: string; maker: string }, b: { name: string; maker: string }) =>
        `${a.name}${a.maker}` < `${b.name}${b.maker}` ? -1 : 1,
      );
  };
  // As a spreadsheet saves it again: other line ends, without the mark of the byte order.
  for (const sent of [text, text.slice(1).replaceAll('\r\n', '\n')]) {
    const answer = await other.post('/api/admin/menu/import', { text: sent, publish: true }, there.headers);
    expect(answer.json()).toMatchObject({ ok: true, left_out: 0, questions: [], warnings: [] });
    expect(await plain(there.read)).toEqual(await plain(read));
  }
  const sections = await bodies(there.read, 'menu_section');
  expect(sections.map(({ title, kind }: Record<string, string>) => [title, kind]).sort()).toEqual([
    ['Bier; vom Fass', 'drinks'],
    ['Küche', 'food'],
    ['Speisen', 'drinks'],
  ]);
  const { sections: listed } = (await other.get('/api/menu')).json();
  expect(listed.map(({ title }: { title: string }) => title)).toEqual(['Küche', 'Bier; vom Fass', 'Speisen']);
});

it('the prices of a file are taken only by choice; drafts stay drafts, and names are compared as names are', async () => {
  await using service = await testApp({ LOCALE: 'en-GB' });
  const { headers, publish, create, read } = await editorAt(service);
  const section = await publish('menu_section', { title: 'Café' });
  const stout = { section, name: 'Stout', abv: 4, sizes: [{ label: 'Pint', volume_ml: 568, price: 500 }] };
  await publish('menu_item', stout);
  await create('menu_item', { ...stout, name: 'Porter' });
  const send = async (text: string, more: object = {}) =>
    (await service.post('/api/admin/menu/import', { text, publish: true, ...more }, headers)).json();
  const text =
    'section,name,abv,size,price\nCafe\u0301 ,STOUT,5,pint,5.50\ncafé,Porter,4,Pint,5.20\nCafé,Porter,,Half,2.60';
  expect(await send(text)).toMatchObject({ items: 0, changed: 0, differing: 2, sections: [] });
  const page = await service.submit(
    '/admin/content/menu-import',
    { text },
    { ...headers, accept: 'text/html' },
  );
  const words = page.body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(words).toMatch(/Other prices 2 .*STOUT 5% Pint £5\.00 pint £5\.50 .*Take the new prices/i);
  expect(words).toContain('Also different, and left as it is: Alcohol, per cent');
  expect(await send(text, { take_prices: true })).toMatchObject({ items: 0, changed: 2, differing: 2 });
  expect((await service.get('/api/menu')).json().sections[0].items).toMatchObject([
    { name: 'Stout', abv: 4, sizes: [{ label: 'Pint', price: 550 }] },
  ]);
  const porter = (await read('menu_item')).items.find(
    ({ body }: { body: { name: string } }) => body.name === 'Porter',
  );
  expect(porter).toMatchObject({
    state: 'draft',
    body: { sizes: [{ price: 520 }, { label: 'Half', price: 260 }] },
  });
  expect(await send(text, { take_prices: true })).toMatchObject({ changed: 0, differing: 0 });
});

it('a page asks what it cannot know, keeps the answers, and adds what it has shown', async () => {
  await using service = await testApp({ LOCALE: 'it-IT' });
  const { headers } = await editorAt(service);
  const html = { ...headers, accept: 'text/html' };
  const submit = async (fields: Record<string, string>) =>
    service.submit('/admin/content/menu-import', fields, html);
  const words = (body: string) => body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const text = 'Nome;Formato;Prezzo;Scaffale\nRossa;33;5,50;7\nBionda;0,4;5,00;8';
  const first = (await submit({ text })).body;
  expect(words(first)).toMatch(/2 lines wait The numbers in “Formato” are/);
  expect(words(first)).toMatch(/No column says the section: 2 lines wait/);
  expect(words(first)).toContain('“Scaffale” is not read');
  const answers = { 'answers.Formato': 'cl', 'answers.section': 'Birre', 'mapping.Scaffale': '' };
  const second = (await submit({ text, ...answers })).body;
  expect(words(second)).toMatch(/Birre 2 .*Rossa 33 cl 5,50 €/);
  expect(words(second)).not.toContain('is not read');
  for (const [name, value] of Object.entries(answers))
    expect(second).toMatch(new RegExp(`name="${name}"[^>]*(value="${value}"|>)`));
  expect(second).toContain('<option value="cl" selected>');
  const check = /name="check" value="(\w+)"/.exec(second)?.[1] ?? '';
  const done = await submit({ text, ...answers, check, publish: 'true' });
  expect(done.headers.location).toBe('/admin/content/menu-import?done=published');
  expect((await service.get('/api/menu')).json().sections).toMatchObject([
    { title: 'Birre', items: [{ name: 'Rossa', sizes: [{ volumeMl: 330 }] }, { name: 'Bionda' }] },
  ]);
});
