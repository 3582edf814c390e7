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
import { priceError, readDecimal } from './forms/menu.ts';
import { MARKS, MENU_ITEM, type MenuItemBody } from './kinds/menu-item.ts';
import { MENU_SECTION } from './kinds/menu-section.ts';
import { parseBody } from './records/kind.ts';
import { listRecords } from './records/reading.ts';
import { announcePublished, completed, ensureConfirmed } from './records/records.ts';
import { insertRecord } from './records/storing.ts';
import { readVolume } from './volumes.ts';

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
      String(volume_ml ?? ''),
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

type Line = { line: number } & Partial<Record<Column, string>>;

/**
 * Adds the drinks and food of a CSV file, all or none. Lines with one section and name are sizes of one item; what the
 * list has already stays as it is.
 * @throws 400 that names each problem by `lines.<line>.<column>`
 */
export async function importMenuCsv(
  ctx: Context,
  { text, dry_run, publish, confirm }: MenuFile,
  actor: Actor,
): Promise<MenuImport> {
  const groups = [
    ...Map.groupBy(
      readLines(text),
      ({ section = '', name = '' }) => `${nameKey(section)}\n${nameKey(name)}`,
    ).values(),
  ];
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
        listRecords(reading, MENU_ITEM, all).items.map(({ body }) => `${body.section} ${nameKey(body.name)}`),
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
      for (const [first, ...others] of groups) {
        if (!first) continue;
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
        if (listed.has(`${section} ${nameKey(first.name ?? '')}`)) {
          done.known.push(first.name ?? '');
          continue;
        }
        const before = problems.length;
        const input = itemOf(ctx, section, [first, ...others], problems);
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
  const columns = (head?.cells ?? []).map((cell) =>
    MENU_COLUMNS.find((one) => headerKey(one) === headerKey(cell)),
  );
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
  return rest.map(({ line, cells }) => {
    const entries = columns.flatMap((column, index) =>
      column ? [[column, withoutGuard(cells[index] ?? '').trim()]] : [],
    );
    return { line, ...Object.fromEntries(entries) };
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
  const apart = /[,;/(\n]/.test(said) || codeOf(said) ? /[,;/\n]+/ : /\s+/;
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
    sizes: lines.flatMap((one) => sizeOf(one, problems)),
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
  const volume_ml = readVolume(volume, 'ml');
  if (volume_ml === undefined) problems.push(fieldError(at('volume'), 'not_volume', { text: volume }));
  if (size === '' && volume === '' && normal === null && member === null) return [];
  return [
    { label: size || volume || '1', volume_ml: volume_ml ?? null, price: normal, member_price: member },
  ];
}
