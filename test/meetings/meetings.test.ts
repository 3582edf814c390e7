import { describe, expect, it } from 'vitest';
import type { TestApp } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { page, send } from '#test/support/factories.ts';
import { expectBadField, expectRefusal } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
const WHEN = '2026-12-04T19:00';

async function addMeeting(service: TestApp, fields: object = {}): Promise<string> {
  const answer = await service.post('/admin/meetings', { title: 'AGM 2026', held_at: WHEN, ...fields });
  expect(answer.statusCode).toBe(200);
  return answer.json().id;
}

const read = async (service: TestApp, id: string) => (await service.get(`/admin/meetings/${id}`)).json();
const titles = async (service: TestApp, id: string): Promise<string[]> =>
  (await read(service, id)).items.map(({ title }: { title: string }) => title);

async function addItems(service: TestApp, id: string, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of names)
    ids.push((await service.post(`/admin/meetings/${id}/items`, { kind: 'text', title })).json().id);
  return ids;
}

describe('a meeting', () => {
  it('is made, read, changed and deleted', async () => {
    const service = await shared();
    const id = await addMeeting(service, {
      place: 'The hall',
      notes: 'Bring a pen.',
      quorum: 3,
      documents: [{ title: 'Accounts', url: 'https://club.example/accounts.pdf' }],
    });
    expect(await read(service, id)).toMatchObject({
      meeting: {
        id,
        title: 'AGM 2026',
        held_at: '2026-12-05T00:00:00.000Z',
        place: 'The hall',
        state: 'prepared',
        classes: ['Members'],
        quorum: { needed: 3, met: false },
        proxies_per_person: 0,
        proxies_count: false,
      },
      items: [],
    });
    const changed = await send(service, 'PATCH', `/admin/meetings/${id}`, { place: null, quorum: null });
    expect(changed.json().meeting).toMatchObject({ place: null, quorum: { needed: 0, met: true } });
    expect(recordedOf(service.ctx, 'meeting.changed').at(-1)).toMatchObject({ fields: ['place', 'quorum'] });
    expect(
      (await service.get('/admin/meetings')).json().meetings.map((one: { id: string }) => one.id),
    ).toContain(id);
    expect((await send(service, 'DELETE', `/admin/meetings/${id}`)).statusCode).toBe(200);
    expectRefusal(await service.get(`/admin/meetings/${id}`), 404, 'meeting_not_found');
    expectRefusal(await service.get(`/m/${id}`), 404, 'meeting_not_found');
  });

  it.each([
    ['title', { title: ' ' }],
    ['held_at', { held_at: 'soon' }],
    ['quorum', { quorum: 0 }],
    ['classes', { classes: [] }],
    ['classes', { classes: ['Members', 'members'] }],
    ['documents.0.url', { documents: [{ title: 'Accounts', url: 'http://club.example' }] }],
    ['agenda_of', { agenda_of: 'unknown' }],
  ])('is refused with a 400 that names %s', async (path, fields) => {
    const service = await shared();
    const given = { title: 'AGM', held_at: WHEN, ...fields };
    const answer = await service.post('/admin/meetings', given);
    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, path]);
  });

  it('that is closed stays as it is', async () => {
    const service = await shared();
    const id = await addMeeting(service);
    const end = () => send(service, 'PATCH', `/admin/meetings/${id}`, { state: 'closed' });
    expect([(await end()).statusCode, (await end()).statusCode]).toEqual([200, 200]);
    expectRefusal(
      await send(service, 'PATCH', `/admin/meetings/${id}`, { title: 'Other' }),
      409,
      'meeting_closed',
    );
    expect(
      (await service.post(`/admin/meetings/${id}/items`, { kind: 'text', title: 'Late' })).statusCode,
    ).toBe(409);
    expect(recordedOf(service.ctx, 'meeting.closed').filter(({ meeting }) => meeting === id)).toHaveLength(1);
  });

  it('keeps a class that an item names', async () => {
    const service = await shared();
    const id = await addMeeting(service, { classes: ['Members', 'Committee'] });
    const item = { kind: 'motion', title: 'Discharge', classes: ['members'] };
    expect((await service.post(`/admin/meetings/${id}/items`, item)).statusCode).toBe(200);
    expect((await read(service, id)).items[0].classes).toEqual(['Members']);
    const rename = (classes: string[]) => send(service, 'PATCH', `/admin/meetings/${id}`, { classes });
    expectRefusal(await rename(['Committee']), 409, 'class_used', { name: 'Members' });
    expect((await rename(['Members', 'Youth'])).json().meeting.classes).toEqual(['Members', 'Youth']);
    const unknown = { ...item, classes: ['Committee'] };
    expect((await service.post(`/admin/meetings/${id}/items`, unknown)).json().errors[0].path).toBe(
      'classes',
    );
  });
});

