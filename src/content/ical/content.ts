import { sha256 } from '#kernel/secrets.ts';
import type { CalendarFile } from './calendar-file.ts';
import { lineOf, linesOf } from './components.ts';
import type { FoundDate } from './series.ts';
import { blockText, lineText, listText, webAddress } from './text.ts';

/** What is kept of a source: texts once, and the dates that have them. */
export interface IcalContent {
  format: typeof FORMAT;
  /** The club's zone when it was read, and when that was: the dates fit these. */
  zone: string;
  madeAt: number;
  texts: IcalTexts[];
  dates: IcalDate[];
}

export interface IcalTexts {
  title: string;
  place: string;
  description: string;
  url: string | null;
  categories: string[];
}

export interface IcalDate {
  /** A hash of the UID and the original local date: the same for as long as the date exists, moved or not. */
  key: string;
  /** Its place in `texts`. */
  of: number;
  /** In milliseconds; of an all-day one the midnight after its last day. */
  start: number;
  end: number;
  allDay: boolean;
  cancelled: boolean;
  /** When what a calendar shows of it last changed, in milliseconds. It never goes down. */
  changedAt: number;
}

const FORMAT = 1;
const DATES_AT_MOST = 5_000;
/** Descriptions in all, in characters; what is beyond is left out. */
const DESCRIPTIONS_AT_MOST = 1_500_000;
const CATEGORIES_AT_MOST = 20;

/**
 * The content that is kept of a file: at most 5,000 dates, those that are over first to go.
 * @param before what was kept until now: dates that are the same keep the time of their last change
 */
export function makeContent(
  file: CalendarFile,
  { zone, now, before }: { zone: string; now: number; before: IcalContent | undefined },
): IcalContent {
  const known = new Map(before?.dates.map((date) => [date.key, { date, texts: before.texts[date.of] }]));
  const kept = file.dates.length <= DATES_AT_MOST ? file.dates : newest(file.dates, now);
  const texts: IcalTexts[] = [];
  const places = new Map<unknown, number>();
  const used = new Set<string>();
  let described = 0;
  const dates = kept.map((found): IcalDate => {
    const { entry, start, end, cancelled } = found;
    const of = places.getOrInsertComputed(entry.component, () => {
      const made = textsOf(found);
      described += made.description.length;
      return texts.push(described > DESCRIPTIONS_AT_MOST ? { ...made, description: '' } : made) - 1;
    });
    const date = { key: keyOf(found, used), of, start, end, allDay: entry.start.isDate, cancelled };
    const last = known.get(date.key);
    const edited = Math.min(entry.editedAt ?? now, now);
    if (!last) return { ...date, changedAt: edited };
    const same = signature(last.date, last.texts) === signature(date, texts[of]);
    // Some programs write a new time of change with each answer.
    return { ...date, changedAt: same ? last.date.changedAt : Math.max(edited, last.date.changedAt + 1_000) };
  });
  return { format: FORMAT, zone, madeAt: now, texts, dates };
}

/** What an earlier run has stored; undefined where a version stored it that spelled it otherwise. */
export function parseContent(text: string | null): IcalContent | undefined {
  if (text === null) return undefined;
  const content: IcalContent = JSON.parse(text);
  return content.format === FORMAT ? content : undefined;
}

/** Whether two contents show the same. */
export const isSameContent = (a: IcalContent | undefined, b: IcalContent): boolean =>
  a !== undefined &&
  a.zone === b.zone &&
  JSON.stringify([a.texts, a.dates]) === JSON.stringify([b.texts, b.dates]);

function newest(dates: readonly FoundDate[], now: number): FoundDate[] {
  const first = dates.findIndex(({ end }) => end > now);
  const from = first === -1 ? dates.length : first;
  return dates.slice(Math.max(0, Math.min(from, dates.length - DATES_AT_MOST))).slice(0, DATES_AT_MOST);
}

function textsOf({ entry: { component } }: FoundDate): IcalTexts {
  return {
    title: lineText(lineOf(component, 'SUMMARY')?.value) || 'Untitled',
    place: lineText(lineOf(component, 'LOCATION')?.value),
    description: blockText(lineOf(component, 'DESCRIPTION')?.value),
    url: webAddress(lineOf(component, 'URL')?.value),
    categories: linesOf(component, 'CATEGORIES')
      .flatMap(({ value }) => listText(value))
      .slice(0, CATEGORIES_AT_MOST),
  };
}

/** Two dates of one UID on one day are told apart by their time, and events that share a UID by their number. */
function keyOf({ entry, original }: FoundDate, used: Set<string>): string {
  const day = original.toPlainDate().toString();
  for (const name of [day, original.toString()]) {
    const key = hash(entry.uid, name);
    if (!used.has(key)) return use(used, key);
  }
  for (let number = 2; ; number += 1) {
    const key = hash(entry.uid, `${original} ${number}`);
    if (!used.has(key)) return use(used, key);
  }
}

function use(used: Set<string>, key: string): string {
  used.add(key);
  return key;
}

const hash = (uid: string, date: string) => sha256(JSON.stringify([uid, date])).slice(0, 32);

const signature = ({ start, end, allDay, cancelled }: Omit<IcalDate, 'changedAt'>, texts?: IcalTexts) =>
  JSON.stringify([start, end, allDay, cancelled, texts]);
