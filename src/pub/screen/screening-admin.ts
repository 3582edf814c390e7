import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PlaysTable, ScreeningsTable } from '#kernel/db/schema.ts';
import { badRequest, conflict, notFound } from '#kernel/http/errors.ts';
import { flag, optionalText } from '#kernel/http/validation.ts';
import { close } from './screening-lifecycle.ts';
import { findOpenScreening, listScreeningRecords, type ScreeningRecord } from './screenings.ts';

/** A new title, and whether it is a shadow, which the public archive leaves out. Absent fields stay unchanged. */
export const ScreeningInput = z.object({ title: optionalText(120).optional(), shadow: flag.optional() });

/** @throws 404 */
function getScreeningRecord(ctx: Context, id: string): ScreeningRecord {
  const [record] = listScreeningRecords(ctx, id);
  if (!record) throw notFound('screening_not_found');
  return record;
}

/**
 * Turns the songs of a screening into music again and removes it from the archive. Repeating it changes nothing.
 * @returns how many songs were turned back
 * @throws 404, and 409 while it is open
 */
export async function revertScreening(ctx: Context, id: string, actor: Actor): Promise<number> {
  const reverted = await ctx.write((tx) => {
    const claim = build
      .updateTable('screenings')
      .set({ reverted_at: actor.at, reverted_by: actor.by ?? actor.ip })
      .where('id', '=', id)
      .where('closed_at', 'is not', null)
      .where('reverted_at', 'is', null);
    if (tx.run(claim) === 0) {
      const row = tx.first(build.selectFrom('screenings').select('closed_at').where('id', '=', id));
      if (!row) throw notFound('screening_not_found');
      if (row.closed_at === null) throw conflict('screening_open');
      return 0;
    }
    const songs = untagSongs(tx, id);
    recordAudit(tx, actor, { action: 'screening.reverted', metadata: { screening_id: id, songs } });
    return songs;
  });
  if (reverted > 0) ctx.hub.publish('plays');
  return reverted;
}

/** Ends a screening by hand. One that has already ended stays unchanged. @throws 404 */
export async function closeScreening(ctx: Context, id: string, actor: Actor): Promise<ScreeningRecord> {
  await ctx.write((tx) => {
    const row = tx.first(build.selectFrom('screenings').selectAll().where('id', '=', id));
    if (!row) throw notFound('screening_not_found');
    if (row.closed_at !== null) return;
    close(tx, row, 'operator', actor.at);
    recordAudit(tx, actor, { action: 'screening.closed', metadata: { screening_id: id } });
  });
  ctx.hub.publish('showing');
  return getScreeningRecord(ctx, id);
}

/**
 * Renames a screening, adds it to the archive or removes it. Naming an open shadow adds it to the archive, unless the
 * change says otherwise. @throws 404, and 400 without anything to change
 */
export async function changeScreening(
  ctx: Context,
  id: string,
  { title, shadow }: z.output<typeof ScreeningInput>,
  actor: Actor,
): Promise<ScreeningRecord> {
  if (title === undefined && shadow === undefined) throw badRequest('title_or_shadow');
  await ctx.write((tx) => {
    const row = tx.first(build.selectFrom('screenings').selectAll().where('id', '=', id));
    if (!row) throw notFound('screening_not_found');
    const confirmed = Boolean(title) && row.closed_at === null;
    const before = { title: row.title, shadow: row.shadow === 1 };
    const after = {
      title: title === undefined ? before.title : title,
      shadow: shadow ?? (before.shadow && !confirmed),
    };
    const change = { title: after.title, shadow: after.shadow ? (1 as const) : (0 as const) };
    tx.run(build.updateTable('screenings').set(change).where('id', '=', id));
    recordAudit(tx, actor, {
      action: 'screening.changed',
      metadata: { screening_id: id, before, after },
    });
  });
  ctx.hub.publish('showing');
  return getScreeningRecord(ctx, id);
}

/** A screening with its plays, as it is before a change. */
export interface ScreeningState {
  screening: Selectable<ScreeningsTable>;
  plays: Pick<Selectable<PlaysTable>, 'id' | 'kind'>[];
}

/** @throws AppError 404 */
export function readScreeningState(db: Reader, id: string): ScreeningState {
  const screening = db.first(build.selectFrom('screenings').selectAll().where('id', '=', id));
  if (!screening) throw notFound('screening_not_found');
  return {
    screening,
    plays: db.all(
      build.selectFrom('plays').select(['id', 'kind']).where('screening_id', '=', id).orderBy('id'),
    ),
  };
}

/**
 * Undoes the end of a screening, or that its songs were turned into music. @throws AppError 409 while another is open
 */
export async function restoreScreening(
  ctx: Context,
  { screening, plays }: ScreeningState,
  actor: Actor,
): Promise<void> {
  const { id, closed_at, close_reason, shadow, doubted_at, reverted_at, reverted_by } = screening;
  await ctx.write((tx) => {
    if (closed_at === null && findOpenScreening(tx)) throw conflict('other_film_since');
    tx.run(
      build
        .updateTable('screenings')
        .set({ closed_at, close_reason, shadow, doubted_at, reverted_at, reverted_by })
        .where('id', '=', id),
    );
    for (const [kind, tagged] of Map.groupBy(plays, (play) => play.kind)) {
      const ids = sql<number>`(SELECT value FROM json_each(${JSON.stringify(tagged.map((play) => play.id))}))`;
      tx.run(build.updateTable('plays').set({ kind, screening_id: id }).where('id', 'in', ids));
    }
    recordAudit(tx, actor, { action: 'screening.restored', metadata: { screening_id: id } });
  });
  ctx.hub.publish('showing');
  ctx.hub.publish('plays');
}

/** @returns how many songs, without silence */
function untagSongs(tx: Tx, screeningId: string): number {
  const songs = tx.first(
    build
      .selectFrom('plays')
      .select(({ fn }) => fn.countAll<number>().as('many'))
      .where('screening_id', '=', screeningId)
      .where('silent', '=', 0),
  )!;
  tx.run(
    build
      .updateTable('plays')
      .set({ kind: 'music', screening_id: null })
      .where('screening_id', '=', screeningId),
  );
  return songs.many;
}
