import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { expectBadField, expectRefusal } from '#test/support/messages.ts';
import { STAFF, TOKEN } from './rollups/fixtures.ts';

const URL = '/api/setlist/share-click';

let service: TestApp;
beforeEach(async () => {
  service = await testApp(STAFF);
});
afterEach(() => service[Symbol.asyncDispose]());

const beacon = (payload: string, type = 'text/plain;charset=UTF-8') =>
  service.request({ method: 'POST', url: URL, payload, headers: { 'content-type': type } });
const clicks = async () => (await service.get('/api/admin/share-clicks', TOKEN)).json().clicks;

test('shares are counted by day, surface and channel, as JSON or as the text of a beacon', async () => {
  const answer = await service.post(URL, { surface: 'tonight', channel: 'copy', ref: 'poster' });
  expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
  await service.post(URL, { surface: 'tonight', channel: 'native' });
  expect((await beacon('{"surface":"tonight","channel":"copy"}')).json()).toEqual({ ok: true });
  service.clock.now += DAY;
  await service.post(URL, { surface: 'wrapped', channel: 'qr' });

  expect(await clicks()).toEqual([
    { day: '2026-11-22', surface: 'wrapped', channel: 'qr', clicks: 1 },
    { day: '2026-11-21', surface: 'tonight', channel: 'copy', clicks: 2 },
    { day: '2026-11-21', surface: 'tonight', channel: 'native', clicks: 1 },
  ]);
});

test('nothing about who shared is stored', async () => {
  await service.request({
    method: 'POST',
    url: URL,
    payload: { surface: 'echo', channel: 'other', ref: 'from-a-friend' },
    headers: {
      cookie: 'house_browser=0123456789abcdef0123456789abcdef',
      'edge-connecting-ip': '203.0.113.7',
    },
  });

  const kept = service.ctx.db.all(build.selectFrom('share_clicks').selectAll());
  expect(kept).toEqual([{ day: '2026-11-21', surface: 'echo', channel: 'other', clicks: 1 }]);
});

test.each<[body: string, path: string]>([
  ['{}', 'surface'],
  ['{"surface":"bottom-songs","channel":"copy"}', 'surface'],
  ['{"surface":"echo"}', 'channel'],
  ['{"surface":"echo","channel":"fax"}', 'channel'],
  [`{"surface":"echo","channel":"copy","ref":"${'x'.repeat(33)}"}`, 'ref'],
])('%s is refused, naming %s', async (body, path) => {
  const answer = await beacon(body);

  expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, path]);
});

test('a body that is no JSON, too long or of another type is refused', async () => {
  expectRefusal(await beacon('hello'), 400, 'body_not_json');
  expectBadField(await beacon('null'), 'surface', 'required');
  expect((await beacon(`{"surface":"echo","channel":"copy","more":"${'x'.repeat(1024)}"}`)).statusCode).toBe(
    413,
  );
  expect((await beacon('<a/>', 'application/xml')).statusCode).toBe(415);
});

test('a text body is read as JSON only here', async () => {
  const answer = await service.request({
    method: 'POST',
    url: '/api/feedback',
    payload: '{}',
    headers: { 'content-type': 'text/plain' },
  });

  expect([404, 415]).toContain(answer.statusCode);
});

test('one address can count thirty a minute', async () => {
  const share = () => service.post(URL, { surface: 'echo', channel: 'copy' });
  for (let times = 0; times < 30; times++) expect((await share()).statusCode).toBe(200);
  const refused = await share();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  service.clock.now += MINUTE;

  expect((await share()).statusCode).toBe(200);
  expect(await clicks()).toEqual([{ day: '2026-11-21', surface: 'echo', channel: 'copy', clicks: 31 }]);
});

test('all addresses together count 600 a minute, and beyond that 100 every ten seconds', async () => {
  const share = (at: number) =>
    service.post(
      URL,
      { surface: 'echo', channel: 'copy' },
      { 'edge-connecting-ip': `10.4.${at >> 8}.${at & 255}` },
    );
  const answers = await Promise.all(Array.from({ length: 710 }, (_, at) => share(at)));

  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(700);
  expect(await clicks()).toEqual([{ day: '2026-11-21', surface: 'echo', channel: 'copy', clicks: 700 }]);
  service.clock.now += MINUTE;
  expect((await share(0)).statusCode).toBe(200);
});

test('counters are kept for 366 days', async () => {
  const share = () => service.post(URL, { surface: 'echo', channel: 'copy' });
  const stored = () => service.ctx.db.all(build.selectFrom('share_clicks').select('day')).length;
  await share();
  service.clock.now += 366 * DAY;
  await share();
  expect(stored()).toBe(2);
  service.clock.now += DAY;
  await share();

  expect(stored()).toBe(2);
});
