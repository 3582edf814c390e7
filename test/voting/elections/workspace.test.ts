import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { inEnglish, readText } from '#kernel/language/kept-text.ts';
import { dashed, id, KEY } from '#test/stand-ins/workspace-server.ts';
import { addElection, addTokens, auditOf, cast, send } from '#test/support/factories.ts';
import {
  BAR,
  type LinkedService,
  MOTIONS,
  OPTIONS,
  PAYROLL,
  PIANO,
  REPAIRS,
  SECRETS,
  startLinkedService,
} from '#test/support/linked-service.ts';
import { errorJson, expectRefusal, fieldJson, message } from '#test/support/messages.ts';
import { findLink, syncChangedElections } from '#voting/elections/workspace-link.ts';

/** The stored reason why the page was not brought up to date, in English. */
const errorOf = ({ service, election }: LinkedService): string =>
  inEnglish(readText(findLink(service.ctx.db, election)?.last_error ?? ''));

test('the lookups list the shared databases of the allowlist, their pages, and a page’s properties', async () => {
  await using linked = await startLinkedService({ WORKSPACE_ALLOWED_DATABASE_IDS: `${MOTIONS},${id(0xf)}` });
  const read = async (url: string) => (await linked.service.get(`/admin/workspace/${url}`)).json();
  const found = { pages: [{ id: dashed(PIANO), title: 'Buy a piano' }], has_more: false };

  expect(await read('databases')).toEqual({ databases: [{ id: dashed(MOTIONS), name: 'Motions' }] });
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
  await using linked = await startLinkedService();
  const { election } = linked;

  expectRefusal(await link(linked, 'x'), 404, 'election_not_found');
  expectRefusal(
    await send(linked.service, 'DELETE', '/admin/elections/x/workspace/link'),
    404,
    'election_not_found',
  );
  expectRefusal(await sync(linked, 'x'), 404, 'election_not_found');
  for (const page of [id(99), 'no-id']) {
    expectRefusal(await linked.service.get(`/admin/workspace/pages/${page}/validate`), 404, 'no_such_page');
    expectRefusal(await link(linked, election, { page_id: page }), 404, 'no_such_page');
  }
  const answer = await sync(linked, election);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toBe(message('not_linked'));
});

test('a page can be linked by its address too, but not as a page of another database', async () => {
  await using linked = await startLinkedService();
  const { election } = linked;

  const answer = await link(linked, election, { page_id: `https://workspace.example/Buy-${PIANO}?pvs=4` });
  expect(answer.json().workspace_link.page_id).toBe(dashed(PIANO));

  const refused = await link(linked, election, { page_id: BAR });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors).toEqual([fieldJson('page_id', 'page_of_other_database')]);
});

test('a close by hand is written to the page once, however often the sync runs', async () => {
  await using linked = await startLinkedService();
  const { election } = linked;
  await link(linked, election);

  await linked.service.post(`/admin/elections/${election}/close`);
  await Promise.all([1, 2, 3].map(() => syncChangedElections(linked.service.ctx)));

  expect(statusOn(linked, PIANO)).toEqual({ name: 'Closed' });
  expect(writes(linked)).toBe(2);
});

test('a database that is not on the allowlist is a 403, even if it is shared', async () => {
  await using linked = await startLinkedService();
  const { election } = linked;

  for (const answer of [
    await linked.service.get(`/admin/workspace/databases/${SECRETS}/pages`),
    await linked.service.get('/admin/workspace/databases/no-id/pages'),
    await linked.service.get(`/admin/workspace/pages/${PAYROLL}/validate`),
    await link(linked, election, { database_id: SECRETS, page_id: PAYROLL }),
    await link(linked, election, { database_id: MOTIONS, page_id: PAYROLL }),
  ]) {
    expect(answer.statusCode).toBe(403);
    expect(answer.json().error).toContain('WORKSPACE_ALLOWED_DATABASE_IDS');
  }
  await link(linked, election);
  linked.service.ctx.config.WORKSPACE_ALLOWED_DATABASE_IDS = [];
  expectRefusal(await sync(linked, election), 403, 'database_not_allowed');
  expect(writes(linked)).toBe(1);
});

