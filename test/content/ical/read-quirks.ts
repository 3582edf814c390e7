// Prints, in the time zone of this process, the starts read from each quirk feed, and which of the frozen rules give
// other dates than expected.
import { readFileSync } from 'node:fs';
import { wrongRules } from '../recurrence/frozen-rules.ts';
import { readStarts } from './read-starts.ts';

const { cases } = JSON.parse(readFileSync(new URL('./quirks.json', import.meta.url), 'utf8'));
const starts = cases.map(({ ics }: { ics: string }) => readStarts(Buffer.from(ics)));
console.log(
  JSON.stringify({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, starts, wrong: wrongRules() }),
);
