// Prints what is read of each quirk feed, in the time zone that this process was started with.
import { readFileSync } from 'node:fs';
import { readStarts } from './read-starts.ts';

const { cases } = JSON.parse(readFileSync(new URL('./quirks.json', import.meta.url), 'utf8'));
console.log(JSON.stringify(cases.map(({ ics }: { ics: string }) => readStarts(Buffer.from(ics)))));
