import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import {
  event,
  file,
  number,
  onTv,
  record,
  relation,
  select,
  text,
  tick,
  url,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import { id } from '#test/stand-ins/workspace-server.ts';
import { editorAt } from '#test/support/content.ts';
import { expectBadField, expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { holdTimeouts } from '#test/support/request-timeouts.ts';
import { type Club, startClub, TWO } from './imported-club.ts';

const TODAY = '2026-11-21';
const TONIGHT = `${TODAY}T20:00:00.000-05:00`;
const QUIZ = { 'Event Start': when(TONIGHT), Location: select('Pub') };

const bodyOf = async ({ service, owner }: Club, kind: string, page: string) =>
  (await service.get(`/api/admin/content/${kind}/${page}`, owner)).json();
const feedOf = async ({ service }: Club): Promise<EventsFeed> => (await service.get('/api/events')).json();

test('an event that is in both databases becomes one record with the id of the programme’s page', async () => {
  const [shown, listed] = [id(0xe1), id(0x91)];
  const club = await startClub(
    {
      events: [record('Quiz', { ...QUIZ, ...onTv, 'RC Tag': select('rc-direct') }, { id: shown })],
      programme: [record('Quiz', { ...QUIZ, Description: text('Bring a pen.') }, { id: listed })],
    },
    TWO,
  );
  const before = await club.seen();

  const report = (await club.run()).json();

  expect(report).toMatchObject({ created: 1, pairs: [{ id: listed, title: 'Quiz' }] });
  expect(club.records()).toMatchObject([{ id: listed, origin: `workspace:${shown}` }]);
  expect((await bodyOf(club, 'event', listed)).body).toMatchObject({
    in_pub: true,
    in_calendar: true,
    tag: 'rc-direct',
    description: 'Bring a pen.',
    date: TODAY,
    time: '20:00',
    end_time: null,
    end_days: 0,
    zone: 'America/New_York',
  });
  expect(await club.seen()).toEqual(before);
  expect((await club.run()).json()).toMatchObject({ created: 0, changed: 0, unchanged: 1 });
  const link = await club.service.get(`/events/${shown}`, { accept: 'text/html' });
  expect([link.statusCode, link.headers.location]).toEqual([308, `/events/${listed}`]);
  expect((await club.service.get(`/events/${listed}`, { accept: 'text/html' })).body).toContain(
    'Bring a pen.',
  );

  // The pages now differ: neither alone may remove the event from the place of the other.
  const [page] = club.pub.pages('programme');
  page!.properties.Location = select('Library');
  await club.later();
  expect((await club.run()).json()).toMatchObject({
    created: 0,
    changed: 0,
    kept: [{ id: listed, text: 'its two pages do not say the same any more' }],
  });
  expect(await club.seen()).toEqual(before);
  club.pub.pages('events').pop();
  expect((await club.run()).json()).toMatchObject({ created: 0, changed: 0, kept: [{ id: listed }] });
  expect(await club.seen()).toEqual(before);
});

test('a pair that differs in place, text, end or status becomes two records, each in its place', async () => {
  const differences = Object.entries({
    place: { Location: select('Pub, upstairs') },
    text: { Description: text('Another text.') },
    end: { 'Event Start': when(TONIGHT, `${TODAY}T23:00:00.000-05:00`) },
    status: { Status: select('Cancelled') },
  });
  const pen = { Description: text('Bring a pen.') };
  const club = await startClub(
    {
      events: differences.map(([what]) => record(`Quiz, ${what}`, { ...QUIZ, ...onTv, ...pen })),
      programme: differences.map(([what, more]) => record(`Quiz, ${what}`, { ...QUIZ, ...pen, ...more })),
    },
    TWO,
  );
  const before = await club.seen();

  expect((await club.run()).json()).toMatchObject({ created: 8, pairs: [] });
  expect(await club.seen()).toEqual(before);
  expect((await club.run()).json()).toMatchObject({ created: 0, changed: 0, unchanged: 8 });
});

test.each([
  ['Pub', true],
  ['The pub, upstairs', true],
  ['Library', false],
  ['Brewery yard', false],
])('an imported row at “%s” is ticked for the pub: %s', async (place, inPub) => {
  const row = { 'Event Start': when(TONIGHT), Location: select(place), ...onTv };
  const club = await startClub({ events: [record('Quiz', row)] });
  const before = await club.seen();
  await club.run();
  const [page] = club.pub.pages('events');
  expect((await bodyOf(club, 'event', page!.id)).body).toMatchObject({ in_pub: inPub });
  expect(await club.seen()).toEqual(before);
});

test('drafts of the programme are imported as drafts, and published once the page is', async () => {
  const club = await startClub({
    events: [
      record('Coming', { ...QUIZ, Status: select('Draft') }),
      event('On the screens', TONIGHT, { Status: select('Draft') }),
    ],
  });
  const before = await club.seen();
  const [coming, onScreens] = club.pub.pages('events');

  const report = (await club.run()).json();

  expect(await bodyOf(club, 'event', coming!.id)).toMatchObject({
    state: 'draft',
    body: { in_calendar: true },
  });
  expect(await bodyOf(club, 'event', onScreens!.id)).toMatchObject({
    state: 'published',
    body: { in_pub: true, in_calendar: false },
  });
  expect(report.notes).toMatchObject([{ title: 'On the screens' }]);
  expect(await club.seen()).toEqual(before);

  delete coming!.properties.Status;
  expect((await club.run()).json()).toMatchObject({ created: 0, changed: 1, unchanged: 1 });
  expect((await club.seen()).calendar.body).toContain('SUMMARY:Coming');
  expect((await club.run()).json()).toMatchObject({ changed: 0, unchanged: 2, kept: [] });
  coming!.properties.Status = select('Draft');
  expect((await club.run()).json()).toMatchObject({
    changed: 0,
    kept: [{ text: 'its page is a draft by now, and it stays published' }],
  });
});

test('a draft that was published here is kept as it is', async () => {
  const club = await startClub({ events: [record('Coming', { ...QUIZ, Status: select('Draft') })] });
  await club.run();
  const [page] = club.pub.pages('events');
  club.service.clock.now += MINUTE;
  await club.service.post(`/api/admin/content/event/${page!.id}/publish`, {}, club.owner);
  page!.properties.Location = select('Library');

  expect((await club.run()).json()).toMatchObject({ changed: 0, kept: [{ text: 'it was published here' }] });
});

test('pages that are not imported are listed with the reason, one line per page', async () => {
  const club = await startClub({
    events: [
      record('No start', { ...onTv, Location: select('Pub') }),
      event('Long ago', '2026-08-01T20:00:00.000-04:00'),
      event('A season', TODAY, {}, '2027-03-01'),
    ],
    announcements: [
      record('Not ticked', {}),
      record('Over', { ...onTv, 'Show Until': when('2026-11-20') }),
      record('Backwards', { ...onTv, 'Show From': when('2026-12-10'), 'Show Until': when('2026-12-01') }),
    ],
    shifts: [
      record('No times', {}),
      record('Last month', { Shift: when('2026-10-21T10:00:00.000-04:00', '2026-10-21T20:00:00.000-04:00') }),
      record('A weekend', { Shift: when(`${TODAY}T10:00:00.000-05:00`, '2026-11-23T20:00:00.000-05:00') }),
    ],
    tenders: [record('', {})],
  });

  const { left_out, created } = (await club.run()).json();

  expect(created).toBe(0);
  expect(left_out.map(({ title, text: why }: { title: string; text: string }) => `${title}: ${why}`)).toEqual(
    [
      'Untitled: it has no name',
      'Not ticked: it is not ticked for the screens',
      'Over: it was shown until Sat, Nov 21, 2026, 12:00 AM',
      'Backwards: it cannot be kept here: Until: must not be before it begins',
      'No start: its start cannot be read',
      'Long ago: it began Sat, Aug 1, 2026, 8:00 PM',
      'A season: it lasts longer than 60 days',
      'No times: the times of the shift cannot be read',
      'Last month: it was over Wed, Oct 21, 2026, 8:00 PM',
      'A weekend: it is open for a day or longer',
    ],
  );
});

test('values that a record cannot store unchanged are noted', async () => {
  const club = await startClub({
    announcements: [
      record('A'.repeat(201), { ...onTv, Priority: select('Medium'), Content: text('b'.repeat(2_001)) }),
    ],
    tenders: [record('Ann Lee', { Active: tick(), QR: file('https://files.example/qr.png') })],
    events: [event('Off', TONIGHT, { Status: select('Cancelled'), URL: url('https://club.example/') })],
  });

  const { notes } = (await club.run()).json();

  expect(notes.map(({ text: note }: { text: string }) => note)).toEqual([
    'the QR code is drawn here from now on and leads to the profile',
    'its title was cut after 200 characters',
    'its text was cut after 2,000 characters',
    'its priority “medium” is not known here and became low',
    'it is cancelled: the screens say so from now on',
  ]);
  expect((await feedOf(club)).todayEvents).toMatchObject([{ title: 'Cancelled: Off', cancelled: true }]);
});

test('times in the night of a clock change stay exactly the same', async () => {
  const late = (name: string, start: string, end: string) => event(name, start, {}, end);
  const club = await startClub({
    events: [
      late('Ends the first time', '2026-10-31T21:00:00-04:00', '2026-11-01T01:30:00-04:00'),
      late('Ends the second time', '2026-10-31T21:00:00-04:00', '2026-11-01T01:30:00-05:00'),
      late('Begins the second time', '2026-11-01T01:15:00-05:00', '2026-11-01T03:00:00-05:00'),
    ],
    announcements: [record('Short', { ...onTv, 'Show From': when(`${TODAY}T11:30:00-05:00`, TODAY) })],
  });
  const before = await club.seen();

  const { notes } = (await club.run()).json();

  expect(await club.seen()).toEqual(before);
  expect(notes.map(({ title }: { title: string }) => title)).toEqual([
    'Ends the first time',
    'Begins the second time',
  ]);
});

test('a special day entered here still takes precedence after the shift of that date is imported', async () => {
  const bob = id(0xbb2);
  const shift = {
    Shift: when(`${TODAY}T11:00:00.000-05:00`, `${TODAY}T23:00:00.000-05:00`),
    Tenders: relation(bob),
  };
  const club = await startClub({
    tenders: [record('Bob Roe', { Active: tick() }, { id: bob })],
    shifts: [record('Today', shift)],
  });
  const eve = await editorAt(club.service);
  const special = await eve.publish('special', {
    from: TODAY,
    ranges: [{ opens: '11:00', closes: '15:00' }],
  });
  const before = await club.seen();
  expect(before.events).toMatchObject({ pubTender: { name: 'Bob', hours: '11:00 AM – 3:00 PM' } });

  await club.run();
  expect(await club.seen()).toEqual(before);
  await eve.patch(`special/${special}`, { version: 1, body: { closed: true, ranges: [] }, publish: true });
  expect((await feedOf(club)).pubTender).toMatchObject({ noteState: 'inactive', name: '' });
  await eve.post(`special/${special}/remove`);
  expect((await feedOf(club)).pubTender).toMatchObject({ name: 'Bob', hours: '11:00 AM – 11:00 PM' });
});

test('a shift that begins early, ends late and has seconds keeps what a record can store', async () => {
  const club = await startClub({
    shifts: [
      record('Long', {
        Shift: when(`${TODAY}T01:00:00-05:00`, `${TODAY}T23:30:00-05:00`),
        'Operating Hours': when(`${TODAY}T17:00:20-05:00`, `${TODAY}T23:00:00-05:00`),
        Hours: number(2),
      }),
    ],
  });

  const { notes } = (await club.run()).json();

  expect(notes).toHaveLength(2);
  const page = club.records()[0]!.id;
  expect((await bodyOf(club, 'special', page)).body).toMatchObject({
    from: TODAY,
    to: TODAY,
    closed: false,
    ranges: [{ opens: '17:00', closes: '23:00', before: 720, after: 30, tenders: [] }],
  });
});

test.each([
  ['answers with an error', 'its picture did not come: it answered 500'],
  ['sends a page', 'its picture did not come: it cannot be read as a picture'],
  ['breaks off', 'its picture did not come: the connection failed'],
  ['drips', 'its picture did not come: it did not answer in time'],
])('if a picture host %s only the picture is missing, and the next import adds it', async (how, note) => {
  const club = await startClub(({ urlOf }) => ({
    announcements: [record('Poster', { ...onTv, Image: file(urlOf('poster')) })],
  }));
  const [page] = club.pub.pages('announcements');
  const expire = how === 'drips' ? holdTimeouts() : undefined;
  club.pictures.faults.set('poster', (response) => {
    if (how === 'breaks off') return void response.destroy();
    response.writeHead(how.startsWith('answers') ? 500 : 200, { 'content-type': 'text/html' });
    if (how !== 'drips') return void response.end('<html>Not found</html>');
    response.write('\x89PNG\r\n', expire);
  });

  const dry = (await club.run(true)).json();
  const real = (await club.run()).json();
  expect(dry.notes).toMatchObject([{ id: page!.id, text: expect.stringMatching(note) }]);
  expect(real).toMatchObject({
    created: 1,
    notes: [{ text: expect.stringContaining('its picture did not come') }],
  });
  expect((await feedOf(club)).announcements).toMatchObject([{ title: 'Poster', imageUrl: '' }]);

  club.pictures.faults.clear();
  expect((await club.run()).json()).toMatchObject({ changed: 1, notes: [] });
  const [{ imageUrl } = { imageUrl: '' }] = (await feedOf(club)).announcements;
  expect((await club.service.get(imageUrl)).statusCode).toBe(200);

  // An imported picture is kept when its host fails later.
  club.pictures.faults.set('poster', (response) => void response.destroy());
  expect((await club.run()).json()).toMatchObject({ changed: 0, unchanged: 1 });
  expect((await feedOf(club)).announcements).toMatchObject([{ imageUrl }]);
});

test('an imported picture has no description until somebody writes one', async () => {
  const club = await startClub(({ urlOf }) => ({
    tenders: [record('Ann Lee', { Active: tick(), 'Meet your Tender': tick(), Photo: file(urlOf('ann')) })],
  }));
  await club.run();
  const [ann] = (await club.service.get('/api/tenders')).json().tenders;

  expect(ann).not.toHaveProperty('imageAlt');
  expect(ann).not.toHaveProperty('imageFocus');
  const page = await club.service.get('/admin/content/pictures', { ...club.owner, accept: 'text/html' });
  expect(page.body).toContain('Nobody has said it yet');
});

test('the import is for owners, and only one runs at a time', async () => {
  const club = await startClub({ announcements: [record('Quiz', onTv)] });
  const mia = await appoint(club.service, 'mia@club.example', 'manager');
  const address = '/api/admin/content/import';
  const html = { accept: 'text/html' };

  expectRefusal(await club.service.post(address, { dry_run: true }, mia), 403, 'import_for_owners');
  expect((await club.service.get('/admin/content/import', { ...mia, ...html })).statusCode).toBe(403);
  expect((await club.service.submit('/admin/content/import', {}, mia)).statusCode).toBe(403);
  expect((await club.service.get('/admin/content', { ...mia, ...html })).body).not.toContain(
    '/admin/content/import',
  );
  expect(club.records()).toEqual([]);
  expectBadField(
    await club.service.post(address, { dry_run: 'perhaps' }, club.owner),
    'dry_run',
    'not_true_or_false',
  );
  const both = await Promise.all([club.run(), club.run()]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test('the page offers a preview first, then the import, and shows what still needs the key', async () => {
  const club = await startClub({
    announcements: [record('Quiz', onTv), record('Not ticked', {})],
    tenders: [record('Ann Lee', { Active: tick() })],
    shifts: [
      record('Tonight', { Shift: when(`${TODAY}T11:00:00.000-05:00`, `${TODAY}T23:00:00.000-05:00`) }),
    ],
  });
  const page = async () =>
    (await club.service.get('/admin/content/import', { ...club.owner, accept: 'text/html' })).body;
  const press = (dry_run: string) => club.service.submit('/admin/content/import', { dry_run }, club.owner);
  const home = await club.service.get('/admin/content', { ...club.owner, accept: 'text/html' });
  expect(home.body).toContain('href="/admin/content/import"');

  const first = await page();
  expect(first).toContain('Preview the import');
  expect(first).not.toContain('Import now');
  expect(first).toContain('Only in the workspace: 3');

  expect((await press('true')).headers.location).toBe('/admin/content/import');
  const looked = await page();
  expect(looked).toContain('<h2 id="last">Preview</h2>');
  expect(looked).toContain('it is not ticked for the screens');
  expect(looked).toContain('Import now');
  expect(club.records()).toEqual([]);

  await press('false');
  const done = await page();
  expect(done).toContain('<h2 id="last">Imported</h2>');
  expect(done).toContain('Nothing would change');
  await club.restart({ WORKSPACE_API_KEY: '' });
  expect(await page()).toContain('No workspace is set up');
});

test('the page says that hours are unknown without the key, but not before the workspace was read', async () => {
  const club = await startClub({});
  const page = async () =>
    (await club.service.get('/admin/content/import', { ...club.owner, accept: 'text/html' })).body;
  expect(await page()).toContain('That it is closed when nobody works');

  club.pub.workspace.down = { status: 401 };
  await club.restart(TWO);
  expect(await page()).toContain('The workspace was not read yet.');
});

test('when the workspace fails during an import the page shows the reason', async () => {
  const club = await startClub({ announcements: [record('Quiz', onTv)] });
  club.pub.workspace.down = { status: 401 };
  await club.service.submit('/admin/content/import', { dry_run: 'false' }, club.owner);

  const page = await club.service.get('/admin/content/import', { ...club.owner, accept: 'text/html' });

  expect(page.body).toContain('Not completed');
  expect(page.body).toContain('The events cannot be read, so nothing was imported.');
});
