import { z } from 'zod';
import { allergenWords } from '#content/allergens.ts';
import { MENU_ITEM, type MenuItemBody } from '#content/kinds/menu-item.ts';
import { MENU_SECTION, type MenuSectionBody } from '#content/kinds/menu-section.ts';
import { parseBody } from '#content/records/kind.ts';
import { listRecords } from '#content/records/reading.ts';
import { announcePublished, completed, ensureConfirmed, getPresent } from '#content/records/records.ts';
import type { RecordJson } from '#content/records/rows.ts';
import { insertRecord, storeChanged } from '#content/records/storing.ts';
import { sizeKey } from '#content/volumes.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import type { Tx } from '#kernel/db/queries.ts';
import { AppError, badField, badFields, type FieldError } from '#kernel/http/errors.ts';
import { flag, listOf, requiredText } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { Note } from '#kernel/language/words.ts';
import type { Column } from '#kernel/lists/columns.ts';
import { say } from '#kernel/messages/messages.ts';
import { formatPrice } from '#kernel/money.ts';
import { nameKey } from '#kernel/names.ts';
import { sha256 } from '#kernel/secrets.ts';
import type { MenuField, MenuQuestion } from './headings.ts';
import { type Doubt, ensureAgreed, type Group, groupLines, itemKey, itemOf, lettersDiffer } from './items.ts';
import { noteOf, problemNote } from './notes.ts';
import { type Line, type ReadList, readList, WHOLE_LIST } from './reading.ts';
import { kindOfTitle } from './words.ts';

/** The longest file, in characters. */
export const LONGEST_FILE = 500_000;

/** The units that a column can be in. */
const UNITS = ['ml', 'cl', 'l', 'oz'];

const text = z.string().max(200);

/** A file, and what is to be done with it. */
export const MenuImportInput = z.object({
  text: requiredText(LONGEST_FILE),
  /** Only says what it would do. */
  dry_run: flag.default(false),
  /** Whether all of it is shown at once. */
  publish: flag.default(false),
  /** Whether what the list has already gets the prices of the file. */
  take_prices: flag.default(false),
  /** Whether lines that cannot be read are left out; otherwise they refuse the whole file, unless it is only tried. */
  leave_out: flag.default(false),
  /** The field of a column, by its header; empty to skip it. */
  mapping: z.record(text, z.string().max(40)).default({}),
  /** Answers to the questions of a dry run, by column: a field, a unit, or the title of the section. */
  answers: z.record(text, text).default({}),
  /** What was asked of one of the lines and is confirmed for all: see `Kind.questions`. */
  confirm: listOf(z.string().max(40), 10).optional(),
  /** Of a dry run: it is refused if the list or the file would do something else now. */
  check: z.string().max(64).optional(),
});
export type MenuImportInput = z.output<typeof MenuImportInput>;

/** What becomes of the lines of an item. */
export interface ImportRow {
  line: number;
  /** `same`: the list has it, and nothing of it changes. `waits`: for the answer to a question. */
  state: 'new' | 'changed' | 'same' | 'left_out' | 'waits';
  section: string;
  name: string;
  maker: string;
  abv: number | null;
  /** In the words of the club; null: the file says nothing of them. */
  allergens: string[] | null;
  /** Prices in whole minor units; `was` for a price that the list has otherwise. */
  sizes: (Pick<MenuItemBody['sizes'][number], 'label' | 'volume_ml' | 'price' | 'member_price'> & {
    was?: number | null;
    member_was?: number | null;
  })[];
  /** Why it is left out, and what else the file says otherwise. */
  notes: Note[];
}

/** What a file would add and change, or what it has. */
export interface MenuImport {
  items: number;
  /** How many items of the list get other prices. */
  changed: number;
  /** How many would get other prices with `take_prices`. */
  differing: number;
  /** The titles of new sections. */
  sections: string[];
  /** Names that the list has already. */
  known: string[];
  /** How many lines are left out. */
  left_out: number;
  rows: ImportRow[];
  columns: Column<MenuField>[];
  /** Columns whose meaning was told from their cells. */
  guessed: string[];
  questions: MenuQuestion[];
  /** What has to be confirmed of a line that is left out until then. */
  confirm: string[];
  /** What somebody should look at. */
  warnings: Note[];
  /** What was checked. */
  check: string;
}

