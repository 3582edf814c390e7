import { describe, expect, test } from 'vitest';
import { changeSettings } from '#content/club-settings.ts';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import {
  ADMIN,
  BROWSER,
  type CalendarService,
  calendarService,
  codeFor,
  FORM,
  follow,
  JANE,
  subscribe,
} from '#test/calendar/fixtures.ts';
import { BASE } from '#test/support/app.ts';
import { expectRefusal, message, refusal } from '#test/support/messages.ts';

const link = (code: string) => `/api/subs/verify?calendar_id=programs&v=${code}`;

async function asked(service: CalendarService): Promise<string> {
  await service.post(FORM, JANE);
  return codeFor(service);
}

async function tokensOf({ ctx }: CalendarService) {
  return ctx.db.all(build.selectFrom('feed_tokens').selectAll().orderBy('created_at'));
}

test('a link answers with the addresses of the feed for every calendar program', async () => {
  await using service = await calendarService();

  const answer = await service.get(link(await asked(service)));

  expect(answer.statusCode).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['referrer-policy']).toBe('no-referrer');
  const { token, icsUrl, webcalUrl, googleUrl, outlookWeb, ...rest } = answer.json();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(rest).toEqual({
    ok: true,
    calId: 'programs',
    expires_at: '2027-11-21T17:00:00.000Z',
    subscribeUrl: `${BASE}/subscribe-programs?token=${token}`,
  });
  expect(icsUrl).toBe(`${BASE}/cal/programs.ics?token=${token}&calendar_id=programs`);
  expect(webcalUrl).toBe(icsUrl.replace('https:', 'webcal:'));
  const google = new URL(googleUrl);
  expect(google.origin + google.pathname).toBe('https://calendar.google.com/calendar/r');
  expect([...google.searchParams]).toEqual([['cid', webcalUrl]]);
  const outlook = new URL(outlookWeb);
  expect(outlook.origin + outlook.pathname).toBe('https://outlook.live.com/calendar/0/addfromweb');
  expect([...outlook.searchParams]).toEqual([
    ['url', icsUrl],
    ['name', 'Club programme'],
  ]);
  expect(outlookWeb).toContain('name=Club%20programme');
});

test('a browser is redirected to its page, which links to the feed', async () => {
  await using service = await calendarService();

  const answer = await service.request({ url: link(await asked(service)), headers: BROWSER });

  expect(answer.statusCode).toBe(303);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers.location).toMatch(new RegExp(`^${BASE}/subscribe-programs\\?token=[\\w-]{43}$`));
  const page = await service.request({ url: answer.headers.location!.replace(BASE, ''), headers: BROWSER });
  expect(page.statusCode).toBe(200);
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.headers['referrer-policy']).toBe('no-referrer');
  expect(page.body).toContain('Nov 21, 2027, 12:00\u00a0PM New York time');
  const token = answer.headers.location!.slice(-43);
  expect(page.body).toContain(
    `webcal://votes.club.example/cal/programs.ics?token=${token}&amp;calendar_id=programs`,
  );
});

test('a used link returns the same token for ten minutes, then a 404', async () => {
  await using service = await calendarService();
  const code = await asked(service);
  const { token } = await follow(service, code);

  service.clock.now += 10 * MINUTE;
  expect((await follow(service, code)).token).toBe(token);
  service.clock.now += 1;
  expectRefusal(await service.get(link(code)), 404, 'link_unknown');
  expect(await tokensOf(service)).toHaveLength(1);
});

test('a link can be followed for 30 minutes', async () => {
  await using service = await calendarService();
  const code = await asked(service);
  service.clock.now += 30 * MINUTE;

  expectRefusal(await service.get(link(code)), 404, 'link_unknown');
  service.clock.now -= 1 * SECOND;
  expect((await service.get(link(code))).statusCode).toBe(200);
});

test('200 simultaneous requests with one link get one token', async () => {
  await using service = await calendarService();
  const code = await asked(service);

  const answers = await Promise.all(Array.from({ length: 200 }, () => service.get(link(code))));

  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
  expect(answers[0]!.statusCode).toBe(200);
  expect(await tokensOf(service)).toHaveLength(1);
  const verified = service.ctx.db.all(
    build.selectFrom('audit_log').where('action', '=', 'subscription.verified').selectAll(),
  );
  expect(verified).toHaveLength(1);
});

test('no stored value opens a feed or a link', async () => {
  await using service = await calendarService();
  const code = await asked(service);
  const { token } = await follow(service, code);

  const tables = ['verifications', 'feed_tokens', 'subscribers', 'audit_log'] as const;
  const rows = await Promise.all(
    tables.map((table) => service.ctx.db.all(build.selectFrom(table).selectAll())),
  );
  const stored = JSON.stringify(rows);
  expect(stored).not.toContain(code);
  expect(stored).not.toContain(token);
  for (const row of rows[0]! as { code_hash: string }[])
    expectRefusal(await service.get(link(row.code_hash)), 404, 'link_unknown');
});

