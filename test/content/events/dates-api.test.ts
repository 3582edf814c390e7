import { expect, test } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { testApp } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { editorAt } from '#test/support/content.ts';
import { expectBadField, message, message as messageOf, onPage } from '#test/support/messages.ts';
import { shared } from '#test/support/shared-app.ts';

const QUIZ = { title: 'Quiz night', place: 'Pub', date: '2026-12-08', time: '20:00', end_time: '23:00' };
const WEEKLY = { ...QUIZ, rule: 'FREQ=WEEKLY' };

async function quizAt(service: Parameters<typeof editorAt>[0], body: object = WEEKLY) {
  const eve = await editorAt(service);
  const id = await eve.publish('event', body);
  const url = `event/${id}`;
  return {
    eve,
    id,
    url,
    order: (date: string, order: object, version = 1) =>
      eve.post(`${url}/dates/${date}`, { version, scope: 'this', publish: true, ...order }),
    dates: async (of = id, query = '') =>
      (await eve.read(`event/${of}/dates${query}`)).dates.map(({ start }: { start: string }) => start),
  };
}

/** Starts a service with an editor and a weekly quiz. */
const open = shared(async () => {
  const service = await testApp();
  return Object.assign(service, await quizAt(service));
});

test('an event is stored with its zone and the first date that matches its rule; stamps are not returned', async () => {
  await using service = await testApp();
  const { eve, url } = await quizAt(service, { ...QUIZ, rule: 'byday=th;freq=weekly' });

  const { body, history } = await eve.read(url);

  expect(body).toEqual({
    title: 'Quiz night',
    place: 'Pub',
    description: '',
    url: '',
    tag: null,
    picture: null,
    in_pub: true,
    in_calendar: true,
    zone: 'America/New_York',
    cancelled: false,
    announce_from: null,
    date: '2026-12-10',
    time: '20:00',
    end_time: '23:00',
    end_days: 0,
    rule: 'FREQ=WEEKLY;BYDAY=TH',
    until: null,
    extra: [],
    changes: {},
  });
  expect(history[0].fields).not.toContain('stamps');
  expect((await eve.read('event?from=2028-01-01&to=2028-01-31')).total).toBe(1);
  expect((await eve.read('event?to=2026-12-09')).total).toBe(0);
});

test('the refusal of an unknown change of a date names all changes', async () => {
  await using service = await testApp();
  const { order } = await quizAt(service);
  const answer = await order('2026-12-15', { as: 'gone' });
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain(
    message('not_either', { choices: ['changed', 'skipped', 'cancelled', 'unchanged'] }),
  );
});

test.each([
  ['rule', { rule: 'FREQ=MONTHLY;BYMONTHDAY=32' }],
  ['rule', { rule: 'FREQ=WEEKLY;INTERVAL=0' }],
  ['rule', { rule: 'FREQ=HOURLY' }],
  ['rule', { rule: 'FREQ=WEEKLY;COUNT=3' }],
  ['time', { time: '8pm' }],
  ['end_time', { end_time: '20:00' }],
  ['zone', { zone: 'Mars/Olympus' }],
  ['url', { url: 'javascript:alert(1)' }],
  ['until', { rule: 'FREQ=WEEKLY', until: '2037-01-01' }],
  ['extra', { extra: Array(101).fill('2026-12-24') }],
  ['changes.tomorrow', { changes: { tomorrow: { as: 'skipped' } } }],
  ['changes.2026-12-15.as', { rule: 'FREQ=WEEKLY', changes: { '2026-12-15': { as: 'gone' } } }],
  ['changes.2026-12-15.colour', { changes: { '2026-12-15': { as: 'skipped', colour: 'red' } } }],
  [
    'changes',
    {
      rule: 'FREQ=DAILY',
      changes: Object.fromEntries(
        Array.from({ length: 401 }, (_, i) => [
          Temporal.PlainDate.from('2026-12-08').add({ days: i }).toString(),
          { as: 'skipped' },
        ]),
      ),
    },
  ],
])('the error names %s', async (field, fields) => {
  const { eve } = await open();

  const answer = await eve.post('event', { body: { ...QUIZ, ...fields } });

  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors).toMatchObject([{ path: `body.${field}` }]);
});

