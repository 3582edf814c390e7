import type { Actor } from '#kernel/db/audit.ts';
import type { Tx } from '#kernel/db/queries.ts';
import { needsTwoPeople } from '#kernel/db/settings.ts';
import { AppError, badField } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { ThreadDatabase } from '#kernel/in-thread.ts';
import { t } from '#kernel/language/message.ts';
import { plainLines } from '#kernel/lists/read-csv.ts';
import { clubReader } from '#kernel/locale.ts';
import { type Message, say, sentenceOf } from '#kernel/messages/messages.ts';
import { nameKey } from '#kernel/names.ts';
import { ownValue } from '#kernel/own-value.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type Doubt, listDoubts } from '#kernel/shared/decode.js';
import { insertKind, type KindJson, listGroups, listKinds, Names } from '#people/roll/kinds-and-groups.ts';
import { applyImport, type Change, IMPORT_LIMIT } from './apply.ts';
import type { Column, FileOptions } from './columns.ts';
import type { DateOrder } from './days.ts';
import { type FileRow, readFileRows } from './file-rows.ts';
import {
  type AddressCounts,
  countAddresses,
  countRows,
  type ImportCounts,
  type ImportRowJson,
  importRowJson,
} from './import-json.ts';
import { headersOf } from './last-columns.ts';
import { type PlannedRow, planImport } from './plan.ts';
import { ADDED_KINDS, type Answers, NO_KIND, type Question, WHOLE_LIST, withAnswers } from './questions.ts';
import { readRoll, rollVersion } from './roll-index.ts';

/** The input of an officer, see `ImportInput`, and who they are. */
interface ImportOrder extends FileOptions {
  csv: string;
  end_missing: string | null;
  dry_run: boolean;
  check?: string | undefined;
  /** By line: the id of a person, or `new`. */
  decisions: Readonly<Record<string, string>>;
  kinds: Readonly<Record<string, string>>;
  /** The kind of the people of a list that names none, see `findKind`. */
  kind?: string | undefined;
  /** The kind that is meant by all others that the club does not have. */
  other_kinds?: string | undefined;
  answers: Answers;
  encoding?: string | undefined;
  actor: Actor;
  /** The officer's own id, if they are on the roll. */
  person: string | undefined;
  mayChangeRoles: boolean;
  today: string;
}

/** The result of an import or of a dry run. */
export interface ImportJson {
  /** The number of the import; null when nothing was changed. */
  batch: number | null;
  counts: ImportCounts;
  addresses: AddressCounts;
  columns: Column[];
  /** The order in which days with slashes were read: as requested, or as guessed from the file. */
  date_order?: DateOrder;
  /** The encoding in which an uploaded file was read. */
  encoding?: string;
  /** What looks wrongly read, and columns that are not read although others need them. */
  warnings: string[];
  /** The same as codes. */
  warned: Message[];
  /** Only for a dry run: the value to send when applying it. */
  check?: string;
  rows: ImportRowJson[];
  /** Only for a dry run: what it needs to know, see `answers` of the input. */
  questions?: Question[];
}

/** What the thread answers. */
export interface ImportDone extends Pick<ImportJson, 'batch' | 'columns' | 'date_order'> {
  /** The whole result as JSON: of a long list it takes too long to write it outside the thread. */
  json: string;
}

export const RUN_IMPORT = {
  url: import.meta.url,
  name: 'runImport',
  limit: IMPORT_LIMIT,
  alone: 'import',
  work: runImport,
};

