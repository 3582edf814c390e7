import { expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { createWorkspace } from '#kernel/workspace/client.ts';
import { type EventsFeed, refreshDisplay } from '#pub/display/feeds.ts';
import { event, onTv, type PubPages, record, tick } from '#test/stand-ins/pub-workspace.ts';
import { type Fault, id } from '#test/stand-ins/workspace-server.ts';
import type { TestApp } from '#test/support/app.ts';
import { startPub } from '#test/support/pub-service.ts';

const QUIZ = event('Quiz', '2026-11-21T19:00:00.000-05:00');
const EVENING: PubPages = {
  events: [QUIZ],
  announcements: [record('Welcome', onTv)],
  tenders: [record('Ann Lee', { Active: tick() })],
};

test('two hundred requests cause only a few calls to the workspace', async () => {
  await using pub = await startPub(EVENING, { REQUESTS_IN_FLIGHT_PER_CLIENT: '1000' });
  const atFirst = pub.workspace.requests.length;
  pub.service.clock.now += 2 * MINUTE;

  const answers = await Promise.all(
    Array.from({ length: 100 }, () => [
      pub.service.get('/api/events'),
      pub.service.get('/api/tenders'),
    ]).flat(),
  );
  await refreshDisplay(pub.service.ctx);

  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  // First the database, columns and pages of each of four, and once more the calendar's events; later only the pages.
  expect(atFirst).toBeLessThanOrEqual(13);
  expect(pub.workspace.requests.length - atFirst).toBe(4);
});

test('a change appears after two minutes; without requests the workspace is no longer read', async () => {
  await using pub = await startPub(EVENING);
  const { service } = pub;
  pub.pages('events').push(event('Darts', '2026-11-21T20:00:00.000-05:00'));
  const published: string[] = [];
  service.ctx.hub.on('content', () => published.push('content'));

  service.clock.now += 2 * MINUTE - 1;
  await refreshDisplay(service.ctx);
  const before = await feedOf(service);
  service.clock.now += 1;
  await refreshDisplay(service.ctx);
  const after = await feedOf(service);

  expect(titles(before)).toEqual(['Quiz']);
  expect(titles(after)).toEqual(['Quiz', 'Darts']);
  expect(after.lastUpdated).toBe('2026-11-21T17:02:00.000Z');
  // Of four sources that were read, one has changed.
  expect(published).toEqual(['content']);

  const calls = [];
  for (let minute = 2; minute <= 30; minute += 2) {
    service.clock.now += 2 * MINUTE;
    await refreshDisplay(service.ctx);
    calls.push(pub.workspace.requests.length);
  }
  expect(calls[3]).toBeGreaterThan(calls[2]!);
  expect(calls.at(-1)).toBe(calls[3]);
});

test('the first answer after a long pause is marked as stale, and the next one is fresh', async () => {
  await using pub = await startPub(EVENING);
  pub.service.clock.now += DAY;

  const first = await feedOf(pub.service);
  await refreshDisplay(pub.service.ctx);
  const next = await feedOf(pub.service);

  expect([first.stale, first.lastUpdated]).toEqual([true, '2026-11-21T17:00:00.000Z']);
  expect([next.stale, next.lastUpdated]).toEqual([false, '2026-11-22T17:00:00.000Z']);
});

test('whatever the workspace does, requests are answered at once with the last known content', async () => {
  await using pub = await startPub(EVENING);
  const { service, workspace } = pub;
  const { ctx } = service;
  // The normal timeout where the workspace answers, and a short one where it hangs.
  const [patient, hasty] = [
    ctx.workspace,
    createWorkspace(ctx.config, ctx.log, { sleep: async () => {}, timeoutMs: 50 }),
  ];
  const faults: Fault[] = [
    'hang',
    'hang-in-body',
    'drop',
    'garbage',
    'wrong-shape',
    { status: 500 },
    { status: 401 },
    { status: 429, retryAfter: 1 },
  ];
  for (const fault of faults) {
    const { lastUpdated } = await feedOf(service);
    workspace.down = fault;
    if (String(fault).startsWith('hang')) ctx.workspace = hasty;
    service.clock.now += 2 * MINUTE;

    const during = await Promise.all(Array.from({ length: 10 }, () => feedOf(service)));
    await refreshDisplay(ctx);
    const after = await feedOf(service);

    expect(during.every((feed) => feed.source === 'workspace' && titles(feed)[0] === 'Quiz')).toBe(true);
    expect(after).toMatchObject({ stale: true, source: 'workspace', lastUpdated });
    expect(titles(after)).toEqual(['Quiz']);
    expect((await service.get('/api/tenders')).json()).toMatchObject({
      stale: true,
      tenders: [{ firstName: 'Ann' }],
    });

    workspace.down = undefined;
    ctx.workspace = patient;
    service.clock.now += 30 * SECOND;
    await refreshDisplay(ctx);
    expect((await feedOf(service)).stale).toBe(false);
  }
  const said = service.logged.filter((line) => line.includes('content of the workspace cannot be read'));
  expect(said).toHaveLength(4 * faults.length);
});

test('with the workspace down at the start the feed has placeholders, and the content once it is back', async () => {
  await using pub = await startPub(EVENING, {}, { cold: true });
  const { service, workspace } = pub;
  for (const fault of ['drop', 'garbage', { status: 404 }, { status: 403 }] satisfies Fault[]) {
    workspace.down = fault;
    expect(await feedOf(service)).toMatchObject({ source: 'placeholder', stale: false, todayEvents: [] });
    // Waits for the read that this has started: the next one is started once it has failed.
    await refreshDisplay(service.ctx);
    service.clock.now += 30 * SECOND;
  }

  workspace.down = undefined;
  await refreshDisplay(service.ctx);

  expect(titles(await feedOf(service))).toEqual(['Quiz']);
});

test('after the start no request waits for the first read: until then the feed has placeholders', async () => {
  await using pub = await startPub(EVENING, {}, { cold: true });
  const { service, workspace } = pub;
  workspace.down = 'drop';
  await service.app.ready();
  await refreshDisplay(service.ctx);
  workspace.down = undefined;
  service.clock.now += 30 * SECOND;

  const [first, tenders] = [await feedOf(service), await service.get('/api/tenders')];
  await refreshDisplay(service.ctx);

  expect(first).toMatchObject({ source: 'placeholder', todayEvents: [] });
  expect(tenders.statusCode).toBe(200);
  expect(titles(await feedOf(service))).toEqual(['Quiz']);
});

test('the start waits for the first read of the workspace', async () => {
  await using pub = await startPub(EVENING, {}, { cold: true });

  await pub.service.app.ready();
  pub.workspace.down = 'drop';

  expect(titles(await feedOf(pub.service))).toEqual(['Quiz']);
});

test('the start does not wait long for a workspace that hangs', async () => {
  await using pub = await startPub(EVENING, {}, { cold: true });
  const { ctx } = pub.service;
  ctx.workspace = createWorkspace(ctx.config, ctx.log, { timeoutMs: 60_000 });
  pub.workspace.down = 'hang';

  expect(await feedOf(pub.service)).toMatchObject({ source: 'placeholder' });
  expect((await pub.service.get('/api/tenders')).json()).toMatchObject({ source: 'placeholder' });
});

test('after a restart with the workspace down the last good content is used', async () => {
  await using pub = await startPub(EVENING, {}, { durable: true });
  pub.workspace.down = { status: 503 };

  const service = await pub.restart();
  service.clock.now += 5 * MINUTE;
  const first = await feedOf(service);
  await refreshDisplay(service.ctx);
  const later = await feedOf(service);

  expect(titles(first)).toEqual(['Quiz']);
  expect(later).toMatchObject({
    source: 'workspace',
    stale: true,
    lastUpdated: '2026-11-21T17:00:00.000Z',
    announcements: [{ title: 'Welcome' }],
  });

  // Content stored for another database, or by an older version, is not used.
  const other = await pub.restart({ WORKSPACE_EVENTS_DATABASE_ID: id(0xe1) });
  expect(await feedOf(other)).toMatchObject({ todayEvents: [], announcements: [{ title: 'Welcome' }] });
  await other.ctx.write((tx) =>
    tx.run(
      build.updateTable('workspace_content').set({ content: '{"database":"x","content":[{"old":true}]}' }),
    ),
  );
  expect(await feedOf(await pub.restart())).toMatchObject({ source: 'placeholder', todayEvents: [] });
});

async function feedOf(service: TestApp): Promise<EventsFeed> {
  const answer = await service.get('/api/events');
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

const titles = (feed: EventsFeed) => feed.todayEvents.map(({ title }) => title);
