import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { expectBadField, expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

let service: TestApp;
let editor: Awaited<ReturnType<typeof editorAt>>;
let tender: Record<string, string>;
let bottles: string;
let onTap: string;

beforeEach(async () => {
  service = await testApp({ TIME_ZONE: 'Europe/Berlin' });
  onTestFinished(() => service[Symbol.asyncDispose]());
  editor = await editorAt(service);
  tender = await appoint(service, 'tom@club.example', 'tender');
  bottles = await editor.publish('menu_section', { title: 'Bottles' });
  onTap = await editor.publish('menu_section', { title: 'On tap', on_tap: true });
});

const item = (name: string, section = bottles) => editor.publish('menu_item', { name, section });
const stock = (id: string, payload: object, who = tender) =>
  service.post(`/api/admin/menu/items/${id}/stock`, payload, who);
const tap = (number: number, payload: object, path = '') =>
  service.post(`/api/admin/taps/${number}${path}`, payload, tender);
const shown = async () =>
  (await service.get('/api/menu')).json().sections.flatMap(({ items }: { items: object[] }) => items);
const listed = async () =>
  (await shown()).map(({ name, state, tap: on }: { name: string; state: string; tap: number | null }) =>
    [name, state, on].join(' '),
  );
const at = (time: string) => {
  service.clock.now = Temporal.Instant.from(time).epochMilliseconds;
};

describe('what is sold out', () => {
  it('is set at once, the same again changes nothing, and the log has one entry', async () => {
    const id = await item('Pie');
    const first = await stock(id, { state: 'out', seen: 'on' });
    expect(first.json()).toEqual({
      ok: true,
      state: 'out',
      until: '2026-11-22T04:00:00.000Z',
      undo_until: '2026-11-21T17:00:10.000Z',
    });
    const again = await stock(id, { state: 'out', seen: 'on' });
    expect([again.statusCode, again.json().undo_until]).toEqual([200, null]);
    expect(await listed()).toEqual(['Pie out ']);
    const entries = service.ctx.db.all({
      sql: "SELECT action FROM audit_log WHERE action LIKE 'menu.%'",
      parameters: [],
    } as never);
    expect(entries).toHaveLength(1);
  });

  it('is a 409 with the present state if somebody has changed it meanwhile', async () => {
    const id = await item('Pie');
    await stock(id, { state: 'last', seen: 'on' });
    const late = await stock(id, { state: 'out', seen: 'on' });
    expect([late.statusCode, late.json()]).toMatchObject([
      409,
      { state: 'last', message: expect.stringContaining('it is “Last” now') },
    ]);
  });

  it('can be undone for ten seconds, unless somebody has changed it since', async () => {
    const id = await item('Pie');
    const undo = () => service.post(`/api/admin/menu/items/${id}/undo`, {}, tender);
    await stock(id, { state: 'out' });
    service.clock.now += 5 * SECOND;
    expect((await undo()).statusCode).toBe(200);
    expect(await listed()).toEqual(['Pie on ']);
    expectRefusal(await undo(), 409, 'undo_over');
    await stock(id, { state: 'last' });
    service.clock.now += 11 * SECOND;
    expectRefusal(await undo(), 409, 'undo_over');
    expect(await listed()).toEqual(['Pie last ']);
  });

  it('is undone by whoever set it: a command that overtook it stays, and the undo says what is now', async () => {
    const id = await item('Pie');
    const bea = await appoint(service, 'bea@club.example', 'tender');
    const undo = (who: typeof tender) => service.post(`/api/admin/menu/items/${id}/undo`, {}, who);
    await stock(id, { state: 'out', seen: 'on' });
    await stock(id, { state: 'last', seen: 'out' }, bea);
    const overtaken = await undo(tender);
    expect([overtaken.statusCode, overtaken.json()]).toMatchObject([409, { state: 'last' }]);
    expect(await listed()).toEqual(['Pie last ']);
    expect((await undo(bea)).statusCode).toBe(200);
    expect(await listed()).toEqual(['Pie out ']);
  });

  const days: [name: string, now: string, until: string | null | undefined, back: string][] = [
    ['in the evening until five', '2026-11-21T20:00:00Z', undefined, '2026-11-22T04:00:00Z'],
    ['after midnight until five of that morning', '2026-11-22T01:00:00Z', undefined, '2026-11-22T04:00:00Z'],
    ['in the night in which clocks go back', '2026-10-24T20:00:00Z', undefined, '2026-10-25T04:00:00Z'],
    ['in the night in which clocks go forward', '2026-03-28T20:00:00Z', undefined, '2026-03-29T03:00:00Z'],
    ['until a date', '2026-11-21T20:00:00Z', '2026-11-25', '2026-11-25T04:00:00Z'],
  ];
  it.each(days)('%s', async (_, now, until, back) => {
    at('2026-03-01T12:00:00Z');
    const id = await item('Pie');
    at(now);
    await stock(id, { state: 'out', ...(until !== undefined && { until }) });
    service.clock.now = Date.parse(back) - 1;
    expect(await listed()).not.toContain('Pie on ');
    service.clock.now = Date.parse(back);
    expect(await listed()).toEqual(['Pie on ']);
  });

  it('until somebody says so is struck through until the evening ends, and then gone', async () => {
    const id = await item('Pie');
    await stock(id, { state: 'out', until: null });
    expect(await listed()).toEqual(['Pie out ']);
    at('2026-11-22T04:00:00Z');
    expect(await listed()).toEqual([]);
    expectBadField(await stock(id, { state: 'out', until: '2026-11-21' }), 'until', 'date_over');
    await stock(id, { state: 'on' });
    expect(await listed()).toEqual(['Pie on ']);
  });

  it('stays so while a draft is published', async () => {
    const id = await item('Pie');
    await editor.patch(`menu_item/${id}`, { version: 1, body: { sizes: [{ label: 'One', price: 900 }] } });
    await stock(id, { state: 'out' });
    expect((await shown())[0]).toMatchObject({ state: 'out', sizes: [] });
    await editor.post(`menu_item/${id}/publish`);
    expect((await shown())[0]).toMatchObject({ state: 'out', sizes: [{ price: 900 }] });
  });

  it('is for those who may: not for an editor', async () => {
    const id = await item('Pie');
    const refused = await stock(id, { state: 'out' }, editor.headers);
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'menu:stock']);
  });
});

