import type { Context } from '#kernel/context.ts';
import { csvText, withoutGuard } from '#kernel/csv.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { AppError, badField, badFields, type FieldError, fieldError } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { headerKey } from '#kernel/lists/headers.ts';
import { LONGEST_CELL, OpenQuote, plainLines, readCsv } from '#kernel/lists/read-csv.ts';
import { readPrice, typedPrice } from '#kernel/money.ts';
import { nameKey } from '#kernel/names.ts';
import { ALLERGENS } from '#kernel/settings/menu.ts';
import { allergenWords } from './allergens.ts';
import { readNumber } from './forms/form.ts';
import { priceError, readDecimal, readTypedVolume } from './forms/menu.ts';
import { MARKS, MENU_ITEM, type MenuItemBody } from './kinds/menu-item.ts';
import { MENU_SECTION } from './kinds/menu-section.ts';
import { parseBody } from './records/kind.ts';
import { listRecords } from './records/reading.ts';
import { announcePublished, completed, ensureConfirmed } from './records/records.ts';
import { insertRecord } from './records/storing.ts';

/** The columns of a file. Only the first two are needed. */
export const MENU_COLUMNS = [
  ...(['section', 'name', 'maker', 'style', 'abv', 'ibu', 'color_ebc', 'description'] as const),
  ...(['allergens', 'marks', 'url', 'order', 'size', 'volume', 'price', 'member_price'] as const),
] as const;
type Column = (typeof MENU_COLUMNS)[number];

/** The list as a CSV file: a line for each size, whose prices are written as they are typed. */
export function writeMenuCsv(ctx: Context): string {
  const all = { limit: 1_000 };
  const sections = new Map(listRecords(ctx, MENU_SECTION, all).items.map(({ id, body }) => [id, body.title]));
  const rows = listRecords(ctx, MENU_ITEM, all).items.flatMap(({ body }) => {
    const allergens = body.allergens.map(({ code, detail }) => (detail ? `${code} (${detail})` : code));
    const about = [
      sections.get(body.section) ?? '',
      ...[body.name, body.maker, body.style],
      ...[body.abv, body.ibu, body.color_ebc].map((figure) => String(figure ?? '')),
      body.description,
      body.allergens_known === 'unknown' ? '' : allergens.join(', ') || 'none',
      body.marks.join(' '),
      body.url,
      String(body.order),
    ];
    const sizes = body.sizes.map(({ label, volume_ml, price, member_price }) => [
      label,
      // A small number without a unit could be another one.
      volume_ml === null ? '' : `${volume_ml}${volume_ml < 100 ? ' ml' : ''}`,
      typedPrice(price),
      typedPrice(member_price),
    ]);
    return (sizes.length > 0 ? sizes : [['', '', '', '']]).map((size) => [...about, ...size]);
  });
  return `\uFEFF${csvText([[...MENU_COLUMNS], ...rows])}`;
}

/** What a file would add. */
export interface MenuImport {
  items: number;
  /** The titles of new sections. */
  sections: string[];
  /** Names that the list has already: they are left as they are. */
  known: string[];
}

/** A file, and what is to be done with it. */
export interface MenuFile {
  text: string;
  /** Only says what it would add. */
  dry_run: boolean;
  /** Whether all of it is shown at once. */
  publish: boolean;
  /** What was asked of one of its lines and is confirmed for all: see `Kind.questions`. */
  confirm?: readonly string[] | undefined;
}

type Line = { line: number } & Partial<Record<Column, string>> & { unit?: string | undefined };

/** Two items can have one name: the maker tells them apart. */
const itemKey = (
  section: string,
  { name = '', maker = '' }: { name?: string; maker?: string | undefined },
): string => [section, nameKey(name), nameKey(maker)].join('\n');

/**
 * Lines with one section, name and maker are sizes of one item; a line without a maker belongs to the last item of its name.
 * What else such a line says must be the same, see `ensureAgreed`.
 */
