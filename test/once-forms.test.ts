// Every form of officers and staff has an id, and pressed twice it is done once: no table grows by the second press.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addPoll, page } from '#test/support/factories.ts';
import { formAt, formsOf, type PageForm, press } from '#test/support/forms.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type FormFile, smallPicture } from '#test/support/pictures.ts';

/** A mail server that does not answer: mails wait. */
const NOWHERE = 'smtp://127.0.0.1:9';

/** A service with something of everything that officers and staff look after. */
async function club() {
  const service = await testApp(mailTo(NOWHERE), { delays: [] });
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
  ...[
    '/admin/content/ical',
    '/admin/content/roster',
    '/admin/pub',
    '/admin/pub/room',
    '/admin/pub/screens',
    '/admin/settings',
  ],
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
    ...['codes', 'mails', 'ballot', 'rules'].flatMap((under) => [
      `/admin/elections/${open}/${under}`,
      `/admin/papers/${paper}/${under}`,
    ]),
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

/** A form that makes something: it has to be on its page. */
interface Maker {
  /** The page, with what has to be there before; `:open` and `:meeting` stand for ids. */
  on: string | ((service: Club) => Promise<string>);
  /** Its address, with `:id` for an id. */
  action: string;
  /** The button that is pressed, or a field, where the page has several forms with this address. */
  has?: string;
  enter?: Record<string, string> | ((service: Club) => Promise<Record<string, string>>);
  files?: Record<string, () => Promise<FormFile>>;
  /** The tables that grow, and by how many rows. */
  makes: Record<string, number>;
}

type Club = Awaited<ReturnType<typeof club>>;

const shown = async (service: Club, url: string) => (await page(service, url, service.olga)).body;
const pairingCode = async (service: Club): Promise<string> =>
  (await service.post('/api/screens/pairings')).json().code;
const picture = { picture: async () => ({ bytes: await smallPicture() }) };
const EVENT = { title: 'Quiz', date: '2026-12-01', time: '19:00', 'picture.alt': 'A full house' };
const NOTICE = { title: 'Closed', text: 'On Monday.', 'picture.alt': 'A door' };
const HOURS = { from: '2026-12-01', 'week.mon.0.opens': '18:00', 'week.mon.0.closes': '23:00' };
const MEMBERS = 'name,email\nBob,bob@club.example\nCid,cid@club.example\n';

const MAKERS: Record<string, Maker> = {
  screen: {
    on: '/admin/pub/screens',
    action: '/admin/pub/screens',
    enter: async (service) => ({ name: 'Window', code: await pairingCode(service) }),
    makes: { screens: 1, audit_log: 1 },
  },
  'screen, paired again,': {
    on: async (service) => {
      const code = await pairingCode(service);
      await service.post('/api/admin/screens', { code, name: 'Bar' }, service.olga);
      const { screens } = (await service.get('/api/admin/screens', service.olga)).json();
      return shown(service, `/admin/pub/screens/${screens[0].id}`);
    },
    action: '/admin/pub/screens/:id/repair',
    enter: async (service) => ({ code: await pairingCode(service) }),
    makes: { audit_log: 1 },
  },
  'command to the lights': {
    on: async (service) => {
      await service.post('/api/admin/dmx/desired', { action: 'stop' }, service.olga);
      return shown(service, '/admin/pub/room');
    },
    action: '/admin/pub/lights',
    enter: { action: 'scene', name: 'Evening' },
    makes: { audit_log: 1 },
  },
  trial: {
    on: '/admin/elections/new?trial=1',
    action: '/admin/elections/trial',
    enter: { title: 'Tea?', hand_out: 'paper', count: '3' },
    makes: { elections: 1, tokens: 3 },
  },
  'list of addresses': {
    on: '/admin/distribution-lists',
    action: '/admin/distribution-lists',
    enter: { name: 'Board' },
    makes: { distribution_lists: 1 },
  },
  'list of imported addresses': {
    on: async (service) => {
      const list = (await service.get('/admin/distribution-lists', service.olga)).json()
        .distribution_lists[0];
      return shown(service, `/admin/distribution-lists/${list.id}`);
    },
    action: '/admin/distribution-lists/:id/emails',
    enter: { emails: 'bob@club.example\ncid@club.example' },
    makes: { distribution_list_emails: 2 },
  },
  'member of an imported list': {
    on: async (service) => {
      const [blank] = formsOf(await shown(service, '/admin/people/import'));
      const file = { bytes: Buffer.from(MEMBERS), name: 'members.csv', type: 'text/csv' };
      return (await press(service, blank!, blank!.fields, service.olga, { csv: file })).body;
    },
    action: '/admin/people/import',
    has: 'check',
    enter: { dry_run: 'false' },
    makes: { persons: 2, import_batches: 1 },
  },
  invitation: {
    on: async (service) => {
      const action = `/admin/elections/${service.open}/invite/check`;
      const form = formAt(await shown(service, `/admin/elections/${service.open}/mails`), action);
      return (await service.submit(action, { ...form.fields, emails: 'bob@club.example' }, service.olga))
        .body;
    },
    action: '/admin/elections/:id/invite',
    makes: { invites: 1, outbox: 1 },
  },
  'event with a picture': {
    on: '/admin/content/event/new',
    action: '/admin/content/event',
    enter: { ...EVENT, publish: 'true' },
    files: picture,
    makes: { content_records: 1, pictures: 1 },
  },
  'announcement with a picture': {
    on: '/admin/content/announcement/new',
    action: '/admin/content/announcement',
    enter: { ...NOTICE, publish: 'true' },
    files: picture,
    makes: { content_records: 1, pictures: 1 },
  },
  'section of the list': {
    on: '/admin/content/menu_section/new',
    action: '/admin/content/menu_section',
    enter: { title: 'Beer', publish: 'true' },
    makes: { content_records: 1 },
  },
  drink: {
    on: async (service) => {
      await service.post(
        '/api/admin/content/menu_section',
        { body: { title: 'Beer', kind: 'drinks' }, publish: true },
        service.olga,
      );
      return shown(service, '/admin/content/menu_item/new');
    },
    action: '/admin/content/menu_item',
    enter: { name: 'Stout', 'picture.alt': 'A glass', publish: 'true' },
    files: picture,
    makes: { content_records: 1, pictures: 1 },
  },
  'week of hours': {
    on: '/admin/content/hours/new',
    action: '/admin/content/hours',
    enter: { ...HOURS, publish: 'true' },
    makes: { content_records: 1 },
  },
};

const withoutIds = (address: string) => address.replaceAll(/[\da-f-]{32,36}/g, ':id');

test.each(Object.entries(MAKERS))(
  'a %s is made once by two presses, and by one after Back',
  async (_, maker) => {
    await using service = await club();
    const { on, action, has, makes } = maker;
    const body = typeof on === 'string' ? await shown(service, on) : await on(service);
    const all = formsOf(body);
    const form = all.find(
      (one) => withoutIds(one.action) === action && (has === undefined || has in one.fields),
    );
    expect(form, all.map((one) => withoutIds(one.action)).join()).toBeDefined();
    const entered = typeof maker.enter === 'function' ? await maker.enter(service) : maker.enter;
    const fields = { ...form!.fields, ...entered };
    const files = Object.fromEntries(
      await Promise.all(
        Object.entries(maker.files ?? {}).map(async ([name, read]) => [name, await read()] as const),
      ),
    );
    const send = () => press(service, form!, fields, service.olga, files);
    const before = rowsOf(service);
    const first = await send();
    expect([first.statusCode < 400, first.body]).toEqual([true, expect.anything()]);
    const made = rowsOf(service);
    const answers = [await send()];
    expect(rowsOf(service)).toEqual(made);
    const grown = Object.keys(makes).map((table) => [table, (made[table] ?? 0) - (before[table] ?? 0)]);
    expect(Object.fromEntries(grown)).toEqual(makes);
    // A page that is opened with Back is the page as it was sent.
    service.clock.now += 10 * MINUTE - 1;
    answers.push(await send());
    expect(rowsOf(service)).toEqual(made);
    for (const answer of answers)
      expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([
        first.statusCode,
        first.headers.location,
        first.body,
      ]);
  },
);
