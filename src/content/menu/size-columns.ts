import { readVolume, type VolumeProblem } from '#content/volumes.ts';
import type { Column } from '#kernel/lists/columns.ts';
import { clubLocale } from '#kernel/locale.ts';
import { nameKey } from '#kernel/names.ts';
import { arePrices, type MenuField, type MenuQuestion, sizeOfHeader, unitOfHeader } from './headings.ts';

/** A size as a line of the file has it, as texts. */
export interface TypedSize {
  size: string;
  volume: string;
  price: string;
  member_price: string;
  shown: string;
  /** How the numbers of the two first are read. */
  units: Units;
  /** Whether `size` is a name only, because another column has the volumes. */
  isNamed: boolean;
  /** Whether `size` is the header of the column. */
  isOfHeader: boolean;
}

/** How numbers without a unit are read in the columns of a size. */
interface Units {
  /** The unit of the header: it counts for all numbers. */
  header: string | undefined;
  /** The unit that an officer has named: it counts for those that can be several things. */
  answered: string | undefined;
  /** Whether halves and thirds are those of a pint. */
  isPints: boolean;
}

const SIZE_FIELDS = ['size', 'volume', 'price', 'member_price', 'shown'] as const;
type SizeField = (typeof SIZE_FIELDS)[number];

interface Slot extends Partial<Record<SizeField, number>> {
  /** The size that the header of its prices names. */
  named?: string;
  units: Units;
}

/** The columns of the sizes of a line, and what has to be asked about them. */
export interface SizeColumns {
  slots: Slot[];
  questions: MenuQuestion[];
  /** The sizes of a row that heads the prices below it anew, by their columns. */
  headingOf(texts: readonly string[], name: string | undefined): ReadonlyMap<number, string> | undefined;
  rename(sizes: ReadonlyMap<number, string>): void;
}

/** Whether a column of prices is headed by a size. */
export const isHeadOfPrices = (header: string, filled: readonly string[]): boolean =>
  sizeOfHeader(header) !== undefined && arePrices(filled);

/** Finds the columns of each size. @param units by header, as an officer has said */
export function sizeColumns(
  columns: readonly Column<MenuField>[],
  cells: (index: number) => string[],
  units: Readonly<Record<string, string>>,
): SizeColumns {
  const numbered = new Map<string, Slot>();
  const slots: Slot[] = [];
  const isPints =
    clubLocale().endsWith('-GB') ||
    clubLocale().endsWith('-IE') ||
    columns.some(
      ({ field, header }, index) =>
        (field === 'size' || field === 'volume' || field === 'size_price') &&
        [header, ...cells(index)].some((text) => /\bpints?\b|\bpt\b/i.test(text)),
    );
  for (const [index, { header, field }] of columns.entries()) {
    if (field === 'size_price') {
      const named = sizeOfHeader(header) ?? header;
      slots.push({
        price: index,
        named,
        units: { header: unitOfHeader(header), answered: units[header], isPints },
      });
      continue;
    }
    if (!SIZE_FIELDS.includes(field as SizeField)) continue;
    const number = /[1-5]$/.exec(header)?.[0] ?? '1';
    const slot = numbered.get(number) ?? { units: { header: undefined, answered: undefined, isPints } };
    if (!numbered.has(number)) {
      numbered.set(number, slot);
      slots.push(slot);
    }
    slot[field as SizeField] = index;
    if (field === 'volume' || (field === 'size' && slot.volume === undefined))
      slot.units = { header: unitOfHeader(header.replace(/[1-5]$/, '')), answered: units[header], isPints };
  }
  return {
    slots,
    questions: questionsOf(slots, columns, cells, units),
    headingOf(texts, name) {
      const filled = texts.flatMap((text, index) => (text === '' ? [] : [index]));
      const prices = slots.filter(({ named }) => named !== undefined).map(({ price }) => price);
      const heads = filled.filter((index) => prices.includes(index));
      const isAll = heads.length > 0 && filled.length === heads.length + (name ? 1 : 0);
      if (!isAll || !heads.every((index) => isSizeOnly(texts[index] ?? ''))) return undefined;
      return new Map(heads.map((index) => [index, texts[index] ?? '']));
    },
    rename(sizes) {
      for (const slot of slots)
        if (slot.named !== undefined) slot.named = sizes.get(slot.price ?? -1) ?? slot.named;
    },
  };
}

/** Whether a text in a column of prices names a size and is no price. */
const isSizeOnly = (text: string): boolean =>
  sizeOfHeader(text) !== undefined && (/\p{L}|\/|[½¼¾⅓⅔]/u.test(text) || /^0[.,]\d{1,3}$/.test(text));

/** Whether a cell of a column of sizes is only the unit of the number beside it. */
export const isUnit = (text: string): boolean => /^(ml|cl|dl|l|lt|ltr|liter|litre|oz)\.?$/i.test(text);

