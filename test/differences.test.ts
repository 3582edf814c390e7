import fs from 'node:fs';
import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { ADMIN, BROWSER, calendarService, codeFor, FORM, JANE } from '#test/calendar/fixtures.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, TRUST_UNSET, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens, cast, send } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';

// What docs/differences.md says, by request; other rows are tested with their routes.

const iso = (at: number) => new Date(at).toISOString();

test('voting: what differs from the earlier interface', async () => {
  await using service = await testApp();
  const { now } = service.clock;
  const hidden = await addElection(service, { settings: { hide_results_until_close: true } });
  const { id: poll, ids } = await addPoll(service, ['Ann', 'Bob']);
  const [token = ''] = await addTokens(service, hidden, 1);
  const [pollToken = ''] = await addTokens(service, poll, 1);
  await service.post(`/e/${poll}/vote/poll`, { token: pollToken, selected_option: ids.Ann });
  const admin = `/admin/elections/${poll}`;
  const label = (length: number) => ['a', 'b'.repeat(length)];
  const create = (fields: object) =>
    service.post('/admin/elections', {
      title: 'T',
      ballot_type: 'POLL',
      open_at: iso(now),
      close_at: iso(now + HOUR),
      ...fields,
    });

  const statuses = {
    preview: await service.get(`/admin/elections/${hidden}/results-preview`, { accept: 'application/json' }),
    fraction: await service.post(`/admin/elections/${hidden}/tokens`, { count: 1.5 }),
    'unknown election': await service.post('/e/nowhere/vote', { token, choice: 'yes' }),
    'no token': await service.post(`/e/${hidden}/vote`, { token: null, choice: 'yes' }),
    'option after a ballot': await service.post(`${admin}/options`, { name: 'Late' }),
    'setting after a ballot': await send(service, 'PATCH', `${admin}/settings`, {
      settings: { poll_response_type: 'multiple' },
    }),
    'used batch': await send(service, 'DELETE', `${admin}/batches`, { batch_name: null }),
    '100 options': await create({ options: Array.from({ length: 100 }, (_, n) => `${n}`) }),
    '101 options': await create({ options: Array.from({ length: 101 }, (_, n) => `${n}`) }),
    '300 characters': await create({ options: label(300) }),
    '301 characters': await create({ options: label(301) }),
    'two alike': await create({ options: ['Ann', 'ANN'] }),
    'foreign origin': await service.post(`${admin}/close`, {}, { origin: 'https://evil.example' }),
    closed: await service.post(`${admin}/close`, {}),
    'new dates after ballots': await send(service, 'PATCH', `${admin}/dates`, {
      open_at: iso(now - HOUR),
      close_at: iso(now + HOUR),
    }),
    'closed without ballots': await service.post(`/admin/elections/${hidden}/close`, {}),
    'new dates without ballots': await send(service, 'PATCH', `/admin/elections/${hidden}/dates`, {
      open_at: iso(now - HOUR),
      close_at: iso(now + HOUR),
    }),
    deleted: await send(service, 'DELETE', admin),
    'deleted page': await service.get(`/e/${poll}`, { accept: 'application/json' }),
    'slash at the end': await service.get('/health/'),
  };

  expect(
    Object.fromEntries(Object.entries(statuses).map(([name, answer]) => [name, answer.statusCode])),
  ).toEqual({
    preview: 403,
    fraction: 400,
    'unknown election': 404,
    'no token': 400,
    'option after a ballot': 409,
    'setting after a ballot': 409,
    'used batch': 200,
    '100 options': 200,
    '101 options': 400,
    '300 characters': 200,
    '301 characters': 400,
    'two alike': 400,
    'foreign origin': 403,
    closed: 200,
    'new dates after ballots': 409,
    'closed without ballots': 200,
    'new dates without ballots': 200,
    deleted: 200,
    'deleted page': 410,
    'slash at the end': 404,
  });
  expect(statuses['used batch'].json()).toMatchObject({ success: true, deleted: 1, deleted_used: 1 });
  for (const name of ['option after a ballot', 'setting after a ballot'] as const)
    expect(statuses[name].json()).toMatchObject({
      error: message('ballots_exist'),
      errors: [{ path: expect.any(String) }],
    });
  expect(statuses['new dates after ballots'].json()).toMatchObject({ needs: 'reopen' });
  const { logs } = (await service.get('/admin/audit-logs?action=vote.submitted')).json();
  expect(logs[0]).toMatchObject({ ip_address: null });
  expect(logs[0].timestamp % HOUR).toBe(0);
});

