// A list as long as it may be.
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

it('300 drinks of five sizes with two prices each are on one page, each by its name once, and are saved together', async () => {
  await using service = await testApp({ LOCALE: 'de-AT', CLUB_LANGUAGE: 'en' });
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const headers = { accept: 'application/json', ...owner };
  const payload = { price_columns: 2 };
  await service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers });
  const editor = await editorAt(service);
  const labels = ['1 l', '0,5 l', '0,3 l', '0,2 l', 'Glas'];
  const csv = Array.from({ length: 300 }, (_, index) =>
    labels.map((size) => `Karte ${index % 3};Getränk ${index};${size};5,20;4,80`),
  );
  const text = ['section;name;size;price;member_price', ...csv.flat()].join('\n');
  const imported = await service.post('/api/admin/menu/import', { text, publish: true }, editor.headers);
  expect(imported.json()).toMatchObject({ items: 300 });

  const html = { ...editor.headers, accept: 'text/html' };
  const names = (body: string) => new Set(body.match(/>Getränk \d+</g)).size;
  for (const address of ['/menu', '/menu/print', '/menu/print?form=a5'])
    expect([address, names((await service.get(address, html)).body)]).toEqual([address, 300]);
  expect((await service.get('/admin/content/menu_item', html)).body).toContain('1 to 25 of 300');

  const page = await service.get('/admin/content/prices', html);
  expect(page.body.match(/>Getränk 7</g)).toHaveLength(1);
  const fields = fieldsOf(page.body);
  // With the id of the form.
  expect(Object.keys(fields)).toHaveLength(300 * (1 + 2 * 5) + 1);
  const raised = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === '5,20' ? '5,5' : value]),
  );
  const saved = await service.submit('/admin/content/prices', raised, editor.headers);
  expect(saved.headers.location).toBe('/admin/content/prices?done=saved');
  const { items } = (await service.get('/api/admin/menu/prices', editor.headers)).json();
  expect(items).toHaveLength(300);
  const to = [1_000, 500, 300, 200, null].map((volume_ml) => ({
    label: volume_ml === null ? 'Glas' : '',
    volume_ml,
    price: 550,
    member_price: 480,
  }));
  expect(items.filter((item: { sizes: object[] }) => !isDeepStrictEqual(item.sizes, to))).toEqual([]);
});

/** The fields of a page as they stand there. */
const fieldsOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input[^>]*\bname="([^"]+)"[^>]*\bvalue="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
