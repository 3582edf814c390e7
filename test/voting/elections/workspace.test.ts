import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { addElection, addTokens, auditOf, cast, send } from '#test/support/factories.ts';
import {
  BAR,
  type Club,
  dashed,
  id,
  KEY,
  MOTIONS,
  OPTIONS,
  PAYROLL,
  PIANO,
  REPAIRS,
  SECRETS,
  startClub,
} from '#test/support/workspace-server.ts';
import { findLink, syncChangedElections } from '#voting/elections/workspace-link.ts';

test('the look-ups list the databases of the allowlist that are shared, their pages, and what a page has', async () => {
  await using club = await startClub({ WORKSPACE_ALLOWED_DATABASE_IDS: `${MOTIONS},${id(0xf)}` });
  const read = async (url: string) => (await club.house.get(`/admin/workspace/${url}`)).json();
  const found = { pages: [{ id: PIANO, title: 'Buy a piano' }], has_more: false };

  expect(await read('databases')).toEqual({ databases: [{ id: MOTIONS, name: 'Motions' }] });
  expect(await read(`databases/${dashed(MOTIONS)}/pages`)).toEqual(found);
  expect(await read(`databases/${MOTIONS}/pages?query=PIANO`)).toEqual(found);
  expect(await read(`databases/${MOTIONS}/pages?query=organ`)).toEqual({ pages: [], has_more: false });
  expect(await read(`pages/${PIANO}/validate`)).toEqual({
    valid: true,
    errors: [],
    properties: expect.arrayContaining([{ name: 'Status', type: 'status', options: OPTIONS }]),
  });
});

test('an unknown election or page is a 404, and a sync without a link a 400', async () => {
  await using club = await startClub();
  const { election } = club;

  expect((await link(club, 'x')).statusCode).toBe(404);
  expect((await send(club.house, 'DELETE', '/admin/elections/x/workspace/link')).statusCode).toBe(404);
  expect((await sync(club, 'x')).statusCode).toBe(404);
  for (const page of [id(99), 'no-id']) {
    expect((await club.house.get(`/admin/workspace/pages/${page}/validate`)).statusCode).toBe(404);
    expect((await link(club, election, { page_id: page })).statusCode).toBe(404);
  }
  const answer = await sync(club, election);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toBe('The election is not linked to a workspace page');
});

test('a page is linked by its address as well, but not as one of another database', async () => {
  await using club = await startClub();
  const { election } = club;

  const linked = await link(club, election, { page_id: `https://workspace.example/Buy-${PIANO}?pvs=4` });
  expect(linked.json().workspace_link.page_id).toBe(PIANO);

  const refused = await link(club, election, { page_id: BAR });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors).toEqual([{ path: 'page_id', message: 'is not in this database' }]);
});

test('a close by hand reaches the page, once, however many runs there are', async () => {
  await using club = await startClub();
  const { election } = club;
  await link(club, election);

  await club.house.post(`/admin/elections/${election}/close`);
  await Promise.all([1, 2, 3].map(() => syncChangedElections(club.house.ctx)));

  expect(statusOn(club, PIANO)).toEqual({ name: 'Closed' });
  expect(writes(club)).toBe(2);
});

test('a database off the allowlist is a 403, whoever shares it', async () => {
  await using club = await startClub();
  const { election } = club;

  for (const answer of [
    await club.house.get(`/admin/workspace/databases/${SECRETS}/pages`),
    await club.house.get('/admin/workspace/databases/no-id/pages'),
    await club.house.get(`/admin/workspace/pages/${PAYROLL}/validate`),
    await link(club, election, { database_id: SECRETS, page_id: PAYROLL }),
    await link(club, election, { database_id: MOTIONS, page_id: PAYROLL }),
  ]) {
    expect(answer.statusCode).toBe(403);
    expect(answer.json().error).toContain('WORKSPACE_ALLOWED_DATABASE_IDS');
  }
  await link(club, election);
  club.house.ctx.config.WORKSPACE_ALLOWED_DATABASE_IDS = [];
  expect((await sync(club, election)).statusCode).toBe(403);
  expect(writes(club)).toBe(1);
});

