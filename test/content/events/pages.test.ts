import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { atField, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { shared } from '#test/support/shared-app.ts';
import { screenModel } from '#views/assets/tv/model.js';

const QUIZ = { title: 'Quiz night', place: 'Pub', date: '2026-12-08', time: '20:00', end_time: '23:00' };
const FORM = {
  title: 'Quiz night',
  date: '2026-12-08',
  time: '8pm',
  end_time: '1.30am',
  place: 'Pub',
  in_pub: 'true',
  in_calendar: 'true',
  repeat: 'none',
  ends: 'never',
  every: '1',
};

async function openService() {
  const service = await testApp();
  const eve = await editorAt(service);
  const headers = { ...eve.headers, accept: 'text/html' };
  return Object.assign(service, {
    eve,
    page: (url: string) => service.get(`/admin/content/event${url}`, headers),
    send: (url: string, fields: Record<string, string | string[]>) =>
      service.submit(`/admin/content/event${url}`, fields, headers),
    /** The only event. */
    body: async () => (await eve.read('event')).items[0].body,
  });
}

const open = shared(openService);

test('an event is entered in one form; times are accepted as people type them', async () => {
  await using service = await openService();
  expect((await service.page('/new')).body).toContain('value="Pub"');

  const answer = await service.send('', { ...FORM, publish: 'true' });

  expect(answer.statusCode).toBe(303);
  expect(await service.body()).toMatchObject({
    time: '20:00',
    end_time: '01:30',
    end_days: 1,
    rule: null,
    in_pub: true,
    cancelled: false,
  });
});

test.each([
  [{ repeat: 'weekly', every: '2', weekdays: ['TU', 'TH'] }, { rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH' }],
  [{ repeat: 'month_weekday', nths: ['1', '3'], nth_weekday: 'TU' }, { rule: 'FREQ=MONTHLY;BYDAY=1TU,3TU' }],
  [
    { repeat: 'weekly', ends: 'after', times: '5' },
    { rule: 'FREQ=WEEKLY', until: '2027-01-05' },
  ],
  [
    { repeat: 'daily', ends: 'on', last_date: '2026-12-31' },
    { rule: 'FREQ=DAILY', until: '2026-12-31' },
  ],
  [
    { repeat: 'dates', dates: '2026-12-24\n2026-12-26' },
    { rule: null, extra: ['2026-12-24', '2026-12-26'] },
  ],
  [
    { repeat: 'own', own: 'freq=monthly;bymonthday=-1' },
    { date: '2026-12-31', rule: 'FREQ=MONTHLY;BYMONTHDAY=-1' },
  ],
])('the form stores %j without script', async (fields, stored) => {
  await using service = await openService();

  const answer = await service.send('', { ...FORM, ...fields });

  const path = String(answer.headers.location).replace('/admin/content/event', '');
  const before = await service.body();
  expect(before).toMatchObject(stored);
  const { body } = await service.page(path);
  expect(body).toContain('The next dates');
  const shown = { ...FORM, ...fields, date: before.date, version: '1' };
  const again = await service.send(path.split('?')[0]!, { ...shown, title: 'Quiz' });
  expect(again.statusCode).toBe(303);
  expect(await service.body()).toEqual({ ...before, title: 'Quiz' });
});

test.each<[Record<string, string>, string, string]>([
  [{ time: '25:00' }, 'time', '“25:00”'],
  [{ end_time: '20:00' }, 'end_time', 'would be 24 hours'],
  [{ repeat: 'own', own: 'FREQ=HOURLY' }, 'own', 'FREQ must be'],
  [{ repeat: 'daily', every: '0' }, 'every', 'Write a number from 1 to 366'],
  [
    { repeat: 'weekly', ends: 'on', last_date: '2026-12-01' },
    'ends-group',
    'Must not be before the first date',
  ],
  [{ repeat: 'daily', end_days: '3' }, 'end_days', atField('far_too_long')],
])('%j is refused at its field, and the others keep their input', async (fields, id, sentence) => {
  const service = await open();

  const { statusCode, body } = await service.send('', { ...FORM, ...fields, description: 'Teams of six' });

  expect(statusCode).toBe(400);
  expect(body).toContain(`href="#${id}"`);
  expect(body.replaceAll('&quot;', '"').replace(/"25:00"/, '“25:00”')).toContain(sentence);
  expect(body).toContain('Teams of six');
  expect(body).toContain('value="Quiz night"');
});

test('the pages of an event show its rule, the next ten dates, and why screens do not show it', async () => {
  await using service = await openService();
  const id = await service.eve.publish('event', { ...QUIZ, rule: 'FREQ=WEEKLY', place: 'Library' });

  const { body } = await service.page(`/${id}`);
  const dates = (await service.page(`/${id}/dates`)).body;

  for (const page of [body, dates]) expect(page).toContain('Every Tuesday at 8:00\u00a0PM.');
  expect(dates.match(/\/dates\/\d{4}-\d{2}-\d{2}"/g)).toHaveLength(10);
  expect(dates).toContain('Tue, Dec 8, 2026, 8:00\u00a0PM');
  expect(body).not.toContain('The screens leave it out');
});

test('the dates can be checked before anything is saved', async () => {
  await using service = await openService();
  const weekly = { ...FORM, repeat: 'weekly', weekdays: ['TH'], check: 'true' };

  const fresh = await service.send('', weekly);
  expect(fresh.statusCode).toBe(200);
  expect(fresh.body).toContain('Every Thursday at 8:00\u00a0PM.');
  expect(fresh.body).toContain('Thu, Dec 10, 2026, 8:00\u00a0PM');
  expect(fresh.body).toContain('value="8pm"');
  expect((await service.eve.read('event')).total).toBe(0);
  expect((await service.send('', { ...weekly, time: '25:00' })).statusCode).toBe(400);

  const id = await service.eve.publish('event', { ...QUIZ, changes: {} });
  const known = await service.send(`/${id}`, { ...weekly, version: '1' });
  expect(known.body).toContain('Every Thursday at 8:00\u00a0PM.');
  expect(await service.body()).toMatchObject({ rule: null });
});

test('one date is changed, cancelled, skipped and reverted on its page', async () => {
  await using service = await openService();
  const id = await service.eve.publish('event', { ...QUIZ, rule: 'FREQ=WEEKLY' });
  const url = `/${id}/dates/2026-12-15`;
  const values = {
    ...QUIZ,
    title: 'Big quiz',
    date: '2026-12-16',
    time: '7pm',
    note: 'Upstairs',
    publish: 'true',
  };
  expect((await service.page(url)).body).toContain('value="20:00"');

  expect((await service.send(url, { ...values, version: '1', scope: 'this' })).statusCode).toBe(303);
  expect((await service.body()).changes).toEqual({
    '2026-12-15': {
      as: 'changed',
      title: 'Big quiz',
      note: 'Upstairs',
      date: '2026-12-16',
      time: '19:00',
      end_time: '23:00',
      end_days: 0,
    },
  });
  expect((await service.page(url)).body).toContain('value="Big quiz"');
  await service.send(url, { ...values, version: '2', scope: 'this', title: 'Quiz night', note: '' });
  expect((await service.body()).changes['2026-12-15']).not.toHaveProperty('title');
  for (const [as, version] of [
    ['cancelled', '3'],
    ['skipped', '4'],
  ] as const) {
    await service.send(url, { version, scope: 'this', as, publish: 'true' });
    expect((await service.body()).changes['2026-12-15'].as).toBe(as);
  }
  await service.send(url, { version: '5', scope: 'this', as: 'unchanged', publish: 'true' });
  expect((await service.body()).changes).toEqual({});
});

test('the whole series moves; changed dates that no longer match are listed first, then kept', async () => {
  await using service = await openService();
  const id = await service.eve.publish('event', {
    ...QUIZ,
    rule: 'FREQ=WEEKLY;BYDAY=TU',
    changes: { '2026-12-15': { as: 'changed', title: 'Big quiz' } },
  });
  const url = `/${id}/dates/2026-12-08`;
  const move = { ...QUIZ, date: '2026-12-09', version: '1', scope: 'all', publish: 'true' };

  const refused = await service.send(url, move);
  expect(refused.statusCode).toBe(409);
  expect(refused.body).toContain('no longer belong to the series: Tue, Dec 15, 2026');
  expect(refused.body).toMatch(/value="single" checked/);
  expect((await service.send(url, { ...move, unfit: 'single' })).statusCode).toBe(303);
  const { items } = await service.eve.read('event');
  expect(
    items.map((item: { body: { title: string; date: string } }) => [item.body.title, item.body.date]),
  ).toEqual([
    ['Quiz night', '2026-12-09'],
    ['Big quiz', '2026-12-15'],
  ]);
});

test('this and the following dates become a new series, whose page opens', async () => {
  await using service = await openService();
  const id = await service.eve.publish('event', { ...QUIZ, rule: 'FREQ=WEEKLY' });
  const values = { ...QUIZ, date: '2026-12-22', time: '19:00', publish: 'true' };

  const answer = await service.send(`/${id}/dates/2026-12-22`, {
    ...values,
    version: '1',
    scope: 'following',
  });

  const path = String(answer.headers.location);
  expect(path).not.toContain(id);
  expect((await service.page(path.replace('/admin/content/event', ''))).body).toContain(
    'Every Tuesday at 7:00\u00a0PM.',
  );
});

test('users who may only look see the dates and no forms', async () => {
  await using service = await openService();
  const id = await service.eve.publish('event', { ...QUIZ, rule: 'FREQ=WEEKLY' });
  const viewer = { ...(await appoint(service, 'vic@club.example', 'viewer')), accept: 'text/html' };
  const url = `/admin/content/event/${id}/dates/2026-12-08`;

  expect((await service.get(url, viewer)).body).not.toContain('method="post" action="/admin/content');
  expect((await service.submit(url, { version: '1', scope: 'this', as: 'skipped' }, viewer)).statusCode).toBe(
    403,
  );
  expect((await service.page(`/${id}/dates/2026-12-09`)).statusCode).toBe(404);
});

test('the preview while typing uses the current form, and saves nothing', async () => {
  await using service = await openService();
  const weekly = { ...FORM, title: '', repeat: 'weekly', every: '2', ends: 'on', last_date: '2027-06-30' };

  const { statusCode, body } = await service.send('/check', weekly);
  expect(statusCode).toBe(200);
  expect(body).toContain(
    'Every second Tuesday at 8:00\u00a0PM, until June 30, 2027. Until 1:30\u00a0AM the next day.',
  );
  expect(body.match(/<li>/g)).toHaveLength(10);
  expect(body).toContain('Tue, Dec 22, 2026, 8:00\u00a0PM');
  expect(body).not.toContain('<html');
  const wrong = await service.send('/check', { ...weekly, time: '25:00' });
  expect([wrong.statusCode, wrong.body]).toEqual([
    400,
    expect.stringContaining(message('not_time_of_day', { text: '25:00' })),
  ]);
  expect((await service.eve.read('event')).total).toBe(0);

  const changes = { '2026-12-15': { as: 'cancelled' } };
  const id = await service.eve.publish('event', { ...QUIZ, rule: 'FREQ=WEEKLY', changes });
  const known = await service.send(`/check?id=${id}`, { ...FORM, repeat: 'weekly' });
  expect(known.body).toContain('Cancelled');
  const viewer = { ...(await appoint(service, 'vic@club.example', 'viewer')), accept: 'text/html' };
  expect((await service.submit('/admin/content/event/check', weekly, viewer)).statusCode).toBe(403);
});

test('the zone of the times is named once in words; near a clock change the page says what is meant', async () => {
  await using service = await openService();
  const night = { ...QUIZ, date: '2027-11-06', time: '20:00', end_time: '01:30', end_days: 1 };
  const single = await service.eve.publish('event', night);
  const series = await service.eve.publish('event', { ...night, date: '2027-10-30', rule: 'FREQ=WEEKLY' });
  const away = await service.eve.publish('event', { ...QUIZ, zone: 'Europe/Berlin' });
  const sentence = 'Clocks go back that night: 1:30\u00a0AM comes twice; the later one is meant.';

  for (const path of [single, `${series}/dates`])
    expect((await service.page(`/${path}`)).body.split(sentence)).toHaveLength(2);
  expect((await service.page(`/${single}`)).body.match(/Times are the pub’s: New York\./g)).toHaveLength(1);
  expect((await service.page(`/${away}`)).body).toContain('Times are those of Berlin, not the pub’s.');
  const checked = await service.send('', { ...FORM, date: '2027-11-06', check: 'true' });
  expect(checked.body).toContain('On November 6, 2027 at 8:00\u00a0PM. Until 1:30\u00a0AM on Sunday.');
  expect(checked.body).toContain(sentence);
});

test('a date that two people changed shows both versions; the next save wins', async () => {
  await using service = await openService();
  const id = await service.eve.publish('event', { ...QUIZ, rule: 'FREQ=WEEKLY' });
  const url = `/${id}/dates/2026-12-15`;
  const change = { ...QUIZ, date: '2026-12-15', version: '1', scope: 'this', publish: 'true' };
  await service.send(url, { ...change, title: 'Big quiz', note: 'Upstairs' });
  await service.send(`/${id}/dates/2026-12-22`, { ...change, date: '2026-12-22', title: 'Last quiz' });

  const refused = await service.send(url, { ...change, title: 'Small quiz', time: '7pm' });

  expect(refused.statusCode).toBe(409);
  expect(refused.body).toMatch(/Stored now.*Big quiz.*Upstairs.*value="Small quiz".*value="7pm"/s);
  const moved = await service.send(url, { ...change, date: '2026-12-16' });
  expect(moved.body).toMatch(/Stored now.*Tue, Dec 15, 2026.*value="2026-12-16"/s);
  expect((await service.body()).changes['2026-12-15'].title).toBe('Big quiz');
  const [, version = ''] = /name="version" value="(\d+)"/.exec(refused.body) ?? [];
  expect((await service.send(url, { ...change, version, title: 'Small quiz' })).statusCode).toBe(303);
  expect((await service.body()).changes).toMatchObject({
    '2026-12-15': { title: 'Small quiz' },
    '2026-12-22': { title: 'Last quiz' },
  });
});

test('an event on a day that a special day closes is told in the form, the list and what needs doing, and guests read why', async () => {
  await using service = await openService();
  const { eve } = service;
  const [from, closed] = ['2026-12-24', { to: '2026-12-26', closed: true, reason: 'boiler broken' }];
  await eve.publish('special', { from, ...closed });
  await eve.publish('special', { from: '2026-11-21', closed: true, reason: 'boiler broken' });
  await eve.publish('event', { ...QUIZ, title: 'Before', date: '2026-12-23' });
  await eve.publish('event', { ...QUIZ, title: 'Gone', date: '2026-12-25', cancelled: true });
  await eve.publish('event', { ...QUIZ, title: 'Elsewhere', date: '2026-12-25', in_pub: false });
  const id = await eve.publish('event', { ...QUIZ, title: 'Carols', date: '2026-12-25' });
  await eve.publish('event', { ...QUIZ, title: 'Weekly', date: '2026-12-03', rule: 'FREQ=WEEKLY;BYDAY=TH' });

  const warned = 'The pub is closed on Fri, Dec 25, 2026 (boiler broken)';
  expect((await service.page(`/${id}`)).body).toContain(warned);
  expect((await service.send('/check', { ...FORM, date: '2026-12-25' })).body).toContain(warned);
  expect((await service.page('')).body.match(/On a closed day/g)).toHaveLength(2);
  const headers = { ...eve.headers, accept: 'text/html' };
  const todo = (await service.get('/admin/content', headers)).body;
  expect(todo).toContain('Carols: the pub is closed on Fri, Dec 25, 2026 (boiler broken)');
  expect(todo).toContain('Weekly: the pub is closed on Thu, Dec 24, 2026 (boiler broken)');
  expect(todo).not.toMatch(/(Before|Gone|Elsewhere): the pub/);

  expect((await service.get('/events', { accept: 'text/html' })).body).toMatch(
    /Closed today: boiler broken.*Closed: boiler broken/s,
  );
  expect((await service.get('/tv')).body).toContain('Closed: boiler broken');
  const feed = (await service.get('/api/events')).json();
  expect(feed.pubDays[1]).toMatchObject({ date: '2026-11-21', reason: 'boiler broken' });
  const how = { zone: 'America/New_York', readAt: service.clock.now, fresh: true };
  const { pub, welcome } = screenModel(feed, service.clock.now, how);
  expect([pub.hours, welcome.title]).toEqual(['Closed: boiler broken', 'Closed today: boiler broken']);
});
