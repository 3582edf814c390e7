import { allergenWords } from '#content/allergens.ts';
import { readNumber } from '#content/forms/form.ts';
import { priceError } from '#content/forms/menu.ts';
import { MARKS, type MenuItemBody } from '#content/kinds/menu-item.ts';
import { sizeKey } from '#content/volumes.ts';
import type { Context } from '#kernel/context.ts';
import { type FieldError, fieldError } from '#kernel/http/errors.ts';
import { readPrice } from '#kernel/money.ts';
import { nameKey } from '#kernel/names.ts';
import { ALLERGENS } from '#kernel/settings/menu.ts';
import type { Line } from './reading.ts';
import { isUnit, readSize } from './size-columns.ts';
import { hasOtherLetters, readAllergens, readMarks } from './words.ts';

export type Size = MenuItemBody['sizes'][number];

/** The lines of one item, the first of them first. */
export type Group = [Line, ...Line[]];

/** Two items can have one name: the maker tells them apart. */
export const itemKey = (
  section: string,
  { name = '', maker = '' }: { name?: string | undefined; maker?: string | undefined },
): string => [section, nameKey(name), nameKey(maker)].join('\n');

/** The items that their section has twice, by name and maker: those after the first of each. */
export function listTwins<Item extends { body: Pick<MenuItemBody, 'section' | 'name' | 'maker'> }>(
  items: readonly Item[],
): Item[] {
  const groups = Map.groupBy(items, ({ body }) => itemKey(body.section, body));
  return [...groups.values()].flatMap(([, ...others]) => others);
}

/**
 * Lines with one section, name and maker are sizes of one item; a line without a maker belongs to the last item of its name.
 * What else such a line says must be the same, see `ensureAgreed`.
 */
export function groupLines(lines: readonly Line[]): Group[] {
  const groups = new Map<string, Group>();
  const latest = new Map<string, string>();
  for (const line of lines) {
    const section = nameKey(line.section ?? '');
    const named = itemKey(section, { name: line.name });
    const own = itemKey(section, line);
    const key = line.maker ? own : (latest.get(named) ?? own);
    latest.set(named, key);
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  }
  return [...groups.values()];
}

/** What every line of an item says alike, or leaves empty. An order may be the number of the line. */
const OF_ITEM = [
  ...(['style', 'abv', 'ibu', 'color_ebc', 'description', 'allergens', 'marks', 'url'] as const),
];

/** Refuses a line that contradicts the first one: a drink is free of nothing that one of its lines names. */
export function ensureAgreed([first, ...others]: Group, problems: FieldError[]): void {
  for (const other of others)
    for (const column of OF_ITEM)
      if (other[column] && nameKey(other[column]) !== nameKey(first[column] ?? ''))
        problems.push(fieldError(`lines.${other.line}.${column}`, 'csv_contradiction', { line: first.line }));
}

/** A price that was read in a way that somebody should look at. */
export interface Doubt {
  line: number;
  /** As it was typed. */
  text: string;
  /** The price that it is read as. */
  price: number;
}

/** Whether letters of allergens in the list are others than A to R, see `hasOtherLetters`. */
export const lettersDiffer = (lines: readonly Line[]): boolean =>
  hasOtherLetters(lines.map(({ allergens = '' }) => allergens));

interface Reading {
  problems: FieldError[];
  doubts: Doubt[];
  /** See `lettersDiffer`. */
  otherLetters: boolean;
}

