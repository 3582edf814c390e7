// npm run bench:recurrence: measures the expansion of recurring events into dates. See README.md beside this file.
import fs from 'node:fs';
import path from 'node:path';
import { EventBody } from '#content/events/body.ts';
import { completeEvent } from '#content/events/check.ts';
import { candidateEntries, fillCalendar } from '#content/events/horizon.ts';
import { screenEventsOf } from '#content/events/shown.ts';
import { daysAfter, listDates } from '#content/recurrence/dates.ts';
import { figure } from './figures.ts';

const ZONE = 'America/New_York';
const TODAY = '2028-06-01';
const NOW = Temporal.PlainDate.from(TODAY).toZonedDateTime(ZONE).epochMilliseconds;
/** The best of this many runs counts, because other processes only add time. */
const RUNS = 5;

const file = path.join(import.meta.dirname, '../../test/fixtures/recurrence-rules.jsonl');
const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
const rules = lines.map((line): { rule: string; date: string } => JSON.parse(line));
const records = rules.slice(0, 200).map(({ rule, date }, index) => {
  const input = { title: `Series ${index}`, place: 'Pub', date, time: '20:00', end_time: '23:00', rule };
  const body = completeEvent(EventBody.parse(input), { before: undefined, at: NOW, zone: ZONE });
  return { id: `${index}`, uid_base: `${index}`, body };
});
const window = { from: TODAY, until: daysAfter(TODAY, 400) };

const all = best(() => records.map(({ body }) => listDates(body, window.from, window.until)));
figure({ name: '200 series, 400 days', value: all, unit: 'ms', target: { atMost: 500 } });
const published = best(() => {
  const fifty = records.slice(0, 50);
  for (const record of fifty) screenEventsOf(record, { from: TODAY, until: daysAfter(TODAY, 45) }, ZONE);
  const entriesOf = candidateEntries({ today: TODAY, window, house: ZONE });
  fillCalendar(fifty, [], { today: TODAY, house: ZONE, entriesOf });
});
figure({ name: '50 series, shown anew', value: published, unit: 'ms', target: { atMost: 100 } });

function best(run: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}