/**
 * Adds the drinks and food of a file, all or none unless `leave_out` is set, see `groupLines`.
 * @throws 400 that names each problem by `lines.<line>.<column>`; 409 if it would do something else than its check
 */
export async function importMenu(ctx: Context, input: MenuImportInput, actor: Actor): Promise<MenuImport> {
  const answers = Object.entries(input.answers);
  const read = readList(input.text, {
    mapping: {
      ...input.mapping,
      ...Object.fromEntries(answers.filter(([column, one]) => column !== WHOLE_LIST && !UNITS.includes(one))),
    },
    units: Object.fromEntries(answers.filter(([, one]) => UNITS.includes(one))),
    section: input.answers[WHOLE_LIST]?.trim(),
  });
  if (!read.columns.some(({ field }) => field === 'name') && !input.dry_run)
    throw badField('text', 'csv_needs_columns', { columns: ['section', 'name'] });
  const skipped = new Map<number, FieldError[]>();
  for (;;)
    try {
      const done = await ctx.write((tx) => {
        const made = new Attempt(ctx, tx, read, input, actor, skipped).make();
        if (input.dry_run) throw new Ended(made);
        if (input.check !== undefined && input.check !== made.check)
          throw new AppError(409, 'menu_changed_since_check', {}, { extra: { check: made.check } });
        return made;
      });
      announcePublished(ctx, MENU_ITEM);
      return done;
    } catch (error) {
      if (error instanceof Ended) return error.result;
      if (!(error instanceof Emptied)) throw error;
      for (const [line, problems] of error.failed) skipped.set(line, problems);
    }
}

/** Ends the transaction of a dry run, so that nothing of it is stored. */
class Ended extends Error {
  readonly result: MenuImport;

  constructor(result: MenuImport) {
    super('a dry run');
    this.result = result;
  }
}

/** Ends an attempt that made sections for lines that cannot be stored: it begins again without them. */
class Emptied extends Error {
  /** By the first line of an item. */
  readonly failed: ReadonlyMap<number, FieldError[]>;

  constructor(failed: ReadonlyMap<number, FieldError[]>) {
    super('sections without items');
    this.failed = failed;
  }
}

type Known = RecordJson<MenuItemBody>;
type Sized = MenuItemBody['sizes'][number];

/** One attempt to store a file, in a transaction. */
class Attempt {
  readonly #ctx: Context;
  readonly #tx: Tx;
  readonly #read: ReadList;
  readonly #input: MenuImportInput;
  readonly #actor: Actor;
  readonly #skipped: ReadonlyMap<number, FieldError[]>;
  readonly #sections: Map<string, { id: string; title: string; kind: 'drinks' | 'food' }>;
  /** The items of the list, by section and name. */
  readonly #known: ReadonlyMap<string, Known[]>;
  /** The numbers that the file has for the places in a section, in their order; by the title of the section. */
  #ranks: ReadonlyMap<string, number[]> = new Map();
  readonly #problems: FieldError[] = [];
  readonly #doubts: Doubt[] = [];
  readonly #rows: ImportRow[] = [];
  /** New sections, with the number of their items. */
  readonly #made = new Map<string, number>();
  readonly #places = new Map<string, number>();
  /** Items that could not be stored after their section was, by their lines. */
  readonly #failed = new Map<number, FieldError[]>();
  #sectionPlace: number;
  #differing = 0;

