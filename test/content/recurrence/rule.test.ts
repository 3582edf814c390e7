import { expect, test } from 'vitest';
import { formatRule, parseRule, readRule } from '#content/recurrence/rule.ts';
import type { Code } from '#kernel/messages/messages.ts';

test.each([
  ['FREQ=WEEKLY;BYDAY=TU', 'FREQ=WEEKLY;BYDAY=TU'],
  ['byday=th,tu;freq=weekly;interval=2', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH'],
  ['RRULE:FREQ=MONTHLY;BYDAY=3TU,1TU;', 'FREQ=MONTHLY;BYDAY=1TU,3TU'],
  ['FREQ=DAILY;INTERVAL=1;WKST=MO', 'FREQ=DAILY'],
  ['FREQ=WEEKLY;WKST=SU;INTERVAL=2', 'FREQ=WEEKLY;INTERVAL=2;WKST=SU'],
  ['FREQ=MONTHLY;BYMONTHDAY=+15,-1', 'FREQ=MONTHLY;BYMONTHDAY=-1,15'],
  ['FREQ=YEARLY;BYDAY=20MO', 'FREQ=YEARLY;BYDAY=20MO'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
])('%s is stored as %s', (text, stored) => {
  expect(formatRule(parseRule(text))).toBe(stored);
  expect(formatRule(parseRule(stored))).toBe(stored);
});

test.each<[text: string, code: Code, part?: string]>([
  ['FREQ=MONTHLY;BYMONTHDAY=32', 'rule_part_must_be', 'BYMONTHDAY'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'rule_part_must_be', 'BYMONTHDAY'],
  ['FREQ=MONTHLY;BYMONTHDAY=1,,2', 'rule_part_must_be', 'BYMONTHDAY'],
  ['FREQ=WEEKLY;INTERVAL=0', 'rule_part_must_be', 'INTERVAL'],
  ['FREQ=WEEKLY;INTERVAL=367', 'rule_part_must_be', 'INTERVAL'],
  ['FREQ=WEEKLY;INTERVAL=1,2', 'rule_interval'],
  ['FREQ=WEEKLY;INTERVAL=1.5', 'rule_part_must_be', 'INTERVAL'],
  ['FREQ=WEEKLY;INTERVAL=', 'rule_form'],
  ['FREQ=HOURLY', 'rule_part_must_be', 'FREQ'],
  ['FREQ=SECONDLY', 'rule_part_must_be', 'FREQ'],
  ['BYDAY=TU', 'rule_part_must_be', 'FREQ'],
  ['FREQ=DAILY;COUNT=3', 'rule_part_unknown', 'COUNT'],
  ['FREQ=DAILY;UNTIL=20261208T200000', 'rule_part_unknown', 'UNTIL'],
  ['FREQ=DAILY;BYHOUR=20', 'rule_part_unknown', 'BYHOUR'],
  ['FREQ=YEARLY;BYWEEKNO=20', 'rule_part_unknown', 'BYWEEKNO'],
  ['FREQ=YEARLY;BYMONTH=13', 'rule_part_must_be', 'BYMONTH'],
  ['FREQ=YEARLY;BYMONTH=-1', 'rule_part_must_be', 'BYMONTH'],
  ['FREQ=WEEKLY;BYDAY=XX', 'rule_part_must_be', 'BYDAY'],
  ['FREQ=WEEKLY;BYDAY=2TU', 'rule_day_number_frequency'],
  ['FREQ=MONTHLY;BYDAY=6TU', 'rule_day_number'],
  ['FREQ=MONTHLY;BYDAY=0TU', 'rule_day_number'],
  ['FREQ=YEARLY;BYMONTH=7;BYDAY=20MO', 'rule_day_number'],
  ['FREQ=WEEKLY;BYMONTHDAY=3', 'rule_month_day_weekly'],
  ['FREQ=WEEKLY;BYDAY=TU;BYSETPOS=1', 'rule_position_frequency'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'rule_position_alone'],
  ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=367', 'rule_part_must_be', 'BYSETPOS'],
  ['FREQ=WEEKLY;WKST=1', 'rule_part_must_be', 'WKST'],
  ['FREQ=WEEKLY;FREQ=DAILY', 'rule_part_twice', 'FREQ'],
  ['FREQ=WEEKLY\nCOUNT=3', 'rule_form'],
  ['', 'rule_form'],
  ['every Tuesday', 'rule_form'],
  [`FREQ=WEEKLY;BYDAY=${'TU,'.repeat(300)}`, 'rule_too_long'],
])('%j is refused: %s', (text, code, part) => {
  const read = readRule(text);
  const problem = 'problem' in read ? read.problem : undefined;
  expect([problem?.code, problem?.params.part]).toEqual([code, part]);
  const error = { path: 'rule', code };
  expect(() => parseRule(text)).toThrow(
    expect.objectContaining({ statusCode: 400, errors: [expect.objectContaining(error)] }),
  );
});