describe('an agenda', () => {
  it('is ordered as a whole, or one place at a time by a form', async () => {
    const service = await shared();
    const id = await addMeeting(service);
    const [a, b, c] = await addItems(service, id, 'A', 'B', 'C');
    const order = (items: unknown[]) => send(service, 'PUT', `/admin/meetings/${id}/order`, { items });
    expect((await order([c, a, b])).statusCode).toBe(200);
    expect(await titles(service, id)).toEqual(['C', 'A', 'B']);
    for (const wrong of [
      [a, b],
      [a, a, b],
      [a, b, c, 'x'],
    ])
      expectBadField(await order(wrong), 'items', 'not_items');
    const move = (direction: string) =>
      service.submit(`/admin/meetings/${id}/items/${c}/move`, { direction });
    expect((await move('up')).statusCode).toBe(303);
    expect((await move('down')).statusCode).toBe(303);
    expect(await titles(service, id)).toEqual(['A', 'C', 'B']);
  });

  it('has items that are changed and removed', async () => {
    const service = await shared();
    const id = await addMeeting(service);
    const other = await addMeeting(service);
    const [a, b] = await addItems(service, id, 'A', 'B');
    const item = `/admin/meetings/${id}/items/${a}`;
    expect(
      (await send(service, 'PATCH', item, { title: 'Report', text: 'Spoken' })).json().item,
    ).toMatchObject({
      title: 'Report',
      text: 'Spoken',
      state: 'prepared',
    });
    expect(
      (await send(service, 'PATCH', `/admin/meetings/${other}/items/${a}`, { title: 'X' })).statusCode,
    ).toBe(404);
    expect((await send(service, 'DELETE', `/admin/meetings/${id}/items/${b}`)).statusCode).toBe(200);
    expect(await titles(service, id)).toEqual(['Report']);
  });

  it('has items for which a form names classes, and takes them back', async () => {
    const service = await shared();
    const id = await addMeeting(service, { classes: ['Members', 'Board'] });
    const motion = { kind: 'motion', title: 'Discharge', text: '', mover: '' };
    await service.submit(`/admin/meetings/${id}/items`, { ...motion, classes: ['', 'Members'] });
    const classes = async () => (await read(service, id)).items[0].classes;
    expect(await classes()).toEqual(['Members']);
    const [{ id: item }] = (await read(service, id)).items;
    const { body } = await page(service, `/admin/meetings/${id}/items/${item}`);
    expect(body).toContain('<input type="hidden" name="classes" value="">');
    const change = (fields: Record<string, string>) =>
      service.submit(`/admin/meetings/${id}/items/${item}?_method=PATCH`, { title: 'Discharge', ...fields });
    await change({ text: 'Of all' });
    expect(await classes()).toEqual(['Members']);
    await change({ classes: '' });
    expect(await classes()).toBe(null);
  });

  it('begins as that of last year, without what was reported then', async () => {
    const service = await shared();
    const last = await addMeeting(service, { classes: ['Members', 'Youth'] });
    const add = (item: object) => service.post(`/admin/meetings/${last}/items`, item);
    await add({ kind: 'text', title: 'Report', text: 'A good year' });
    await add({ kind: 'motion', title: 'Fees', text: 'They rise', mover: 'Ann', classes: ['Members'] });
    const next = await addMeeting(service, { title: 'AGM 2027', agenda_of: last });
    expect((await read(service, next)).items).toMatchObject([
      { kind: 'text', title: 'Report', text: null },
      { kind: 'motion', title: 'Fees', text: 'They rise', mover: null, classes: null },
    ]);
    const first = await addMeeting(service, { agenda_of: 'usual' });
    expect(await titles(service, first)).toContain('Discharge of the committee');
  });
});

