import * as local from '#kernel/local-time.ts';
import * as numbers from '#kernel/locale.ts';
import { formatted, Words, type Writer } from './words.ts';

/** What writes a date, a time or a number in the locale in use, by the name under which a kept text holds it. */
const FORMATS = {
  formatWhen: local.formatWhen,
  zoneName: local.zoneName,
  zoneInFull: local.zoneInFull,
  formatShort: local.formatShort,
  formatShortNear: local.formatShortNear,
  formatInList: local.formatInList,
  formatInSentence: local.formatInSentence,
  dateInList: local.dateInList,
  formatTime: local.formatTime,
  timeInWords: local.timeInWords,
  momentInWords: local.momentInWords,
  formatDay: local.formatDay,
  daysInWords: local.daysInWords,
  dateInWords: local.dateInWords,
  formatDate: local.formatDate,
  formatLocal: local.formatLocal,
  formatWeekday: numbers.formatWeekday,
  formatNumber: numbers.formatNumber,
  formatPercent: numbers.formatPercent,
  formatBytes: numbers.formatBytes,
};
export type FormatName = keyof typeof FORMATS;

/** A date, a time or a number, which each reader reads in their own way. */
export class Figure<Name extends FormatName = FormatName> extends Words {
  readonly name: Name;
  readonly args: Parameters<(typeof FORMATS)[Name]>;

  constructor(name: Name, args: Parameters<(typeof FORMATS)[Name]>) {
    super();
    this.name = name;
    this.args = args;
  }

  override write(writer: Writer): string {
    const format = FORMATS[this.name] as (...args: unknown[]) => string;
    return formatted(() => format(...this.args)).write(writer);
  }
}

const forReader =
  <Name extends FormatName>(name: Name) =>
  (...args: Parameters<(typeof FORMATS)[Name]>): Words =>
    new Figure(name, args);

// The functions of local-time.ts under the same names, for pages and mails.
export const formatWhen = forReader('formatWhen');
export const zoneName = forReader('zoneName');
export const zoneInFull = forReader('zoneInFull');
export const formatShort = forReader('formatShort');
export const formatShortNear = forReader('formatShortNear');
export const formatInList = forReader('formatInList');
export const formatInSentence = forReader('formatInSentence');
export const dateInList = forReader('dateInList');
export const formatTime = forReader('formatTime');
export const timeInWords = forReader('timeInWords');
export const momentInWords = forReader('momentInWords');
export const formatDay = forReader('formatDay');
export const daysInWords = forReader('daysInWords');
export const dateInWords = forReader('dateInWords');
export const formatDate = forReader('formatDate');
export const formatLocal = forReader('formatLocal');
export const formatWeekday = forReader('formatWeekday');
export const formatNumber = forReader('formatNumber');
export const formatPercent = forReader('formatPercent');
export const formatBytes = forReader('formatBytes');

/** The ends of a time span, see local-time.ts. */
export const spanInWords = (start: number, end: number, zone: string): [start: Words, end: Words] => [
  formatted(() => local.spanInWords(start, end, zone)[0]),
  formatted(() => local.spanInWords(start, end, zone)[1]),
];
export const spanOnPage = (start: number, end: number, zone: string): [start: Words, end: Words] => [
  formatted(() => local.spanOnPage(start, end, zone)[0]),
  formatted(() => local.spanOnPage(start, end, zone)[1]),
];

/** A time on a page without the minutes of full hours, see local-time.ts. */
export const onPage = (time: Words): Words => formatted((reader) => local.onPage(time.for(reader)));

/** Words that begin a line, with a capital letter. */
export const atLineStart = (words: Words | string): Words =>
  formatted((reader) => local.atLineStart(typeof words === 'string' ? words : words.for(reader)));

/** A list as the reader writes it. */
class Listed extends Words {
  readonly #items: readonly unknown[];
  readonly #type: 'conjunction' | 'disjunction';

  constructor(items: readonly unknown[], type: 'conjunction' | 'disjunction') {
    super();
    this.#items = items;
    this.#type = type;
  }

  override write({ reader, put }: Writer): string {
    // English has no comma before "and", also in the United States.
    const tag = reader.language === 'en' ? 'en-GB' : reader.locale;
    const key = `${tag} ${this.#type}`;
    const format = lists.getOrInsertComputed(key, () => new Intl.ListFormat(tag, { type: this.#type }));
    const places = this.#items.map((_item, index) => String(index));
    return format
      .formatToParts(places)
      .map(({ type, value }) => put(type === 'element' ? this.#items[Number(value)] : value))
      .join('');
  }
}

const lists = new Map<string, Intl.ListFormat>();

/** `A`, `A and B`, `A, B and C`. @param items each a text, a name or markup */
export const allOf = (items: readonly (Words | string)[]): Words => new Listed(items, 'conjunction');

/** `A`, `A or B`, `A, B or C`. */
export const anyOf = (items: readonly (Words | string)[]): Words => new Listed(items, 'disjunction');

/** Texts one after the other. */
export class Row extends Words {
  readonly items: readonly (Words | string)[];
  readonly between: string;

  constructor(items: readonly (Words | string)[], between: string) {
    super();
    this.items = items;
    this.between = between;
  }

  override write({ put }: Writer): string {
    return this.items.map((item) => put(item)).join(this.between);
  }
}

type Said = Words | string | null | undefined | false;

/** Whole sentences one after the other; undefined where nothing is said. */
export const sentences = (all: readonly Said[]): Words | undefined => rowOf(all, ' ');

/** Parts of a sentence that hold commas of their own. Undefined without any. */
export const semicolons = (all: readonly Said[]): Words | undefined => rowOf(all, '; ');

/** Facts without an “and”: `9 here, 2 represented`. Undefined without any. */
export const commas = (all: readonly Said[]): Words | undefined => rowOf(all, ', ');

function rowOf(all: readonly Said[], between: string): Words | undefined {
  const items = all.filter((item) => item instanceof Words || !!item);
  return items.length > 0 ? new Row(items as (Words | string)[], between) : undefined;
}
