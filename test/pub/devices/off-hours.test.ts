import { describe, expect, test } from 'vitest';
import type { Opening } from '#content/shifts.ts';
import { MINUTE } from '#kernel/clock.ts';
import { expectedAt, type OffHours, OffHoursInput } from '#pub/devices/off-hours.ts';
import { stateOf } from '#pub/devices/screen-state.ts';

const ZONE = 'America/New_York';
const at = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).epochMilliseconds;
const opening = (opens: string, closes: string): Opening => {
  const times = { opens: at(opens), closes: at(closes) };
  return { ...times, start: times.opens, end: times.closes, shifts: [] };
};
const EVENING = [opening('2026-11-20T17:00', '2026-11-21T00:30')];
/** 2026-11-20 is a Friday. */
const week = (days: Partial<Exclude<OffHours, string>>): OffHours => OffHoursInput.parse(days);

describe('a screen is expected to be off', () => {
  test.each<[string, OffHours, Opening[] | undefined, string, boolean]>([
    ['while the pub is closed', 'outside_opening', EVENING, '2026-11-20T09:00', true],
    ['not while it is open', 'outside_opening', EVENING, '2026-11-20T17:00', false],
    ['not after midnight while it is open', 'outside_opening', EVENING, '2026-11-21T00:29', false],
    ['from closing', 'outside_opening', EVENING, '2026-11-21T00:30', true],
    ['not while the hours are unknown', 'outside_opening', undefined, '2026-11-20T09:00', false],
    ['all day while no hours are left', 'outside_opening', [], '2026-11-20T20:00', true],
    ['never', 'never', EVENING, '2026-11-20T09:00', false],
    ['at its own times', week({ fri: [{ from: '02:00', to: '11:00' }] }), EVENING, '2026-11-20T10:59', true],
    ['not at their end', week({ fri: [{ from: '02:00', to: '11:00' }] }), EVENING, '2026-11-20T11:00', false],
    ['over midnight', week({ fri: [{ from: '22:00', to: '02:00' }] }), EVENING, '2026-11-21T01:00', true],
    ['not after it', week({ fri: [{ from: '22:00', to: '02:00' }] }), EVENING, '2026-11-21T02:00', false],
    [
      'not a day too soon',
      week({ fri: [{ from: '22:00', to: '02:00' }] }),
      EVENING,
      '2026-11-20T01:00',
      false,
    ],
    ['for a whole day', week({ fri: [{ from: '06:00', to: '06:00' }] }), EVENING, '2026-11-21T05:59', true],
    // The clocks go back on Sunday, November 1, at 2:00 AM.
    [
      'through a night with an hour more',
      week({ sat: [{ from: '22:00', to: '06:00' }] }),
      [],
      '2026-11-01T05:59',
      true,
    ],
  ])('%s', (_how, offHours, openings, now, off) => {
    expect(expectedAt(offHours, { openings, now: at(now), zone: ZONE }).off).toBe(off);
  });
});

test.each([
  'sometimes',
  { mon: [{ from: '25:00', to: '02:00' }] },
  { mon: [{ from: '22:00' }] },
  { monday: [] },
  { mon: Array(5).fill({ from: '22:00', to: '23:00' }) },
  7,
])('%j are no times to be off', (offHours) => {
  expect(OffHoursInput.safeParse(offHours).success).toBe(false);
});

describe('the state of a screen', () => {
  const OPENS = at('2026-11-20T17:00');
  const SEEN = {
    paired_at: 1,
    secret_hash: 'x',
    first_seen_at: 1,
    told_at: null,
    started_at: 1,
    skew_ms: null,
    outdated_since: null,
  };
  test.each<[string, object, number, string]>([
    [
      'nothing heard at nine, closed',
      { last_seen_at: at('2026-11-20T03:00') },
      at('2026-11-20T09:00'),
      'off as expected',
    ],
    ['on while closed', { last_seen_at: at('2026-11-20T08:59') }, at('2026-11-20T09:00'), 'running'],
    ['nine minutes after opening', { last_seen_at: at('2026-11-20T03:00') }, OPENS + 9 * MINUTE, 'late'],
    [
      'eleven minutes after opening',
      { last_seen_at: at('2026-11-20T03:00') },
      OPENS + 11 * MINUTE,
      'missing',
    ],
    ['two minutes silent', { last_seen_at: OPENS + 30 * MINUTE }, OPENS + 32 * MINUTE, 'late'],
    ['ten minutes silent', { last_seen_at: OPENS + 30 * MINUTE }, OPENS + 40 * MINUTE, 'missing'],
    [
      'a clock that is three minutes wrong',
      { last_seen_at: OPENS, skew_ms: -3 * MINUTE },
      OPENS,
      'clock wrong',
    ],
    ['a clock that is a minute wrong', { last_seen_at: OPENS, skew_ms: MINUTE }, OPENS, 'running'],
    ['another build', { last_seen_at: OPENS, outdated_since: OPENS }, OPENS, 'old program'],
    ['no secret', { last_seen_at: OPENS, secret_hash: null }, OPENS, 'waiting for pairing'],
    ['never paired', { last_seen_at: OPENS, secret_hash: null, paired_at: null }, OPENS, 'running'],
  ])('%s', (_how, row, now, state) => {
    const expected = expectedAt('outside_opening', { openings: EVENING, now, zone: ZONE });
    expect(stateOf({ ...SEEN, ...row } as Parameters<typeof stateOf>[0], now, expected).state).toBe(state);
  });
});