test('production: what an unconfigured service refuses', async () => {
  await using service = await testApp({
    NODE_ENV: 'production',
    LOCAL_BYPASS: '',
    EDGE_ACCESS_TRUST_HEADERS: '',
    TRUSTED_PROXIES: '',
    PUB_ADMIN_TOKEN: 'a token of the pub with length',
  });
  const edge = { 'edge-access-jwt-assertion': 'x', accept: '*/*' };
  const song = { artist: 'A', title: 'B' };
  const pub = { authorization: 'Bearer a token of the pub with length' };

  const answers = [
    await service.get('/admin/elections', edge),
    await service.get('/admin/elections', { host: 'localhost' }),
    await service.get('/admin/elections', { accept: 'text/html' }),
    await service.post('/api/now-playing/ingest', song),
    await service.get('/api/admin/people', pub),
    await service.get('/api/admin/settings', pub),
    await service.post('/api/admin/dmx/desired', { action: 'scene', name: 'a', params: { fade: 2 } }, pub),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 303, 401, 403, 403, 200]);
  expect(answers[6]!.json().desired.params).toEqual({ fade: 2 });
});

const JSON_ONLY = { accept: 'application/json' };
const KEY = 'a key of the officers';

test.each<[what: string, env: Record<string, string>, headers: Record<string, string>[], statuses: number[]]>(
  [
    [
      'without TRUSTED_PROXIES the visitors behind a proxy share one limit',
      { NODE_ENV: 'production', RATE_LIMIT_GENERAL: '1' },
      ['198.51.100.1', '198.51.100.2'].map((from) => ({ 'x-forwarded-for': from })),
      [404, 429],
    ],
    [
      'with it each has one',
      { NODE_ENV: 'production', RATE_LIMIT_GENERAL: '1', TRUSTED_PROXIES: '127.0.0.1' },
      ['198.51.100.1', '198.51.100.2', '198.51.100.2'].map((from) => ({ 'x-forwarded-for': from })),
      [404, 404, 429],
    ],
  ],
)('access: %s', async (_what, env, requests, statuses) => {
  await using service = await testApp({ ...TRUST_UNSET, ...env });
  const met: number[] = [];
  for (const headers of requests) met.push((await service.get('/e/nowhere', headers)).statusCode);
  expect(met).toEqual(statuses);
});

test.each<[what: string, env: Record<string, string>, owner: boolean, status: number]>([
  ['with neither', {}, false, 200],
  ['with BASE_URL', { BASE_URL: BASE }, false, 401],
  ['with an owner', {}, true, 401],
  ['with both and LOCAL_BYPASS=on', { BASE_URL: BASE, LOCAL_BYPASS: 'on' }, true, 200],
])('access: Host localhost outside production %s', async (_what, env, owner, status) => {
  await using service = await testApp({ ...TRUST_UNSET, LOCAL_BYPASS: '', ...env });
  if (owner) await appoint(service, 'olga@club.example', 'owner');
  const answer = await service.get('/admin/elections', { host: 'localhost', accept: '*/*' });
  expect(answer.statusCode).toBe(status);
});

test('access: wrong keys, keys where two people must agree, and a device without a token', async () => {
  await using service = await testApp({ ...TRUST_UNSET, LOCAL_BYPASS: '', ADMIN_API_KEY: KEY });
  const key = { authorization: `Bearer ${KEY}` };
  const owner = await signedIn(service, 'owner');
  const guess = { authorization: 'Bearer a wrong one', host: 'club.example', ...JSON_ONLY };
  const guesses: number[] = [];
  for (let times = 0; times < 6; times++)
    guesses.push((await service.get('/admin/elections', guess)).statusCode);
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);

  const times = { open_at: isoTime(service.clock.now - HOUR), close_at: isoTime(service.clock.now + HOUR) };
  const election = { title: 'T', ballot_type: 'SIMPLE_TRIPLE', ...times };
  const { id } = (await service.post('/admin/elections', election, key)).json();
  await service.submit('/admin/approvals/setting', { two_people: 'true' }, owner);
  const close = await service.post(`/admin/elections/${id}/close`, {}, key);
  expect([close.statusCode, close.json().needs]).toEqual([403, 'approval']);

  const song = { artist: 'A', title: 'B' };
  const device = async (headers: Record<string, string>) =>
    (await service.post('/api/now-playing/ingest', song, headers)).statusCode;
  expect([
    await device({ host: 'localhost' }),
    await device({ host: 'club.example' }),
    await device({ host: 'localhost', 'x-forwarded-for': '198.51.100.1' }),
  ]).toEqual([200, 401, 401]);
});

