import { describe, expect, test } from 'vitest';
import { remindOfExpiry } from '#calendar/subscriptions/renewals.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import {
  ADMIN,
  BROWSER,
  type CalendarHouse,
  calendarHouse,
  codeFor,
  FORM,
  follow,
  JANE,
  subscribe,
} from '#test/calendar/fixtures.ts';
import { BASE } from '#test/support/app.ts';
import { renewalMail } from '#views/mail/subscription.ts';

const linkIn = ({ mail }: CalendarHouse, at = -1) =>
  mail.mails.at(at)!.headers['list-unsubscribe']!.slice(1, -1).replace(BASE, '');

describe('unsubscribing', () => {
  test('the link of a mail asks for confirmation, and its button stops every address and every mail', async () => {
    await using house = await calendarHouse();
    const { feed } = await subscribe(house);
    house.clock.now += 2 * MINUTE;
    const second = await subscribe(house);
    const link = linkIn(house);

    for (const method of ['HEAD', 'GET'] as const)
      await house.request({ method, url: link, headers: BROWSER });
    const page = await house.request({ url: link, headers: BROWSER });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain(JANE.email);
    expect((await house.get(feed)).statusCode).toBe(200);

    const done = await house.submit(link, {}, BROWSER);
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain('Your calendar has stopped');
    for (const one of [feed, second.feed]) expect((await house.get(one)).statusCode).toBe(404);
    const { subscribers, tokens } = (await house.get('/api/admin/stats', ADMIN)).json();
    expect([subscribers, tokens]).toEqual([
      { total: 0, active: 0, disabled: 0 },
      { live: 0, expired: 0, revoked: 2 },
    ]);
    house.clock.now += 360 * DAY;
    await remindOfExpiry(house.ctx, renewalMail);
    expect(house.mail.mails).toHaveLength(2);
  });

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['text/plain', ''],
    ['application/json', ''],
  ])('a mail provider does it with one POST of %s', async (type, payload) => {
    await using house = await calendarHouse();
    const { feed } = await subscribe(house);

    for (let times = 0; times < 2; times++) {
      const done = await house.request({
        method: 'POST',
        url: linkIn(house),
        payload,
        headers: { 'content-type': type },
      });
      expect([done.statusCode, done.json()]).toEqual([200, { ok: true, message: expect.any(String) }]);
    }
    expect((await house.get(feed)).statusCode).toBe(404);
    const told = house.ctx.db.all(
      build.selectFrom('audit_log').where('action', '=', 'subscriber.unsubscribed').selectAll(),
    );
    expect(told).toHaveLength(1);
  });

  test('signing up again is possible, and the person is listed again', async () => {
    await using house = await calendarHouse();
    await subscribe(house);
    await house.request({ method: 'POST', url: linkIn(house) });
    expect((await house.get('/api/admin/subs/list', ADMIN)).json().total).toBe(0);
    house.clock.now += 2 * MINUTE;
    const again = await subscribe(house);

    expect((await house.get(again.feed)).statusCode).toBe(200);
    expect((await house.get('/api/admin/subs/list', ADMIN)).json().total).toBe(1);
  });

  test('it invalidates pending links, also those of somebody who never subscribed', async () => {
    await using house = await calendarHouse();
    await house.post(FORM, JANE);
    await house.request({ method: 'POST', url: linkIn(house) });

    expect((await house.get(`/api/subs/verify?calendar_id=programs&v=${codeFor(house)}`)).statusCode).toBe(
      404,
    );
  });

  test('a subscriber who was stopped by an officer stays stopped', async () => {
    await using house = await calendarHouse();
    const { feed } = await subscribe(house);
    await house.post('/api/admin/revoke', { calendar_id: 'programs', email: JANE.email }, ADMIN);
    await house.request({ method: 'POST', url: linkIn(house) });

    expect((await house.get(feed)).statusCode).toBe(403);
    const { subscribers } = (await house.get('/api/admin/subs/list', ADMIN)).json();
    expect(subscribers[0].status).toBe('disabled');
  });

  test('the page with the addresses does it too', async () => {
    await using house = await calendarHouse();
    const { feed, token } = await subscribe(house);

    const done = await house.submit('/api/subs/unsubscribe', { token }, BROWSER);
    expect(done.body).toContain('Your calendar has stopped');
    expect((await house.get(feed)).statusCode).toBe(404);
    const page = await house.request({ url: `/subscribe-programs?token=${token}`, headers: BROWSER });
    expect([page.statusCode, page.body.includes('opens no calendar any more')]).toEqual([404, true]);
  });

  test('a link that was made up or changed stops nobody', async () => {
    await using house = await calendarHouse();
    const { feed } = await subscribe(house);
    const link = linkIn(house);
    const changed = link.replace(/.{3}$/, (end) => (end === 'AAA' ? 'BBB' : 'AAA'));

    for (const url of [
      '/api/subs/unsubscribe',
      '/api/subs/unsubscribe?u=',
      '/api/subs/unsubscribe?u=v1.x',
      changed,
      `${link}&u=x`,
    ]) {
      expect((await house.request({ method: 'POST', url })).statusCode).toBe(404);
      expect((await house.request({ url, headers: BROWSER })).statusCode).toBe(404);
    }
    expect((await house.get(feed)).statusCode).toBe(200);
  });

  test('another site cannot make a browser do it', async () => {
    await using house = await calendarHouse();
    const { feed } = await subscribe(house);
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

    expect((await house.request({ method: 'POST', url: linkIn(house), headers })).statusCode).toBe(403);
    expect((await house.get(feed)).statusCode).toBe(200);
  });
});

