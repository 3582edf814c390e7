import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import {
  ADMIN,
  BROWSER,
  type CalendarService,
  calendarService,
  codeFor,
  FORM,
  JANE,
  subscribe,
} from '#test/calendar/fixtures.ts';
import { json, startUpstream } from '#test/calendar/upstream.ts';
import { errorJson, expectRefusal, message } from '#test/support/messages.ts';

/** The parts of a response that a client can compare. */
function seen({ statusCode, headers, body }: Awaited<ReturnType<CalendarService['post']>>) {
  const { date: _, 'x-request-id': __, ...rest } = headers;
  return { statusCode, headers: rest, body };
}

test('a request is answered with JSON or a redirect to the next page, and one link is mailed', async () => {
  await using service = await calendarService();

  const json = await service.post(FORM, JANE);
  const form = await service.submit(FORM, { name: 'Ann', email: ' Ann@Club.Example ' }, { accept: '*/*' });

  expect(json.statusCode).toBe(200);
  expect(json.json()).toEqual({ ok: true, message: expect.stringContaining('30 minutes') });
  expect(json.headers['cache-control']).toBe('no-store');
  expect([form.statusCode, form.headers.location]).toEqual([303, '/subscribe-programs?sent=1']);
  expect(service.mail.mails.map(({ recipients }) => recipients)).toEqual([
    ['jane@club.example'],
    ['ann@club.example'],
  ]);
  const [mail] = service.mail.mails;
  expect(mail?.headers['message-id']).toMatch(/^<calendar-[\w-]+@votes\.club\.example>$/);
  expect(mail?.headers['auto-submitted']).toBe('auto-generated');
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  expect(mail?.headers['list-unsubscribe']).toMatch(
    /^<https:\/\/votes\.club\.example\/api\/subs\/unsubscribe\?u=\S+>$/,
  );
  expect(mail?.text).toContain('Sat, Nov 21, 2026, 12:30 PM');
  expect(mail?.text).not.toContain('Jane');
});

test('new, known and stopped addresses get the same answer, and only the mail differs', async () => {
  await using service = await calendarService();
  const known = { name: 'K', email: 'known@club.example' };
  const stopped = { name: 'S', email: 'stopped@club.example' };
  for (const person of [known, stopped]) await subscribe(service, person);
  await service.post('/api/admin/revoke', { calendar_id: 'programs', email: stopped.email }, ADMIN);
  service.clock.now += 2 * MINUTE;

  const answers = [];
  for (const person of [{ name: 'N', email: 'new@club.example' }, known, stopped]) {
    answers.push(seen(await service.post(FORM, person)), seen(await service.post(FORM, person)));
  }

  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(2);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 429, 200, 429, 200, 429]);
  const [toNew, toKnown, toStopped] = service.mail.mails.slice(2);
  expect(toNew?.text).toContain('/subscribe-programs/confirm?v=');
  expect(toKnown?.text).toContain('/subscribe-programs/confirm?v=');
  expect(toStopped?.text).toContain('stopped by an officer');
  expect(toStopped?.text + toStopped!.html).not.toContain('confirm?v=');
  expect(toStopped?.headers['list-unsubscribe']).toContain('unsubscribe?u=');
});

test('a second request leaves earlier links and feeds valid', async () => {
  await using service = await calendarService();
  const { feed } = await subscribe(service);
  service.clock.now += 2 * MINUTE;
  await service.post(FORM, JANE);
  const first = codeFor(service);
  service.clock.now += 2 * MINUTE;
  await service.post(FORM, { ...JANE, name: 'Somebody else' });

  expect((await service.get(feed)).statusCode).toBe(200);
  expect((await service.get(`/api/subs/verify?calendar_id=programs&v=${first}`)).statusCode).toBe(200);
});

test('an address gets one mail a minute in any letter case, then a 429 with Retry-After', async () => {
  await using service = await calendarService();
  await service.post(FORM, JANE);
  service.clock.now += 20 * SECOND + 500;

  const again = await service.post(FORM, { ...JANE, email: 'JANE@club.example' });
  expect(again.statusCode).toBe(429);
  expect(again.json()).toEqual({ ...errorJson('too_many_requests'), retryAfter: 40 });
  expect(again.headers['retry-after']).toBe('40');

  service.clock.now += 40 * SECOND;
  expect((await service.post(FORM, JANE)).statusCode).toBe(200);
  expect(service.mail.mails).toHaveLength(2);
});

test('200 requests for one address at once send one mail', async () => {
  await using service = await calendarService();

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      service.post(FORM, JANE, { 'edge-connecting-ip': `10.1.0.${at}` }),
    ),
  );

  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toHaveLength(199);
  for (const answer of refused) {
    expect(answer.json().retryAfter).toBe(60);
    expect(answer.headers['retry-after']).toBe('60');
  }
  expect(service.mail.mails).toHaveLength(1);
});

