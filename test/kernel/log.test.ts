import { expect, test } from 'vitest';
import { readable } from '#kernel/log.ts';

const TIME = Date.parse('2026-11-20T12:00:00Z');
const line = (entry: object) => readable(JSON.stringify({ level: 30, time: TIME, ...entry }));

test.each<[string, object, RegExp]>([
  [
    'a message',
    { msg: 'Server listening at http://127.0.0.1:3000' },
    /^\d\d:\d\d:\d\d Server listening at http:\S+\n$/,
  ],
  [
    'a request',
    { msg: 'request', id: 'r1', method: 'GET', url: '/now', route: '/now', status: 200, ms: 3.24 },
    /^\S+ GET \/now 200 3 ms route=\/now\n$/,
  ],
  [
    'a warning with details',
    { level: 40, msg: 'late', reason: 'the host' },
    /^\S+ Warning: late reason=the host\n$/,
  ],
  [
    'an error with its stack',
    { level: 50, msg: 'job failed', job: 'count', err: { message: 'no', stack: 'Error: no\n    at x.ts:1' } },
    /^\S+ Error: job failed job=count\nError: no\n {4}at x\.ts:1\n$/,
  ],
  ['control characters', { msg: 'from \u001b[31moutside\u0007' }, /^\S+ from �\[31moutside�\n$/],
])('on a terminal %s is one readable entry', (_what, entry, expected) => {
  expect(line(entry)).toMatch(expected);
});