/** The body of an item from its lines, without its section and its place. */
export function itemOf(ctx: Context, lines: Group, reading: Reading): Record<string, unknown> {
  const [first] = lines;
  const { problems, otherLetters } = reading;
  const { line, name = '', maker = '', style = '', description = '', url = '' } = first;
  const { abv = '', ibu = '', color_ebc = '', marks: marked = '', allergens: said = '' } = first;
  const unknown = (column: 'allergens' | 'marks', text: string, choices: readonly string[]) =>
    problems.push(
      fieldError(`lines.${line}.${column}`, 'not_known_word', { text: text.slice(0, 40), choices }),
    );
  const allergens = readAllergens(said, allergenWords(ctx.config.settings), otherLetters);
  if (allergens !== null && 'unknown' in allergens)
    unknown('allergens', allergens.unknown, [...ALLERGENS, 'none']);
  const listed = Array.isArray(allergens) ? allergens : [];
  const marks = readMarks(marked);
  if (!Array.isArray(marks)) unknown('marks', marks.unknown, MARKS);
  return {
    name,
    maker,
    style,
    description,
    abv: readStrength(abv),
    ibu: readNumber(ibu),
    color_ebc: readNumber(color_ebc),
    url,
    allergens_known: allergens === null ? 'unknown' : listed.length > 0 ? 'listed' : 'none',
    allergens: listed,
    marks: Array.isArray(marks) ? marks : [],
    sizes: sizesOf(lines, reading),
  };
}

/** A strength such as `5,2`, `5.2 %`, `12°`, `40% vol`; other text stays as it is and fails validation later. */
export function readStrength(text: string): number | string | null {
  const [, number] =
    /^[<≤]? ?(\d{1,3}(?:[.,]\d+)?) ?(?:%|％|°|º|度)?(?: ?(?:%? ?(?:vol|alc|alk|abv)\b\.?-? ?%?))*$/i.exec(
      text,
    ) ?? [];
  if (number !== undefined) return Number(number.replace(',', '.'));
  const marks = readMarks(text);
  // `-`, or `alkoholfrei` in the column of strengths.
  return Array.isArray(marks) ? null : text;
}

/** The sizes of an item. What a file says twice, to the letter, counts once; the same size at two prices is refused. */
function sizesOf(lines: Group, reading: Reading): Size[] {
  const found = new Map<string, { size: Size; line: number }>();
  for (const { line, sizes } of lines)
    for (const typed of sizes) {
      const before = reading.problems.length;
      const size = sizeOf(typed, line, reading);
      if (!size || reading.problems.length > before) continue;
      const known = found.get(sizeKey(size));
      if (!known) found.set(sizeKey(size), { size, line });
      else if (JSON.stringify(known.size) !== JSON.stringify(size))
        reading.problems.push(fieldError(`lines.${line}.price`, 'csv_contradiction', { line: known.line }));
    }
  return [...found.values()].map(({ size }) => size);
}

/** A figure that groups thousands: a comma and a point are easily mistaken for each other. */
const GROUPED = /\d[.,'’ \u00a0\u202f]\d{3}[.,]\d/;

function sizeOf(typed: Line['sizes'][number], line: number, { problems, doubts }: Reading): Size | undefined {
  const at = (column: string) => `lines.${line}.${column}`;
  const price = (column: 'price' | 'member_price') => {
    const text = typed[column];
    if (/^\p{Pd}+$/u.test(text)) return null;
    const read = readPrice(text);
    if (typeof read === 'string') {
      problems.push(priceError(at(column), text, read));
      return null;
    }
    if (read.price !== null && GROUPED.test(text)) doubts.push({ line, text, price: read.price });
    return read.price;
  };
  const [normal, member_price] = [price('price'), price('member_price')];
  const { size, volume, units, shown } = typed;
  // A column of units beside one of numbers.
  const hasUnit = isUnit(size) && volume !== '';
  const isNamed = typed.isNamed && !hasUnit;
  const text = hasUnit ? `${volume} ${size.replace('.', '')}` : isNamed ? volume : volume || size;
  const read = readSize(text, units);
  if (typeof read === 'string') {
    problems.push(fieldError(at(volume ? 'volume' : 'size'), read, { text: text.slice(0, 20) }));
    return undefined;
  }
  if (isNamed && read.label !== '') {
    problems.push(fieldError(at('volume'), 'not_volume', { text: text.slice(0, 20) }));
    return undefined;
  }
  const label = isNamed ? size : read.label;
  if (label === '' && read.volume_ml === null && normal === null && member_price === null) return undefined;
  return {
    label,
    volume_ml: read.volume_ml,
    price: normal,
    member_price,
    shown: !/^(false|no)$/i.test(shown),
  };
}