describe('before an address expires', () => {
  test('one mail comes two weeks ahead, and its button keeps every calendar going', async () => {
    await using house = await calendarHouse();
    const phone = await subscribe(house);
    house.clock.now += DAY;
    const desk = await subscribe(house);
    house.clock.now += 350 * DAY - 1;
    await remindOfExpiry(house.ctx, renewalMail);
    expect(house.mail.mails).toHaveLength(2);

    house.clock.now += 2;
    await remindOfExpiry(house.ctx, renewalMail);
    await remindOfExpiry(house.ctx, renewalMail);
    expect(house.mail.mails).toHaveLength(3);
    const reminder = house.mail.mails[2]!;
    expect(reminder.headers.subject).toBe('Keep the club’s programme in your calendar');
    expect(reminder.text).toContain('Sun, Nov 21, 2027, 12:00 PM');
    expect(linkIn(house)).toContain('/api/subs/unsubscribe?u=');

    house.clock.now += 13 * DAY;
    const renewed = await follow(house, codeFor(house));
    house.clock.now += 300 * DAY;
    for (const { feed } of [phone, desk, renewed]) expect((await house.get(feed)).statusCode).toBe(200);
  });

  test('without a renewal the calendar expires, after one mail', async () => {
    await using house = await calendarHouse();
    const { feed } = await subscribe(house);
    for (let hour = 0; hour < 20; hour++) {
      house.clock.now += DAY * 20 - HOUR * hour;
      await remindOfExpiry(house.ctx, renewalMail);
    }

    expect(house.mail.mails).toHaveLength(2);
    expect((await house.get(feed)).statusCode).toBe(403);
  });

  test('a mail that failed is tried again, one that failed permanently is not, and a stopped subscriber gets none', async () => {
    const answers: Record<string, number> = { 'away@club.example': 451, 'gone@club.example': 550 };
    let broken = false;
    await using house = await calendarHouse(
      {},
      { answer: (address) => (broken && answers[address] ? { code: answers[address], text: 'No' } : 'take') },
    );
    for (const name of ['away', 'gone', 'stopped', 'well'])
      await subscribe(house, { name, email: `${name}@club.example` });
    await house.post('/api/admin/revoke', { calendar_id: 'programs', email: 'stopped@club.example' }, ADMIN);
    house.clock.now += 352 * DAY;
    const sent = () => house.mail.mails.slice(4).map(({ recipients }) => recipients[0]);

    broken = true;
    await remindOfExpiry(house.ctx, renewalMail);
    expect(sent()).toEqual(['well@club.example']);
    expect(
      house.ctx.db.all(build.selectFrom('verifications').where('kind', '=', 'renewal').selectAll()),
    ).toHaveLength(1);
    broken = false;
    await remindOfExpiry(house.ctx, renewalMail);
    expect(sent()).toEqual(['well@club.example', 'away@club.example']);
  });

  test('with a short lifetime the reminder comes later', async () => {
    await using house = await calendarHouse({ PROGRAMS_TOKEN_TTL_DAYS: '4' });
    await subscribe(house);
    await remindOfExpiry(house.ctx, renewalMail);
    house.clock.now += 2 * DAY;
    await remindOfExpiry(house.ctx, renewalMail);
    expect(house.mail.mails).toHaveLength(1);
    house.clock.now += 1 * DAY;
    await remindOfExpiry(house.ctx, renewalMail);
    expect(house.mail.mails).toHaveLength(2);
  });
});
