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

/** Dates that somebody else changed while the form was open. */
export interface Meanwhile {
  /** Their marks and those of the form are both saved. */
  merged: string[];
  /** Not saved: the form does not say which marks it began with. */
  conflicts: string[];
}

/**
 * Saves the days of a form: all of them, or none. A day without ticks and without an entry gets none. Only marks that
 * were made in the form are changed, so two officers at once keep what both did.
 *
 * A closed day has no fields in the form: the names stored on it stay, are shown to nobody, and are back if the day
 * opens after all. Nobody has to enter a week again because a special day was a mistake.
 * @throws 400
 */
export async function saveWholeDays(
  ctx: Context,
  first: string,
  entered: Readonly<Record<string, unknown>>,
  publish: boolean,
  actor: Actor,
): Promise<Meanwhile> {
  const kind = ROSTER as unknown as Kind;
  const meanwhile: Meanwhile = { merged: [], conflicts: [] };
  let shown = false;
  await ctx.write((tx) => {
    Object.assign(meanwhile, { merged: [], conflicts: [] });
    const stored = listWholeDays({ db: tx, now: ctx.now }, first);
    for (const date of datesFrom(first, ROSTER_DAYS)) {
      const record = stored.get(date);
      const asked = askedFor(entered, date, record);
      if (!asked) continue;
      if (asked.isMerged) meanwhile.merged.push(date);
      const { tenders, version } = asked;
      const given = { publish, prefix: '' };
      try {
        if (!record && tenders.length > 0)
          shown = createRecordIn(ctx, tx, kind, { ...given, input: { date, tenders } }, actor).shown || shown;
        // Somebody else made the entry after the form was opened.
        else if (record && !(version > 0)) {
          if (tenders.length > 0 && !isSame(tenders, record.body.tenders)) meanwhile.conflicts.push(date);
        } else if (record && (publish || !isSame(tenders, record.body.tenders)))
          shown =
            changeRecordIn(ctx, tx, kind, record.id, { ...given, version, input: { tenders } }, actor)
              .shown || shown;
      } catch (error) {
        if (!(error instanceof AppError) || error.statusCode !== 409) throw error;
        meanwhile.conflicts.push(date);
      }
    }
  });
  if (shown) announcePublished(ctx, kind);
  return meanwhile;
}

/**
 * The tenders that a form asks for on a date. A form that says which marks it began with asks for its changes to them;
 * any other one for exactly its ticks. Undefined where somebody else changed a day that the form leaves as it was.
 */
function askedFor(
  entered: Readonly<Record<string, unknown>>,
  date: string,
  record: RecordJson<RosterBody> | undefined,
): { tenders: string[]; version: number; isMerged: boolean } | undefined {
  const ticks = ticked(entered, `crew.${date}`);
  const version = Number(typed(entered, `version.${date}`));
  if (!Object.hasOwn(entered, `marks.${date}`)) return { tenders: ticks, version, isMerged: false };
  const marks = typed(entered, `marks.${date}`).split(' ');
  const [now, tenders] = [record?.version ?? 0, record?.body.tenders ?? []];
  const added = ticks.filter((one) => !marks.includes(one));
  const removed = marks.filter((one) => one !== '' && !ticks.includes(one));
  const isChanged = now !== version;
  if (isChanged && added.length + removed.length === 0) return undefined;
  return {
    tenders: [
      ...tenders.filter((one) => !removed.includes(one)),
      ...added.filter((one) => !tenders.includes(one)),
    ],
    version: now,
    isMerged: isChanged,
  };
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