describe('taps', () => {
  it('show a drink of a section on tap while one has it, with the best state of all its taps', async () => {
    const stout = await item('Stout', onTap);
    expect(await listed()).toEqual([]);
    await tap(4, { item_id: stout });
    await tap(9, { item_id: stout });
    expect(await shown()).toMatchObject([{ name: 'Stout', tap: 4, taps: [4, 9], state: 'on', isNew: true }]);
    await tap(4, { state: 'out' });
    expect(await listed()).toEqual(['Stout on 9']);
    await tap(9, { state: 'last' });
    expect(await listed()).toEqual(['Stout last 9']);
    await tap(9, { state: 'out' });
    expect(await listed()).toEqual(['Stout out 4']);
    at('2026-11-22T04:00:00Z');
    expect(await listed()).toEqual([]);
  });

  it('are swapped for the next drink; without one the answer asks which', async () => {
    const [stout, pils] = [await item('Stout', onTap), await item('Pils', onTap)];
    await tap(4, { item_id: stout, next_item_id: pils });
    expect((await service.get('/api/menu')).json().next).toEqual([{ tap: 4, name: 'Pils' }]);
    service.clock.now += SECOND;
    const swapped = await tap(4, { seen: { item_id: stout, state: 'on' } }, '/swap');
    expect(swapped.json()).toMatchObject({
      tap: { item_id: pils, next_item_id: null, state: 'on', tapped_at: '2026-11-21T17:00:01.000Z' },
    });
    expect(await listed()).toEqual(['Pils on 4']);
    const asks = await tap(4, {}, '/swap');
    expect([asks.statusCode, asks.json().errors[0].path]).toEqual([400, 'item_id']);
    const late = await tap(4, { item_id: stout, seen: { item_id: stout } }, '/swap');
    expect([late.statusCode, late.json()]).toMatchObject([
      409,
      { tap: { item_id: pils }, message: expect.stringMatching(/tap 4 .* has another drink now/) },
    ]);
    service.clock.now += 9 * SECOND;
    expect((await tap(4, {}, '/undo')).statusCode).toBe(200);
    expect(await listed()).toEqual(['Stout on 4']);
  });

  it('keep what somebody else did since: a swap that was overtaken is not undone', async () => {
    const [stout, pils, porter] = [
      await item('Stout', onTap),
      await item('Pils', onTap),
      await item('Porter', onTap),
    ];
    const bea = await appoint(service, 'bea@club.example', 'tender');
    await tap(4, { item_id: stout, next_item_id: pils });
    service.clock.now += SECOND;
    await tap(4, {}, '/swap');
    await service.post('/api/admin/taps/4', { next_item_id: porter }, bea);
    const overtaken = await tap(4, {}, '/undo');
    expect([overtaken.statusCode, overtaken.json()]).toMatchObject([409, { tap: { item_id: pils } }]);
    expect((await service.get('/api/menu')).json().next).toEqual([{ tap: 4, name: 'Porter' }]);
    expect((await service.post('/api/admin/taps/4/undo', {}, bea)).statusCode).toBe(200);
    expect((await service.get('/api/menu')).json().next).toEqual([]);
    expect(await listed()).toEqual(['Pils on 4']);
  });

  it('get a new keg of the same, are cleaned, emptied and taken away', async () => {
    const stout = await item('Stout', onTap);
    await tap(4, { item_id: stout });
    const before = (await tap(4, { state: 'out' })).json().tap.tapped_at;
    service.clock.now += SECOND;
    expect((await tap(4, { state: 'on' })).json().tap).toMatchObject({ state: 'on', tapped_at: before });
    await tap(4, { state: 'cleaning' });
    expect(await listed()).toEqual(['Stout cleaning 4']);
    expect((await tap(4, { item_id: null })).json().tap).toMatchObject({ item_id: null, tapped_at: null });
    expect(await listed()).toEqual([]);
    const gone = await service.request({ method: 'DELETE', url: '/api/admin/taps/4', headers: tender });
    expect(gone.json()).toMatchObject({ ok: true, tap: null });
    expect((await service.get('/api/admin/menu', tender)).json().taps).toEqual([]);
    expectBadField(await tap(61, { item_id: stout }), 'tap', 'out_of_range', { min: 1, max: 60 });
  });
});

