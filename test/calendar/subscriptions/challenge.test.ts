import { expect, test } from 'vitest';
import { BROWSER, calendarService, FORM, JANE } from '#test/calendar/fixtures.ts';
import { json, startUpstream, type Upstream } from '#test/calendar/upstream.ts';

const keys = { CHALLENGE_SITE_KEY: 'site-key', CHALLENGE_SECRET_KEY: 'secret-key' };
const refused = (...codes: string[]) => json({ success: false, 'error-codes': codes });

async function beside(upstream: Upstream) {
  return calendarService({ ...keys, CHALLENGE_VERIFY_URL: `${upstream.url}/v0/siteverify` });
}

test('the site key for the form is public, and null if none is configured', async () => {
  await using bare = await calendarService();
  expect((await bare.get('/api/challenge-site-key')).json()).toEqual({ siteKey: null });
  await using service = await calendarService(keys);
  expect((await service.get('/api/challenge-site-key')).json()).toEqual({ siteKey: 'site-key' });
});

test('a challenge response is verified once with the provider, under either field name', async () => {
  const upstream = await startUpstream(json({ success: true, hostname: 'club.example' }));
  await using service = await beside(upstream);

  expect((await service.post(FORM, { ...JANE, turnstile_token: 'right' })).statusCode).toBe(200);
  expect(
    (await service.post(FORM, { ...JANE, email: 'ann@club.example', challenge_token: 'right too' }))
      .statusCode,
  ).toBe(200);

  expect(upstream.requests).toHaveLength(2);
  const form = new URLSearchParams(upstream.requests[0]!.body);
  expect(Object.fromEntries(form)).toMatchObject({
    secret: 'secret-key',
    response: 'right',
    remoteip: '127.0.0.1',
  });
  expect(new URLSearchParams(upstream.requests[1]!.body).get('response')).toBe('right too');
});

const REFUSALS: [name: string, fields: object, answer: Upstream['answer'], status: number, asked: number][] =
  [
    ['no answer', {}, json({ success: true }), 400, 0],
    ['an empty answer', { turnstile_token: '' }, json({ success: true }), 400, 0],
    ['a wrong answer', { turnstile_token: 'x' }, refused('invalid-input-response'), 400, 1],
    ['a used answer', { turnstile_token: 'x' }, refused('timeout-or-duplicate'), 400, 1],
    ['a secret of ours that is wrong', { turnstile_token: 'x' }, refused('invalid-input-secret'), 500, 1],
    ['a provider in trouble', { turnstile_token: 'x' }, refused('internal-error'), 500, 2],
    [
      'a provider that fails',
      { turnstile_token: 'x' },
      (response) => void response.writeHead(503).end('down'),
      500,
      2,
    ],
    [
      'a provider that drops the connection',
      { turnstile_token: 'x' },
      (response) => void response.destroy(),
      500,
      2,
    ],
    ['a provider that says yes in another shape', { turnstile_token: 'x' }, json({ success: 'yes' }), 500, 2],
  ];

test('a failed challenge is refused, and nothing is stored', async () => {
  const upstream = await startUpstream(json({ success: true }));
  await using service = await beside(upstream);
  for (const [name, fields, answer, status, asked] of REFUSALS) {
    upstream.answer = answer;
    upstream.requests = [];
    const turned = await service.post(FORM, { ...JANE, ...fields });

    expect([name, turned.statusCode, upstream.requests.length]).toEqual([name, status, asked]);
    if (status === 400) expect(turned.json().errors[0].path).toBe('turnstile_token');
    expect(turned.body).not.toContain('secret-key');
    // A retry keeps its idempotency key, so that it is not taken for a second use.
    const once = upstream.requests.map(({ body }) => new URLSearchParams(body).get('idempotency_key'));
    expect(new Set(once).size).toBeLessThanOrEqual(1);
    expect(service.mail.mails).toEqual([]);
  }
  upstream.answer = json({ success: true });
  expect((await service.post(FORM, { ...JANE, turnstile_token: 'right' })).statusCode).toBe(200);
});

test('the form holds the provider’s widget, and only that page may load it', async () => {
  await using service = await calendarService({
    ...keys,
    CHALLENGE_VERIFY_URL: 'https://challenge.example/v0/siteverify',
  });

  const page = await service.request({ url: '/subscribe-programs', headers: BROWSER });
  expect(page.body).toContain('<script src="https://challenge.example/v0/api.js" async defer></script>');
  expect(page.body).toContain('data-sitekey="site-key"');
  expect(page.headers['content-security-policy']).toContain("script-src 'self' https://challenge.example;");
  expect(page.headers['content-security-policy']).toContain('frame-src https://challenge.example;');
  for (const url of ['/subscribe-programs?sent=1', '/programme', '/subscribe-programs/confirm?v=x']) {
    const other = await service.request({ url, headers: BROWSER });
    expect(other.headers['content-security-policy']).not.toContain('challenge.example');
  }
});

test('an incomplete configuration is logged at the start', async () => {
  await using shown = await calendarService({ CHALLENGE_SITE_KEY: 'site-key' });
  expect(shown.logged.join()).toContain('shown but not enforced');
  await using hidden = await calendarService({ CHALLENGE_SECRET_KEY: 'secret-key' });
  expect(hidden.logged.join()).toContain('nobody can answer the challenge');
});
