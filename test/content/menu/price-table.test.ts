import { expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';

const put = (
  service: Awaited<ReturnType<typeof testApp>>,
  headers: Record<string, string>,
  items: object[],
) =>
  service.request({
    method: 'PUT',
    url: '/api/admin/menu/prices',
    payload: { items },
    headers: { accept: 'application/json', ...headers },
  });

it('prices are changed together, all or none; a draft stays one', async () => {
  await using service = await testApp({ LOCALE: 'en-IE' });
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'Bottles' });
  const sizes = [{ label: 'Pint', price: 500 }];
  const [stout, pils] = [
    await editor.publish('menu_item', { name: 'Stout', section, sizes }),
    await editor.publish('menu_item', { name: 'Pils', section, sizes }),
  ];
  const prices = async () =>
    Object.fromEntries(
      (await service.get('/api/menu'))
        .json()
        .sections[0].items.map(({ name, sizes: [size] }: { name: string; sizes: { price: number }[] }) => [
          name,
          size?.price,
        ]),
    );
  const to = (price: number) => [{ label: 'Pint', price }];

  const done = await put(service, editor.headers, [
    { id: stout, version: 1, sizes: to(550) },
    { id: pils, version: 1, sizes: to(500) },
  ]);
  expect(done.json()).toEqual({ ok: true, changed: 1, drafts: 0 });
  expect(await prices()).toEqual({ Stout: 550, Pils: 500 });

  const late = await put(service, editor.headers, [
    { id: stout, version: 1, sizes: to(600) },
    { id: pils, version: 1, sizes: to(600) },
  ]);
  expect([late.statusCode, late.json().conflicts]).toEqual([409, [{ id: stout, name: 'Stout', version: 2 }]]);
  expect(await prices()).toEqual({ Stout: 550, Pils: 500 });

  await editor.patch(`menu_item/${pils}`, { version: 1, body: { maker: 'Not yet said' } });
  expect(
    (await put(service, editor.headers, [{ id: pils, version: 2, sizes: to(650) }])).json(),
  ).toMatchObject({
    changed: 1,
    drafts: 1,
  });
  expect(await prices()).toEqual({ Stout: 550, Pils: 500 });
});

it('the page saves with one button, and shows what was typed where a price is refused', async () => {
  await using service = await testApp({ LOCALE: 'en-IE' });
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'Bottles' });
  const sizes = [{ label: 'Pint', price: 500, member_price: 450 }, { label: 'Half' }];
  const id = await editor.publish('menu_item', { name: 'Stout', section, sizes });
  const page = await service.get('/admin/content/prices', { ...editor.headers, accept: 'text/html' });
  expect(page.body.match(/>Stout</g)).toHaveLength(1);
  expect(page.body).toContain(`name="${id}.0.price" value="5.00"`);
  const fields = { [`${id}.version`]: '1', [`${id}.0.price`]: '5,60', [`${id}.1.price`]: 'about 3' };
  const refused = await service.submit('/admin/content/prices', fields, editor.headers);
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain('value="5,60"');
  const saved = await service.submit(
    '/admin/content/prices',
    { ...fields, [`${id}.1.price`]: '3' },
    editor.headers,
  );
  expect(saved.headers.location).toBe('/admin/content/prices?done=saved');
  const body = (await editor.read(`menu_item/${id}`)).body;
  expect(body.sizes).toMatchObject([
    { price: 560, member_price: 450 },
    { price: 300, member_price: null },
  ]);
});

it('only prices that were typed count: what others have changed meanwhile stays, and a conflict can be saved again', async () => {
  await using service = await testApp({ LOCALE: 'en-IE' });
  const editor = await editorAt(service);
  const section = await editor.publish('menu_section', { title: 'Bottles' });
  const sizes = [
    { label: 'Pint', price: 500 },
    { label: 'Half', price: 260 },
  ];
  const [stout, pils] = [
    await editor.publish('menu_item', { name: 'Stout', section, sizes }),
    await editor.publish('menu_item', { name: 'Pils', section, sizes }),
  ];
  const html = { ...editor.headers, accept: 'text/html' };
  const opened = fieldsOf((await service.get('/admin/content/prices', html)).body);
  await put(service, editor.headers, [{ id: stout, version: 1, sizes: [{ label: 'Half', price: 300 }] }]);
  const save = (fields: Record<string, string>) =>
    service.submit('/admin/content/prices', fields, editor.headers);
  const pricesOf = async (id: string) =>
    (await editor.read(`menu_item/${id}`)).body.sizes.map(({ price }: { price: number }) => price);

  const untouched = await save({ ...opened, [`${pils}.0.price`]: '5.50' });
  expect(untouched.headers.location).toBe('/admin/content/prices?done=saved');
  expect([await pricesOf(stout), await pricesOf(pils)]).toEqual([
    [500, 300],
    [550, 260],
  ]);

  const late = await save({ ...opened, [`${stout}.0.price`]: '5.80', [`${stout}.1.price`]: '3.10' });
  expect([late.statusCode, late.body.match(/Now [\d.]+/g)]).toEqual([409, ['Now 5.00', 'Now 3.00']]);
  const again = fieldsOf(late.body);
  expect([again[`${stout}.0.price`], again[`${pils}.0.price`]]).toEqual(['5.80', '5.50']);
  expect((await save(again)).headers.location).toBe('/admin/content/prices?done=saved');
  expect([await pricesOf(stout), await pricesOf(pils)]).toEqual([
    [580, 310],
    [550, 260],
  ]);
  const same = await save(fieldsOf((await service.get('/admin/content/prices', html)).body));
  expect(same.headers.location).toBe('/admin/content/prices?done=same');
});

/** The fields of a page as they stand there. */
const fieldsOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input[^>]*\bname="([^"]+)"[^>]*\bvalue="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