describe('the staff’s page', () => {
  it('says first which tap needs a look, and its buttons work without script and undo in their place', async () => {
    const stout = await item('Stout', onTap);
    await item('Crisps');
    await tap(4, { item_id: stout });
    const page = async () => (await service.get('/admin/pub', { ...tender, accept: 'text/html' })).body;
    expect(await page()).toContain('The tap is on.');
    const sent = await service.submit(
      '/admin/pub/taps/4?at=do-last-tap-4',
      { state: 'last', seen_state: 'on', seen_item: stout },
      tender,
    );
    expect(sent.headers.location).toBe('/admin/pub?done=menu#do-last-tap-4');
    const after = await page();
    expect(after).toContain('Tap 4 last.');
    expect(after).toMatch(/undo" id="do-last-tap-4" name="undo"/);
    service.clock.now += 11 * SECOND;
    expect(await page()).toContain('value="on" formaction="/admin/pub/taps/4?at=do-last-tap-4">Not last');
    const choose = await service.get('/admin/pub/taps/4', { ...tender, accept: 'text/html' });
    expect(choose.body).toContain('New keg of the same');
  });

  it('two people who set up the same tap do not overwrite each other', async () => {
    const [stout, pils] = [await item('Stout', onTap), await item('Pils', onTap)];
    const { body } = await service.get('/admin/pub/taps/4', { ...tender, accept: 'text/html' });
    const [form = ''] = body.match(/<form [^>]*taps\/4.*?<\/form>/s) ?? [];
    const seen = Object.fromEntries(
      [...form.matchAll(/name="(seen_\w+)" value="(.*?)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    const choose = (item_id: string) => service.submit('/admin/pub/taps/4', { ...seen, item_id }, tender);
    expect((await choose(stout)).statusCode).toBe(303);
    expect((await choose(stout)).statusCode).toBe(303);
    expect((await choose(pils)).statusCode).toBe(409);
    expect(await listed()).toEqual(['Stout on 4']);
  });

  it('says until when something is sold out: the next day, a date, or once somebody says so', async () => {
    const pie = await item('Pie');
    const page = async () => {
      const { body } = await service.get('/admin/pub', { ...tender, accept: 'text/html' });
      return body
        .replace(/<[^>]*>/g, '')
        .replaceAll('\u00a0', ' ')
        .match(/Sold out, .*/)?.[0];
    };
    const set = (fields: Record<string, string>) =>
      service.submit(`/admin/pub/menu/${pie}`, { state: 'out', ...fields }, tender);
    await set({ seen: 'on' });
    expect(await page()).toBe('Sold out, until 5:00 AM');
    await set({ seen: 'out', until: '2026-11-24' });
    expect(await page()).toMatch(/^Sold out, until .*24.*5:00 AM/);
    await set({ seen: 'out', open_ended: 'true' });
    expect(await page()).toBe('Sold out, until somebody says so');
  });
});

it('a long list of food and bottles can be opened section by section behind the bar', async () => {
  const wine = await editor.publish('menu_section', { title: 'Wine' });
  for (let index = 0; index < 12; index++) await item(`Bottle ${index}`);
  await item('Red bottles of the house', wine);
  const page = async (query = '') =>
    (await service.get(`/admin/pub${query}`, { ...tender, accept: 'text/html' })).body;
  const whole = await page();
  expect(whole).not.toContain('Bottle 3');
  const link = whole.match(/href="(\/admin\/pub\?q=Bottles#menu-items)"[^>]*>Bottles <span class="soft">12</);
  expect(link).not.toBeNull();
  const opened = await page('?q=Bottles');
  expect(opened.match(/class="stock-row"/g)).toHaveLength(12);
  // A section is opened whole, and without what only has its name.
  expect(opened).not.toContain('Red bottles of the house</span>');
  expect(opened).toMatch(/aria-current="true">Bottles/);
});

it('a draft is put on no tap: nothing would be shown', async () => {
  const draft = (await editor.create('menu_item', { name: 'Ale', section: onTap })).split('/')[1] ?? '';

  expectBadField(await tap(3, { item_id: draft }), 'item_id', 'item_is_draft');
  expectBadField(await tap(3, { next_item_id: draft }), 'next_item_id', 'item_is_draft');
});