/** Reads a file, compares it with the roll, and applies it unless `dry_run` is set; see `importPeople`. */
export async function runImport(database: ThreadDatabase, order: ImportOrder): Promise<ImportDone> {
  const { dry_run, end_missing, encoding, actor, today } = order;
  const text = plainLines(order.csv);
  const said = withAnswers(order, order.answers, headersOf(text));
  const { version, roll, known, groups, isByTwo } = database.read((reader) => ({
    version: rollVersion(reader),
    roll: readRoll(reader, actor.at),
    known: listKinds(reader),
    groups: new Names(listGroups(reader)),
    isByTwo: needsTwoPeople(reader),
  }));
  const daysAlone = said.kind !== undefined || known.length === 1;
  const { columns, date_order, rows, questions } = readFileRows(text, { ...said, daysAlone });
  const kinds = { ...otherKinds(rows, said.other_kinds, new Names(known)), ...said.kinds };
  const added = addedKinds({ ...said, kinds }, known, () => newId(actor.at));
  const vocabulary = { kinds: new Names([...known, ...added]), groups };
  const kind = findKind(said.kind, known, vocabulary.kinds);
  nameKinds(rows, kinds);
  const settled = [columns, date_order ?? null, end_missing, kinds, said.kind ?? null];
  const file = sha256(JSON.stringify([sha256(text), settled]));
  const checkOf = (version: number) => sha256(JSON.stringify([file, version, today]));

  if (!dry_run && order.check !== checkOf(version)) throw staleCheck(checkOf(version));
  const planned = planImport(rows, roll, {
    vocabulary,
    decisions: new Map(Object.entries(order.decisions).map(([line, who]) => [Number(line), who])),
    today,
    end_missing,
    kind: columns.some(({ field }) => field === 'kind') || kind === NO_KIND ? undefined : kind,
    keepsAddresses(id) {
      if (id === order.person) return undefined;
      if (!order.mayChangeRoles) return say('staff_keep_addresses');
      // An import has one row for each person, and cannot ask a second person for one of them.
      return isByTwo ? say('import_changed_by_two') : undefined;
    },
    newId: () => newId(actor.at),
  });
  const apply = (tx: Tx, changes: readonly Change[]) => {
    if (rollVersion(tx) !== version) throw staleCheck(checkOf(rollVersion(tx)));
    const ended = planned.filter(({ state, after }) => state === 'missing' && after).length;
    const used = new Set(changes.flatMap(({ after }) => after.standings.map(({ kind_id }) => kind_id)));
    for (const one of added) if (used.has(one.id)) insertKind(tx, one, actor);
    return applyImport(tx, changes, ended, actor);
  };
  const changes = changesOf(planned);
  const batch = dry_run || changes.length === 0 ? null : await database.write((tx) => apply(tx, changes));
  const warned = [...listDoubts(text).map(ofDoubt), ...(daysAlone ? [] : daysWithoutKind(columns))];
  const result: ImportJson = {
    batch,
    counts: countRows(planned),
    addresses: countAddresses(planned),
    columns,
    ...(date_order && { date_order }),
    ...(encoding && { encoding }),
    warnings: warned.map(sentenceOf),
    warned,
    ...(dry_run && { check: checkOf(version) }),
    rows: planned.map((row) => importRowJson(row, vocabulary)),
    ...(dry_run && {
      questions: [...questions, ...askForKinds(planned, columns, questions, { kind, known })],
    }),
  };
  return { batch, columns, ...(date_order && { date_order }), json: JSON.stringify(result) };
}

/** What is meant by the kinds of a list that the club does not have, where one answer is for all of them. */
function otherKinds(
  rows: readonly FileRow[],
  meant: string | undefined,
  known: Names<KindJson>,
): Record<string, string> {
  if (meant === undefined) return {};
  const unknown = rows.flatMap(({ kind }) => (kind !== undefined && !known.find(kind) ? [kind] : []));
  return Object.fromEntries(unknown.map((name) => [name, meant]));
}

/** The kinds that the club gets with the import. */
function addedKinds(
  { kinds, kind }: Pick<ImportOrder, 'kinds' | 'kind'>,
  known: readonly KindJson[],
  id: () => string,
) {
  const names = new Names(known);
  const chosen = [...Object.entries(kinds), ...(kind === undefined ? [] : [[usualKind(), kind] as const])];
  const added = new Map<string, KindJson>();
  for (const [name, choice] of chosen) {
    const made = ownValue(ADDED_KINDS, choice);
    if (made && !names.find(name))
      added.getOrInsertComputed(nameKey(name), () => ({ id: id(), name, people: 0, ...made }));
  }
  return [...added.values()];
}

