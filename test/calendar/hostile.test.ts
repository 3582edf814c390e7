import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTextUpTo } from '#test/support/any-text.ts';
import { ADMIN, BROWSER, calendarService, codeFor, FORM, JANE, subscribe } from './fixtures.ts';

const PATHS: [method: 'GET' | 'POST' | 'PATCH' | 'HEAD', path: string][] = [
  ['POST', '/api/subs/new'],
  ['GET', '/api/subs/verify'],
  ['GET', '/api/subs/unsubscribe'],
  ['POST', '/api/subs/unsubscribe'],
  ['GET', '/api/challenge-site-key'],
  ['GET', '/cal/programs.ics'],
  ['HEAD', '/cal/programs.ics'],
  ['GET', '/subscribe-programs'],
  ['GET', '/subscribe-programs/confirm'],
  ['GET', '/programme'],
  ['GET', '/api/admin/stats'],
  ['GET', '/api/admin/subs/list'],
  ['POST', '/api/admin/revoke'],
  ['POST', '/api/admin/enable'],
  ['PATCH', '/api/admin/calendars/programs'],
  ['PATCH', '/api/admin/calendars/x'],
  ['GET', '/admin/calendar'],
  ['GET', '/api/gallery/x'],
];
const NAMES = [
  'calendar_id',
  'token',
  'v',
  'u',
  'q',
  'from',
  'limit',
  'offset',
  'done',
  'error',
  'retry',
  'sent',
  'name',
  'email',
  'enabled',
  'subscriber_id',
  'turnstile_token',
  '__proto__',
  'constructor',
];
const junk = fc.oneof(
  fc.constantFrom(
    '',
    'programs',
    'internal',
    '0',
    '-1',
    '1e9',
    'true',
    'a@b.example',
    '%00',
    '../..',
    '"><script>',
    '\u0000',
    '\ud800',
    "' OR 1=1 --",
    'x'.repeat(3_000),
    '9'.repeat(30),
  ),
  anyTextUpTo(40),
);

test('hostile input to any route is never a 500, and no page repeats markup', async () => {
  await using service = await calendarService({ PUB_ADMIN_TOKEN: ADMIN['x-admin-token'] });
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(junk, fc.jsonValue({ maxDepth: 2 }))),
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ maxLength: 30 }),
  );
  const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), junk), { maxLength: 4 });
  let client = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      pairs,
      body,
      fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', ''),
      fc.boolean(),
      async ([method, path], query, sent, type, html) => {
        client += 1;
        const written = query
          .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
          .join('&');
        const payload = typeof sent === 'string' ? sent : JSON.stringify(sent);
        const answer = await service.request({
          method,
          url: `${path}?${written}`,
          ...(method !== 'GET' && method !== 'HEAD' && { payload }),
          headers: {
            ...(html ? BROWSER : { accept: 'application/json' }),
            ...(type && { 'content-type': type }),
            ...(path.includes('admin') && ADMIN),
            'edge-connecting-ip': `10.9.${client >> 8}.${client & 255}`,
            'if-none-match': written.slice(0, 50).replace(/[^\x20-\x7e]/g, ''),
            'user-agent': 'x'.repeat(client % 500),
          },
        });

        expect(answer.statusCode).toBeLessThan(500);
        if (answer.headers['content-type']?.toString().startsWith('text/html'))
          expect(answer.body).not.toContain('"><script>');
      },
    ),
    { numRuns: 400 },
  );
  expect(service.logged.filter((line) => line.includes('request failed'))).toEqual([]);
});

test('no code, token or address is in the log, whatever part of the request had it', async () => {
  await using service = await calendarService();
  const { token, feed } = await subscribe(service);
  const code = codeFor(service);
  const u = /unsubscribe\?u=([\w.-]+)/.exec(service.mail.mails[0]!.text)?.[1] ?? '';
  expect(u.length).toBeGreaterThan(60);
  for (const url of [
    feed,
    `${feed}&x=1#${token}`,
    `/cal/nothing.ics?token=${token}`,
    `/subscribe-programs?token=${token}`,
    `/subscribe-programs/confirm?v=${code}`,
    `/api/subs/verify?calendar_id=programs&v=${code}`,
    `/api/subs/verify?v=${code}&calendar_id=x`,
    `/api/subs/unsubscribe?u=${u}`,
    `/api/subs/unsubscribe?u=${u}&u=${u}`,
    `/api/admin/subs/list?q=x&email=${JANE.email}`,
  ])
    await service.get(url, ADMIN);
  await service.post(FORM, JANE);
  await service.post('/api/subs/unsubscribe', { token });
  await service.request({ method: 'POST', url: `/api/subs/unsubscribe?u=${u}` });

  const log = service.logged.join('\n');
  expect(log).toContain('"url":"/cal/programs.ics"');
  for (const secret of [token, code, u, JANE.email]) expect(log).not.toContain(secret);
});