/** Asks once a column for the unit of numbers that can be several things. */
function questionsOf(
  slots: readonly Slot[],
  columns: readonly Column<MenuField>[],
  cells: (index: number) => string[],
  units: Readonly<Record<string, string>>,
): MenuQuestion[] {
  return slots.flatMap((slot): MenuQuestion[] => {
    const index = slot.named === undefined ? (slot.volume ?? slot.size) : slot.price;
    const header = index === undefined ? undefined : columns[index]?.header;
    if (index === undefined || header === undefined || units[header] !== undefined) return [];
    // Another column has the units.
    if (slot.volume !== undefined && slot.size !== undefined && cells(slot.size).every(isUnit)) return [];
    // A name beside the volumes is not read as one.
    const texts = slot.named === undefined ? cells(index) : [slot.named];
    const unclear = texts.filter((text) => readSize(text, slot.units) === 'volume_without_unit');
    if (unclear.length === 0) return [];
    const inOunces = clubLocale().endsWith('-US') && unclear.every((text) => Number(text) <= 64);
    const options = inOunces ? ['oz', 'cl', 'ml', 'l'] : ['cl', 'ml', 'l', 'oz'];
    return [{ column: header, ask: 'unit', options, likely: true }];
  });
}

/**
 * The sizes of a row.
 * @param isDish whether it is food below headings of drinks: its one price has no size then
 */
export function sizesOfRow(texts: readonly string[], { slots }: SizeColumns, isDish: boolean): TypedSize[] {
  const sizes = sizesOf(texts, slots);
  const [only] = sizes;
  return isDish && sizes.length === 1 && only?.isOfHeader ? [{ ...only, size: '' }] : sizes;
}

function sizesOf(texts: readonly string[], slots: readonly Slot[]): TypedSize[] {
  return slots.flatMap((slot) => {
    const text = (field: SizeField) => (slot[field] === undefined ? '' : (texts[slot[field]] ?? ''));
    const one = {
      ...(Object.fromEntries(SIZE_FIELDS.map((field) => [field, text(field)])) as Record<SizeField, string>),
      units: slot.units,
      isNamed: slot.size !== undefined && slot.volume !== undefined,
      isOfHeader: slot.named !== undefined,
    };
    if (slot.named !== undefined) return one.price === '' ? [] : [{ ...one, size: slot.named }];
    return ['size', 'volume', 'price', 'member_price'].some((field) => text(field as SizeField) !== '')
      ? [one]
      : [];
  });
}

/** Headers that repeat as pairs of size and price get numbers; others stay as they are. */
export function withoutTwins(headers: readonly string[]): string[] {
  const keys = headers.map(nameKey);
  const times = (key: string) => keys.filter((one) => one === key).length;
  const repeated = [...new Set(keys.filter((key) => key !== '' && times(key) > 1))];
  if (repeated.length < 2 || new Set(repeated.map(times)).size > 1) return [...headers];
  return headers.map((header, at) => {
    const before = keys.slice(0, at).filter((key) => key === keys[at]).length;
    return repeated.includes(keys[at]!) && before > 0 ? `${header} ${before + 1}` : header;
  });
}

/** A size with its volume within the words: `Glas 0,2 l`. */
const WITHIN =
  /(?<![\d.,/])(\d{1,4}(?:[.,]\d{1,3})?|\d\/\d|[½¼¾⅓⅔]) ?(ml|cl|dl|lt|ltr|lit(?:er|re|res|ros?|ri)|l|oz|pt|pints?)(?![\p{L}])\.?/iu;
const FRACTION_AT_END = /(?<=\p{L}[\s(]+)(0[.,]\d{1,3}|\d\/\d|[½¼¾⅓⅔])\)?$/u;

/** Reads the text of a size: a word, a volume, or both. @returns why a number in it cannot be read */
export function readSize(
  text: string,
  { header, answered, isPints }: Units,
): { label: string; volume_ml: number | null } | VolumeProblem {
  if (isPints && /^half$/i.test(text)) return { label: text, volume_ml: volumeOf('half pint', '') };
  const bare = /^\d\/\d$|^[½¼¾⅓⅔]$/.test(text.trim()) && isPints ? 'pint' : header;
  const first = readVolume(text, 'ml', bare);
  const whole = first === 'volume_without_unit' && answered ? readVolume(text, 'ml', answered) : first;
  // `Pint` is a word that says the volume, too.
  if (typeof whole === 'number')
    return { label: /^\D*(pint|half)/i.test(text) ? text : '', volume_ml: whole };
  if (whole === null || whole === 'volume_without_unit') return whole ?? { label: '', volume_ml: null };
  const found = WITHIN.exec(text) ?? FRACTION_AT_END.exec(text);
  const volume_ml = found ? volumeOf(found[0].replace(/[.)]$/, ''), '') : null;
  const rest = found ? text.replace(found[0], ' ').replace(/\(\s*\)?|\[\s*\]?/g, ' ') : text;
  const label = rest.replace(/\s+/g, ' ').replace(/^[\s,:–—-]+|[\s,:–—-]+$/g, '');
  if (found && volume_ml !== null && /\p{L}/u.test(label) && !/\d/.test(label)) return { label, volume_ml };
  return /\p{L}/u.test(text) && !/^\d+[.,]\d+ ?\p{L}{1,3}$/u.test(text)
    ? { label: text, volume_ml: null }
    : 'not_volume';
}

const volumeOf = (text: string, unit: string): number | null => {
  const read = readVolume(text, 'ml', unit);
  return typeof read === 'number' ? read : null;
};
