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

test.each(['UTC', 'Asia/Tokyo', 'America/New_York'])(
  '42 calendars of other programs and 300 rules give the expected dates, with the process in %s',
  async (TZ) => {
    const script = path.join(import.meta.dirname, 'read-quirks.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env: { ...process.env, TZ } });

    const { zone, starts, wrong } = JSON.parse(stdout);
    expect([zone, wrong]).toEqual([TZ, []]);
    const read = Object.fromEntries(cases.map(({ name }, index) => [name, starts[index]]));
    expect(read).toEqual(
      Object.fromEntries(
        cases.map(({ name, starts }) => [name, name === CUT ? 'is cut off: its end is missing' : starts]),
      ),
    );
  },
);