test.each([
  ['Nothing', 'the page has no property “Nothing”'],
  ['Turnout', '“Turnout” must be a status or select property, not number'],
  ['Priority', '“Priority” lacks the options Scheduled, Closed'],
])('a page whose %s cannot hold the status is not valid', async (name, error) => {
  await using club = await startClub();
  const { election } = club;

  const answer = await club.house.get(`/admin/workspace/pages/${PIANO}/validate?property_name=${name}`);
  expect(answer.json()).toMatchObject({ valid: false, errors: [error] });

  const refused = await link(club, election, { status_property_name: name });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors).toEqual([{ path: 'status_property_name', message: error }]);
});

test('linking writes the status, the voting link and the turnout, and is audited', async () => {
  await using club = await startClub({ BASE_URL: 'https://vote.club.example' });
  const { election } = club;
  const [token] = await addTokens(club.house, election, 3);
  await cast(club.house, election, { token, choice: 'yes' });

  const answer = await link(club, election);

  expect(answer.json()).toEqual({
    success: true,
    workspace_link: {
      ...ON_PIANO,
      status_property_name: 'Status',
      synced_at: club.house.clock.now,
      last_error: null,
    },
  });
  // All of it: no result, no token.
  expect(club.server.requests.at(-1)?.body).toEqual({
    properties: {
      Status: { status: { name: 'Open' } },
      'Voting Link': { url: `https://vote.club.example/e/${election}` },
      Turnout: { number: 1 },
    },
  });
  expect(await actionsOf(club, election)).toEqual(['workspace.linked', 'workspace.synced']);
  expect(club.house.logged.join()).not.toContain(KEY);
});

test('without a key every route that needs the workspace is a 500 naming the setting', async () => {
  await using club = await startClub({ WORKSPACE_API_KEY: '' });

  for (const answer of [...(await lookUps(club)), await link(club, club.election)]) {
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error).toContain('WORKSPACE_API_KEY');
  }
  await syncChangedElections(club.house.ctx);
});

test('a provider that is down is a 502, and a sync by hand keeps the reason', async () => {
  await using club = await startClub();
  await link(club, club.election);
  club.server.down = { status: 503 };

  expect((await lookUps(club)).map((answer) => answer.statusCode)).toEqual([502, 502, 502]);
  const answer = await sync(club, club.election);
  expect(answer.json().error).toBe('The workspace cannot be reached: it answered 503');
  expect(findLink(club.house.ctx.db, club.election)?.last_error).toBe(answer.json().error);
});

test('a link made while the page cannot be written stands, with the reason', async () => {
  await using club = await startClub();
  club.server.faults = ['none', 'none', { status: 401 }];

  const { workspace_link } = (await link(club, club.election)).json();

  expect(workspace_link).toMatchObject({ synced_at: null, last_error: expect.stringContaining('(401)') });
});

test('the job follows an election as it opens and closes, and writes nothing in between', async () => {
  await using club = await startClub();
  const [open_at, close_at] = [1, 2].map((hours) => isoTime(club.house.clock.now + hours * HOUR));
  const election = await addElection(club.house, { open_at, close_at });
  await link(club, election);
  const seen = [statusOn(club, PIANO)];
  const before = writes(club);

  for (let at = 0; at < 6; at += 1) {
    club.house.clock.now += 30 * MINUTE;
    await syncChangedElections(club.house.ctx);
    seen.push(statusOn(club, PIANO));
  }

  const expected = ['Scheduled', 'Scheduled', 'Open', 'Open', 'Closed', 'Closed', 'Closed'];
  expect(seen).toEqual(expected.map((name) => ({ name })));
  expect(writes(club) - before).toBe(2);
  expect(await actionsOf(club, election)).toEqual(['workspace.linked', ...Array(3).fill('workspace.synced')]);
});

