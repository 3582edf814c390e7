import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { event } from '#test/stand-ins/pub-workspace.ts';
import { startPub } from '#test/support/pub-service.ts';
import { listen } from '#test/support/stream-client.ts';

const EVENING = { events: [event('Quiz', '2026-11-21T19:00:00.000-05:00')] };

test.each(['/api/events', '/api/tenders'])(
  '%s answers over a socket as it does in the process, with the same headers',
  async (path) => {
    await using pub = await startPub(EVENING);
    const origin = await listen(pub.service);
    const route = await pub.service.get(path);

    const answer = await fetch(origin + path);
    const { etag, 'cache-control': cacheControl, 'content-type': type } = route.headers;
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(route.body);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag,
      'cache-control': cacheControl,
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-length': String(route.rawPayload.length),
      'x-request-id': expect.any(String),
    });
    expect(answer.headers.get('x-request-id')).not.toBe(route.headers['x-request-id']);

    const again = await fetch(origin + path, { headers: { 'if-none-match': `W/${etag}` } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const head = await fetch(origin + path, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
  },
);

test('requests for a feed are logged and counted, and its statuses follow the clock', async () => {
  await using pub = await startPub(EVENING);
  const origin = await listen(pub.service);
  const status = async () => (await (await fetch(`${origin}/api/events`)).json()).todayEvents[0].status;

  expect(await status()).toBe('Later');
  pub.service.clock.now += 7 * 60 * MINUTE + MINUTE;
  expect(await status()).toBe('Now');

  const lines = pub.service.logged.map((line) => JSON.parse(line)).filter(({ url }) => url === '/api/events');
  expect(lines.slice(-2)).toEqual([
    expect.objectContaining({ method: 'GET', status: 200, ms: expect.any(Number), id: expect.any(String) }),
    expect.objectContaining({ status: 200 }),
  ]);
  expect((await pub.service.get('/metrics')).body).toMatch(
    /_count\{method="GET",route="\/api\/events",status="2xx"\} [2-9]/,
  );
});

test('a feed accepts a window; other methods and paths are a 404', async () => {
  await using pub = await startPub(EVENING);
  const origin = await listen(pub.service);

  expect((await (await fetch(`${origin}/api/events?window=1`)).json()).source).toBe('workspace');
  expect((await fetch(`${origin}/api/events`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${origin}/api/events/`)).status).toBe(404);
});
