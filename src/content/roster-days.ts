import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { AppError } from '#kernel/http/errors.ts';
import { ticked, typed } from './forms/form.ts';
import { ROSTER, type RosterBody } from './kinds/roster.ts';
import { datesFrom } from './opening-hours.ts';
import type { Kind } from './records/kind.ts';
import { listRecords } from './records/reading.ts';
import { announcePublished, changeRecordIn, createRecordIn } from './records/records.ts';
import type { RecordJson } from './records/rows.ts';

/** The number of days that the roster shows. */
export const ROSTER_DAYS = 14;

/** Returns the entries for the whole opening of a day, keyed by date; includes drafts. */
export function listWholeDays(
  ctx: Pick<Context, 'db' | 'now'>,
  first: string,
): Map<string, RecordJson<RosterBody>> {
  const dates = datesFrom(first, ROSTER_DAYS);
  const { items } = listRecords(ctx, ROSTER, { from: first, to: dates.at(-1), limit: 1_000 });
  return new Map(items.filter(({ body }) => body.range === null).map((item) => [item.body.date, item]));
}

/**
 * Saves the rows of a form: all of them, or none. A row without ticks and without an entry gets none.
 * @returns the dates that somebody else changed meanwhile, which are not saved
 * @throws 400
 */
export async function saveWholeDays(
  ctx: Context,
  first: string,
  entered: Readonly<Record<string, unknown>>,
  publish: boolean,
  actor: Actor,
): Promise<string[]> {
  const kind = ROSTER as unknown as Kind;
  const conflicts: string[] = [];
  let shown = false;
  await ctx.write((tx) => {
    conflicts.length = 0;
    const stored = listWholeDays({ db: tx, now: ctx.now }, first);
    for (const date of datesFrom(first, ROSTER_DAYS)) {
      const record = stored.get(date);
      const tenders = ticked(entered, `crew.${date}`);
      const version = Number(typed(entered, `version.${date}`));
      const given = { publish, prefix: '' };
      try {
        if (!record && tenders.length > 0)
          shown = createRecordIn(ctx, tx, kind, { ...given, input: { date, tenders } }, actor).shown || shown;
        // Somebody else made the entry after the form was opened.
        else if (record && !(version > 0)) {
          if (tenders.length > 0 && !isSame(tenders, record.body.tenders)) conflicts.push(date);
        } else if (record && (publish || !isSame(tenders, record.body.tenders)))
          shown =
            changeRecordIn(ctx, tx, kind, record.id, { ...given, version, input: { tenders } }, actor)
              .shown || shown;
      } catch (error) {
        if (!(error instanceof AppError) || error.statusCode !== 409) throw error;
        conflicts.push(date);
      }
    }
  });
  if (shown) announcePublished(ctx, kind);
  return conflicts;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