function groupLines(lines: readonly Line[]): [Line, ...Line[]][] {
  const groups = new Map<string, [Line, ...Line[]]>();
  const latest = new Map<string, string>();
  for (const line of lines) {
    const section = nameKey(line.section ?? '');
    const named = itemKey(section, { name: line.name ?? '' });
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
function ensureAgreed([first, ...others]: readonly [Line, ...Line[]], problems: FieldError[]): void {
  for (const other of others)
    for (const column of OF_ITEM)
      if (other[column] && nameKey(other[column]) !== nameKey(first[column] ?? ''))
        problems.push(fieldError(`lines.${other.line}.${column}`, 'csv_contradiction', { line: first.line }));
}

/** A size that a file has twice, to the letter, is one. */
const withoutRepeats = (lines: readonly Line[]): Line[] => {
  const said = ({ size, volume, price, member_price }: Line) =>
    [size, volume, price, member_price].map((text) => text ?? '').join('\n');
  return lines.filter((line, at) => lines.findIndex((one) => said(one) === said(line)) === at);
};

/**
 * Adds the drinks and food of a CSV file, all or none, see `groupLines`; what the list has already stays as it is.
 * @throws 400 that names each problem by `lines.<line>.<column>`
 */
export async function importMenuCsv(
  ctx: Context,
  { text, dry_run, publish, confirm }: MenuFile,
  actor: Actor,
): Promise<MenuImport> {
  const groups = groupLines(readLines(text));
  const result = await ctx
    .write((tx) => {
      const all = { limit: 1_000 };
      // The sections and items of this transaction.
      const reading = { db: tx, now: ctx.now } as unknown as Context;
      const known = listRecords(reading, MENU_SECTION, all).items;
      const sections = new Map(known.map(({ id, body }) => [nameKey(body.title), id]));
      // New sections come after the others, in the order of the file.
      let place = Math.max(-1, ...known.map(({ body }) => body.order)) + 1;
      const listed = new Set(
        listRecords(reading, MENU_ITEM, all).items.map(({ body }) => itemKey(body.section, body)),
      );
      const done: MenuImport = { items: 0, sections: [], known: [] };
      const problems: FieldError[] = [];
      const insert = (
        kind: typeof MENU_ITEM | typeof MENU_SECTION,
        input: object,
        at: string,
        names = SAME,
      ) => {
        try {
          const parsed = parseBody(kind as typeof MENU_ITEM, input);
          const about = { before: undefined, prefix: '' };
          const body = completed(ctx, tx, kind as typeof MENU_ITEM, parsed, about, actor);
          ensureConfirmed(kind as never, body, undefined, confirm);
          const id = newId(actor.at).replaceAll('-', '');
          // A section without drinks is on no list, and drinks of a draft of one would be on none.
          const shown = publish || kind === MENU_SECTION;
          insertRecord(tx, kind, { id, body, publish: shown, reason: 'imported' }, actor);
          return id;
        } catch (error) {
          if (!(error instanceof AppError) || !error.errors) throw error;
          problems.push(...error.errors.map((one) => ({ ...one, path: `${at}.${names(one.path)}` })));
          return undefined;
        }
      };
      for (const group of groups) {
        const [first] = group;
        const at = `lines.${first.line}`;
        const title = first.section ?? '';
        const key = nameKey(title);
        if (!sections.has(key)) {
          const id = insert(MENU_SECTION, { title, order: Math.min(place++, 99) }, at, () => 'section');
          if (id === undefined) continue;
          sections.set(key, id);
          done.sections.push(title);
        }
        const section = sections.get(key)!;
        if (listed.has(itemKey(section, first))) {
          done.known.push(first.name ?? '');
          continue;
        }
        const before = problems.length;
        ensureAgreed(group, problems);
        const input = itemOf(ctx, section, group, problems);
        if (problems.length > before) continue;
        if (insert(MENU_ITEM, input, at) !== undefined) done.items += 1;
      }
      if (problems.length > 0) throw badFields(problems);
      if (dry_run) throw new DryRun(done);
      if (done.items > 0)
        recordAudit(tx, actor, {
          action: 'menu.imported',
          metadata: { items: done.items, sections: done.sections.length },
        });
      return done;
    })
    .catch((error) => {
      if (error instanceof DryRun) return error.result;
      throw error;
    });
  if (!dry_run) announcePublished(ctx, MENU_ITEM);
  return result;
}

/** Ends the transaction of a dry run, so that nothing of it is stored. */
class DryRun extends Error {
  readonly result: MenuImport;

  constructor(result: MenuImport) {
    super('a dry run');
    this.result = result;
  }
}

const SAME = (path: string) =>
  path.replace(/^sizes\.\d+\.label$/, 'size').replace(/^allergens.*/, 'allergens');

const LINES_AT_MOST = 1_500;

function readLines(text: string): Line[] {
  const records = (() => {
    try {
      return [...readCsv(plainLines(text))];
    } catch (error) {
      if (error instanceof OpenQuote) throw badField('text', 'csv_open_quote', { line: error.line });
      throw error;
    }
  })();
  const [head, ...rest] = records;
  const headers = (head?.cells ?? []).map(headerKey);
  // `Volume (cl)` says the unit of its numbers.
  const unit = headers.map((key) => /^volume(ml|cl|l)$/.exec(key)?.[1]).find((one) => one !== undefined);
  const columns = headers.map((key) =>
    MENU_COLUMNS.find((one) => headerKey(one) === (/^volume(ml|cl|l)$/.test(key) ? 'volume' : key)),
  );
  const twice = columns.find((one, at) => one !== undefined && columns.indexOf(one) !== at);
  if (twice !== undefined) throw badField('text', 'csv_two_columns', { column: twice });
  if (!columns.includes('name') || !columns.includes('section'))
    throw badField('text', 'csv_needs_columns', { columns: ['section', 'name'] });
  if (rest.length > LINES_AT_MOST) throw badField('text', 'too_many_entries', { max: LINES_AT_MOST });
  const long = records.filter((record) => record.long !== undefined);
  if (long.length > 0)
    throw badFields(
      long.map(({ line, long: column = 0 }) =>
        fieldError(`lines.${line}`, 'cell_too_long', { column: column + 1, max: LONGEST_CELL }),
      ),
    );
  const wide = rest.filter(({ cells }) => cells.slice(headers.length).some((cell) => cell.trim() !== ''));
  if (wide.length > 0) throw badFields(wide.map(({ line }) => fieldError(`lines.${line}`, 'csv_more_cells')));
  return rest.map(({ line, cells }) => {
    const entries = columns.flatMap((column, index) =>
      column ? [[column, withoutGuard(cells[index] ?? '').trim()]] : [],
    );
    return { line, unit, ...Object.fromEntries(entries) };
  });
}

/** The body of an item from its lines. */
function itemOf(ctx: Context, section: string, lines: readonly Line[], problems: FieldError[]): object {
  const [first] = lines;
  const { line = 0, name = '', maker = '', style = '', description = '', url = '' } = first ?? {};
  const { abv = '', ibu = '', color_ebc = '', order = '', marks = '', allergens: said = '' } = first ?? {};
  const words = allergenWords(ctx.config.settings);
  const unknown = (column: Column, text: string, values: readonly string[]) =>
    problems.push(
      fieldError(`lines.${line}.${column}`, 'not_known_word', { text: text.slice(0, 40), values }),
    );
  const codeOf = (word: string) =>
    ALLERGENS.find((one) => [one, words[one].toLowerCase()].includes(word.toLowerCase()));
  // Words of the club may have spaces.
  // A separator within brackets belongs to the detail.
  const apart = /[,;/(\n]/.test(said) || codeOf(said) ? /[,;/\n]+(?![^(]*\))/ : /\s+/;
  const allergens = wordsIn(said, apart).flatMap((text) => {
    const open = text.endsWith(')') ? text.indexOf('(') : -1;
    const [word, detail] = open === -1 ? [text, ''] : [text.slice(0, open).trim(), text.slice(open + 1, -1)];
    const code = codeOf(word);
    if (!code && text !== 'none') unknown('allergens', text, [...ALLERGENS, 'none']);
    return code ? [{ code, detail }] : [];
  });
  const marked = wordsIn(marks.toLowerCase(), /[\s,;/]+/).map((mark) => mark.replace('-', '_'));
  for (const mark of marked) if (!(MARKS as readonly string[]).includes(mark)) unknown('marks', mark, MARKS);
  return {
    section,
    name,
    maker,
    style,
    description,
    abv: readDecimal(abv),
    ibu: readNumber(ibu),
    color_ebc: readNumber(color_ebc),
    url,
    order: readNumber(order) ?? 0,
    allergens_known: said === '' ? 'unknown' : allergens.length > 0 ? 'listed' : 'none',
    allergens,
    marks: marked,
    sizes: withoutRepeats(lines).flatMap((one) => sizeOf(one, problems)),
  };
}

const wordsIn = (text: string, apart: RegExp): string[] =>
  text
    .split(apart)
    .map((word) => word.trim())
    .filter(Boolean);

function sizeOf(line: Line, problems: FieldError[]): Partial<MenuItemBody['sizes'][number]>[] {
  const { size = '', volume = '' } = line;
  const at = (column: Column) => `lines.${line.line}.${column}`;
  const price = (column: 'price' | 'member_price') => {
    const text = line[column] ?? '';
    const read = readPrice(text);
    if (typeof read !== 'string') return read.price;
    problems.push(priceError(at(column), text, read));
    return null;
  };
  const [normal, member] = [price('price'), price('member_price')];
  const volume_ml = readTypedVolume(volume, at('volume'), problems, line.unit);
  if (size === '' && volume === '' && normal === null && member === null) return [];
  return [{ label: size, volume_ml, price: normal, member_price: member }];
}