test.each([
  ['Nothing', 'the page has no property “Nothing”'],
  ['Turnout', '“Turnout” must be a status or select property, not number'],
  ['Priority', '“Priority” lacks the options Scheduled, Closed'],
])('a page whose %s cannot hold the status is not valid', async (name, error) => {
  await using linked = await startLinkedService();
  const { election } = linked;

  const answer = await linked.service.get(`/admin/workspace/pages/${PIANO}/validate?property_name=${name}`);
  expect(answer.json()).toMatchObject({ valid: false, errors: [error] });

  const refused = await link(linked, election, { status_property_name: name });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors).toEqual([fieldJson('status_property_name', 'invalid', { problem: error })]);
});

test('linking writes the status, the voting link and the turnout, and is audited', async () => {
  await using linked = await startLinkedService({ BASE_URL: 'https://vote.club.example' });
  const { election } = linked;
  const [token] = await addTokens(linked.service, election, 3);
  await cast(linked.service, election, { token, choice: 'yes' });

  const answer = await link(linked, election);

  expect(answer.json()).toEqual({
    success: true,
    workspace_link: {
      database_id: dashed(MOTIONS),
      page_id: dashed(PIANO),
      status_property_name: 'Status',
      synced_at: linked.service.clock.now,
      last_error: null,
    },
  });
  // The complete request: no result, no token.
  expect(linked.server.requests.at(-1)?.body).toEqual({
    properties: {
      Status: { status: { name: 'Open' } },
      'Voting Link': { url: `https://vote.club.example/e/${election}` },
      Turnout: { number: 1 },
    },
  });
  expect(await actionsOf(linked, election)).toEqual(['workspace.linked', 'workspace.synced']);
  expect(linked.service.logged.join()).not.toContain(KEY);
});

test('without a key every route that needs the workspace is a 500 that names the setting', async () => {
  await using linked = await startLinkedService({ WORKSPACE_API_KEY: '' });

  for (const answer of [...(await lookUps(linked)), await link(linked, linked.election)]) {
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error).toContain('WORKSPACE_API_KEY');
  }
  await syncChangedElections(linked.service.ctx);
});

test('a provider that is down is a 502, and a sync by hand stores the reason', async () => {
  await using linked = await startLinkedService();
  await link(linked, linked.election);
  linked.server.down = { status: 503 };

  expect((await lookUps(linked)).map((answer) => answer.statusCode)).toEqual([502, 502, 502]);
  const answer = await sync(linked, linked.election);
  expect(answer.json().error).toBe(message('workspace_unreachable', { reason: 'it answered 503' }));
  expect(errorOf(linked)).toBe(answer.json().error);
});

test('a link is kept when the page cannot be written, with the reason', async () => {
  await using linked = await startLinkedService();
  linked.server.faults = ['none', 'none', { status: 401 }];

  const { workspace_link } = (await link(linked, linked.election)).json();

  expect(workspace_link).toMatchObject({ synced_at: null, last_error: expect.stringContaining('(401)') });
});

test('the job syncs an election when it opens and closes, and writes nothing in between', async () => {
  await using linked = await startLinkedService();
  const [open_at, close_at] = [1, 2].map((hours) => isoTime(linked.service.clock.now + hours * HOUR));
  const election = await addElection(linked.service, { open_at, close_at });
  await link(linked, election);
  const seen = [statusOn(linked, PIANO)];
  const before = writes(linked);

  for (let at = 0; at < 6; at += 1) {
    linked.service.clock.now += 30 * MINUTE;
    await syncChangedElections(linked.service.ctx);
    seen.push(statusOn(linked, PIANO));
  }

  const expected = ['Scheduled', 'Scheduled', 'Open', 'Open', 'Closed', 'Closed', 'Closed'];
  expect(seen).toEqual(expected.map((name) => ({ name })));
  expect(writes(linked) - before).toBe(2);
  expect(await actionsOf(linked, election)).toEqual([
    'workspace.linked',
    ...Array(3).fill('workspace.synced'),
  ]);
});

