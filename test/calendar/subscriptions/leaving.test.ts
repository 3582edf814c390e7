import { describe, expect, test } from 'vitest';
import { remindOfExpiry } from '#calendar/subscriptions/renewals.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
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
import { expectRefusal } from '#test/support/messages.ts';

/** Stores the reminders that are due, and sends them. */
async function remind({ ctx }: CalendarService): Promise<void> {
  await remindOfExpiry(ctx);
  await sendDueMails(ctx);
}

const linkIn = ({ mail }: CalendarService, at = -1) =>
  mail.mails.at(at)!.headers['list-unsubscribe']!.slice(1, -1).replace(BASE, '');

describe('unsubscribing', () => {
  test('asks for confirmation on the page of the mail link, whose button stops every address and mail', async () => {
    await using service = await calendarService();
    const { feed } = await subscribe(service);
    service.clock.now += 2 * MINUTE;
    const second = await subscribe(service);
    const link = linkIn(service);

    for (const method of ['HEAD', 'GET'] as const)
      await service.request({ method, url: link, headers: BROWSER });
    const page = await service.request({ url: link, headers: BROWSER });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(JANE.email);
    expect((await service.get(feed)).statusCode).toBe(200);

    const done = await service.submit(link, {}, BROWSER);
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain('Your calendar has stopped');
    for (const one of [feed, second.feed]) expect((await service.get(one)).statusCode).toBe(404);
    const { subscribers, tokens } = (await service.get('/api/admin/stats', ADMIN)).json();
    expect([subscribers, tokens]).toEqual([
      { total: 0, active: 0, disabled: 0 },
      { live: 0, expired: 0, revoked: 2 },
    ]);
    service.clock.now += 360 * DAY;
    await remind(service);
    expect(service.mail.mails).toHaveLength(2);
  });

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['text/plain', ''],
    ['application/json', ''],
  ])('works for a mail provider with one POST of %s', async (type, payload) => {
    await using service = await calendarService();
    const { feed } = await subscribe(service);

    for (let times = 0; times < 2; times++) {
      const done = await service.request({
        method: 'POST',
        url: linkIn(service),
        payload,
        headers: { 'content-type': type },
      });
      expect([done.statusCode, done.json()]).toEqual([200, { ok: true, message: expect.any(String) }]);
    }
    expect((await service.get(feed)).statusCode).toBe(404);
    const told = service.ctx.db.all(
      build.selectFrom('audit_log').where('action', '=', 'subscriber.unsubscribed').selectAll(),
    );
    expect(told).toHaveLength(1);
  });

  test('can be followed by signing up again, which lists the person again', async () => {
    await using service = await calendarService();
    await subscribe(service);
    await service.request({ method: 'POST', url: linkIn(service) });
    expect((await service.get('/api/admin/subs/list', ADMIN)).json().total).toBe(0);
    service.clock.now += 2 * MINUTE;
    const again = await subscribe(service);

    expect((await service.get(again.feed)).statusCode).toBe(200);
    expect((await service.get('/api/admin/subs/list', ADMIN)).json().total).toBe(1);
  });

  test('invalidates pending links, also those of somebody who never subscribed', async () => {
    await using service = await calendarService();
    await service.post(FORM, JANE);
    await service.request({ method: 'POST', url: linkIn(service) });

    const answer = await service.get(`/api/subs/verify?calendar_id=programs&v=${codeFor(service)}`);
    expectRefusal(answer, 404, 'link_unknown');
  });

  test('does not undo that an officer has stopped the subscriber', async () => {
    await using service = await calendarService();
    const { feed } = await subscribe(service);
    await service.post('/api/admin/revoke', { calendar_id: 'programs', email: JANE.email }, ADMIN);
    await service.request({ method: 'POST', url: linkIn(service) });

    expect((await service.get(feed)).statusCode).toBe(403);
    const { subscribers } = (await service.get('/api/admin/subs/list', ADMIN)).json();
    expect(subscribers[0].status).toBe('disabled');
  });

  test('works on the page with the addresses too', async () => {
    await using service = await calendarService();
    const { feed, token } = await subscribe(service);

    const done = await service.submit('/api/subs/unsubscribe', { token }, BROWSER);
    expect(done.body).toContain('Your calendar has stopped');
    expect((await service.get(feed)).statusCode).toBe(404);
    const page = await service.request({ url: `/subscribe-programs?token=${token}`, headers: BROWSER });
    expect([page.statusCode, page.body.includes('opens no calendar any more')]).toEqual([404, true]);
  });

  test('is refused for a made-up or changed link', async () => {
    await using service = await calendarService();
    const { feed } = await subscribe(service);
    const link = linkIn(service);
    const changed = link.replace(/.{3}$/, (end) => (end === 'AAA' ? 'BBB' : 'AAA'));

    for (const url of [
      '/api/subs/unsubscribe',
      '/api/subs/unsubscribe?u=',
      '/api/subs/unsubscribe?u=v1.x',
      changed,
      `${link}&u=x`,
    ]) {
      expectRefusal(await service.request({ method: 'POST', url }), 404, 'no_calendar_of_link');
      expect((await service.request({ url, headers: BROWSER })).statusCode).toBe(404);
    }
    expect((await service.get(feed)).statusCode).toBe(200);
  });

  test('cannot be triggered by another site', async () => {
    await using service = await calendarService();
    const { feed } = await subscribe(service);
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

    expectRefusal(
      await service.request({ method: 'POST', url: linkIn(service), headers }),
      403,
      'cross_site_request',
    );
    expect((await service.get(feed)).statusCode).toBe(200);
  });
});