test('one date is moved, cancelled, skipped and reverted', async () => {
  await using service = await testApp();
  const { eve, url, order, dates } = await quizAt(service);

  expect(
    (await order('2026-12-15', { as: 'changed', date: '2026-12-16', note: 'Upstairs' })).json(),
  ).toMatchObject({ ok: true, version: 2 });
  await order('2026-12-22', { as: 'cancelled' }, 2);
  const answer = await eve.read(`${url}/dates?from=2026-12-08&to=2026-12-22`);
  expect(answer).toMatchObject({
    sentence: 'Every Tuesday at 8:00 PM',
    unfit: [],
    dates: [
      { date: '2026-12-08', start: '2026-12-09T01:00:00.000Z', cancelled: false, changed: false },
      { date: '2026-12-15', start: '2026-12-17T01:00:00.000Z', note: 'Upstairs', changed: true },
      { date: '2026-12-22', start: '2026-12-23T01:00:00.000Z', cancelled: true },
    ],
  });
  await order('2026-12-22', { as: 'skipped' }, 3);
  await order('2026-12-15', { as: 'unchanged' }, 4);
  expect(await dates(undefined, '?from=2026-12-08&to=2026-12-22')).toEqual([
    '2026-12-09T01:00:00.000Z',
    '2026-12-16T01:00:00.000Z',
  ]);
});

test('two people who change different dates keep both; the same date twice is a 409', async () => {
  await using service = await testApp();
  const { order, eve, url } = await quizAt(service);

  const first = await order('2026-12-15', { as: 'cancelled' });
  const other = await order('2026-12-22', { as: 'skipped' });
  const same = await order('2026-12-15', { as: 'skipped' });

  expect([first.statusCode, other.statusCode, same.statusCode]).toEqual([200, 200, 409]);
  expect(same.json()).toMatchObject({ error: messageOf('changed_meanwhile'), version: 3 });
  expect(same.json().current).not.toHaveProperty('stamps');
  expect(Object.keys((await eve.read(url)).body.changes)).toEqual(['2026-12-15', '2026-12-22']);
});

test('a change from a date on continues the series as another record, in one step', async () => {
  await using service = await testApp();
  const { order, dates } = await quizAt(service, { ...WEEKLY, until: '2027-01-05' });

  const answer = await order('2026-12-29', { scope: 'following', time: '19:00', title: 'Quiz' });

  expect(answer.json()).toEqual({
    ok: true,
    id: expect.any(String),
    version: 2,
    singles: [],
    next: { id: expect.stringMatching(/^[0-9a-f]{32}$/), version: 1 },
  });
  expect(await dates()).toHaveLength(3);
  expect(await dates(answer.json().next.id)).toEqual([
    '2026-12-30T00:00:00.000Z',
    '2027-01-06T00:00:00.000Z',
  ]);
  expect(recordedOf(service.ctx, 'content.created')).toHaveLength(2);
  const stale = await order('2026-12-15', { scope: 'following', time: '19:00' });
  expect(stale.statusCode).toBe(409);
});

test('a change from the first date on applies to the whole series; skipping from a date on ends it', async () => {
  await using service = await testApp();
  const { order, dates } = await quizAt(service, { ...WEEKLY, until: '2027-01-05' });

  expect((await order('2026-12-08', { scope: 'following', time: '19:00' })).json()).toMatchObject({
    version: 2,
    next: null,
  });
  await order('2026-12-22', { scope: 'following', as: 'skipped' }, 2);
  expect(await dates()).toEqual(['2026-12-09T00:00:00.000Z', '2026-12-16T00:00:00.000Z']);
  const all = await order('2026-12-08', { scope: 'following', as: 'skipped' }, 3);
  expect([all.statusCode, all.json().error]).toEqual([400, `as: ${messageOf('every_date_skipped')}`]);
});

