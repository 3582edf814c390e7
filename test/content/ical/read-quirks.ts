// Prints a line for each time zone in the arguments: the starts that this process, while in that zone, reads from each
// quirk feed, and which of the frozen rules give other dates than expected.
import { readFileSync } from 'node:fs';
import { wrongRules } from '../recurrence/frozen-rules.ts';
import { readStarts } from './read-starts.ts';

const { cases } = JSON.parse(readFileSync(new URL('./quirks.json', import.meta.url), 'utf8'));
for (const zone of process.argv.slice(2)) {
  // Node reads it again for every assignment.
  process.env.TZ = zone;
  const starts = cases.map(({ ics }: { ics: string }) => readStarts(Buffer.from(ics)));
  const found = Intl.DateTimeFormat().resolvedOptions().timeZone;
  console.log(JSON.stringify({ zone: found, hour: new Date(0).getHours(), starts, wrong: wrongRules() }));
}