test('voting: certified figures, counts, limits and mails', async () => {
  const server = await startMailServer({ answer: () => ({ code: 450, text: 'Greylisted' }) });
  await using service = await testApp({ ...mailTo(server.url), RATE_LIMIT_GENERAL: '4' }, { delays: [] });
  const id = await addElection(service);
  const figures = { results: { contests: [{ label: 'L', items: [{ label: 'Ann', votes: 1 }] }] } };
  const certify = () => send(service, 'PUT', `/admin/elections/${id}/manual-results`, figures);
  const three = (await service.post(`/admin/elections/${id}/tokens`, { count: '3' })).json().tokens;
  expect(three).toHaveLength(3);

  expect((await certify()).statusCode).toBe(200);
  const first = await cast(service, id, { token: three[0], choice: 'yes' });
  const second = await cast(service, id, { token: three[1], choice: 'yes' });
  for (const { statusCode, headers } of [first, second])
    expect([statusCode, headers['x-ratelimit-remaining']]).toEqual([200, first.headers['x-ratelimit-limit']]);
  expect((await certify()).statusCode).toBe(409);

  const invited = await service.post(`/admin/elections/${id}/invite`, { emails: ['ann@club.example'] });
  expect(invited.json().results).toEqual([
    { email: 'ann@club.example', success: false, queued: true, error: expect.stringMatching('Greylisted') },
  ]);

  const asked = { ...BROWSER, 'edge-connecting-ip': '198.51.100.1' };
  for (let times = 0; times < 4; times++) await service.get('/e/nowhere', asked);
  for (const [accept, type] of [
    [BROWSER.accept, 'text/html'],
    ['*/*', 'text/html'],
    [JSON_ONLY.accept, 'application/json'],
  ] as const) {
    const refused = await service.get('/e/nowhere', { ...asked, accept });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(refused.headers['content-type']).toContain(type);
  }
});

test('pub: a light’s wish lapses, a short film is in no archive, and a late report is stored once', async () => {
  await using service = await testApp({
    PUB_ADMIN_TOKEN: ADMIN['x-admin-token'],
    NOW_SHOWING_ENABLED: 'on',
    SCREENINGS_ENABLED: 'on',
  });
  const start = service.clock.now;
  const wish = async () => (await service.get('/api/dmx/desired')).json().desired;
  const show = (mode: string) => service.post('/api/admin/now-showing', { mode, label: mode }, ADMIN);
  await service.post('/api/admin/dmx/desired', { action: 'stop' }, ADMIN);
  await show('movie');

  service.clock.now = start + 10 * MINUTE - 1;
  expect(await wish()).toEqual({ action: 'stop' });
  await service.post('/api/admin/now-showing', { mode: 'off' }, ADMIN);
  service.clock.now += 1;
  expect(await wish()).toBeNull();
  expect((await service.get('/api/screenings')).json().items).toEqual([]);
  // Another title: the same one would continue the film that just ended.
  await service.post('/api/admin/now-showing', { mode: 'movie', label: 'Casablanca' }, ADMIN);
  service.clock.now += 10 * MINUTE;
  await service.post('/api/admin/now-showing', { mode: 'off' }, ADMIN);
  const films = (await service.get('/api/screenings')).json().items;
  expect(films.map(({ title }: { title: string }) => title)).toEqual(['Casablanca']);

  const report = (title: string, minutes: number) =>
    service.post('/api/now-playing/ingest', {
      artist: 'A',
      title,
      started_at: isoTime(start + minutes * MINUTE),
    });
  service.clock.now = start + HOUR;
  for (const [title, minutes] of [
    ['One', 30],
    ['Two', 34],
    ['One', 30.3],
  ] as const)
    await report(title, minutes);
  const heard = (await service.get('/api/now-playing/setlist')).json().items;
  expect(heard.map(({ title }: { title: string }) => title)).toEqual(['Two', 'One']);
});

