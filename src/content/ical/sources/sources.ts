import type { z } from 'zod';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { readText } from '#kernel/language/kept-text.ts';
import { atLineStart } from '#kernel/language/times.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { compareNames } from '#kernel/locale.ts';
import { open, seal } from '#kernel/secrets.ts';
import { forgetContent } from './content-of.ts';
import { ensureFetchable, type IcalInput, type IcalPatch, SOURCE } from './input.ts';
import { forgetRead, lastRead } from './reads.ts';
import { getRow, listRows, type SourceRow } from './rows.ts';

/** A source as officers see it: without its address. */
export type Source = ReturnType<typeof toSource>;

/** A source as JSON: in English. */
export const sourceJson = ({ error, ...source }: Source) => ({
  ...source,
  error: error === null ? null : atLineStart(error).for(ENGLISH),
});

const SOURCES_AT_MOST = 10;
const SEALED_FOR = 'address of a calendar';

/** Lists all sources by name. */
export function listSources(ctx: Context): Source[] {
  const sources = listRows(ctx.db).map((row) => toSource(ctx, row));
  return sources.sort((a, b) => compareNames(a.name, b.name));
}

/** @throws 404 */
export const getSource = (ctx: Context, id: string): Source => toSource(ctx, getRow(ctx.db, id));

/** Returns the address of a source; undefined if it was sealed with a different key. */
export function addressOf(ctx: Context, id: string): string | undefined {
  const row = ctx.db.first(build.selectFrom('ical_sources').select('address').where('id', '=', id));
  return row && open(ctx.secretKey, SEALED_FOR, row.address);
}

/** @returns its id. @throws 400, 409 when there are ten */
export async function addSource(
  ctx: Context,
  input: z.output<typeof IcalInput>,
  actor: Actor,
): Promise<string> {
  ensureFetchable(ctx.config, input.address);
  const id = newId(actor.at);
  await ctx.write((tx) => {
    if (listRows(tx).length >= SOURCES_AT_MOST)
      throw conflict('too_many_calendars', { max: SOURCES_AT_MOST });
    const row = {
      id,
      ...SOURCE.columns(input, ctx),
      ...addressColumns(ctx, input.address),
      created_at: actor.at,
      tried_at: actor.at,
      next_at: actor.at,
    };
    tx.run(build.insertInto('ical_sources').values(row));
    recordAudit(tx, actor, { action: 'ical.added', metadata: { source: id } });
  });
  return id;
}

/** @returns whether it has another address now. @throws 400, 404 */
export async function changeSource(
  ctx: Context,
  id: string,
  { address, ...patch }: z.output<typeof IcalPatch>,
  actor: Actor,
): Promise<boolean> {
  if (address !== undefined) ensureFetchable(ctx.config, address);
  const isOther = address !== undefined && address !== addressOf(ctx, id);
  await ctx.write((tx) => {
    const changed = SOURCE.changes(getRow(tx, id), patch, ctx);
    // Content of the old address does not belong to the new one.
    const fresh = isOther && {
      ...addressColumns(ctx, address),
      ...UNREAD,
      tried_at: actor.at,
      next_at: actor.at,
    };
    const fields = [...Object.keys(changed), ...(isOther ? ['address'] : [])];
    if (fields.length === 0) return;
    tx.run(
      build
        .updateTable('ical_sources')
        .set({ ...changed, ...fresh })
        .where('id', '=', id),
    );
    recordAudit(tx, actor, { action: 'ical.changed', metadata: { source: id, fields } });
  });
  if (isOther) forgetRead(ctx, id);
  announceSource(ctx, id);
  return isOther;
}

/** @throws 404 */
export async function removeSource(ctx: Context, id: string, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    getRow(tx, id);
    tx.run(build.deleteFrom('ical_sources').where('id', '=', id));
    recordAudit(tx, actor, { action: 'ical.removed', metadata: { source: id } });
  });
  forgetRead(ctx, id);
  announceSource(ctx, id);
}

/** Announces that a source or its content has changed; call after the commit. */
export function announceSource(ctx: Context, id: string): void {
  forgetContent(ctx, id);
  ctx.hub.publish('content');
}

/** The minimum time between two reads of a source by hand. */
export const READ_AGAIN_AFTER = MINUTE;

const UNREAD = {
  etag: null,
  last_modified: null,
  refresh_ms: null,
  read_at: null,
  fails: 0,
  doubted_at: null,
  error: null,
  events: 0,
  content: null,
};

function addressColumns(ctx: Context, address: string) {
  const { host } = new URL(address);
  return { address: seal(ctx.secretKey, SEALED_FOR, address), host, hint: address.slice(-4) };
}

function toSource(ctx: Context, row: SourceRow) {
  const { id, host, hint, error, events } = row;
  const readAt = lastRead(ctx, row);
  return {
    id,
    host,
    /** The last four characters of the address. */
    hint,
    ...SOURCE.json(row),
    /** ISO 8601: when it last answered with a calendar. */
    read_at: readAt === null ? null : isoTime(readAt),
    /** The last problem, without its capital letter. */
    error: error === null ? null : readText(error),
    /** The number of stored dates. */
    events,
  };
}
