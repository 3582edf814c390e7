import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { needsTwoPeople } from '#kernel/db/settings.ts';
import { AppError, badField } from '#kernel/http/errors.ts';
import { flag, REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { plainLines } from '#kernel/lists/read-csv.ts';
import { nameKey } from '#kernel/names.ts';
import { sha256 } from '#kernel/secrets.ts';
import { listDoubts } from '#kernel/shared/decode.js';
import { KindInput } from '#people/roll/kinds-and-groups.ts';
import { type Editor, readVocabulary, STAFF_KEEP_ADDRESSES, todayOf } from '#people/roll/people.ts';
import type { Vocabulary } from '#people/roll/person-input.ts';
import { optionalDay } from '#people/roll/search.ts';
import { APPLY_IMPORT, type Change, UNDO_IMPORT } from './apply.ts';
import type { Column } from './columns.ts';
import type { DateOrder } from './days.ts';
import { type FileOptions, type FileRow, readFileRows } from './file-rows.ts';
import { countRows, type ImportCounts, type ImportRowJson, importRowJson } from './import-json.ts';
import { type PlannedRow, planImport } from './plan.ts';
import { readRoll, rollVersion } from './roll-index.ts';

const LONGEST_FILE = 5 * 1024 * 1024;

export const ImportInput = z.object({
  csv: z.string(REQUIRED_TEXT).min(1, 'must not be empty').max(LONGEST_FILE, 'must have at most 5 MB'),
  /** The field of a column, by its header; an empty string skips the column. */
  mapping: z.record(z.string().max(200), z.string().max(40)).default({}),
  date_order: z.enum(['dmy', 'mdy'], { error: 'must be dmy or mdy' }).optional(),
  end_missing: optionalDay,
  dry_run: flag,
  decisions: z
    .record(z.string().regex(/^\d{1,7}$/, 'must be the number of a line'), z.string().max(64))
    .default({}),
  /** The kind of membership, by its name or id, that is meant by one that the club does not have. */
  kinds: z.record(KindInput.shape.name, z.string().max(80)).default({}),
  check: z.string().max(64).optional(),
  /** The encoding in which an uploaded file was read. */
  encoding: z.string().max(40).optional(),
});

const CHANGED_BY_TWO =
  'A second person has to confirm a new address of somebody with a role: change it on the person’s page';

type Input = z.output<typeof ImportInput>;

/** The result of an import or of a dry run. */
export interface ImportJson {
  /** The number of the import; null when nothing was changed. */
  batch: number | null;
  counts: ImportCounts;
  columns: Column[];
  /** The order in which days with slashes were read: as requested, or as guessed from the file. */
  date_order?: DateOrder;
  rows: ImportRowJson[];
  /** The encoding in which an uploaded file was read. */
  encoding?: string;
  /** What looks wrongly read, and columns that are not read although others need them. */
  warnings: string[];
  /** Only for a dry run: the value to send when applying it. */
  check?: string;
}

/** Attempts to read the roll without a change meanwhile. */
const TRIES = 3;

/**
 * Compares a file with the roll, and applies it unless `dry_run` is set. Applying needs the `check` of a dry run with
 * the same file and the same roll, so that only changes are made that the officer has seen.
 * @throws 400 for a file that cannot be read; 409 with the new check when the file or the roll has changed
 */
export async function importPeople(
  ctx: Context,
  input: Input & Pick<FileOptions, 'likely_order'>,
  editor: Editor,
): Promise<ImportJson> {
  const { dry_run, check } = input;
  if (!dry_run && check === undefined) throw badField('check', 'is required: make a dry run first');
  await ctx.queue.turn();
  const text = plainLines(input.csv);
  await ctx.queue.turn();
  const { columns, date_order, rows } = await ctx.queue.inTurns(readFileRows(text, input));
  nameKinds(rows, input.kinds);
  const file = await hashOf(ctx, text, [columns, date_order ?? null, input.end_missing, input.kinds]);
  const checkOf = (version: number) => sha256(JSON.stringify([file, version, todayOf(ctx)]));
  if (!dry_run && check !== checkOf(rollVersion(ctx.db))) throw staleCheck(checkOf(rollVersion(ctx.db)));

  const { version, planned, vocabulary } = await planFor(ctx, rows, input, editor);
  const batch = dry_run ? null : await apply(ctx, planned, { version, editor, checkOf });
  const counts = countRows(planned);
  const result: ImportJson = {
    batch,
    counts,
    columns,
    ...(date_order && { date_order }),
    rows: [],
    ...(input.encoding && { encoding: input.encoding }),
    warnings: [...listDoubts(text), ...daysWithoutKind(columns)],
  };
  await ctx.queue.inTurns(toJson(planned, vocabulary, result.rows));
  return { ...result, ...(dry_run && { check: checkOf(version) }) };
}

function nameKinds(rows: readonly FileRow[], kinds: Input['kinds']): void {
  const meant = new Map(Object.entries(kinds).map(([name, kind]) => [nameKey(name), kind]));
  if (meant.size === 0) return;
  for (const row of rows) if (row.kind !== undefined) row.kind = meant.get(nameKey(row.kind)) ?? row.kind;
}

/** A list with days but without a column for kinds of membership: a question about the columns, not about each row. */
function daysWithoutKind(columns: readonly Column[]): string[] {
  const days = columns.filter(({ field }) => field === 'first_day' || field === 'last_day');
  if (days.length === 0 || columns.some(({ field }) => field === 'kind')) return [];
  const names = days.map(({ header }) => `“${header}”`).join(' and ');
  return [`${names} ${days.length === 1 ? 'holds' : 'hold'} days, but no column says what kind of member`];
}

/** @throws 404; 409 when it was undone already, is too old, or one of its people was edited since */
export async function undoBatch(ctx: Context, batch: number, { actor }: Editor): Promise<number> {
  const undone = await ctx.writeInThread(UNDO_IMPORT, { batch, actor }, []).catch((error: unknown) => {
    // The previous state conflicts with the roll: a number belongs to somebody else now, or a kind was deleted.
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && code.startsWith('SQLITE_CONSTRAINT'))
      throw cannotUndo('The roll has changed too much since');
    throw error;
  });
  if ('people' in undone) return undone.people;
  if ('edited' in undone)
    throw cannotUndo(
      undone.edited === 1
        ? '1 person of it was edited since'
        : `${undone.edited} people of it were edited since`,
    );
  if (undone.refused === 'unknown') throw new AppError(404, 'Import not found');
  throw cannotUndo(undone.refused === 'undone' ? 'It was undone already' : 'It is more than 30 days old');
}

