import { expect, test } from 'vitest';
import { formatRule, parseRule, readRule } from '#content/recurrence/rule.ts';
import { sentenceOf } from '#kernel/messages/messages.ts';

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

test.each([
  ['FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY must be 1 to 31 or -1 to -31.'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY must'],
  ['FREQ=MONTHLY;BYMONTHDAY=1,,2', 'BYMONTHDAY must'],
  ['FREQ=WEEKLY;INTERVAL=0', 'INTERVAL must be 1 to 366.'],
  ['FREQ=WEEKLY;INTERVAL=367', 'INTERVAL must'],
  ['FREQ=WEEKLY;INTERVAL=1,2', 'INTERVAL must'],
  ['FREQ=WEEKLY;INTERVAL=1.5', 'INTERVAL must'],
  ['FREQ=WEEKLY;INTERVAL=', 'A rule looks like'],
  ['FREQ=HOURLY', 'FREQ must be DAILY, WEEKLY, MONTHLY, or YEARLY.'],
  ['FREQ=SECONDLY', 'FREQ must'],
  ['BYDAY=TU', 'FREQ must'],
  ['FREQ=DAILY;COUNT=3', 'COUNT cannot be used here'],
  ['FREQ=DAILY;UNTIL=20261208T200000', 'UNTIL cannot'],
  ['FREQ=DAILY;BYHOUR=20', 'BYHOUR cannot'],
  ['FREQ=YEARLY;BYWEEKNO=20', 'BYWEEKNO cannot'],
  ['FREQ=YEARLY;BYMONTH=13', 'BYMONTH must be 1 to 12.'],
  ['FREQ=YEARLY;BYMONTH=-1', 'BYMONTH must'],
  ['FREQ=WEEKLY;BYDAY=XX', 'BYDAY must'],
  ['FREQ=WEEKLY;BYDAY=2TU', 'BYDAY with a number'],
  ['FREQ=MONTHLY;BYDAY=6TU', 'A number in BYDAY must be 1 to 5 or -1 to -5.'],
  ['FREQ=MONTHLY;BYDAY=0TU', 'A number in BYDAY'],
  ['FREQ=YEARLY;BYMONTH=7;BYDAY=20MO', 'A number in BYDAY'],
  ['FREQ=WEEKLY;BYMONTHDAY=3', 'BYMONTHDAY does not go'],
  ['FREQ=WEEKLY;BYDAY=TU;BYSETPOS=1', 'BYSETPOS goes with'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS needs'],
  ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=367', 'BYSETPOS must'],
  ['FREQ=WEEKLY;WKST=1', 'WKST must'],
  ['FREQ=WEEKLY;FREQ=DAILY', 'FREQ is listed twice.'],
  ['FREQ=WEEKLY\nCOUNT=3', 'A rule looks like'],
  ['', 'A rule looks like'],
  ['every Tuesday', 'A rule looks like'],
  [`FREQ=WEEKLY;BYDAY=${'TU,'.repeat(300)}`, 'A rule has at most 500'],
])('%j is refused: %s', (text, problem) => {
  const read = readRule(text);
  expect('problem' in read && sentenceOf(read.problem)).toContain(problem);
  const error = { path: 'rule', message: expect.stringContaining(problem) };
  expect(() => parseRule(text)).toThrow(
    expect.objectContaining({ statusCode: 400, errors: [expect.objectContaining(error)] }),
  );
});
