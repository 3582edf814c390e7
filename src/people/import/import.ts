import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type AppError, badField, conflict, notFound } from '#kernel/http/errors.ts';
import { flag, oneOf, REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { coded } from '#kernel/messages/messages.ts';
import { KIND } from '#people/roll/kinds-and-groups.ts';
import { type Editor, todayOf } from '#people/roll/people.ts';
import { optionalDay } from '#people/roll/search.ts';
import { UNDO_IMPORT } from './apply.ts';
import type { FileOptions } from './columns.ts';
import { type ImportDone, RUN_IMPORT } from './run-import.ts';

/** The longest file, in characters. */
export const LONGEST_FILE = 5 * 1024 * 1024;

export const ImportInput = z.object({
  csv: z.string(REQUIRED_TEXT).min(1, coded('empty')).max(LONGEST_FILE, coded('csv_too_large')),
  /** The field of a column, by its header; an empty string skips the column. */
  mapping: z.record(z.string().max(200), z.string().max(40)).default({}),
  date_order: oneOf(['dmy', 'mdy']).optional(),
  end_missing: optionalDay,
  dry_run: flag,
  decisions: z
    .record(z.string().regex(/^\d{1,7}$/, coded('not_line_number')), z.string().max(64))
    .default({}),
  /** The kind of membership, by its name or id, that is meant by one that the club does not have. */
  kinds: z.record(KIND.input.shape.name, z.string().max(80)).default({}),
  /** The kind of the people of a list that names none: a kind by name or id, `none`, or a new one with or without a vote. */
  kind: z.string().max(80).optional(),
  /** Answers to the questions of a dry run, by column. */
  answers: z
    .record(
      z.string().max(200),
      z.union([z.string().max(80), z.record(KIND.input.shape.name, z.string().max(80))]),
    )
    .default({}),
  check: z.string().max(64).optional(),
  /** The encoding in which an uploaded file was read. */
  encoding: z.string().max(40).optional(),
});

/**
 * Compares a file with the roll, and applies it unless `dry_run` is set, in a thread. Applying needs the `check` of a
 * dry run with the same file and the same roll, so that only changes are made that the officer has seen.
 * @param signal ends it, such as the end of its request
 * @throws 400 for a file that cannot be read; 409 with the new check when the file or the roll has changed; 429 while
 * another one runs; 503 after a minute
 */
export async function importPeople(
  ctx: Context,
  input: z.output<typeof ImportInput> & Pick<FileOptions, 'likely_order'>,
  { actor, person, mayChangeRoles }: Editor,
  signal?: AbortSignal,
): Promise<ImportDone> {
  if (!input.dry_run && input.check === undefined) throw badField('check', 'dry_run_first');
  const order = { ...input, actor, person, mayChangeRoles, today: todayOf(ctx) };
  return ctx.inThread(RUN_IMPORT, order, signal);
}

/** @throws 404; 409 when it was undone already, is too old, or one of its people was edited since */
export async function undoBatch(ctx: Context, batch: number, { actor }: Editor): Promise<number> {
  const undone = await ctx.inThread(UNDO_IMPORT, { batch, actor }).catch((error: unknown) => {
    // The previous state conflicts with the roll: a number belongs to somebody else now, or a kind was deleted.
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && code.startsWith('SQLITE_CONSTRAINT'))
      throw cannotUndo(t('people-admin.import.roll_changed'));
    throw error;
  });
  if ('people' in undone) return undone.people;
  if ('edited' in undone) throw cannotUndo(t('people-admin.import.edited_since', { n: undone.edited }));
  if (undone.refused === 'unknown') throw notFound('import_not_found');
  throw cannotUndo(
    undone.refused === 'undone' ? t('people-admin.import.undone_already') : t('people-admin.import.too_old'),
  );
}

function cannotUndo(reason: Words): AppError {
  return conflict('import_not_undone', { reason });
}