test('a provider that is down is retried at growing intervals, never throws, and voting continues', async () => {
  await using linked = await startLinkedService();
  const elections = [linked.election, await addElection(linked.service)];
  for (const election of elections) await link(linked, election);
  linked.service.clock.now += 3 * HOUR;
  const other = await addElection(linked.service);
  const [token] = await addTokens(linked.service, other, 1);
  linked.server.down = { status: 500 };

  const runs: number[] = [];
  for (let minute = 0; minute < 40; minute += 1) {
    const before = linked.server.requests.length;
    await syncChangedElections(linked.service.ctx);
    if (linked.server.requests.length > before) runs.push(minute);
    linked.service.clock.now += MINUTE;
  }

  expect(runs).toEqual([0, 1, 3, 7, 15, 31]);
  expect((await cast(linked.service, other, { token, choice: 'no' })).statusCode).toBe(200);
  expect(errorOf(linked)).toContain('cannot be reached');

  linked.server.down = undefined;
  linked.service.clock.now += HOUR;
  await syncChangedElections(linked.service.ctx);
  const links = elections.map((election) => findLink(linked.service.ctx.db, election));
  expect(links.map((row) => row?.last_error ?? row?.last_status)).toEqual(['closed', 'closed']);
});

test('a missing page does not block others; without BASE_URL only the status is written', async () => {
  await using linked = await startLinkedService();
  await link(linked, linked.election);
  await link(linked, await addElection(linked.service), ON_BAR);
  linked.server.page(PIANO).in_trash = true;
  linked.service.clock.now += 3 * HOUR;

  await syncChangedElections(linked.service.ctx);

  const properties = { State: { select: { name: 'Closed' } } };
  expect(linked.server.requests.at(-1)?.body).toEqual({ properties });
  expect(errorOf(linked)).toMatch(/no such page/);
});

test('a link can be replaced, removed, and is deleted with its election', async () => {
  await using linked = await startLinkedService();
  const { election } = linked;
  await link(linked, election);
  await link(linked, election, ON_BAR);
  expect(findLink(linked.service.ctx.db, election)).toMatchObject({ page_id: dashed(BAR) });

  const url = `/admin/elections/${election}/workspace/link`;
  for (let times = 0; times < 2; times += 1)
    expect((await send(linked.service, 'DELETE', url)).json()).toEqual({ success: true });
  expect(findLink(linked.service.ctx.db, election)).toBeUndefined();
  expect((await actionsOf(linked, election)).join().match(/unlinked/g)).toHaveLength(1);

  await link(linked, election);
  await send(linked.service, 'DELETE', `/admin/elections/${election}`);
  expect(findLink(linked.service.ctx.db, election)).toBeUndefined();
});

test('the forms of the election page link, sync and unlink, and lead back to it', async () => {
  await using linked = await startLinkedService();
  const { election } = linked;
  const url = `/admin/elections/${election}/workspace`;
  const fields = { ...ON_PIANO, status_property_name: '' };

  const steps = { link: 'linked', sync: 'synced', 'link?_method=DELETE': 'unlinked' };
  for (const [path, what] of Object.entries(steps)) {
    const answer = await linked.service.submit(`${url}/${path}`, fields);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`/admin/elections/${election}?done=workspace-${what}#workspace`);
  }
});

test('the three lookups share the admin limit; link and sync have none', async () => {
  await using linked = await startLinkedService({ RATE_LIMIT_ADMIN: '3' });
  const { election } = linked;

  const [first] = await lookUps(linked);
  const refused = await linked.service.get('/admin/workspace/databases');

  expect(first?.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '2' });
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toEqual({ ...errorJson('rate_limit_exceeded'), retryAfter: 60 });
  expect((await link(linked, election)).statusCode).toBe(200);
});

const ON_PIANO = { database_id: MOTIONS, page_id: PIANO };
const ON_BAR = { database_id: REPAIRS, page_id: BAR, status_property_name: 'State' };

/** Links an election to the piano's page, or to the page in `fields`. */
function link({ service }: LinkedService, election: string, fields: object = {}) {
  return service.post(`/admin/elections/${election}/workspace/link`, { ...ON_PIANO, ...fields });
}

const LOOK_UPS = ['databases', `databases/${MOTIONS}/pages`, `pages/${PIANO}/validate`];
const lookUps = ({ service }: LinkedService) =>
  Promise.all(LOOK_UPS.map((path) => service.get(`/admin/workspace/${path}`)));

const sync = ({ service }: LinkedService, election: string) =>
  service.post(`/admin/elections/${election}/workspace/sync`);

const statusOn = ({ server }: LinkedService, page: string) => server.page(page).properties.Status?.status;

const writes = ({ server }: LinkedService) =>
  server.requests.filter(({ method }) => method === 'PATCH').length;

async function actionsOf({ service }: LinkedService, election: string): Promise<string[]> {
  return (await auditOf(service, election)).flatMap(({ action }) => action.match(/^workspace\..*/) ?? []);
}
