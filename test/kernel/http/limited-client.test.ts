import { describe, expect, it, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { limitedClient } from '#kernel/http/client.ts';
import { EVERYBODY } from '#kernel/http/rate-limit.ts';
import { SLOWED } from '#kernel/http/slow-refusals.ts';
import { type TestApp, testApp } from '#test/support/app.ts';

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['ann:x@club.example', 'ann:x@club.example'],
])('limits count %s as %s', (address, client) => expect(limitedClient(address)).toBe(client));

/** A new address of one /64 for each request, as one connection can have. */
const addresses = () => {
  let last = 0;
  return () => ({ host: 'club.example', 'x-forwarded-for': `2001:db8:1:2:${(++last).toString(16)}::1` });
};

describe('one IPv6 connection with many addresses', () => {
  const open = () =>
    testApp({
      NODE_ENV: 'production',
      TRUSTED_PROXIES: '127.0.0.1',
      BASE_URL: 'https://club.example',
      ADMIN_API_KEY: 'a long key of the officers',
      NOW_PLAYING_INGEST_TOKEN: 'a long token of the device',
      PUB_ADMIN_TOKEN: 'a long token of the pub',
      MAILER_URL: 'smtp://127.0.0.1:9',
      RATE_LIMIT_SIGN_IN: '5',
      RATE_LIMIT_GENERAL: '5',
      FEEDBACK_ENABLED: 'on',
    });
  type Ask = (service: TestApp, from: Record<string, string>) => Promise<{ statusCode: number }>;
  const key = { authorization: 'Bearer a wrong one' };
  const NOBODY = '00000000-0000-4000-8000-000000000000';
  const cases: [string, Ask][] = [
    ['sign-in', (service, from) => service.post('/sign-in', { email: 'ann@club.example' }, from)],
    ['passkeys', (service, from) => service.post('/sign-in/passkey/options', {}, from)],
    [
      'recovery codes',
      (service, from) => service.post('/sign-in/recovery', { email: 'a@b.example', code: 'x' }, from),
    ],
    ['wrong keys', (service, from) => service.get('/admin/elections', { ...from, ...key })],
    ['wrong tokens', (service, from) => service.get('/api/admin/roles', { ...from, ...key })],
    ['wrong tokens of a device', (service, from) => service.get('/api/dmx/desired', { ...from, ...key })],
    ['ballot pages', (service, from) => service.get(`/e/${NOBODY}/vote`, from)],
    ['feedback', (service, from) => service.post('/api/feedback', { message: 'Hello' }, from)],
  ];
  it.each(cases)('is one client: %s', async (_, ask) => {
    await using service = await open();
    const next = addresses();
    const statuses = [];
    for (let count = 0; count < 7; count++) statuses.push((await ask(service, next())).statusCode);
    expect(statuses.slice(0, 5)).not.toContain(429);
    expect(statuses.at(-1)).toBe(429);
    expect((await ask(service, { ...next(), 'x-forwarded-for': '2001:db8:1:3::1' })).statusCode).not.toBe(
      429,
    );
  });

  it('is slowed beyond 1,000 refusals an hour, and the right key is not', async () => {
    await using service = await open();
    const from = { host: 'club.example', 'x-forwarded-for': '198.51.100.1' };
    const right = { authorization: 'Bearer a long key of the officers' };
    const order: string[] = [];
    const wrong = () =>
      service.get('/admin/elections', { ...from, ...key }).then((answer) => {
        order.push(`wrong ${answer.statusCode}`);
      });
    const good = () =>
      service.get('/admin/elections', { ...from, ...right }).then((answer) => {
        order.push(`right ${answer.statusCode}`);
      });
    const [{ beyond } = { beyond: 0 }] = SLOWED;
    for (let count = 0; count < beyond; count++)
      service.ctx.limiter.hit(`refused, beyond ${beyond}`, EVERYBODY, beyond, 60 * MINUTE);
    await Promise.all([wrong(), good(), good()]);
    expect(order).toEqual(['right 200', 'right 200', 'wrong 401']);
    service.clock.now += 61 * MINUTE;
    await wrong();
    expect(order.at(-1)).toBe('wrong 401');
  });
});
