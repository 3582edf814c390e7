import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventBody } from '#content/events/body.ts';
import { completeEvent } from '#content/events/check.ts';
import { listEventDates } from '#content/events/dates.ts';
import { changeDate, changeSeries, settleUnfit, splitSeries } from '#content/events/scope.ts';
import { calendarEntriesOf } from '#content/events/shown.ts';
import { message } from '#test/support/messages.ts';
import { event, NOW, shown, weekly, ZONE } from './event.ts';

const fiveTimes = weekly({ until: '2027-01-05' });
const window = { from: '2026-11-01', until: '2027-12-31' };
const save = (body: EventBody, before: EventBody) =>
  completeEvent(body, { before, at: NOW + 60_000, zone: ZONE });
const uids = (...bodies: (EventBody | undefined)[]) =>
  bodies
    .flatMap((body) => (body ? calendarEntriesOf({ id: 'x', uid_base: 'quiz', body }, window, ZONE) : []))
    .map(({ id }) => id);

test('one date is changed, changed again and reverted', () => {
  const moved = changeDate(fiveTimes, '2026-12-15', { as: 'changed', date: '2026-12-16', note: 'Upstairs' });
  const again = changeDate(moved, '2026-12-15', { as: 'changed', time: '19:00' });

  expect(shown(again, '2026-12-15', '2026-12-16')).toEqual(['2026-12-16 19:00']);
  expect(again.changes['2026-12-15']).toMatchObject({ note: 'Upstairs', end_time: '23:00' });
  expect(changeDate(again, '2026-12-15', null)).toEqual(fiveTimes);
  expect(changeDate(again, '2026-12-15', { as: 'skipped' }).changes).toEqual({
    '2026-12-15': { as: 'skipped' },
  });
});

test('a moved date stays when the time of all is changed, the others change; UIDs stay', () => {
  const moved = changeDate(fiveTimes, '2026-12-15', { as: 'changed', date: '2026-12-16' });

  const { body, unfit } = changeSeries(moved, '2026-12-08', 'changed', { time: '19:00', end_time: '22:00' });

  expect(unfit).toEqual([]);
  expect(shown(body, '2026-12-08', '2026-12-22')).toEqual([
    '2026-12-08 19:00',
    '2026-12-16 20:00',
    '2026-12-22 19:00',
  ]);
  expect(uids(body)).toEqual(uids(fiveTimes));
});

test('a series of 5 dates changed from the 4th on becomes 3 and 2 dates with the same UIDs', () => {
  const { body, next } = splitSeries(fiveTimes, '2026-12-29', 'changed', { time: '19:00', title: 'Quiz' });

  expect(shown(body!, '2026-12-01', '2027-12-31')).toHaveLength(3);
  expect(shown(next!, '2026-12-01', '2027-12-31')).toEqual(['2026-12-29 19:00', '2027-01-05 19:00']);
  expect(uids(body, next)).toEqual(uids(fiveTimes));
});

test('changes and extra dates from the day on move to the new series', () => {
  const changes: EventBody['changes'] = {
    '2026-12-08': { as: 'cancelled' },
    '2026-12-29': { as: 'skipped' },
    '2027-01-05': { as: 'changed', title: 'Finale' },
  };
  const full = weekly({ until: '2027-01-12', extra: ['2026-12-23', '2027-01-07'], changes });

  const { body, next, unfit } = splitSeries(full, '2026-12-29', 'changed');

  expect(unfit).toEqual([]);
  expect(body).toMatchObject({ until: '2026-12-28', extra: ['2026-12-23'] });
  expect(Object.keys(body!.changes)).toEqual(['2026-12-08']);
  expect(next).toMatchObject({ date: '2026-12-29', until: '2027-01-12', extra: ['2027-01-07'] });
  expect(Object.keys(next!.changes)).toEqual(['2026-12-29', '2027-01-05']);
  expect(uids(body, next)).toEqual(uids(full));
});

test('a series is split at its first date, at an extra one, and at its last', () => {
  const mixed = weekly({ until: '2026-12-15', extra: ['2026-12-01', '2026-12-11', '2026-12-24'] });

  expect(splitSeries(fiveTimes, '2026-12-08', 'changed').body).toBeUndefined();
  expect(splitSeries(mixed, '2026-12-08', 'changed').body).toMatchObject({
    date: '2026-12-01',
    rule: null,
    extra: [],
  });
  expect(splitSeries(mixed, '2026-12-11', 'changed').next).toMatchObject({
    date: '2026-12-15',
    rule: 'FREQ=WEEKLY',
    extra: ['2026-12-11', '2026-12-24'],
  });
  expect(splitSeries(mixed, '2026-12-24', 'changed').next).toMatchObject({
    date: '2026-12-24',
    rule: null,
    extra: [],
  });
});

