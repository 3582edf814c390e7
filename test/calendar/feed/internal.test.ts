import { describe, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { ADMIN, JANE } from '#test/calendar/fixtures.ts';
import { endless, json, startUpstream, type Upstream } from '#test/calendar/upstream.ts';
import { testApp } from '#test/support/app.ts';
import { expectRefusal, message } from '#test/support/messages.ts';

const NEW = '/api/subs/new?calendar_id=internal';
const CALENDAR = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';

const send =
  (status: number, headers: Record<string, string>, body = CALENDAR): Upstream['answer'] =>
  (response) =>
    void response.writeHead(status, headers).end(body);

const beside = (upstream: Upstream) =>
  testApp({ AUTOMATION_BASE_URL: `${upstream.url}/`, PUB_ADMIN_TOKEN: ADMIN['x-admin-token'] });

test('a request is forwarded with the name and the address, and nothing is stored', async () => {
  const upstream = await startUpstream(json({ anything: true }, 201));
  await using service = await beside(upstream);

  const answer = await service.post(NEW, { ...JANE, email: ' Jane@Club.example', extra: 1 });

  expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true, message: expect.any(String) }]);
  expect(upstream.requests).toHaveLength(1);
  expect(upstream.requests[0]).toMatchObject({ method: 'POST', path: '/webhook/subs/new' });
  expect(JSON.parse(upstream.requests[0]!.body)).toEqual(JANE);
  expect(service.ctx.db.all(build.selectFrom('verifications').selectAll())).toEqual([]);
  const form = await service.submit(NEW, JANE, { accept: '*/*' });
  expect([form.statusCode, form.json().ok]).toEqual([200, true]);
});

test.each<[string, Upstream['answer'], number]>([
  ['refuses', json({ secret: 'reason' }, 422), 400],
  ['fails', json({}, 503), 500],
  ['sends elsewhere', send(302, { location: 'http://127.0.0.1:9/' }), 500],
  ['cuts the line', (response) => void response.destroy(), 500],
])('a request fails without details when the automation host %s', async (_name, answer, status) => {
  const upstream = await startUpstream(answer);
  await using service = await beside(upstream);

  const refused = await service.post(NEW, JANE);

  expect(refused.statusCode).toBe(status);
  expect(refused.body).not.toContain('secret');
  expect(upstream.requests).toHaveLength(1);
});

test('without an automation host nothing is forwarded', async () => {
  await using service = await testApp();

  const asked = await service.post(NEW, JANE);
  expect([asked.statusCode, asked.json().error]).toEqual([
    500,
    message('configuration_missing', { names: 'AUTOMATION_BASE_URL' }),
  ]);
  const feed = await service.get('/cal/internal.ics');
  expect([feed.statusCode, feed.json().error]).toEqual([502, expect.stringContaining('AUTOMATION_BASE_URL')]);
});

test('the feed is forwarded unchanged, under the name of its calendar', async () => {
  const upstream = await startUpstream(
    send(200, {
      'content-type': 'text/calendar; charset=utf-8; method=PUBLISH',
      etag: '"v1"',
      'set-cookie': 'a=b',
    }),
  );
  await using service = await beside(upstream);

  const feed = await service.get('/cal/internal.ics');
  expect(feed.statusCode).toBe(200);
  expect(feed.body).toBe(CALENDAR);
  expect(feed.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8; method=PUBLISH',
    etag: '"v1"',
    'content-disposition': 'inline; filename="internal.ics"',
    'cache-control': 'private, max-age=300',
  });
  expect(feed.headers['set-cookie']).toBeUndefined();
  const same = await service.get('/cal/internal.ics', { 'if-none-match': '"v1"' });
  expect([same.statusCode, same.body]).toEqual([304, '']);

  const named = await service.get('/cal/internal.ics?calendar_id=../Board%0d%0a%22;x=1&calendar_id=');
  expect(named.headers['content-disposition']).toBe('inline; filename="internal.ics"');
  const board = await service.get(
    `/cal/internal.ics?calendar_id=${encodeURIComponent('../Bo"ard\r\n-2?x=1')}`,
  );
  expect(board.headers['content-disposition']).toBe('inline; filename="board-2x1.ics"');
  expect(upstream.requests.map(({ path }) => path)).toEqual([
    '/webhook/rc-cal?calendar_id=internal',
    '/webhook/rc-cal?calendar_id=internal',
    '/webhook/rc-cal?calendar_id=internal',
    '/webhook/rc-cal?calendar_id=board-2x1',
  ]);
  expect(upstream.requests[0]!.headers.cookie).toBeUndefined();
});