  constructor(
    ctx: Context,
    tx: Tx,
    read: ReadList,
    input: MenuImportInput,
    actor: Actor,
    skipped: ReadonlyMap<number, FieldError[]>,
  ) {
    this.#ctx = ctx;
    this.#tx = tx;
    this.#read = read;
    this.#input = input;
    this.#actor = actor;
    this.#skipped = skipped;
    const all = { limit: 1_000 };
    // The sections and items of this transaction.
    const reading = { db: tx, now: ctx.now } as unknown as Context;
    const sections = listRecords(reading, MENU_SECTION, all).items;
    this.#sections = new Map(
      sections.map(({ id, body: { title, kind } }) => [nameKey(title), { id, title, kind }]),
    );
    const known = listRecords(reading, MENU_ITEM, all).items;
    this.#known = Map.groupBy(known, ({ body }) => knownKey(body.section, body.name));
    // New sections come after the others, in the order of the file.
    this.#sectionPlace = Math.max(-1, ...sections.map(({ body }) => body.order)) + 1;
    for (const { body } of known)
      this.#places.set(body.section, Math.max(this.#places.get(body.section) ?? 0, body.order + 1));
  }

  make(): MenuImport {
    const { lines, left, columns, guessed, questions } = this.#read;
    const groups = groupLines(lines);
    this.#ranks = ranksIn(groups);
    const reading = { problems: [], doubts: this.#doubts, otherLetters: lettersDiffer(lines) };
    for (const group of groups) this.#take(group, groups, reading);
    const { dry_run, leave_out } = this.#input;
    if (this.#problems.length > 0 && !leave_out && !dry_run)
      throw badFields(this.#problems, { extra: { columns, questions } });
    if ([...this.#made.values()].includes(0)) throw new Emptied(this.#failed);
    for (const { line, text: name, why } of left)
      this.#rows.push({ line, state: 'left_out', ...NOTHING, name, notes: [noteOf(say(why))] });
    const rows = this.#rows.toSorted((a, b) => a.line - b.line);
    const count = (state: ImportRow['state']) => rows.filter((row) => row.state === state).length;
    const result = {
      items: count('new'),
      changed: count('changed'),
      differing: this.#differing,
      sections: [...this.#made.keys()].map((key) => this.#sections.get(key)?.title ?? key),
      known: rows.filter(({ state }) => state === 'same' || state === 'changed').map(({ name }) => name),
      left_out: count('left_out') + count('waits'),
      rows,
      columns,
      guessed,
      questions,
      confirm: this.#problems.some(({ code }) => code === 'confirm_gluten_free') ? ['gluten_free'] : [],
      warnings: this.#doubts.map(
        ({ line, text, price }) =>
          new Note(t('content-admin.menu_import.doubt', { line, text, price: formatPrice(price) })),
      ),
    };
    if (!dry_run && result.items + result.changed > 0)
      recordAudit(this.#tx, this.#actor, {
        action: 'menu.imported',
        metadata: { items: result.items, sections: result.sections.length, changed: result.changed },
      });
    // Whether prices are taken, and what is shown at once, is chosen after the check.
    const checked = rows.map(({ state, ...row }) => [state === 'changed' ? 'same' : state, row]);
    return { ...result, check: sha256(JSON.stringify(checked)) };
  }

  /** Stores one item, or says why not. */
  #take(
    group: Group,
    groups: readonly Group[],
    reading: { problems: FieldError[]; doubts: Doubt[]; otherLetters: boolean },
  ): void {
    const [first] = group;
    const { line, section: title = '', name = '', maker = '' } = first;
    reading.problems.length = 0;
    ensureAgreed(group, reading.problems);
    const input = itemOf(this.#ctx, group, reading);
    const row: ImportRow = { ...NOTHING, line, state: 'new', section: title, name, maker, notes: [] };
    const refuse = (problems: readonly FieldError[]) => {
      this.#problems.push(...problems);
      const waits = problems.every(
        ({ code, path }) => code === 'volume_without_unit' || path.endsWith('.section'),
      );
      const isAsked = this.#read.questions.some(({ ask }) => ask === 'unit' || ask === 'section');
      this.#rows.push({
        ...row,
        state: waits && isAsked ? 'waits' : 'left_out',
        notes: problems.map(problemNote),
      });
    };
    const order = this.#placeOf(first);
    const problems = [
      ...reading.problems,
      ...problemsOf(line, () => parseBody(MENU_SECTION, { title })).map((one) => ({
        ...one,
        path: `lines.${line}.section`,
      })),
    ];
    const body = valid(line, problems, () => parseBody(MENU_ITEM, { ...input, order, section: SOME_ID }));
    problems.push(...(this.#skipped.get(line) ?? []));
    if (!body || problems.length > 0) {
      refuse(problems);
      return;
    }
    const words = allergenWords(this.#ctx.config.settings);
    const allergens = body.allergens.map(({ code, detail }) =>
      detail ? `${words[code]} (${detail})` : words[code],
    );
    Object.assign(row, {
      abv: body.abv,
      allergens: body.allergens_known === 'unknown' ? null : allergens,
      sizes: body.sizes.map(sizeOfRow),
    });
    const known = this.#find(title, name, maker);
    if (known) {
      this.#compare(known, body, first, row);
      return;
    }
    const stored = valid(line, problems, () => this.#insert(title, body, first, groups));
    if (!stored) {
      this.#failed.set(line, problems);
      refuse(problems);
    } else this.#rows.push(row);
  }

  /** An item of the list: by its maker, or where the file names none by its name, if only one has it. */
  #find(title: string, name: string, maker: string): Known | undefined {
    const section = this.#sections.get(nameKey(title))?.id;
    if (section === undefined) return undefined;
    const named = this.#known.get(knownKey(section, name)) ?? [];
    const exact = named.find(({ body }) => itemKey('', body) === itemKey('', { name, maker }));
    return exact ?? (maker === '' && named.length === 1 ? named[0] : undefined);
  }

  /** Gives an item of the list the prices of the file, if they are to be taken. */
  #compare(known: Known, body: MenuItemBody, first: Line, row: ImportRow): void {
    const { take_prices, publish } = this.#input;
    const { sizes, isOther } = withPrices(known.body, body.sizes);
    row.sizes = body.sizes.map((size) => {
      const before = known.body.sizes.find((one) => sizeKey(one) === sizeKey(size));
      return {
        ...sizeOfRow(size),
        ...(before?.price !== size.price && size.price !== null && { was: before?.price ?? null }),
        ...(before?.member_price !== size.member_price &&
          size.member_price !== null && { member_was: before?.member_price ?? null }),
      };
    });
    const other = OTHERS.filter(
      (field) => first[field] && JSON.stringify(known.body[field]) !== JSON.stringify(body[field]),
    ).map((field) => MENU_ITEM.labels[field] ?? field);
    if (other.length > 0) row.notes.push(noteOf(say('menu_also_differs', { fields: other })));
    if (isOther) this.#differing += 1;
    const isChanged = isOther && take_prices;
    row.state = isChanged ? 'changed' : 'same';
    this.#rows.push(row);
    if (!isChanged) return;
    const stored = getPresent(this.#tx, MENU_ITEM, known.id, this.#actor);
    const isShown = stored.published_version === stored.version;
    const next = { ...known.body, sizes };
    storeChanged(
      this.#tx,
      MENU_ITEM,
      stored,
      { before: known.body, body: next, publish: publish && isShown },
      this.#actor,
    );
  }

  #insert(title: string, body: MenuItemBody, first: Line, groups: readonly Group[]): true {
    const key = nameKey(title);
    if (!this.#sections.has(key)) {
      const kind = kindOf(first, groups);
      const order = Math.min(this.#sectionPlace++, 99);
      // A section without drinks is on no list, and drinks of a draft of one would be on none.
      const id = this.#store(MENU_SECTION, parseBody(MENU_SECTION, { title, kind, order }), true);
      this.#sections.set(key, { id, title, kind });
      this.#made.set(key, 0);
    }
    const section = this.#sections.get(key)!.id;
    const order = Math.min(first.order ? body.order : (this.#places.get(section) ?? 0), 99);
    this.#store(MENU_ITEM, { ...body, section, order }, this.#input.publish);
    this.#places.set(section, Math.max(this.#places.get(section) ?? 0, order + 1));
    if (this.#made.has(key)) this.#made.set(key, this.#made.get(key)! + 1);
    return true;
  }

  #store(
    kind: typeof MENU_ITEM | typeof MENU_SECTION,
    body: MenuItemBody | MenuSectionBody,
    publish: boolean,
  ): string {
    const about = { before: undefined, prefix: '' };
    const made = completed(
      this.#ctx,
      this.#tx,
      kind as typeof MENU_ITEM,
      body as MenuItemBody,
      about,
      this.#actor,
    );
    ensureConfirmed(kind as never, made, undefined, this.#input.confirm);
    const id = newId(this.#actor.at).replaceAll('-', '');
    insertRecord(this.#tx, kind, { id, body: made, publish, reason: 'imported' }, this.#actor);
    return id;
  }

  /** The place of an item that the file names; numbers above 99 count as ranks among those of the section. */
  #placeOf({ order = '', section = '' }: Line): number | string {
    if (!isPlace(order)) return order || 0;
    const ranks = this.#ranks.get(nameKey(section)) ?? [];
    return (ranks.at(-1) ?? 0) <= 99 ? Number(order) : ranks.indexOf(Number(order));
  }
}

const isPlace = (text: string | undefined): text is string => /^\d{1,9}$/.test(text ?? '');

const knownKey = (section: string, name: string): string => `${section} ${nameKey(name)}`;

/** The places that a file names, each once and in their order, by the title of the section. */
function ranksIn(groups: readonly Group[]): ReadonlyMap<string, number[]> {
  const ranks = new Map<string, Set<number>>();
  for (const [{ section = '', order }] of groups)
    if (isPlace(order)) ranks.getOrInsertComputed(nameKey(section), () => new Set()).add(Number(order));
  return new Map([...ranks].map(([section, places]) => [section, [...places].sort((a, b) => a - b)]));
}

const NOTHING = { section: '', name: '', maker: '', abv: null, allergens: null, sizes: [], notes: [] };
const SOME_ID = '0'.repeat(32);

/** What a file may say otherwise than the list, besides prices. */
const OTHERS = ['maker', 'style', 'abv', 'description', 'allergens', 'marks'] as const;

const sizeOfRow = ({ label, volume_ml, price, member_price }: Sized) => ({
  label,
  volume_ml,
  price,
  member_price,
});

/** The sizes of an item with the prices of a file; its further sizes come after them. */
function withPrices({ sizes }: MenuItemBody, given: readonly Sized[]): { sizes: Sized[]; isOther: boolean } {
  const changed = sizes.map((size) => {
    const found = given.find((one) => sizeKey(one) === sizeKey(size));
    return {
      ...size,
      price: found?.price ?? size.price,
      member_price: found?.member_price ?? size.member_price,
    };
  });
  const added = given.filter((one) => !sizes.some((size) => sizeKey(size) === sizeKey(one)));
  const all = [...changed, ...added];
  return { sizes: all, isOther: JSON.stringify(all) !== JSON.stringify(sizes) };
}

/** What a new section has: as the file says, by its title, or by what its lines have. */
function kindOf({ section = '', kind = '' }: Line, groups: readonly Group[]): 'drinks' | 'food' {
  if (kind === 'drinks' || kind === 'food') return kind;
  const said = kindOfTitle(kind) ?? kindOfTitle(section);
  if (said) return said;
  const isBrewed = (group: Group) =>
    group.some(
      ({ abv, maker, sizes }) =>
        Boolean(abv || maker) || sizes.some(({ size, volume }) => size !== '' || volume !== ''),
    );
  const own = groups.filter(([first]) => nameKey(first.section ?? '') === nameKey(section));
  return groups.some(isBrewed) && !own.some(isBrewed) ? 'food' : 'drinks';
}

/** What is wrong with an input, by its line. */
function problemsOf(line: number, work: () => unknown): FieldError[] {
  const problems: FieldError[] = [];
  valid(line, problems, work);
  return problems;
}

/** The result, or undefined with the problems added, by the columns of their line. */
function valid<Result>(line: number, problems: FieldError[], work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error;
    problems.push(...error.errors.map((one) => ({ ...one, path: `lines.${line}.${columnOf(one.path)}` })));
    return undefined;
  }
}

const columnOf = (path: string) =>
  path
    .replace(/^sizes\.\d+\.label$/, 'size')
    .replace(/^allergens.*/, 'allergens')
    .replace(/^title$/, 'section');
