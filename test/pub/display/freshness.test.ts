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

test('a thousand requests cost the workspace a handful of calls', async () => {
  await using pub = await startPub(EVENING, { REQUESTS_IN_FLIGHT_PER_CLIENT: '1000' });
  const atFirst = pub.workspace.requests.length;
  pub.house.clock.now += 2 * MINUTE;

  const answers = await Promise.all(
    Array.from({ length: 500 }, () => [pub.house.get('/api/events'), pub.house.get('/api/tenders')]).flat(),
  );
  await refreshDisplay(pub.house.ctx);

  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  // A database, its columns and its pages, for each of four; the events once more for the calendar; then their pages alone.
  expect(atFirst).toBeLessThanOrEqual(13);
  expect(pub.workspace.requests.length - atFirst).toBe(4);
});

test('a change appears after two minutes while anybody asks; then nobody is bothered any more', async () => {
  await using pub = await startPub(EVENING);
  const { house } = pub;
  pub.pages('events').push(event('Darts', '2026-11-21T20:00:00.000-05:00'));
  const published: string[] = [];
  house.ctx.hub.on('content', () => published.push('content'));

  house.clock.now += 2 * MINUTE - 1;
  await refreshDisplay(house.ctx);
  const before = await feedOf(house);
  house.clock.now += 1;
  await refreshDisplay(house.ctx);
  const after = await feedOf(house);

  expect(titles(before)).toEqual(['Quiz']);
  expect(titles(after)).toEqual(['Quiz', 'Darts']);
  expect(after.lastUpdated).toBe('2026-11-21T17:02:00.000Z');
  // Of four sources that were read, one has changed.
  expect(published).toEqual(['content']);

  const calls = [];
  for (let minute = 2; minute <= 30; minute += 2) {
    house.clock.now += 2 * MINUTE;
    await refreshDisplay(house.ctx);
    calls.push(pub.workspace.requests.length);
  }
  expect(calls[3]).toBeGreaterThan(calls[2]!);
  expect(calls.at(-1)).toBe(calls[3]);
});

test('the first answer after a long pause is marked as stale, and the next one is fresh', async () => {
  await using pub = await startPub(EVENING);
  pub.house.clock.now += DAY;

  const first = await feedOf(pub.house);
  await refreshDisplay(pub.house.ctx);
  const next = await feedOf(pub.house);

  expect([first.stale, first.lastUpdated]).toEqual([true, '2026-11-21T17:00:00.000Z']);
  expect([next.stale, next.lastUpdated]).toEqual([false, '2026-11-22T17:00:00.000Z']);
});

test('whatever the workspace does, everybody is answered at once with what is known', async () => {
  await using pub = await startPub(EVENING);
  const { house, workspace } = pub;
  const { ctx } = house;
  // Patient when it answers, and quick to give up when it hangs.
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
    const { lastUpdated } = await feedOf(house);
    workspace.down = fault;
    if (String(fault).startsWith('hang')) ctx.workspace = hasty;
    house.clock.now += 2 * MINUTE;

    const during = await Promise.all(Array.from({ length: 10 }, () => feedOf(house)));
    await refreshDisplay(ctx);
    const after = await feedOf(house);

    expect(during.every((feed) => feed.source === 'workspace' && titles(feed)[0] === 'Quiz')).toBe(true);
    expect(after).toMatchObject({ stale: true, source: 'workspace', lastUpdated });
    expect(titles(after)).toEqual(['Quiz']);
    expect((await house.get('/api/tenders')).json()).toMatchObject({
      stale: true,
      tenders: [{ firstName: 'Ann' }],
    });

    workspace.down = undefined;
    ctx.workspace = patient;
    house.clock.now += 30 * SECOND;
    await refreshDisplay(ctx);
    expect((await feedOf(house)).stale).toBe(false);
  }
  const said = house.logged.filter((line) => line.includes('content of the workspace cannot be read'));
  expect(said).toHaveLength(4 * faults.length);
});

test('with the workspace down from the beginning there are placeholders, and soon the real thing', async () => {
  await using pub = await startPub(EVENING, {}, { cold: true });
  const { house, workspace } = pub;
  for (const fault of ['drop', 'garbage', { status: 404 }, { status: 403 }] satisfies Fault[]) {
    workspace.down = fault;
    expect(await feedOf(house)).toMatchObject({ source: 'placeholder', stale: false, todayEvents: [] });
    // Waits for the read that this has started: the next one is started once it has failed.
    await refreshDisplay(house.ctx);
    house.clock.now += 30 * SECOND;
  }

  workspace.down = undefined;
  await refreshDisplay(house.ctx);

  expect(titles(await feedOf(house))).toEqual(['Quiz']);
});

test('after the start nobody waits for a first read: they see placeholders until it is there', async () => {
  await using pub = await startPub(EVENING, {}, { cold: true });
  const { house, workspace } = pub;
  workspace.down = 'drop';
  await house.app.ready();
  await refreshDisplay(house.ctx);
  workspace.down = undefined;
  house.clock.now += 30 * SECOND;

  const [first, tenders] = [await feedOf(house), await house.get('/api/tenders')];
  await refreshDisplay(house.ctx);

  expect(first).toMatchObject({ source: 'placeholder', todayEvents: [] });
  expect(tenders.statusCode).toBe(200);
  expect(titles(await feedOf(house))).toEqual(['Quiz']);
});

test('the start waits for a workspace that was never read', async () => {
  await using pub = await startPub(EVENING, {}, { cold: true });

  await pub.house.app.ready();
  pub.workspace.down = 'drop';

  expect(titles(await feedOf(pub.house))).toEqual(['Quiz']);
});

test('the start does not wait long for a workspace that hangs', async () => {
  await using pub = await startPub(EVENING, {}, { cold: true });
  const { ctx } = pub.house;
  ctx.workspace = createWorkspace(ctx.config, ctx.log, { timeoutMs: 60_000 });
  pub.workspace.down = 'hang';

  expect(await feedOf(pub.house)).toMatchObject({ source: 'placeholder' });
  expect((await pub.house.get('/api/tenders')).json()).toMatchObject({ source: 'placeholder' });
});

test('after a restart with the workspace down the last good content is there', async () => {
  await using pub = await startPub(EVENING, {}, { durable: true });
  pub.workspace.down = { status: 503 };

  const house = await pub.restart();
  house.clock.now += 5 * MINUTE;
  const first = await feedOf(house);
  await refreshDisplay(house.ctx);
  const later = await feedOf(house);

  expect(titles(first)).toEqual(['Quiz']);
  expect(later).toMatchObject({
    source: 'workspace',
    stale: true,
    lastUpdated: '2026-11-21T17:00:00.000Z',
    announcements: [{ title: 'Welcome' }],
  });

  // What was kept of one database is not shown for another, nor what an older version has stored.
  const other = await pub.restart({ WORKSPACE_EVENTS_DATABASE_ID: id(0xe1) });
  expect(await feedOf(other)).toMatchObject({ todayEvents: [], announcements: [{ title: 'Welcome' }] });
  await other.ctx.write((tx) =>
    tx.run(
      build.updateTable('workspace_content').set({ content: '{"database":"x","content":[{"old":true}]}' }),
    ),
  );
  expect(await feedOf(await pub.restart())).toMatchObject({ source: 'placeholder', todayEvents: [] });
});

async function feedOf(house: TestApp): Promise<EventsFeed> {
  const answer = await house.get('/api/events');
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

const titles = (feed: EventsFeed) => feed.todayEvents.map(({ title }) => title);
