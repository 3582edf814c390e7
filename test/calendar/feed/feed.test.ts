import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetOldSubscriptions } from '#calendar/subscriptions/retention.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { ADMIN, JANE, mintFeed } from '#test/calendar/fixtures.ts';
import { type TestApp, testApp } from '#test/support/app.ts';

const env = { PUB_ADMIN_TOKEN: ADMIN['x-admin-token'] };
const who = { calendar_id: 'programs', email: JANE.email };

const accessesOf = ({ ctx }: TestApp) =>
  ctx.db.all(build.selectFrom('feed_accesses').selectAll().orderBy('id'));
const flush = (service: TestApp) => service.get('/api/admin/stats', ADMIN);

test('a feed is answered with all headers that calendar programs use', async () => {
  await using service = await testApp(env);

  const answer = await service.request({ url: await mintFeed(service), headers: { accept: '' } });

  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, max-age=300',
    'content-disposition': 'inline; filename="programs.ics"',
    'last-modified': 'Sat, 21 Nov 2026 17:00:00 GMT',
    'x-content-type-options': 'nosniff',
    'content-length': String(answer.rawPayload.length),
  });
  expect(answer.headers.etag).toMatch(/^"[\w-]{22}"$/);
  expect(answer.body.startsWith('BEGIN:VCALENDAR\r\n')).toBe(true);
});

describe('a calendar program that has the feed already', () => {
  let service: TestApp;
  let feed: string;
  beforeAll(async () => {
    service = await testApp(env);
    feed = await mintFeed(service);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each<[string, (etag: string) => Record<string, string>, number]>([
    ['names its tag', (etag) => ({ 'if-none-match': etag }), 304],
    ['names it as a weak one', (etag) => ({ 'if-none-match': `W/${etag}` }), 304],
    ['names it in a list', (etag) => ({ 'if-none-match': `"a", W/"b" ,${etag}` }), 304],
    ['has anything', () => ({ 'if-none-match': '*' }), 304],
    ['has another one', () => ({ 'if-none-match': '"other"' }), 200],
    ['names nonsense', () => ({ 'if-none-match': 'no tag at all' }), 200],
    ['says since when', () => ({ 'if-modified-since': 'Sat, 21 Nov 2026 17:00:00 GMT' }), 304],
    ['has an older one', () => ({ 'if-modified-since': 'Sat, 21 Nov 2026 16:59:59 GMT' }), 200],
    ['says no date', () => ({ 'if-modified-since': 'yesterday' }), 200],
    [
      'has another tag of that time',
      () => ({ 'if-none-match': '"other"', 'if-modified-since': 'Sat, 21 Nov 2026 17:00:00 GMT' }),
      200,
    ],
  ])('%s', async (_name, headersFor, status) => {
    const { etag } = (await service.get(feed)).headers;

    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await service.request({ method, url: feed, headers: headersFor(String(etag)) });
      expect(answer.statusCode).toBe(status);
      expect(answer.headers).toMatchObject({ etag, 'cache-control': 'private, max-age=300' });
      if (status === 304 || method === 'HEAD') expect(answer.body).toBe('');
    }
  });
});

test('a token opens the feed depending on four states, whatever the order of their changes', async () => {
  await using service = await testApp({ ...env, BASE_URL: 'https://club.example' });
  const turn = (enabled: boolean) =>
    service.request({
      method: 'PATCH',
      url: '/api/admin/calendars/programs',
      payload: { enabled },
      headers: ADMIN,
    });
  const step = fc.constantFrom('revoke', 'enable', 'off', 'on', 'expire', 'sign up', 'unsubscribe');
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      runs += 1;
      const email = `m${runs}@club.example`;
      const state = { live: true, expired: false, disabled: false, off: false };
      await turn(true);
      let feed = await mintFeed(service, email);
      for (const one of steps) {
        service.clock.now += 2 * MINUTE;
        if (one === 'revoke') {
          await service.post('/api/admin/revoke', { calendar_id: 'programs', email }, ADMIN);
          Object.assign(state, { disabled: true, ...(!state.expired && { live: false }) });
        } else if (one === 'enable') {
          await service.post('/api/admin/enable', { calendar_id: 'programs', email }, ADMIN);
          state.disabled = false;
        } else if (one === 'off' || one === 'on') {
          await turn(one === 'on');
          state.off = one === 'off';
        } else if (one === 'expire') {
          service.clock.now += 366 * DAY;
          state.expired = true;
        } else if (one === 'unsubscribe') {
          const token = new URL(feed, 'http://x').searchParams.get('token');
          await service.post('/api/subs/unsubscribe', { token });
          if (!state.expired) state.live = false;
        } else if (!state.disabled && !state.off) {
          feed = await mintFeed(service, email);
          Object.assign(state, { live: true, expired: false });
        }
        const answer = await service.get(feed);
        const wanted = state.off || state.disabled ? 403 : !state.live ? 404 : state.expired ? 403 : 200;
        expect([...steps, answer.statusCode]).toEqual([...steps, wanted]);
        if (wanted !== 200) {
          expect(answer.headers['cache-control']).toBe('no-store');
          expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
          expect(answer.body.trim().split('\n')).toHaveLength(1);
        }
      }
    }),
    { numRuns: 12 },
  );
});