test('calendar: a wrong sign-up, a link that is followed again, and the listing', async () => {
  await using service = await calendarService();
  const wrong = { name: 'Jane', email: 'nobody' };
  expect([
    (await service.post(FORM, wrong, { accept: '*/*' })).statusCode,
    (await service.submit(FORM, wrong, JSON_ONLY)).statusCode,
    (await service.submit(FORM, wrong, { accept: '*/*' })).statusCode,
    (await service.submit(FORM, wrong, BROWSER)).statusCode,
  ]).toEqual([400, 400, 303, 303]);

  await service.post(FORM, JANE);
  const link = `/api/subs/verify?calendar_id=programs&v=${codeFor(service)}`;
  const { token } = (await service.get(link)).json();
  service.clock.now += 10 * MINUTE;
  expect((await service.get(link)).json().token).toBe(token);
  service.clock.now += 1;
  expectRefusal(await service.get(link), 404, 'link_unknown');
  const listing = await service.get('/api/admin/subs/list?calendar_id=programs', ADMIN);
  expect(listing.body).toContain(`"${token.slice(-4)}"`);
  expect(listing.body).not.toContain(token);
});

test('in production, mail needs MAILER_URL, and the answer names it', async () => {
  const { MAILER_URL: _, ...others } = mailTo('');
  await using service = await testApp({ NODE_ENV: 'production', ADMIN_API_KEY: KEY, ...others });
  const key = { authorization: `Bearer ${KEY}` };
  const times = { open_at: isoTime(service.clock.now), close_at: isoTime(service.clock.now + HOUR) };
  const election = { title: 'T', ballot_type: 'SIMPLE_TRIPLE', ...times };
  const { id } = (await service.post('/admin/elections', election, key)).json();
  const answer = await service.post(`/admin/elections/${id}/invite`, { emails: ['ann@club.example'] }, key);
  expect(answer.statusCode).toBe(500);
  expect(answer.body).toContain('MAILER_URL');
});

test('every `needs` of a refusal stands in the table', () => {
  const table = fs.readFileSync('docs/differences.md', 'utf8');
  const sources = fs.globSync('src/**/*.ts').map((file) => fs.readFileSync(file, 'utf8'));
  const needs = sources
    .flatMap((text) => [...text.matchAll(/\bneeds: (?:\[([^\]]*)\]|('\w+'))/g)])
    .flatMap(([, list, one]) => [...(list ?? one ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name));
  expect(needs).toEqual(expect.arrayContaining(['approval', 'reopen', 'pause', 'now']));
  expect(needs.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

test('voting: pauses, void votes, ranked options, meetings that end, and a request with an id', async () => {
  await using service = await testApp();
  const { now } = service.clock;
  const id = await addElection(service);
  const [token = ''] = await addTokens(service, id, 2);
  await cast(service, id, { token, choice: 'yes' });
  const later = { open_at: iso(now + HOUR), close_at: iso(now + 2 * HOUR) };
  const paused = await send(service, 'PATCH', `/admin/elections/${id}/dates`, later);
  expect([paused.statusCode, paused.json().needs]).toEqual([409, 'pause']);
  await service.post(`/admin/elections/${id}/void`, { reason: 'Wrong text', repeat: false });
  const results = await service.get(`/e/${id}/results`);
  expect([results.statusCode, results.json()]).toEqual([
    200,
    expect.objectContaining({
      results_mode: 'void',
      void: expect.objectContaining({ reason: 'Wrong text' }),
    }),
  ]);
  expect(results.json()).not.toHaveProperty('results');
  expectRefusal(await service.get(`/admin/elections/${id}/export?format=json`), 403, 'results_void');

  const window = { open_at: iso(now), close_at: iso(now + HOUR) };
  const ranked = { title: 'T', ballot_type: 'RANKED_STV', options: ['a', 'b'], ...window };
  const refused = await service.post('/admin/elections', ranked);
  expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, 'options']);

  const agm = { title: 'AGM', held_at: '2026-12-04T19:00' };
  const named = { 'idempotency-key': 'a-request-of-a-script' };
  const [first, second] = [
    await service.post('/admin/meetings', agm, named),
    await service.post('/admin/meetings', agm, named),
  ];
  expect(second.json()).toEqual(first.json());
  const at = `/admin/meetings/${first.json().id}`;
  const item = (await service.post(`${at}/items`, { kind: 'motion', title: 'Lamps' })).json();
  await service.post(`${at}/items/${item.id}/hands`, { yes: 2, no: 1, present: 3 });
  const ended = await send(service, 'PATCH', at, { state: 'closed' });
  expect([ended.statusCode, ended.json()]).toEqual([
    409,
    expect.objectContaining({ needs: ['announce'], items: [item.id] }),
  ]);
  const confirmed = await send(service, 'PATCH', at, { state: 'closed', confirm: ['announce'] });
  expect(confirmed.statusCode).toBe(200);
});