describe('before an address expires', () => {
  test('one mail is sent two weeks ahead, and its button keeps all feeds valid', async () => {
    await using service = await calendarService();
    const phone = await subscribe(service);
    service.clock.now += DAY;
    const desk = await subscribe(service);
    service.clock.now += 350 * DAY - 1;
    await remind(service);
    expect(service.mail.mails).toHaveLength(2);

    service.clock.now += 2;
    await remind(service);
    await remind(service);
    expect(service.mail.mails).toHaveLength(3);
    const reminder = service.mail.mails[2]!;
    expect(reminder.headers.subject).toBe('Keep the club’s programme in your calendar');
    expect(reminder.text).toContain('Sun, Nov 21, 2027, 12:00 PM');
    expect(linkIn(service)).toContain('/api/subs/unsubscribe?u=');

    service.clock.now += 13 * DAY;
    const renewed = await follow(service, codeFor(service));
    service.clock.now += 300 * DAY;
    for (const { feed } of [phone, desk, renewed]) expect((await service.get(feed)).statusCode).toBe(200);

    // A year later, one mail comes again and its button keeps all of them.
    service.clock.now += 60 * DAY;
    await remind(service);
    await remind(service);
    expect(service.mail.mails).toHaveLength(4);
    const again = await follow(service, codeFor(service));
    service.clock.now += 300 * DAY;
    for (const { feed } of [phone, desk, renewed, again])
      expect((await service.get(feed)).statusCode).toBe(200);
  });

  test('only one mail is sent, and without a renewal the feed expires', async () => {
    await using service = await calendarService();
    const { feed } = await subscribe(service);
    for (let hour = 0; hour < 20; hour++) {
      service.clock.now += DAY * 20 - HOUR * hour;
      await remind(service);
    }

    expect(service.mail.mails).toHaveLength(2);
    expect((await service.get(feed)).statusCode).toBe(403);
  });

  test('a failed mail is retried, a permanently refused one is not, and a stopped subscriber gets none', async () => {
    const answers: Record<string, number> = { 'away@club.example': 451, 'gone@club.example': 550 };
    let broken = false;
    await using service = await calendarService(
      {},
      { answer: (address) => (broken && answers[address] ? { code: answers[address], text: 'No' } : 'take') },
    );
    for (const name of ['away', 'gone', 'stopped', 'well'])
      await subscribe(service, { name, email: `${name}@club.example` });
    await service.post(
      '/api/admin/revoke',
      { calendar_id: 'programs', email: 'stopped@club.example' },
      ADMIN,
    );
    service.clock.now += 352 * DAY;
    const sent = () => service.mail.mails.slice(4).map(({ recipients }) => recipients[0]);

    broken = true;
    await remind(service);
    expect(sent()).toEqual(['well@club.example']);
    expect(
      service.ctx.db.all(build.selectFrom('verifications').where('kind', '=', 'renewal').selectAll()),
    ).toHaveLength(2);
    broken = false;
    service.clock.now += MINUTE;
    await remind(service);
    expect(sent()).toEqual(['well@club.example', 'away@club.example']);
  });

  test('the reminder is sent later if the lifetime is short', async () => {
    await using service = await calendarService({ PROGRAMS_TOKEN_TTL_DAYS: '4' });
    await subscribe(service);
    await remind(service);
    service.clock.now += 2 * DAY;
    await remind(service);
    expect(service.mail.mails).toHaveLength(1);
    service.clock.now += 1 * DAY;
    await remind(service);
    expect(service.mail.mails).toHaveLength(2);
  });
});