test('an incomplete or made-up feed address is a 404 and is not recorded', async () => {
  await using service = await testApp(env);
  const feed = await mintFeed(service);
  const wrong: Record<string, string> = {
    'no token': '/cal/programs.ics?calendar_id=programs',
    'an empty token': '/cal/programs.ics?token=&calendar_id=programs',
    'a made-up token': `/cal/programs.ics?token=${'x'.repeat(43)}&calendar_id=programs`,
    'a very long token': `/cal/programs.ics?token=${'x'.repeat(5_000)}&calendar_id=programs`,
    'two tokens': `${feed}&token=x`,
    'a token in brackets': feed.replace('token=', 'token[]='),
    'another calendar': feed.replace('=programs', '=internal'),
    'no calendar': feed.replace('&calendar_id=programs', ''),
    'a token in capitals': feed.replace(/(?<=token=)[\w-]+/, (token) => token.toUpperCase()),
  };

  for (const [name, url] of Object.entries(wrong)) {
    const answer = await service.get(url);
    expect([name, answer.statusCode, answer.body]).toEqual([
      name,
      404,
      'There is no calendar at this address.\n',
    ]);
  }
  await flush(service);
  expect(accessesOf(service)).toEqual([]);
});

test('every GET of a feed is recorded once, without the token and with a truncated address', async () => {
  await using service = await testApp(env);
  const feed = await mintFeed(service);
  const read = (userAgent: string, client: string, more: object = {}) =>
    service.request({
      url: feed,
      headers: { 'user-agent': userAgent, 'edge-connecting-ip': client },
      ...more,
    });

  const { etag } = (await read('Google-Calendar-Importer', '66.249.93.7')).headers;
  await read('iOS/18.1 (22B83) dataaccessd/1.0', '2001:db8:12:3456::9', {
    headers: {
      'user-agent': 'iOS/18.1 (22B83) dataaccessd/1.0',
      'edge-connecting-ip': '2001:db8:12:3456::9',
      'if-none-match': etag,
    },
  });
  await read('Microsoft.Exchange/15.20', 'not an address', { method: 'HEAD' });
  await read('', '::ffff:10.1.2.3');
  await read('x\u0000'.repeat(20).slice(0, 10).replaceAll('\0', ''), 'nonsense');
  await flush(service);

  const rows = accessesOf(service);
  expect(rows.map(({ client, address }) => [client, address])).toEqual([
    ['google', '66.249.93.0/24'],
    ['apple', '2001:db8:12::/48'],
    ['other', '10.1.2.0/24'],
    ['other', 'unknown'],
  ]);
  expect(new Set(rows.map(({ token_id }) => token_id)).size).toBe(1);
  expect(JSON.stringify(rows)).not.toContain(new URL(feed, 'http://x').searchParams.get('token'));
});

test('reads are recorded after the responses, the last ones when the service stops', async () => {
  const service = await testApp(env);
  const feed = await mintFeed(service);
  await service.get(feed);
  expect(accessesOf(service)).toEqual([]);
  await service.app.close();

  expect(accessesOf(service)).toHaveLength(1);
  await service[Symbol.asyncDispose]();
});

test('old rows are deleted: links after eight days, reads and invalid addresses after ninety', async () => {
  await using service = await testApp(env);
  const feed = await mintFeed(service);
  await mintFeed(service, 'stopped@club.example');
  await service.post('/api/admin/revoke', { ...who, email: 'stopped@club.example' }, ADMIN);
  await service.get(feed);
  await flush(service);
  const count = async (table: 'verifications' | 'feed_accesses' | 'feed_tokens' | 'subscribers') =>
    service.ctx.db.all(build.selectFrom(table).selectAll()).length;
  const counts = async () => [
    await count('verifications'),
    await count('feed_accesses'),
    await count('feed_tokens'),
    await count('subscribers'),
  ];

  service.clock.now += 8 * DAY;
  await forgetOldSubscriptions(service.calendarContext);
  expect(await counts()).toEqual([2, 1, 2, 2]);
  service.clock.now += 1;
  await forgetOldSubscriptions(service.calendarContext);
  expect(await counts()).toEqual([0, 1, 2, 2]);
  service.clock.now += 83 * DAY;
  await forgetOldSubscriptions(service.calendarContext);
  expect(await counts()).toEqual([0, 0, 1, 2]);
  service.clock.now += 400 * DAY;
  await forgetOldSubscriptions(service.calendarContext);
  // A stopped subscriber is kept.
  expect(await counts()).toEqual([0, 0, 0, 1]);
  expect((await service.get(feed)).statusCode).toBe(404);
});
