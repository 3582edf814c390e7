import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { refreshFeed } from '#calendar/feed/feed.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { createWorkspace } from '#kernel/workspace/client.ts';
import { BROWSER, mintFeed } from '#test/calendar/fixtures.ts';
import { record, select, text, url, when } from '#test/stand-ins/pub-workspace.ts';
import {
  type FakePage,
  type FakeWorkspace,
  id,
  KEY,
  startWorkspace,
} from '#test/stand-ins/workspace-server.ts';
import { BASE, enterMail, type TestApp, testApp } from '#test/support/app.ts';
import { type ReadEvent, readWithIcalJs, readWithNodeIcal } from './readers.ts';

const PROGRAMS_DB = id(0x99);
const COLUMNS = {
  Name: 'title',
  'Event Start': 'date',
  'Event End': 'date',
  'Duration Hours': 'number',
  Location: 'select',
  Description: 'rich_text',
  URL: 'url',
  Status: 'status',
};

interface Programme {
  service: TestApp;
  workspace: FakeWorkspace;
  pages: FakePage[];
  /** Path of a valid feed. */
  feed: string;
  read(): Promise<{ etag: string; body: string; events: ReadEvent[] }>;
  /** Advances the clock, by two minutes unless told otherwise, and runs the job. */
  later(ms?: number): Promise<void>;
  restart(env?: Record<string, string>): Promise<void>;
}