test('a whole series moves to another day after a decision on changes that no longer match a date', async () => {
  await using service = await testApp();
  const { order, eve, url, dates } = await quizAt(service, {
    ...WEEKLY,
    rule: 'FREQ=WEEKLY;BYDAY=TU',
    until: '2026-12-31',
    changes: { '2026-12-15': { as: 'changed', title: 'Big quiz' }, '2026-12-22': { as: 'skipped' } },
  });
  const move = { scope: 'all', date: '2026-12-09' };

  const refused = await order('2026-12-08', move);
  expect([refused.statusCode, refused.json().unfit]).toEqual([
    409,
    [
      { date: '2026-12-15', as: 'changed', title: 'Big quiz' },
      { date: '2026-12-22', as: 'skipped' },
    ],
  ]);
  const { singles } = (await order('2026-12-08', { ...move, unfit: 'single' })).json();
  expect(await dates()).toHaveLength(4);
  expect((await eve.read(url)).body).toMatchObject({ rule: 'FREQ=WEEKLY;BYDAY=WE', changes: {} });
  expect((await eve.read(`event/${singles[0].id}`)).body).toMatchObject({
    title: 'Big quiz',
    date: '2026-12-15',
  });
});

test.each<[string, object, number, string]>([
  ['2026-12-09', {}, 404, 'no date 2026-12-09'],
  ['tomorrow', {}, 400, 'date'],
  ['2026-12-08', { scope: 'some' }, 400, 'scope'],
  ['2026-12-08', { as: 'gone' }, 400, 'as'],
  ['2026-12-08', { colour: 'red' }, 400, `colour: ${onPage('unknown_field')}`],
  ['2026-12-08', { time: '25:00' }, 400, 'time: must be'],
  ['2026-12-08', { scope: 'all', note: 'x' }, 400, `note: ${onPage('unknown_field')}`],
  ['2026-12-08', { scope: 'all', stamps: null }, 400, `stamps: ${onPage('unknown_field')}`],
  ['2026-12-08', { scope: 'all', rule: 'FREQ=HOURLY' }, 400, 'rule: FREQ must be'],
  ['2026-12-08', { scope: 'all', as: 'unchanged' }, 400, 'as: unchanged'],
  ['2026-12-08', { version: 7 }, 400, 'version'],
])('%s with %j is a %i: %s', async (date, order, status, message) => {
  const { order: send } = await open();

  const answer = await send(date, order);

  expect([answer.statusCode, answer.json().error]).toEqual([status, expect.stringContaining(message)]);
});

test('dates are returned for at most 800 days, and only dates of a series can be changed', async () => {
  await using service = await testApp();
  const { eve, url, order } = await quizAt(service, QUIZ);

  expectBadField(await eve.get(`${url}/dates?from=2026-01-01&to=2028-03-12`), 'to', 'too_many_days', {
    max: 800,
  });
  expectBadField(await eve.get(`${url}/dates?from=2026-01-02&to=2026-01-01`), 'to', 'before_from');
  expect((await eve.get(`${url}/dates?from=2026-01-01&to=2028-03-11`)).json().dates).toHaveLength(1);
  expect((await order('2026-12-08', {})).json().error).toContain(message('not_repeating'));
});

test('undoing a publication restores the previous body', async () => {
  await using service = await testApp();
  const { eve, url } = await quizAt(service);
  const { body } = await eve.read(url);
  service.clock.now += DAY;
  await eve.patch(url, { version: 1, body: { time: '19:00' }, publish: true });
  service.clock.now += DAY;

  await eve.post(`${url}/undo`, { version: 2 });

  expect((await eve.read(url)).body).toEqual(body);
});
