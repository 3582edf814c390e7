import type { Actor } from '#kernel/db/audit.ts';
import type { Tx } from '#kernel/db/queries.ts';
import { needsTwoPeople } from '#kernel/db/settings.ts';
import { AppError } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { ThreadDatabase } from '#kernel/in-thread.ts';
import { plainLines } from '#kernel/lists/read-csv.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { nameKey } from '#kernel/names.ts';
import { sha256 } from '#kernel/secrets.ts';
import { listDoubts } from '#kernel/shared/decode.js';
import { readVocabulary } from '#people/roll/people.ts';
import { applyImport, type Change } from './apply.ts';
import type { Column } from './columns.ts';
import type { DateOrder } from './days.ts';
import { type FileOptions, type FileRow, readFileRows } from './file-rows.ts';
import { countRows, type ImportCounts, type ImportRowJson, importRowJson } from './import-json.ts';
import { type PlannedRow, planImport } from './plan.ts';
import { readRoll, rollVersion } from './roll-index.ts';

const CHANGED_BY_TWO =
  'A second person has to confirm a new address of somebody with a role: change it on the person’s page';

/** The input of an officer, see `ImportInput`, and who they are. */
interface ImportOrder extends FileOptions {
  csv: string;
  end_missing: string | null;
  dry_run: boolean;
  check?: string | undefined;
  /** By line: the id of a person, or `new`. */
  decisions: Readonly<Record<string, string>>;
  kinds: Readonly<Record<string, string>>;
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
  columns: Column[];
  /** The order in which days with slashes were read: as requested, or as guessed from the file. */
  date_order?: DateOrder;
  /** The encoding in which an uploaded file was read. */
  encoding?: string;
  /** What looks wrongly read, and columns that are not read although others need them. */
  warnings: string[];
  /** Only for a dry run: the value to send when applying it. */
  check?: string;
  rows: ImportRowJson[];
}

/** What the thread answers. */
export interface ImportDone extends Pick<ImportJson, 'batch' | 'columns' | 'date_order'> {
  /** The whole result as JSON: of a long list it takes too long to write it outside the thread. */
  json: string;
}

export const RUN_IMPORT = { url: import.meta.url, name: 'runImport', work: runImport };

/** Reads a file, compares it with the roll, and applies it unless `dry_run` is set; see `importPeople`. */
export async function runImport(database: ThreadDatabase, order: ImportOrder): Promise<ImportDone> {
  const { dry_run, end_missing, kinds, encoding, actor, today } = order;
  const text = plainLines(order.csv);
  const { columns, date_order, rows } = readFileRows(text, order);
  nameKinds(rows, kinds);
  const file = sha256(JSON.stringify([sha256(text), columns, date_order ?? null, end_missing, kinds]));
  const checkOf = (version: number) => sha256(JSON.stringify([file, version, today]));

  const { version, roll, vocabulary, isByTwo } = database.read((reader) => ({
    version: rollVersion(reader),
    roll: readRoll(reader, actor.at),
    vocabulary: readVocabulary(reader),
    isByTwo: needsTwoPeople(reader),
  }));
  if (!dry_run && order.check !== checkOf(version)) throw staleCheck(checkOf(version));
  const planned = planImport(rows, roll, {
    vocabulary,
    decisions: new Map(Object.entries(order.decisions).map(([line, who]) => [Number(line), who])),
    today,
    end_missing,
    keepsAddresses(id) {
      if (id === order.person) return undefined;
      if (!order.mayChangeRoles) return sentence('staff_keep_addresses');
      // An import has one row for each person, and cannot ask a second person for one of them.
      return isByTwo ? CHANGED_BY_TWO : undefined;
    },
    newId: () => newId(actor.at),
  });
  const apply = (tx: Tx, changes: readonly Change[]) => {
    if (rollVersion(tx) !== version) throw staleCheck(checkOf(rollVersion(tx)));
    const ended = planned.filter(({ state, after }) => state === 'missing' && after).length;
    return applyImport(tx, changes, ended, actor);
  };
  const changes = changesOf(planned);
  const batch = dry_run || changes.length === 0 ? null : await database.write((tx) => apply(tx, changes));
  const result: ImportJson = {
    batch,
    counts: countRows(planned),
    columns,
    ...(date_order && { date_order }),
    ...(encoding && { encoding }),
    warnings: [...listDoubts(text), ...daysWithoutKind(columns)],
    ...(dry_run && { check: checkOf(version) }),
    rows: planned.map((row) => importRowJson(row, vocabulary)),
  };
  return { batch, columns, ...(date_order && { date_order }), json: JSON.stringify(result) };
}

function nameKinds(rows: readonly FileRow[], kinds: ImportOrder['kinds']): void {
  const meant = new Map(Object.entries(kinds).map(([name, kind]) => [nameKey(name), kind]));
  if (meant.size === 0) return;
  for (const row of rows) if (row.kind !== undefined) row.kind = meant.get(nameKey(row.kind)) ?? row.kind;
}

const changesOf = (planned: readonly PlannedRow[]): Change[] =>
  planned.flatMap(({ before, after }) => (after ? [{ before, after }] : []));

/** A list with days but without a column for kinds of membership: a question about the columns, not about each row. */
function daysWithoutKind(columns: readonly Column[]): string[] {
  const days = columns.filter(({ field }) => field === 'first_day' || field === 'last_day');
  if (days.length === 0 || columns.some(({ field }) => field === 'kind')) return [];
  const names = days.map(({ header }) => `“${header}”`).join(' and ');
  return [`${names} ${days.length === 1 ? 'holds' : 'hold'} days, but no column says what kind of member`];
}

function staleCheck(check: string): AppError {
  return new AppError(409, 'changed_since_check', {}, { extra: { check } });
}