describe('the forms of a meeting', () => {
  it.each([
    ['no kind', { kind: '' }, ['Kind']],
    ['no title', { kind: 'text', title: '' }, ['Title']],
    ['a class that there is not', { kind: 'motion', classes: 'Guests' }, ['Who votes']],
    ['a share that there is not', { kind: 'motion', share: 'most', of: 'ballots' }, ['What it needs']],
    ['no seats', { kind: 'election', type: 'POLL', seats: '0', names: 'Ann\nBo' }, ['Seats']],
    ['a name twice', { kind: 'election', type: 'POLL', seats: '1', names: 'Ann\nAnn' }, ['Candidates']],
  ])('an item with %s is refused, with a link to its input', async (_, fields, labels) => {
    const service = await shared();
    const id = await addMeeting(service, { classes: ['Members', 'Youth'] });
    const { statusCode, body } = await service.submit(`/admin/meetings/${id}/items`, {
      title: 'Lamps',
      text: '',
      ...fields,
    });
    const links = [...body.matchAll(/class="error-link" href="#([^"]+)">([^:<]+):/g)];

    expect([statusCode, links.map(([, , label]) => label)]).toEqual([400, labels]);
    for (const [, target] of links) expect(body).toContain(` id="${target}"`);
  });

  it('make it, keep what was typed when they are refused, and change it', async () => {
    const service = await shared();
    const fields = {
      title: 'AGM by form',
      held_at: WHEN,
      classes: 'Members\nYouth',
      documents: 'Accounts 2026: https://club.example/a.pdf',
      quorum: '',
      remote: ['false', 'true'],
      proxies_per_person: '2',
      agenda_of: 'usual',
    };
    const refused = await service.submit('/admin/meetings', { ...fields, held_at: '' });
    expect([refused.statusCode, refused.body.includes('value="AGM by form"')]).toEqual([400, true]);
    const made = await service.submit('/admin/meetings', fields);
    const id = /meetings\/([^?]+)\?done=created/.exec(String(made.headers.location))![1]!;
    expect((await read(service, id)).meeting).toMatchObject({
      classes: ['Members', 'Youth'],
      documents: [{ title: 'Accounts 2026', url: 'https://club.example/a.pdf' }],
      allows_remote: true,
      proxies_per_person: 2,
    });
    const add = (title: string) =>
      service.submit(`/admin/meetings/${id}/items`, { kind: 'motion', title, text: 'Wording', mover: '' });
    const empty = await add('');
    expect([empty.statusCode, empty.body.includes('id="title-new-error"')]).toEqual([400, true]);
    expect((await add('New lamps')).headers.location).toMatch(/done=added#item-/);
    const typed = await service.submit(`/admin/meetings/${id}?_method=DELETE`, { confirm: 'AGM' });
    expect([typed.statusCode, typed.body.includes('Delete the meeting')]).toEqual([400, true]);
    const { body: shown } = await page(service, `/m/${id}`);
    expect(shown).toContain('New lamps');
    expect(shown).toContain('https://club.example/a.pdf');
    const gone = await service.submit(`/admin/meetings/${id}?_method=DELETE`, { confirm: 'AGM by form' });
    expect(gone.headers.location).toBe('/admin/meetings?done=deleted');
  });
});

it('everybody sees the agenda of a meeting, and nothing that only officers see', async () => {
  const service = await shared();
  const id = await addMeeting(service, { quorum: 5 });
  await addItems(service, id, 'Welcome');
  const json = (await service.get(`/m/${id}`)).json();
  expect(json.items).toMatchObject([{ kind: 'text', title: 'Welcome', state: 'prepared' }]);
  expect(Object.keys(json.meeting)).not.toContain('quorum');
});