describe('a feed that cannot be fetched', () => {
  test.each<[string, Upstream['answer'], number]>([
    ['401', send(401, {}), 404],
    ['403', send(403, {}), 404],
    ['404', send(404, {}), 502],
    ['500', send(500, {}), 502],
    ['204', send(204, {}, ''), 502],
    [
      'a page that says it is down',
      send(200, { 'content-type': 'text/html' }, '<script>alert(1)</script>'),
      502,
    ],
    ['a cut line', (response) => void response.destroy(), 502],
    [
      'a cut body',
      (response) =>
        void response
          .writeHead(200, { 'content-length': '5000' })
          .write('BEGIN:VCALENDAR', () => response.destroy()),
      502,
    ],
    ['a body without end', endless(), 502],
  ])('%s', async (_name, answer, status) => {
    const upstream = await startUpstream(answer);
    await using service = await beside(upstream);

    const feed = await service.get('/cal/internal.ics');

    expect(feed.statusCode).toBe(status);
    expect(feed.headers['cache-control']).toBe('no-store');
    expect(feed.headers['content-type']).toContain('application/json');
    expect(feed.json().error).toEqual(expect.any(String));
  });

  test('a redirect is not followed', async () => {
    const inside = await startUpstream(send(200, { 'content-type': 'text/calendar' }));
    const upstream = await startUpstream(send(302, { location: inside.url }));
    await using service = await beside(upstream);

    expect((await service.get('/cal/internal.ics')).statusCode).toBe(502);
    expect(inside.requests).toEqual([]);
  });

  test('simultaneous requests share one fetch, and an endless body is cut off', async () => {
    const sent = { bytes: 0 };
    const upstream = await startUpstream(endless(sent));
    await using service = await beside(upstream);

    const answers = await Promise.all(Array.from({ length: 30 }, () => service.get('/cal/internal.ics')));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(30).fill(502));
    expect(upstream.requests).toHaveLength(1);
    // The bytes that are read, and those that fit into the system's buffers.
    expect(sent.bytes).toBeLessThan(40 * 1024 * 1024);
  });

  test('a calendar of another content type is sent as text/calendar', async () => {
    const upstream = await startUpstream(send(200, { 'content-type': 'text/html', etag: 'no tag' }));
    await using service = await beside(upstream);

    const feed = await service.get('/cal/internal.ics');
    expect([feed.statusCode, feed.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(feed.headers.etag).toMatch(/^"[\w-]{22}"$/);
  });

  test('too many requests in a minute are refused without asking the automation host', async () => {
    const upstream = await startUpstream(send(200, {}));
    await using service = await beside(upstream);
    for (let at = 0; at < 60; at++) await service.get('/cal/internal.ics');

    expectRefusal(await service.get('/cal/internal.ics'), 429, 'too_many_requests');
    expect(upstream.requests).toHaveLength(60);
  });
});

test('nothing is forwarded while the calendar is switched off', async () => {
  const upstream = await startUpstream(send(200, {}));
  await using service = await beside(upstream);
  const payload = { enabled: false };
  await service.request({ method: 'PATCH', url: '/api/admin/calendars/internal', payload, headers: ADMIN });

  expectRefusal(await service.get('/cal/internal.ics'), 403, 'calendar_off');
  expectRefusal(await service.post(NEW, JANE), 403, 'calendar_off');
  expect(upstream.requests).toEqual([]);
});
