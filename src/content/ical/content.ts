import { sha256 } from '#kernel/secrets.ts';
import type { CalendarFile } from './calendar-file.ts';
import { lineOf, linesOf } from './components.ts';
import type { Entry } from './entries.ts';
import type { FoundDate } from './series.ts';
import { blockText, lineText, listText, webAddress } from './text.ts';

/** The stored content of a source: each text once, and the dates that refer to it. */
export interface IcalContent {
  format: typeof FORMAT;
  /** The club's zone and the time when the file was read; the dates were computed for these. */
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
  /** A hash of the UID and the original local date: the same for as long as the date exists, moved or not. If a source
   * changes the UID, the date keeps its key as long as start and title stay. */
  key: string;
  /** The index in `texts`. */
  of: number;
  /** The dates of one UID have the same number; missing in content stored by earlier versions. */
  series?: number;
  /** In milliseconds; an all-day event ends at the midnight after its last day. */
  start: number;
  end: number;
  /** Present only when the file gives no end. */
  openEnded?: true;
  allDay: boolean;
  cancelled: boolean;
  /** When data that calendars show of it last changed, in milliseconds. It never goes down. */
  changedAt: number;
}

const FORMAT = 2;
const DATES_AT_MOST = 5_000;
/** The maximum of all descriptions together, in characters; further ones are left out. */
const DESCRIPTIONS_AT_MOST = 1_500_000;
const CATEGORIES_AT_MOST = 20;

/**
 * Makes the content to store from a file: at most 5,000 dates; past dates are dropped first.
 * @param before the content stored until now: unchanged dates keep the time of their last change
 * @param untitled the title of an event without one
 */
export function makeContent(
  file: CalendarFile,
  {
    zone,
    now,
    before,
    untitled,
  }: { zone: string; now: number; before: IcalContent | undefined; untitled: string },
): IcalContent {
  const known = new Map(before?.dates.map((date) => [date.key, { date, texts: before.texts[date.of] }]));
  const kept = file.dates.length <= DATES_AT_MOST ? file.dates : newest(file.dates, now);
  const texts: IcalTexts[] = [];
  const places = new Map<unknown, number>();
  const keys = keysOf(kept, before);
  const series = new Map<string, number>();
  let described = 0;
  const dates = kept.map((found, index): IcalDate => {
    const { entry, start, end, openEnded, cancelled } = found;
    const of = places.getOrInsertComputed(entry.component, () => {
      const made = textsOf(found, untitled);
      described += made.description.length;
      return texts.push(described > DESCRIPTIONS_AT_MOST ? { ...made, description: '' } : made) - 1;
    });
    const uid = series.getOrInsert(entry.uid, series.size);
    const date = {
      key: keys[index]!,
      of,
      series: uid,
      start,
      end,
      ...(openEnded && { openEnded }),
      allDay: entry.start.isDate,
      cancelled,
    };
    const last = known.get(date.key);
    const edited = Math.min(entry.editedAt ?? now, now);
    if (!last) return { ...date, changedAt: edited };
    const same = signature(last.date, last.texts) === signature(date, texts[of]);
    // Some programs write a new modification time in every response, so only a changed content counts.
    return { ...date, changedAt: same ? last.date.changedAt : Math.max(edited, last.date.changedAt + 1_000) };
  });
  return { format: FORMAT, zone, madeAt: now, texts, dates };
}

/** Parses stored content; undefined if another version of the service stored it in another format. */
export function parseContent(text: string | null): IcalContent | undefined {
  if (text === null) return undefined;
  const content: IcalContent = JSON.parse(text);
  return content.format === FORMAT ? content : undefined;
}

/** Whether two contents are shown the same way. */
export const isSameContent = (a: IcalContent | undefined, b: IcalContent): boolean =>
  a !== undefined &&
  a.zone === b.zone &&
  JSON.stringify([a.texts, a.dates]) === JSON.stringify([b.texts, b.dates]);

function newest(dates: readonly FoundDate[], now: number): FoundDate[] {
  const first = dates.findIndex(({ end }) => end > now);
  const from = first === -1 ? dates.length : first;
  return dates.slice(Math.max(0, Math.min(from, dates.length - DATES_AT_MOST))).slice(0, DATES_AT_MOST);
}

const titleOf = ({ component }: Entry) => lineText(lineOf(component, 'SUMMARY')?.value);

function textsOf({ entry }: FoundDate, untitled: string): IcalTexts {
  const { component } = entry;
  return {
    title: titleOf(entry) || untitled,
    place: lineText(lineOf(component, 'LOCATION')?.value),
    description: blockText(lineOf(component, 'DESCRIPTION')?.value),
    url: webAddress(lineOf(component, 'URL')?.value),
    categories: linesOf(component, 'CATEGORIES')
      .flatMap(({ value }) => listText(value))
      .slice(0, CATEGORIES_AT_MOST),
  };
}

/** Some programs write new UIDs in every response: a date that would be new has the key of a lost one of its title. */
function keysOf(dates: readonly FoundDate[], before: IcalContent | undefined): string[] {
  const used = new Set<string>();
  const keys = dates.map((found) => keyOf(found, used));
  if (!before) return keys;
  const known = new Set(before.dates.map(({ key }) => key));
  const lost = Map.groupBy(
    before.dates.filter(({ key }) => !used.has(key)),
    ({ start, of }) => `${start} ${before.texts[of]?.title}`,
  );
  return keys.map((key, index) => {
    if (known.has(key)) return key;
    const { start, entry } = dates[index]!;
    return lost.get(`${start} ${titleOf(entry)}`)?.shift()?.key ?? key;
  });
}

/** Dates with the same UID and day are told apart by their time, and events that share a UID by a number. */
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