describe('a mail scanner consumes no link', () => {
  type Look = (service: CalendarService, code: string) => Promise<{ statusCode: number }>;
  const LOOKS: [name: string, look: Look, status: number][] = [
    ['HEAD of the link', (service, code) => service.request({ method: 'HEAD', url: link(code) }), 404],
    [
      'HEAD of the page',
      (service, code) => service.request({ method: 'HEAD', url: `/subscribe-programs/confirm?v=${code}` }),
      200,
    ],
    [
      'GET of the page',
      (service, code) => service.request({ url: `/subscribe-programs/confirm?v=${code}`, headers: BROWSER }),
      200,
    ],
    [
      'a browser that prefetches',
      (service, code) =>
        service.request({ url: link(code), headers: { 'sec-purpose': 'prefetch;prerender' } }),
      204,
    ],
    [
      'an older one',
      (service, code) => service.request({ url: link(code), headers: { purpose: 'prefetch' } }),
      204,
    ],
    ['OPTIONS', (service, code) => service.request({ method: 'OPTIONS', url: link(code) }), 404],
  ];

  test('whatever headers it sends', async () => {
    await using service = await calendarService();
    const code = await asked(service);
    for (const [name, look, status] of LOOKS) {
      for (let times = 0; times < 3; times++) {
        expect([name, (await look(service, code)).statusCode]).toEqual([name, status]);
      }
    }
    expect(await tokensOf(service)).toEqual([]);
    expect((await service.get(link(code))).statusCode).toBe(200);
  });

  test('by following every address in the mail with GET and HEAD', async () => {
    await using service = await calendarService();
    const code = await asked(service);
    const { text, html } = service.mail.mails[0]!;
    const links = new Set(`${text} ${html}`.match(/https:\/\/votes\.club\.example[^\s"<]*/g));

    expect(links.size).toBe(2);
    for (const url of links) {
      for (const method of ['HEAD', 'GET'] as const)
        expect(
          (await service.request({ method, url: url.replace(BASE, ''), headers: BROWSER })).statusCode,
        ).toBe(200);
    }
    expect(await tokensOf(service)).toEqual([]);
    expect((await service.get(link(code))).statusCode).toBe(200);
  });
});

test('the page of the link holds a form with a button, and no script', async () => {
  await using service = await calendarService();
  const page = await service.request({ url: '/subscribe-programs/confirm?v=abc"><x', headers: BROWSER });

  expect(page.body).toContain('<form class="actions" method="get" action="/api/subs/verify" novalidate>');
  expect(page.body).toContain('value="abc&quot;&gt;&lt;x"');
  expect(page.body).not.toContain('<script');
  expect(page.headers['cache-control']).toBe('no-store');
});

test('a link to another calendar, or to none, opens nothing', async () => {
  await using service = await calendarService();
  const code = await asked(service);

  for (const query of ['calendar_id=internal', '', 'calendar_id=programs&calendar_id=programs']) {
    const answer = await service.get(`/api/subs/verify?${query}&v=${code}`);
    expect([query, ...refusal(answer)]).toEqual([query, 404, message('calendar_not_found')]);
  }
  expect((await service.get(link(code))).statusCode).toBe(200);
});

test('an invalid link is answered with a page that has the form for a new one', async () => {
  await using service = await calendarService();
  const answer = await service.request({ url: link('never-made'), headers: BROWSER });

  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain('Ask for a new link');
  expect(answer.body).toContain('action="/api/subs/new?calendar_id=programs"');
});

test('a link is a 403 while the calendar is off or the subscriber is stopped, and stays valid', async () => {
  await using service = await calendarService();
  await subscribe(service);
  service.clock.now += 2 * MINUTE;
  const code = await asked(service);
  const who = { calendar_id: 'programs', email: JANE.email };
  const turn = (enabled: boolean) =>
    service.request({
      method: 'PATCH',
      url: '/api/admin/calendars/programs',
      payload: { enabled },
      headers: ADMIN,
    });

  await turn(false);
  expectRefusal(await service.get(link(code)), 403, 'calendar_off');
  await turn(true);
  await service.post('/api/admin/revoke', who, ADMIN);
  const stopped = await service.get(link(code));
  expect([stopped.statusCode, stopped.json().error]).toEqual([403, message('subscription_stopped')]);
  await service.post('/api/admin/enable', who, ADMIN);
  expect((await service.get(link(code))).statusCode).toBe(200);
});

test('a person has at most ten valid addresses; one more revokes the oldest', async () => {
  await using service = await calendarService();
  const feeds: string[] = [];
  for (let device = 0; device < 12; device++) {
    feeds.push((await subscribe(service)).feed);
    service.clock.now += 15 * MINUTE;
  }

  const open = await Promise.all(feeds.map(async (feed) => (await service.get(feed)).statusCode));
  expect(open).toEqual([404, 404, ...Array(10).fill(200)]);
});

test.each(['environment', 'settings'])('an address is valid for the time of the %s', async (from) => {
  const fixed = from === 'environment';
  await using service = await calendarService(fixed ? { PROGRAMS_TOKEN_TTL_DAYS: '7' } : {});
  const actor = { ip: 'service', at: service.clock.now };
  if (!fixed) await changeSettings(service.ctx, { 'calendar.token_ttl_days': 7 }, actor);
  const { feed, answer } = await subscribe(service);

  expect(answer.expires_at).toBe('2026-11-28T17:00:00.000Z');
  service.clock.now += 7 * DAY - 1;
  expect((await service.get(feed)).statusCode).toBe(200);
  service.clock.now += 1;
  expect((await service.get(feed)).statusCode).toBe(403);
});
