// Every form of officers and staff has an id, and pressed twice it is done once: no table grows by the second press.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addPoll, page } from '#test/support/factories.ts';
import { formsOf, type PageForm } from '#test/support/forms.ts';
import { appoint } from '#test/support/people/patrons.ts';

/** A service with something of everything that officers and staff look after. */
async function club() {
  const service = await testApp();
  const olga = await appoint(service, 'olga@club.example', 'owner');
  const post = async (url: string, payload: object = {}) => (await service.post(url, payload, olga)).json();
  const { id: open } = await addPoll(service, ['Ivy', 'Lee']);
  const { id: closed } = await addPoll(service, ['Tea', 'Cake']);
  await post(`/admin/elections/${closed}/close`);
  const dates = {
    open_at: isoTime(service.clock.now + HOUR),
    close_at: isoTime(service.clock.now + 2 * HOUR),
  };
  const paper = await post('/admin/papers', { title: 'Board', ...dates, questions: [] });
  const meeting = await post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' });
  await post(`/admin/meetings/${meeting.id}/items`, { kind: 'text', title: 'Welcome' });
  await post(`/admin/meetings/${meeting.id}/items`, { kind: 'motion', title: 'New rules' });
  await post('/admin/distribution-lists', { name: 'Members', emails: ['ann@club.example'] });
  await post('/api/admin/people', { name: 'Ann' });
  await post('/api/admin/kinds', { name: 'Friends', votes: false });
  await post('/api/admin/groups', { name: 'Board' });
  await post('/api/admin/content/announcement', { body: { title: 'Quiz' }, publish: true });
  return Object.assign(service, { olga, open, closed, paper: paper.id, meeting: meeting.id });
}

const STARTS = [
  ...['/admin', '/admin/elections/new', '/admin/papers', '/admin/papers/new', '/admin/meetings'],
  ...['/admin/meetings/new', '/admin/distribution-lists', '/admin/people', '/admin/people/new'],
  ...['/admin/people/kinds', '/admin/people/groups', '/admin/content', '/admin/content/announcement'],
  ...['/admin/content/announcement/new', '/admin/content/event/new', '/admin/content/menu_item/new'],
  ...['/admin/content/ical', '/admin/content/roster', '/admin/pub', '/admin/pub/screens', '/admin/settings'],
  ...['/admin/backups', '/admin/approvals', '/admin/calendar', '/admin/feedback', '/admin/bulk-invites'],
];

/** Ends of addresses without memory: what they show must be of now. */
const LOOKS = /\/(check|edit|preview|print|csv|slips|test)([?#]|$)/;
/** Acts that end what the other forms are about: they are pressed last. */
const LAST = /_method=DELETE|\/(close|void|erase|remove|retire|forget|end|withdraw)(\?|$)/;

type Found = PageForm & { on: string };

/** Follows the links of officers and staff. @returns each form once, by its method and the shape of its address */
async function formsOfPages(service: Awaited<ReturnType<typeof club>>): Promise<Found[]> {
  const { open, closed, paper, meeting } = service;
  const waiting = [
    ...STARTS,
    ...[`/admin/elections/${open}`, `/admin/elections/${closed}`, `/admin/elections/${closed}/follow-up`],
    ...[`/admin/elections/${open}/clone`, `/admin/elections/${closed}/void`, `/admin/papers/${paper}`],
    ...[`/admin/meetings/${meeting}`, `/admin/meetings/${meeting}/door`, `/admin/meetings/${meeting}/chair`],
  ];
  const seen = new Set<string>();
  const forms = new Map<string, Found>();
  for (const url of waiting) {
    const shape = url.replace(/[\da-f-]{32,36}/g, ':id');
    if (seen.has(shape === url ? url : `${shape} ${url}`) || seen.size > 120) continue;
    seen.add(shape === url ? url : `${shape} ${url}`);
    const { statusCode, body } = await page(service, url, service.olga);
    if (statusCode !== 200) continue;
    for (const form of formsOf(body)) {
      const named = form.action.replace(/[\da-f-]{32,36}/g, ':id');
      const fields = Object.keys(form.fields).filter((name) => name !== 'once');
      const key = `${named} ${fields.toSorted().join()}`;
      if (!forms.has(key)) forms.set(key, { ...form, on: url });
    }
    for (const [, link = ''] of body.matchAll(/href="(\/admin[^"#?]*)"/g))
      if (![...seen].some((one) => one.endsWith(link))) waiting.push(link);
  }
  return [...forms.values()];
}

const rowsOf = ({ ctx }: TestApp): Record<string, number> => {
  const tables = ctx.db.all(
    sql<{
      name: string;
    }>`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'`.compile(
      build,
    ),
  );
  const count = (name: string) =>
    ctx.db.first(sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(name)}`.compile(build))!.n;
  return Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
};

/** What somebody would enter where a field of a form is empty. */
const ENTERED: [field: RegExp, value: string][] = [
  [/email/, 'bob@club.example'],
  [/url|address/, 'https://club.example/a'],
  [/(open|close|opens|closes)_at|held_at/, '2026-12-01T19:00'],
  [/date|day|from|until/, '2026-12-01'],
  [/time/, '19:00'],
  [/count|packs|seats|seconds/, '2'],
  [/title|name|label|reason|text/, 'Something new'],
];

function filled({ fields }: PageForm): Record<string, string | string[]> {
  const entries = Object.entries(fields).map(([name, value]) => {
    if (value !== '') return [name, value];
    const [, usual] = ENTERED.find(([field]) => field.test(name)) ?? [];
    return [name, usual ?? ''];
  });
  return Object.fromEntries(entries);
}

test('every form of officers and staff has an id, and two presses of it are one', async () => {
  await using service = await club();
  const forms = await formsOfPages(service);
  const ofStaff = forms.filter(({ action }) => /^\/(api\/)?admin\//.test(action));
  expect(ofStaff.filter(({ fields }) => typeof fields.once !== 'string')).toEqual([]);

  const done = new Set<string>();
  const twice: string[] = [];
  const isLast = ({ action, fields }: PageForm) => LAST.test(action) || fields.state === 'called_off';
  const inOrder = ofStaff
    .filter(({ action, isMultipart }) => !LOOKS.test(action) && !isMultipart)
    .toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
  for (const form of inOrder) {
    const fields = filled(form);
    const first = await service.submit(form.action, fields, service.olga);
    if (first.statusCode >= 400) continue;
    done.add(form.action.replace(/[\da-f-]{32,36}/g, ':id'));
    const before = rowsOf(service);
    const second = await service.submit(form.action, fields, service.olga);
    const same = [second.statusCode, second.headers.location, second.body];
    const isSame =
      JSON.stringify(same) === JSON.stringify([first.statusCode, first.headers.location, first.body]);
    if (!isSame || JSON.stringify(rowsOf(service)) !== JSON.stringify(before)) twice.push(form.action);
  }
  expect(twice).toEqual([]);
  // The forms that make something are among those that were pressed.
  for (const made of [
    '/admin/elections',
    '/admin/elections/:id/clone',
    '/admin/elections/:id/follow-up',
    '/admin/elections/:id/tokens',
    '/admin/meetings',
    '/admin/meetings/:id/items',
    '/admin/meetings/:id/packs',
    '/admin/meetings/:id/event',
    '/admin/distribution-lists',
    '/admin/people/groups',
    '/admin/people/kinds',
  ])
    expect([...done]).toContain(made);
}, 120_000);