/** The name of the kind that a club gets whose list names none. */
const usualKind = (): string => t('people.usual_kind').for(clubReader());

/**
 * The id of the kind of people of a list that names none: the one that was chosen, else the only one of the club.
 * @returns `NO_KIND` if none was chosen, undefined if that is not known
 * @throws 400 for an unknown one
 */
function findKind(
  chosen: string | undefined,
  known: readonly KindJson[],
  kinds: Names<KindJson>,
): string | undefined {
  if (chosen === undefined) return known.length === 1 ? known[0]!.id : undefined;
  if (chosen === NO_KIND) return NO_KIND;
  const kind = kinds.find(ownValue(ADDED_KINDS, chosen) ? usualKind() : chosen);
  if (!kind) throw badField('kind', 'not_one_of', { values: known.map(({ name }) => name) });
  return kind.id;
}

/** Asks which kinds of the club are meant: by unknown ones of a column, or by a list without such a column. */
function askForKinds(
  planned: readonly PlannedRow[],
  columns: readonly Column[],
  asked: readonly Question[],
  { kind, known }: { kind: string | undefined; known: readonly KindJson[] },
): Question[] {
  const options = [...known.map(({ id }) => id), ...Object.keys(ADDED_KINDS)];
  const column = columns.find(({ field }) => field === 'kind')?.header;
  if (column !== undefined) {
    const unknown = planned.flatMap(({ unknown_kind }) => unknown_kind ?? []);
    const values = [...new Map(unknown.map((name) => [nameKey(name), name])).values()];
    return values.length === 0 ? [] : [{ column, ask: 'kind', options, values }];
  }
  // A column that looks like the kind is asked about first.
  const mayBeRead = asked.some(({ options: [first], likely }) => first === 'kind' && likely);
  const lacking = planned.some(
    ({ state, reason, after }) =>
      reason?.code === 'import_day_without_kind' || (state === 'new' && after?.standings.length === 0),
  );
  if (kind !== undefined || mayBeRead || !lacking) return [];
  return [{ column: WHOLE_LIST, ask: 'kind', options: [...options, NO_KIND] }];
}

function nameKinds(rows: readonly FileRow[], kinds: ImportOrder['kinds']): void {
  const meant = new Map(Object.entries(kinds).map(([name, kind]) => [nameKey(name), kind]));
  if (meant.size === 0) return;
  for (const row of rows) {
    const kind = row.kind === undefined ? undefined : meant.get(nameKey(row.kind));
    // A new kind has the name of the list.
    if (kind !== undefined && !ownValue(ADDED_KINDS, kind)) row.kind = kind;
  }
}

const changesOf = (planned: readonly PlannedRow[]): Change[] =>
  planned.flatMap(({ before, after }) => (after ? [{ before, after }] : []));

/** A list with days but without a column for kinds of membership: a question about the columns, not about each row. */
function daysWithoutKind(columns: readonly Column[]): Message[] {
  const days = columns.filter(({ field }) => field === 'first_day' || field === 'last_day');
  if (days.length === 0 || columns.some(({ field }) => field === 'kind')) return [];
  const [header = '', last = ''] = days.map((column) => column.header);
  return [say('import_days_without_kind', { n: days.length, header, last })];
}

const ofDoubt = ({ code, n, lines, more, found }: Doubt): Message =>
  code === 'import_wrong_letters'
    ? say('import_wrong_letters', { n, lines, more, found })
    : say('import_unreadable_characters', { n, lines, more });

function staleCheck(check: string): AppError {
  return new AppError(409, 'changed_since_check', {}, { extra: { check } });
}