/** The service with a workspace that has programs. */
async function startProgramme(pages: FakePage[], env: Record<string, string> = {}): Promise<Programme> {
  const columns = Object.fromEntries(Object.entries(COLUMNS).map(([name, type]) => [name, { type }]));
  const sources = [{ id: id(0xd99), columns, pages }];
  const workspace = await startWorkspace([{ id: PROGRAMS_DB, title: 'Programs', sources }]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'programme-'));
  let time: number | undefined;
  const open = async (more: Record<string, string> = {}) => {
    const service = await testApp({
      DATABASE_URL: `file:${path.join(folder, 'service.db')}`,
      BASE_URL: BASE,
      WORKSPACE_API_KEY: KEY,
      WORKSPACE_API_URL: workspace.url,
      WORKSPACE_PROGRAMS_DATABASE_ID: PROGRAMS_DB,
      ...env,
      ...more,
    });
    service.clock.now = time ?? service.clock.now;
    service.ctx.workspace &&= createWorkspace(service.ctx.config, service.ctx.log, { sleep: async () => {} });
    return service;
  };
  const own: Programme = {
    service: await open(),
    workspace,
    pages,
    feed: '',
    async read() {
      const { headers, body, statusCode } = await own.service.get(own.feed);
      expect(statusCode).toBe(200);
      expect(readWithNodeIcal(body)).toEqual(readWithIcalJs(body));
      return { etag: String(headers.etag), body, events: readWithIcalJs(body) };
    },
    async later(ms = 2 * MINUTE) {
      own.service.clock.now += ms;
      await refreshFeed(own.service.calendarContext);
      await refreshFeed(own.service.calendarContext);
    },
    async restart(more) {
      time = own.service.clock.now;
      await own.service[Symbol.asyncDispose]();
      own.service = await open(more);
    },
  };
  onTestFinished(async () => {
    await own.service[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose]();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  await refreshFeed(own.service.calendarContext);
  own.feed = await mintFeed(own.service);
  return own;
}

const program = (
  name: string,
  start: string,
  more: FakePage['properties'] = {},
  end?: string,
  own: Partial<FakePage> = {},
) => record(name, { 'Event Start': when(start, end ?? null), ...more }, own);
const at = (iso: string) => Temporal.Instant.from(iso).epochMilliseconds;
const titles = (events: ReadEvent[]) => events.map(({ summary }) => summary);

test('the workspace’s programs are in the feed as they are written there', async () => {
  const { read } = await startProgramme([
    program('Quiz night', '2026-11-28T19:00:00-05:00', {
      Location: select('The back room'),
      Description: text('Teams of four.\nBring a pen; or two, if you like.'),
      URL: url('https://club.example/quiz?a=1,2;b'),
    }),
    program('Winter fair', '2026-12-05', {}, '2026-12-06'),
    program('One day', '2026-12-08'),
    program('No end', '2026-12-09T18:00:00.000Z'),
    program('Two hours', '2026-12-10T18:00:00.000Z', { 'Duration Hours': { type: 'number', number: 2 } }),
    program('Its own end', '2026-12-11T18:00:00.000Z', { 'Event End': when('2026-12-11T23:30:00.000Z') }),
    program('Ends before it starts', '2026-12-12T18:00:00.000Z', {}, '2026-12-11T18:00:00.000Z'),
    program('Cancelled', '2026-12-13T18:00:00.000Z', {
      Status: { type: 'status', status: { name: 'Cancelled' } },
    }),
    program('Not for members yet', '2026-12-14T18:00:00.000Z', {
      Status: { type: 'status', status: { name: 'Draft' } },
    }),
    program('Nobody knows when', 'soon'),
    record('Nobody ever said when', {}),
  ]);

  const { events } = await read();
  expect(events[0]).toMatchObject({
    summary: 'Quiz night',
    location: 'The back room',
    description: 'Teams of four.\nBring a pen; or two, if you like.',
    url: 'https://club.example/quiz?a=1,2;b',
    start: at('2026-11-29T00:00:00Z'),
    end: at('2026-11-29T04:00:00Z'),
    cancelled: false,
  });
  expect(
    events.slice(1).map(({ summary, start, end, cancelled }) => [summary, start, end, cancelled]),
  ).toEqual([
    ['Winter fair', '2026-12-05', '2026-12-07', false],
    ['One day', '2026-12-08', '2026-12-09', false],
    ['No end', at('2026-12-09T18:00:00Z'), at('2026-12-09T22:00:00Z'), false],
    ['Two hours', at('2026-12-10T18:00:00Z'), at('2026-12-10T20:00:00Z'), false],
    ['Its own end', at('2026-12-11T18:00:00Z'), at('2026-12-11T23:30:00Z'), false],
    ['Ends before it starts', at('2026-12-12T18:00:00Z'), at('2026-12-12T22:00:00Z'), false],
    ['Cancelled', at('2026-12-13T18:00:00Z'), at('2026-12-13T22:00:00Z'), true],
  ]);
});

test('the feed covers 30 days back to 400 days ahead, and drops cancelled programs after 30 days', async () => {
  const cancelled = { Status: { type: 'status', status: { name: 'Canceled' } } };
  const own = await startProgramme([
    program('Over long ago', '2026-10-20T18:00:00.000Z'),
    program('Began long ago, was over lately', '2026-10-01', {}, '2026-10-25'),
    program('Lately', '2026-10-22T18:00:00.000Z'),
    program('Far', '2027-12-25T18:00:00.000Z'),
    program('Too far', '2027-12-27T18:00:00.000Z'),
    program('Off', '2026-12-20T18:00:00.000Z', cancelled, undefined, {
      last_edited_time: '2026-11-20T12:00:00.000Z',
    }),
    program('Off since October', '2026-12-20T18:00:00.000Z', cancelled, undefined, {
      last_edited_time: '2026-10-01T12:00:00.000Z',
    }),
  ]);

  expect(titles((await own.read()).events)).toEqual([
    'Began long ago, was over lately',
    'Lately',
    'Off',
    'Far',
  ]);
  await own.later(29 * DAY);
  expect(titles((await own.read()).events)).toEqual(['Off', 'Far', 'Too far']);
  await own.later(2 * DAY);
  expect(titles((await own.read()).events)).toEqual(['Far', 'Too far']);
});

test('an edit changes the feed and its sequence; without an edit it stays the same, byte for byte', async () => {
  const own = await startProgramme([program('Quiz night', '2026-11-28T19:00:00-05:00')]);
  const first = await own.read();
  const since = (await own.service.get(own.feed)).headers['last-modified'];
  await own.later();
  await own.later();
  const same = await own.read();
  expect(same).toEqual(first);

  Object.assign(own.pages[0]!, { last_edited_time: '2026-11-21T17:03:00.000Z' });
  own.pages[0]!.properties['Event Start'] = when('2026-11-28T20:00:00-05:00');
  await own.later();
  const edited = await own.read();
  expect(edited.etag).not.toBe(first.etag);
  expect(edited.events[0]!.uid).toBe(first.events[0]!.uid);
  expect(edited.events[0]!.start).toBe(at('2026-11-29T01:00:00Z'));
  const sequence = (body: string) => Number(/SEQUENCE:(\d+)/.exec(body)?.[1]);
  expect(sequence(edited.body)).toBeGreaterThan(sequence(first.body));
  expect(edited.body).toContain('LAST-MODIFIED:20261121T170300Z');
  const stale = await own.service.get(own.feed, { 'if-modified-since': String(since) });
  expect(stale.statusCode).toBe(200);

  // A deleted page is removed from the feed, and that is a change too.
  own.pages.length = 0;
  await own.later();
  const empty = await own.read();
  expect(empty.events).toEqual([]);
  expect(empty.etag).not.toBe(edited.etag);
});

test('a change read for a visitor’s request is in the feed at once, before the next run of the job', async () => {
  const own = await startProgramme([program('Quiz night', '2026-11-28T19:00:00-05:00')]);
  own.pages[0]!.properties.Name = { type: 'title', title: [{ plain_text: 'Quiz evening' }] };
  own.service.clock.now += 2 * MINUTE;

  await own.service.get('/programme', BROWSER);

  await expect.poll(async () => titles((await own.read()).events)).toEqual(['Quiz evening']);
});

test('while the workspace is down, and after a restart meanwhile, the last good feed is served', async () => {
  const own = await startProgramme([program('Quiz night', '2026-11-28T19:00:00-05:00')]);
  const first = await own.read();
  own.workspace.down = { status: 503 };
  await own.later(3 * DAY);
  expect(await own.read()).toEqual(first);

  await own.restart();
  expect(await own.read()).toEqual(first);
  await own.service.ctx.write((tx) => tx.run(build.deleteFrom('workspace_content')));
  await own.restart();
  await own.later();
  expect(await own.read()).toEqual(first);

  own.workspace.down = undefined;
  own.pages[0]!.properties.Name = { type: 'title', title: [{ plain_text: 'Quiz evening' }] };
  await own.later();
  expect(titles((await own.read()).events)).toEqual(['Quiz evening']);
});

test('without a workspace the calendar is empty; without a programme database the events are read', async () => {
  const own = await startProgramme([program('Quiz night', '2026-11-28T19:00:00-05:00')], {
    WORKSPACE_PROGRAMS_DATABASE_ID: '',
    WORKSPACE_EVENTS_DATABASE_ID: PROGRAMS_DB,
  });
  expect(titles((await own.read()).events)).toEqual(['Quiz night']);

  await own.restart({ WORKSPACE_API_KEY: '' });
  await refreshFeed(own.service.calendarContext);
  expect((await own.read()).events).toEqual([]);
});

test('no content of one page can break the feed for the others', async () => {
  const own = await startProgramme([
    program('Good', '2026-11-28T19:00:00-05:00'),
    program('Bad\r\nEND:VEVENT\r\nATTACH:file:///etc/passwd', '2026-11-29T19:00:00-05:00', {
      Location: text('\u0000\u001b[2J\u2028BEGIN:VALARM'),
      Description: text(`${'\\'.repeat(50)}\n\nEND:VCALENDAR\r\nBEGIN:VCALENDAR ${'🎲'.repeat(3_000)}`),
      URL: url('javascript:alert(1)'),
    }),
    program(
      'Long',
      '2026-11-30T19:00:00-05:00',
      { URL: url(`https://club.example/${'x'.repeat(5_000)}`) },
      '9999-12-31',
    ),
  ]);

  const { body } = await own.service.get(own.feed);
  const events = readWithIcalJs(body);
  expect(titles(events)).toEqual(['Good', 'Bad END:VEVENT ATTACH:file:///etc/passwd', 'Long']);
  expect(events.map((event) => event.url)).toEqual([undefined, undefined, undefined]);
  expect(body.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(3);
  expect(body).not.toMatch(/^(ATTACH|BEGIN:VALARM)/m);
});

test('the programme page shows upcoming programs by day, to everybody', async () => {
  const own = await startProgramme([
    program('Over', '2026-11-20T18:00:00.000Z'),
    program('Still on', '2026-11-19', {}, '2026-11-22'),
    program(
      'Tonight <b>',
      '2026-11-21T19:00:00-05:00',
      { Location: select('The back room'), Description: text('A <script> walks in.') },
      '2026-11-22T01:00:00-05:00',
    ),
    program('Next year', '2027-01-02', { Status: { type: 'status', status: { name: 'Cancelled' } } }),
  ]);

  enterMail(own.service);
  const { body, statusCode } = await own.service.request({ url: '/programme', headers: BROWSER });
  expect(statusCode).toBe(200);
  const words = body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(words).toMatch(
    /Saturday, November 21 Until Sun, Nov 22 Still on Add only this one : Still on 7 PM – 1 AM Tonight &lt;b&gt; The back room A &lt;script&gt; walks in. Add only this one : Tonight &lt;b&gt; Saturday, January 2, 2027 All day Next year Cancelled/,
  );
  expect(words).not.toContain('Over');
  expect(body).toContain('<a class="button" href="/subscribe-programs">');

  own.workspace.down = 'drop';
  await own.later();
  const later = await own.service.request({ url: '/programme', headers: BROWSER });
  expect(later.body).toContain('This is the programme as of Sat, Nov 21, 2026, 12:00\u00a0PM');
});