test('the following dates are cancelled or skipped', () => {
  const { body, next } = splitSeries(fiveTimes, '2026-12-22', 'cancelled');

  expect(body!.cancelled).toBe(false);
  expect(shown(next!, '2026-12-01', '2026-12-24')).toEqual(['2026-12-22 20:00 cancelled']);
  expect(splitSeries(fiveTimes, '2026-12-22', 'skipped')).toMatchObject({
    body: { until: '2026-12-21' },
    next: undefined,
  });
});

test('a series every two weeks keeps its rhythm when it is split', () => {
  const rule = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH';
  const { body, next } = splitSeries(weekly({ rule }), '2026-12-10', 'changed');

  const dates = (one: EventBody) => listEventDates(one, '2026-12-01', '2027-01-10', ZONE);
  expect([...dates(body!), ...dates(next!)].map(({ original }) => original)).toEqual([
    '2026-12-08',
    '2026-12-10',
    '2026-12-22',
    '2026-12-24',
    '2027-01-05',
    '2027-01-07',
  ]);
});

test('wherever a series is split, its two parts together have the same dates', () => {
  const rules = [
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=WE',
    'FREQ=MONTHLY;BYDAY=1TU,-1FR',
    'FREQ=MONTHLY;BYMONTHDAY=-1,8',
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,TH;BYSETPOS=2',
  ];
  const extras = ['2026-12-24', '2027-01-01', '2027-02-28'];
  fc.assert(
    fc.property(fc.constantFrom(...rules), fc.subarray(extras), fc.nat(12), (rule, extra, at) => {
      const whole = event({ rule, extra, until: '2027-08-31', end_days: 0 });
      const originals = (body: EventBody | undefined) =>
        body ? listEventDates(body, '2026-01-01', '2028-01-01', ZONE).map(({ original }) => original) : [];
      const date = originals(whole)[at];
      if (date === undefined) return;
      const { body, next } = splitSeries(whole, date, 'changed');
      expect([...originals(body), ...originals(save(next!, whole))]).toEqual(originals(whole));
    }),
  );
});

test('Tuesday becomes Wednesday: changes that no longer match a date are listed, then kept or dropped', () => {
  const changes: EventBody['changes'] = {
    '2026-12-15': { as: 'changed', title: 'Big quiz', note: 'Upstairs' },
    '2026-12-22': { as: 'skipped' },
    '2026-12-29': { as: 'cancelled' },
  };
  const tuesdays = weekly({ rule: 'FREQ=WEEKLY;BYDAY=TU', changes });

  const { body, unfit } = changeSeries(tuesdays, '2026-12-08', 'changed', { date: '2026-12-09' });

  expect(unfit).toEqual(['2026-12-15', '2026-12-22', '2026-12-29']);
  expect(body).toMatchObject({ date: '2026-12-09', rule: 'FREQ=WEEKLY;BYDAY=WE' });
  expect(() => settleUnfit(body, tuesdays, undefined)).toThrow(
    expect.objectContaining({
      statusCode: 409,
      extra: { unfit: expect.objectContaining({ length: 3 }) },
    }),
  );
  expect(settleUnfit(body, tuesdays, 'drop')).toEqual({ body: { ...body, changes: {} }, singles: [] });
  const { singles } = settleUnfit(body, tuesdays, 'single');
  expect(singles).toMatchObject([
    { title: 'Big quiz', description: 'Upstairs', date: '2026-12-15', rule: null, cancelled: false },
    { title: 'Quiz night', date: '2026-12-29', rule: null, cancelled: true },
  ]);
  expect(settleUnfit(tuesdays, tuesdays, undefined)).toEqual({ body: tuesdays, singles: [] });
});

test('a rule that names days of a month must be given with the new day', () => {
  const monthly = weekly({ rule: 'FREQ=MONTHLY;BYDAY=2TU' });

  expect(() => changeSeries(monthly, '2026-12-08', 'changed', { date: '2026-12-09' })).toThrow(
    'rule: must be',
  );
  expect(
    changeSeries(monthly, '2026-12-08', 'changed', { date: '2026-12-09', rule: 'FREQ=MONTHLY;BYDAY=2WE' })
      .body,
  ).toMatchObject({ date: '2026-12-09', rule: 'FREQ=MONTHLY;BYDAY=2WE' });
});

test('changing a date that the series does not have, or of a single event, is refused', () => {
  expect(() => changeDate(fiveTimes, '2026-12-09', { as: 'skipped' })).toThrow(
    expect.objectContaining({ statusCode: 404 }),
  );
  expect(() => splitSeries(fiveTimes, '2027-01-12', 'changed')).toThrow('no date 2027-01-12');
  expect(() => changeDate(event(), '2026-12-08', { as: 'skipped' })).toThrow(message('not_repeating'));
  expect(() => changeSeries(fiveTimes, '2026-12-08', 'skipped')).toThrow(message('every_date_skipped'));
});
