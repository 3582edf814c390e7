import { expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { file, onTv, record } from '#test/stand-ins/pub-workspace.ts';
import { NOON } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { aroundNow } from '../../../scripts/demo/around.ts';
import { ANCHOR } from '../../../scripts/demo/clubs/anchor.ts';
import { playWorkspace } from '../../../scripts/demo/workspace.ts';
import { type Club, startClub, TWO } from './imported-club.ts';
import { threeHundredPages } from './three-hundred-pages.ts';

test('a dry run of 300 pages changes nothing; after importing and removing the key readers see the same', async () => {
  const club = await startClub(threeHundredPages, TWO);
  const before = await club.seen();
  const counts = () =>
    (['content_records', 'content_revisions', 'pictures', 'audit_log'] as const).map(
      (table) => club.service.ctx.db.all(build.selectFrom(table).selectAll()).length,
    );
  const was = counts();
  const read = await bodiesOf(club);
  const images = imagesIn([before.events, before.tenders]);
  expect(before.calendar.body.match(/BEGIN:VEVENT/g)!.length).toBeGreaterThan(60);
  expect(images.length).toBeGreaterThan(30);

  const dry = (await club.run(true)).json();
  expect(counts()).toEqual(was);
  expect(await club.seen()).toEqual(before);

  const answer = await club.run();
  const real = answer.json();
  expect(answer.statusCode).toBe(200);
  expect(real).toMatchObject({ ok: true, dry_run: false, changed: 0, unchanged: 0, kept: [] });
  expect({ ...dry, dry_run: false }).toEqual(real);
  expect(await club.seen()).toEqual(before);
  const stored = club.records();
  expect(real.created).toBe(stored.length);

  expect(recordedOf(club.service.ctx, 'content.imported')).toMatchObject([
    { created: real.created, changed: 0, kept: 0, left_out: real.left_out.length },
  ]);
  const nothingNew = { created: 0, changed: 0, unchanged: stored.length, kept: [] };
  for (const dryRun of [true, false]) expect((await club.run(dryRun)).json()).toMatchObject(nothingNew);
  expect(club.records()).toEqual(stored);

  await club.restart({ WORKSPACE_API_KEY: '' });
  expect(await club.seen()).toEqual(before);
  expect(await bodiesOf(club)).toEqual(read);
  expect((await club.service.get('/api/events')).json()).toMatchObject({
    source: 'workspace',
    contentFrom: ['house'],
    stale: false,
    hoursKnown: true,
  });
  // Drawing a code takes long: some of those that are drawn are enough.
  const codes = images.filter((image) => image.includes('/tender-qr/'));
  for (const image of images.filter((one) => codes.indexOf(one) < 4))
    expect([image, (await club.service.get(image)).statusCode]).toEqual([image, 200]);
});

test('importing the demo’s workspace keeps screens and calendar the same', async () => {
  const at = aroundNow('America/New_York', Temporal.Instant.fromEpochMilliseconds(NOON));
  await using workspace = await playWorkspace(ANCHOR, at);
  const club = await startClub({}, { WORKSPACE_API_URL: workspace.url });
  await club.later();
  const before = await club.seen();
  expect(before.calendar.body.match(/BEGIN:VEVENT/g)).toHaveLength(2);
  const read = await bodiesOf(club, [...PAGES, '/events']);

  const report = (await club.run()).json();
  expect(report).toMatchObject({ created: 3, left_out: [], notes: [], pairs: [], warnings: [] });
  await club.restart({ WORKSPACE_API_KEY: '' });

  expect(await club.seen()).toEqual(before);
  expect(await bodiesOf(club, [...PAGES, '/events'])).toEqual(read);
});

test('at a second import records changed or removed here are kept and listed', async () => {
  const six = Array.from({ length: 6 }, (_, n) => record(`Announcement ${n}`, onTv));
  const club = await startClub({ announcements: six });
  await club.run();
  expect(club.records()).toHaveLength(6);

  const pages = club.pub.pages('announcements');
  const [edited, removed, open] = pages.filter((_, index) => [2, 3, 4].includes(index));
  const patch = { version: 1, body: { title: 'Written here' }, publish: true };
  const url = (id: string) => `/api/admin/content/announcement/${id}`;
  await club.service.request({ method: 'PATCH', url: url(edited!.id), payload: patch, headers: club.owner });
  await club.service.post(`${url(removed!.id)}/remove`, {}, club.owner);
  for (const page of [edited!, removed!, open!])
    page.properties.Content = { type: 'rich_text', rich_text: [{ plain_text: 'New' }] };

  const second = (await club.run()).json();
  expect(second).toMatchObject({ created: 0, changed: 1, unchanged: 3 });
  expect(second.kept).toEqual([
    { kind: 'announcement', id: edited!.id, title: 'Announcement 2', text: 'it was changed here' },
    { kind: 'announcement', id: removed!.id, title: 'Announcement 3', text: 'it was removed here' },
  ]);
  const { announcements } = (await club.service.get('/api/events')).json<EventsFeed>();
  expect(announcements).toEqual(expect.arrayContaining([expect.objectContaining({ title: 'Written here' })]));
  expect(announcements.map(({ title }) => title)).not.toContain('Announcement 3');
  expect((await club.service.get(url(open!.id), club.owner)).json()).toMatchObject({
    version: 2,
    published_version: 2,
    body: { text: 'New' },
    history: [
      { version: 2, reason: 'imported', fields: ['text'] },
      { version: 1, reason: 'imported' },
    ],
  });
});

test('while the workspace is down imported content is still shown, and a new import changes nothing', async () => {
  const club = await startClub({ announcements: [record('First', onTv), record('Second', onTv)] });
  await club.run();
  club.pub.pages('announcements').push(record('Third', onTv));
  await club.later();
  const titles = async () =>
    (await club.service.get('/api/events')).json<EventsFeed>().announcements.map(({ title }) => title);
  expect(await titles()).toEqual(['First', 'Second', 'Third']);

  club.pub.workspace.down = { status: 401 };
  await club.later();
  expect(await titles()).toEqual(['First', 'Second', 'Third']);
  expect((await club.service.get('/api/events')).json()).toMatchObject({ stale: true });
  const failed = await club.run();
  expect([failed.statusCode, failed.json().error]).toEqual([
    502,
    expect.stringMatching(
      /^The events cannot be read, so nothing was imported\. The workspace refused the key/,
    ),
  ]);
  expect(club.records()).toHaveLength(2);

  await club.restart({ WORKSPACE_API_KEY: '' });
  expect(await titles()).toEqual(['First', 'Second']);
  expect((await club.service.get('/api/events')).json()).toMatchObject({ stale: false });
  expect((await club.run()).statusCode).toBe(409);
});

test('a stop during an import does not wait for pictures, and the next import continues', async () => {
  const club = await startClub(({ urlOf }) => ({
    announcements: ['One', 'Two'].map((name) => record(name, { ...onTv, Image: file(urlOf(name)) })),
  }));
  const reached = Promise.withResolvers<void>();
  club.pictures.faults.set('Two', () => reached.resolve());
  const running = club.run();
  await reached.promise;

  await club.restart();

  expect((await running).statusCode).toBe(503);
  expect(club.records()).toHaveLength(1);
  club.pictures.faults.clear();
  expect((await club.run()).json()).toMatchObject({ created: 1, unchanged: 1, notes: [] });
});

const HTML = { accept: 'text/html' };

/** A page without the parts that change with any load. */
const plainPage = (body: string) =>
  body.replace(/\?v=\w+/g, '').replace(/"(contentFrom|lastUpdated)":("[^"]*"|\[[^\]]*\])/g, '');

const PAGES = ['/programme', '/tenders/', '/tv'];

/** The pages that visitors read. */
const bodiesOf = ({ service }: Club, pages = PAGES) =>
  Promise.all(pages.map(async (page) => plainPage((await service.get(page, HTML)).body)));

/** The addresses of all pictures in feeds. */
const imagesIn = (feeds: object[]): string[] => [
  ...new Set(JSON.stringify(feeds).match(/\/api\/image\/[\w-]+\/\w+/g)),
];