async function planFor(
  ctx: Context,
  rows: Parameters<typeof planImport>[0],
  { decisions, end_missing }: Input,
  { actor, person, mayChangeRoles }: Editor,
): Promise<{ version: number; planned: PlannedRow[]; vocabulary: Vocabulary }> {
  for (let tries = 1; ; tries += 1) {
    const version = rollVersion(ctx.db);
    const vocabulary = readVocabulary(ctx.db);
    const roll = await ctx.queue.inTurns(readRoll(ctx.db, actor.at));
    if (rollVersion(ctx.db) === version) {
      const options = {
        vocabulary,
        decisions: new Map(Object.entries(decisions).map(([line, who]) => [Number(line), who])),
        today: todayOf(ctx),
        end_missing,
        keepsAddresses: (id: string) => {
          if (id === person) return undefined;
          if (!mayChangeRoles) return STAFF_KEEP_ADDRESSES;
          // An import has one row for each person, and cannot ask a second person for one of them.
          return needsTwoPeople(ctx.db) ? CHANGED_BY_TWO : undefined;
        },
        newId: () => newId(actor.at),
      };
      return { version, vocabulary, planned: await ctx.queue.inTurns(planImport(rows, roll, options)) };
    }
    if (tries === TRIES) throw new AppError(503, 'The roll is being changed. Try again.');
  }
}

async function apply(
  ctx: Context,
  planned: readonly PlannedRow[],
  { version, editor, checkOf }: { version: number; editor: Editor; checkOf: (version: number) => string },
): Promise<number | null> {
  const changes = planned.flatMap(({ before, after }): Change[] => (after ? [{ before, after }] : []));
  if (changes.length === 0) return null;
  const ended = planned.filter(({ state, after }) => state === 'missing' && after).length;
  const applied = await ctx.writeInThread(APPLY_IMPORT, { version, actor: editor.actor, ended }, changes);
  if ('stale' in applied) throw staleCheck(checkOf(rollVersion(ctx.db)));
  return applied.batch;
}

function* toJson(
  planned: readonly PlannedRow[],
  vocabulary: Vocabulary,
  into: ImportRowJson[],
): Generator<void> {
  for (const row of planned) {
    into.push(importRowJson(row, vocabulary));
    if (into.length % 100 === 0) yield;
  }
}

/** Hash of a file and of how its columns are read, whether by their headers or by an explicit mapping. */
async function hashOf(ctx: Context, text: string, readAs: readonly unknown[]): Promise<string> {
  await ctx.queue.turn();
  return sha256(JSON.stringify([sha256(text), ...readAs]));
}

function staleCheck(check: string): AppError {
  return new AppError(409, 'The roll or the file has changed since the check', {
    extra: { message: 'The roll or the file has changed since the check. Look at it again.', check },
  });
}

function cannotUndo(reason: string): AppError {
  return new AppError(409, `This import cannot be undone: ${reason}`);
}
