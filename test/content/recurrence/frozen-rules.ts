import fs from 'node:fs';
import path from 'node:path';
import { listDates } from '#content/recurrence/dates.ts';
import { formatRule, parseRule } from '#content/recurrence/rule.ts';

/** Generated once with python-dateutil 2.9: at most the first 60 dates, up to `last`. */
export interface FrozenRule {
  rule: string;
  date: string;
  time: string;
  until: string | null;
  last: string;
  dates: string[];
}

const file = path.join(import.meta.dirname, '../../fixtures/recurrence-rules.jsonl');

export const FROZEN_RULES = fs
  .readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): FrozenRule => JSON.parse(line));

/** Returns the rules that give other dates than the frozen ones. */
export function wrongRules(): string[] {
  const wrong = FROZEN_RULES.filter(({ rule, date, until, last, dates }) => {
    const series = { rule: formatRule(parseRule(rule)), date, until, extra: [] };
    return listDates(series, date, last).slice(0, 60).join() !== dates.join();
  });
  return wrong.map(({ rule, date }) => `${rule} from ${date}`);
}
