import { expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

it('items and sections move by one place, at once where they are published; drafts stay drafts', async () => {
  await using service = await testApp();
  const { headers, publish, create, read, patch } = await editorAt(service);
  const html = { ...headers, accept: 'text/html' };
  const wine = await publish('menu_section', { title: 'Wine' });
  const beer = await publish('menu_section', { title: 'Beer' });
  const ids: Record<string, string> = {};
  // None has a place yet: they are in the order of their names.
  for (const name of ['Ale', 'Bock', 'Cider'])
    ids[name] = await publish('menu_item', { section: beer, name });
  ids.Red = await publish('menu_item', { section: wine, name: 'Red' });
  const draft = await create('menu_item', { section: beer, name: 'Draft' });
  const move = (kind: string, id = '', direction = 'up') =>
    service.post(`/api/admin/content/${kind}/${id}/move`, { direction }, headers);
  const listed = async () => {
    const { sections } = (await service.get('/api/menu')).json();
    return sections.map(({ title, items }: { title: string; items: { name: string }[] }) =>
      [title, ...items.map(({ name }) => name)].join(' '),
    );
  };
  expect(await listed()).toEqual(['Beer Ale Bock Cider', 'Wine Red']);
  expect((await move('menu_item', ids.Cider)).json()).toEqual({ ok: true, moved: true });
  expect(await listed()).toEqual(['Beer Ale Cider Bock', 'Wine Red']);
  await move('menu_item', ids.Ale, 'down');
  expect(await listed()).toEqual(['Beer Cider Ale Bock', 'Wine Red']);
  expect((await move('menu_item', ids.Cider)).json()).toEqual({ ok: true, moved: false });
  expect((await move('menu_item', ids.Red)).json()).toEqual({ ok: true, moved: false });
  await move('menu_section', wine);
  expect(await listed()).toEqual(['Wine Red', 'Beer Cider Ale Bock']);

  // A change that nobody has published is not published by a move.
  const { version } = await read(`menu_item/${ids.Bock}`);
  await patch(`menu_item/${ids.Bock}`, { version, body: { name: 'Doppelbock' } });
  await move('menu_item', ids.Bock);
  expect(await listed()).toEqual(['Wine Red', 'Beer Cider Ale Bock']);
  expect(await read(`menu_item/${ids.Bock}`)).toMatchObject({ state: 'changed' });
  expect(await read(draft)).toMatchObject({ state: 'draft' });

  // The page has buttons without script, in the order of the list, and comes back to the same row.
  const page = async (address = '') => (await service.get(`/admin/content/menu_item${address}`, html)).body;
  const rows = (await page()).match(/(?<=class="content-link"[^>]*>)[^<]+/g);
  expect(rows?.slice(0, 3)).toEqual(['Red', 'Cider', 'Doppelbock']);
  expect(await page()).toMatch(new RegExp(`id="up-${ids.Cider}" disabled>`));
  const pressed = await service.submit(
    `/admin/content/menu_item/${ids.Cider}/move`,
    { direction: 'down' },
    html,
  );
  expect(pressed.headers.location).toBe(`/admin/content/menu_item?page=1#r-${ids.Cider}`);
  expect((await page()).match(/(?<=class="content-link"[^>]*>)[^<]+/g)?.slice(0, 3)).toEqual([
    'Red',
    'Doppelbock',
    'Cider',
  ]);
  // Between rows that a filter hides nothing moves.
  expect(await page('?q=Cider')).not.toContain('data-move');
  const tender = await appoint(service, 'tom@club.example', 'tender');
  const refused = await service.post(
    `/api/admin/content/menu_item/${ids.Ale}/move`,
    { direction: 'up' },
    tender,
  );
  expect(refused.statusCode).toBe(403);
  expect((await move('menu_item', 'f'.repeat(32))).statusCode).toBe(404);
});
