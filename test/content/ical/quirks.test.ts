import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const { cases } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'quirks.json'), 'utf8')) as {
  cases: { name: string; starts: string[] }[];
};
/** An incomplete transfer must not look as if events were removed. */
const CUT = 'no END:VCALENDAR (cut)';

/** Time zones of the process, and the hour in which time began there. */
const ZONES = { UTC: 0, 'Asia/Tokyo': 9, 'America/New_York': 19 };

test('42 calendars of other programs and 300 rules give the expected dates in any zone of the process', async () => {
  const script = path.join(import.meta.dirname, 'read-quirks.ts');
  const zones = Object.keys(ZONES);
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...zones], {
    maxBuffer: 16 * 1024 * 1024,
  });

  const lines = stdout.trimEnd().split('\n');
  const found = lines.map((line) => JSON.parse(line));
  expect(found.map(({ zone, hour, wrong }) => [zone, hour, wrong])).toEqual(
    Object.entries(ZONES).map(([zone, hour]) => [zone, hour, []]),
  );
  const expected = cases.map(({ name, starts }) => [name, name === CUT ? 'cut_off' : starts]);
  for (const { zone, starts } of found)
    expect([zone, cases.map(({ name }, index) => [name, starts[index]])]).toEqual([zone, expected]);
});