test('a provider that is down is tried less and less often, never throws, and voting goes on', async () => {
  await using club = await startClub();
  const elections = [club.election, await addElection(club.house)];
  for (const election of elections) await link(club, election);
  club.house.clock.now += 3 * HOUR;
  const other = await addElection(club.house);
  const [token] = await addTokens(club.house, other, 1);
  club.server.down = { status: 500 };

  const runs: number[] = [];
  for (let minute = 0; minute < 40; minute += 1) {
    const before = club.server.requests.length;
    await syncChangedElections(club.house.ctx);
    if (club.server.requests.length > before) runs.push(minute);
    club.house.clock.now += MINUTE;
  }

  expect(runs).toEqual([0, 1, 3, 7, 15, 31]);
  expect((await cast(club.house, other, { token, choice: 'no' })).statusCode).toBe(200);
  expect(findLink(club.house.ctx.db, club.election)?.last_error).toContain('cannot be reached');

  club.server.down = undefined;
  club.house.clock.now += HOUR;
  await syncChangedElections(club.house.ctx);
  const links = elections.map((election) => findLink(club.house.ctx.db, election));
  expect(links.map((row) => row?.last_error ?? row?.last_status)).toEqual(['closed', 'closed']);
});

test('a page that is gone keeps no other from being written: without BASE_URL its status alone', async () => {
  await using club = await startClub();
  await link(club, club.election);
  await link(club, await addElection(club.house), ON_BAR);
  club.server.page(PIANO).in_trash = true;
  club.house.clock.now += 3 * HOUR;

  await syncChangedElections(club.house.ctx);

  const properties = { State: { select: { name: 'Closed' } } };
  expect(club.server.requests.at(-1)?.body).toEqual({ properties });
  expect(findLink(club.house.ctx.db, club.election)?.last_error).toMatch(/no such page/);
});

test('a link is replaced by another, removed, and goes with its election', async () => {
  await using club = await startClub();
  const { election } = club;
  await link(club, election);
  await link(club, election, ON_BAR);
  expect(findLink(club.house.ctx.db, election)).toMatchObject({ page_id: BAR });

  const url = `/admin/elections/${election}/workspace/link`;
  for (let times = 0; times < 2; times += 1)
    expect((await send(club.house, 'DELETE', url)).json()).toEqual({ success: true });
  expect(findLink(club.house.ctx.db, election)).toBeUndefined();
  expect((await actionsOf(club, election)).join().match(/unlinked/g)).toHaveLength(1);

  await link(club, election);
  await send(club.house, 'DELETE', `/admin/elections/${election}`);
  expect(findLink(club.house.ctx.db, election)).toBeUndefined();
});

test('the forms of the election page link, sync and unlink, and lead back to it', async () => {
  await using club = await startClub();
  const { election } = club;
  const url = `/admin/elections/${election}/workspace`;
  const fields = { ...ON_PIANO, status_property_name: '' };

  const steps = { link: 'linked', sync: 'synced', 'link?_method=DELETE': 'unlinked' };
  for (const [path, what] of Object.entries(steps)) {
    const answer = await club.house.submit(`${url}/${path}`, fields);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`/admin/elections/${election}?done=workspace-${what}#workspace`);
  }
});

test('the three look-ups share the admin limit; link and sync have none', async () => {
  await using club = await startClub({ RATE_LIMIT_ADMIN: '3' });
  const { election } = club;

  const [first] = await lookUps(club);
  const refused = await club.house.get('/admin/workspace/databases');

  expect(first?.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '2' });
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toEqual({ error: 'Rate limit exceeded', retryAfter: 60 });
  expect((await link(club, election)).statusCode).toBe(200);
});

const ON_PIANO = { database_id: MOTIONS, page_id: PIANO };
const ON_BAR = { database_id: REPAIRS, page_id: BAR, status_property_name: 'State' };

/** Links an election, to the piano's page unless told otherwise. */
function link({ house }: Club, election: string, fields: object = {}) {
  return house.post(`/admin/elections/${election}/workspace/link`, { ...ON_PIANO, ...fields });
}

const LOOK_UPS = ['databases', `databases/${MOTIONS}/pages`, `pages/${PIANO}/validate`];
const lookUps = ({ house }: Club) =>
  Promise.all(LOOK_UPS.map((path) => house.get(`/admin/workspace/${path}`)));

const sync = ({ house }: Club, election: string) => house.post(`/admin/elections/${election}/workspace/sync`);

const statusOn = ({ server }: Club, page: string) => server.page(page).properties.Status?.status;

const writes = ({ server }: Club) => server.requests.filter(({ method }) => method === 'PATCH').length;

async function actionsOf({ house }: Club, election: string): Promise<string[]> {
  return (await auditOf(house, election)).flatMap(({ action }) => action.match(/^workspace\..*/) ?? []);
}
