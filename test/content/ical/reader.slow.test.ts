import { expect, test } from 'vitest';
import { readInThread } from '#content/ical/reader.ts';
import { calendarText } from '#test/stand-ins/calendar-host.ts';
import { NOON } from '#test/support/app.ts';

test('10 MB with 20,000 events are read, and meanwhile the event loop keeps running', async () => {
  const many = Array.from({ length: 20_000 }, (_, uid) => [
    `UID:${uid}`,
    'DTSTART:20261124T200000Z',
    'SUMMARY:Quiz night',
    `DESCRIPTION:${'Come all. '.repeat(40)}`,
  ]);
  const body = Buffer.from(calendarText(many));
  expect(body.length).toBeGreaterThan(9e6);
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  // With a long limit: on a busy machine ten million bytes may take longer than the service waits.
  const answer = await readInThread(body, {
    zone: 'America/New_York',
    now: NOON,
    before: null,
    limit: 170_000,
  });
  clearInterval(ticking);

  expect(answer).toMatchObject({ ok: true, events: 20_000, bad: 0 });
  expect(turns).toBeGreaterThan(10);
});