test('a client may ask 20 times a minute, whatever the addresses', async () => {
  await using service = await calendarService();
  const ask = (at: number) => service.post(FORM, { name: 'x', email: `m${at}@club.example` });
  for (let at = 0; at < 20; at++) expect((await ask(at)).statusCode).toBe(200);

  const refused = await ask(20);
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toEqual({ ...errorJson('too_many_requests'), retryAfter: 60 });
  service.clock.now += MINUTE;
  expect((await ask(21)).statusCode).toBe(200);
});

describe('sign-up mails', () => {
  let clients = 0;
  /** Asks from a new IP address. */
  const ask = (service: CalendarService, email: string, url = FORM) => {
    clients += 1;
    const client = { 'edge-connecting-ip': `10.2.${clients >> 8}.${clients & 255}` };
    return service.post(url, { name: 'x', email }, client);
  };
  const statuses = async (asked: Promise<{ statusCode: number }>[]) =>
    (await Promise.all(asked)).map(({ statusCode }) => statusCode);

  test('are counted by mailbox: a suffix after a plus makes no difference', async () => {
    await using service = await calendarService();

    const first = await ask(service, 'jane+1@club.example');
    const again = [];
    for (const email of ['jane+2@club.example', 'jane@club.example', 'jane+1@club.example'])
      again.push(await ask(service, email));
    const others = [];
    for (const email of ['jan+e@club.example', 'janet@club.example', 'jane+1@pub.example'])
      others.push(await ask(service, email));

    expect(first.statusCode).toBe(200);
    expect(again.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      again.map(() => [429, JSON.stringify({ ...errorJson('too_many_requests'), retryAfter: 60 })]),
    );
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(service.mail.mails).toHaveLength(4);
  });

  test('are limited to five an hour per mailbox, subscribed or not', async () => {
    await using service = await calendarService();
    await subscribe(service);
    service.clock.now += HOUR;

    const known = [];
    const fresh = [];
    for (let minute = 0; minute < 6; minute += 1) {
      known.push(seen(await ask(service, JANE.email)));
      fresh.push(seen(await ask(service, `new+${minute}@club.example`)));
      service.clock.now += MINUTE;
    }

    expect(known).toEqual(fresh);
    expect(known.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(known[5]!.body).toContain('"retryAfter":3300');
    service.clock.now += HOUR;
    expect((await ask(service, JANE.email)).statusCode).toBe(200);
  });

  test('are limited for the whole service, per minute and per hour', async () => {
    await using service = await calendarService({ SIGN_UP_MAILS_PER_HOUR: '20' });
    const burst = (count: number) =>
      statuses(Array.from({ length: count }, () => ask(service, `m${clients}@club.example`)));

    const first = await burst(6);
    service.clock.now += MINUTE;
    const second = await burst(6);
    for (let minute = 0; minute < 3; minute += 1) {
      service.clock.now += MINUTE;
      await burst(6);
    }
    service.clock.now += MINUTE;
    const late = await ask(service, 'late@club.example');

    for (const answers of [first, second]) expect(answers.sort()).toEqual([200, 200, 200, 200, 429, 429]);
    expect(service.mail.mails).toHaveLength(20);
    expect([late.statusCode, late.json()]).toEqual([
      429,
      { ...errorJson('too_many_requests'), retryAfter: 55 * 60 },
    ]);
    service.clock.now += 55 * MINUTE;
    expect((await ask(service, 'late@club.example')).statusCode).toBe(200);
  });

  test('are limited per client to a fifth of the limit of the service', async () => {
    await using service = await calendarService({ SIGN_UP_MAILS_PER_HOUR: '20' });
    const own = [];
    for (let at = 0; at < 5; at += 1) {
      service.clock.now += MINUTE;
      own.push((await service.post(FORM, { name: 'x', email: `own${at}@club.example` })).statusCode);
    }

    expect(own).toEqual([200, 200, 200, 200, 429]);
    expect((await ask(service, 'other@club.example')).statusCode).toBe(200);
  });

  test('are limited for the internal calendar too, whose automation host sends the mails', async () => {
    const automation = await startUpstream(json({ ok: true }));
    await using service = await calendarService({ AUTOMATION_BASE_URL: automation.url });
    const internal = '/api/subs/new?calendar_id=internal';

    const answers = [];
    for (let at = 0; at < 6; at += 1) answers.push(await ask(service, `jane+${at}@club.example`, internal));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(automation.requests).toHaveLength(5);
  });
});

describe('a request', () => {
  const long = 'x'.repeat(101);

  const WRONG: [name: string, body: object, path: string, error: string][] = [
    ['no name', { email: JANE.email }, 'name', 'name'],
    ['an empty name', { ...JANE, name: '   ' }, 'name', 'name'],
    ['a name of nothing to see', { ...JANE, name: '\u0000\n' }, 'name', 'name'],
    ['a long name', { ...JANE, name: long }, 'name', 'name'],
    ['a name that is a list', { ...JANE, name: ['a', 'b'] }, 'name', 'name'],
    ['no address', { name: 'Jane' }, 'email', 'email'],
    ['two addresses', { ...JANE, email: 'a@club.example, b@club.example' }, 'email', 'email'],
    [
      'an address with a line break',
      { ...JANE, email: 'a@club.example\r\nBcc: b@club.example' },
      'email',
      'email',
    ],
    ['a long address', { ...JANE, email: `${'x'.repeat(250)}@club.example` }, 'email', 'email'],
    ['a challenge that is a number', { ...JANE, turnstile_token: 7 }, 'turnstile_token', 'challenge'],
    [
      'a challenge of 3,000 characters',
      { ...JANE, challenge_token: 'x'.repeat(3_000) },
      'challenge_token',
      'challenge',
    ],
  ];

  test('with an invalid field is a 400 that names the field, and leads a form back to its page', async () => {
    await using service = await calendarService();
    for (const [name, body, path, error] of WRONG) {
      service.clock.now += MINUTE;
      const answer = await service.post(FORM, body);
      const { error: sentence, errors } = answer.json();
      expect([name, answer.statusCode, errors[0].path]).toEqual([name, 400, path]);
      expect(sentence).toContain(path);

      // The fields of a form are strings.
      const fields = Object.entries(body).map(([key, value]) => [
        key,
        typeof value === 'number' ? 'x'.repeat(3_000) : value,
      ]);
      const form = await service.submit(FORM, Object.fromEntries(fields), BROWSER);
      const back = `/subscribe-programs?error=${error}`;
      expect([name, form.statusCode, form.headers.location]).toEqual([name, 303, back]);
      const bare = await service.submit(FORM, Object.fromEntries(fields), { accept: '*/*' });
      expect([name, bare.statusCode, bare.headers.location]).toEqual([name, 303, back]);
      const page = await service.request({ url: back, headers: BROWSER });
      expect([name, page.statusCode]).toEqual([name, 200]);
    }
    expect(service.mail.mails).toEqual([]);
  });

  test('for a missing or unknown calendar is refused', async () => {
    await using service = await calendarService();

    for (const url of [
      '/api/subs/new',
      '/api/subs/new?calendar_id=pub',
      '/api/subs/new?calendar_id=programs&calendar_id=x',
    ]) {
      const answer = await service.post(url, JANE);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors[0].path).toBe('calendar_id');
    }
  });

  test('with a body that is too large, no JSON, or of another type is refused', async () => {
    await using service = await calendarService();
    const send = (type: string, payload: string) =>
      service.request({
        method: 'POST',
        url: FORM,
        payload,
        headers: { 'content-type': type, accept: 'application/json' },
      });

    expect(
      (await send('application/json', JSON.stringify({ ...JANE, x: 'x'.repeat(20_000) }))).statusCode,
    ).toBe(413);
    expect((await send('application/json', '{"name":')).statusCode).toBe(400);
    expectRefusal(await send('application/json', '[]'), 400, 'not_object');
    expect((await send('text/plain', 'name=Jane')).statusCode).toBe(415);
    expect(service.mail.mails).toEqual([]);
  });

  test('is refused while the calendar is off or mail is not configured', async () => {
    await using service = await calendarService();
    await service.request({
      method: 'PATCH',
      url: '/api/admin/calendars/programs',
      payload: { enabled: false },
      headers: ADMIN,
    });

    expect((await service.post(FORM, JANE)).statusCode).toBe(403);
    const form = await service.submit(FORM, JANE, BROWSER);
    expect([form.statusCode, form.headers.location]).toEqual([403, undefined]);
    expect(form.body).toContain(message('calendar_off'));
    expect(service.mail.mails).toEqual([]);

    await using bare = await calendarService({ FROM_EMAIL: '', BASE_URL: '' });
    const answer = await bare.post(FORM, JANE);
    expect([answer.statusCode, answer.json().error]).toEqual([
      500,
      message('configuration_missing', { names: 'FROM_EMAIL, BASE_URL' }),
    ]);

    await using nowhere = await calendarService({ MAILER_URL: '' });
    const failed = await nowhere.post(FORM, JANE);
    expect([failed.statusCode, failed.json().error]).toEqual([
      500,
      message('configuration_missing', { names: 'MAILER_URL' }),
    ]);
  });
});

test.each([MINUTE, HOUR, 24 * HOUR])('a clock set back by %i ms does not lengthen the wait', async (back) => {
  await using service = await calendarService();
  await service.post(FORM, JANE);
  service.clock.now -= back;

  expect((await service.post(FORM, JANE)).statusCode).toBe(200);
  expect((await service.post(FORM, JANE)).statusCode).toBe(429);
  expect(service.mail.mails).toHaveLength(2);
});

test('the page of a 429 says how long to wait', async () => {
  await using service = await calendarService();
  await service.submit(FORM, JANE, BROWSER);
  service.clock.now += 18 * SECOND;

  const again = await service.submit(FORM, JANE, BROWSER);
  expect([again.statusCode, again.headers['retry-after']]).toEqual([429, '42']);
  expect(again.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(again.body).toContain('42 seconds');
});

test('the letter case of Accept makes no difference', async () => {
  await using service = await calendarService();

  const answer = await service.submit(FORM, JANE, { accept: 'Application/JSON' });

  expect([answer.statusCode, answer.json().ok]).toEqual([200, true]);
});
