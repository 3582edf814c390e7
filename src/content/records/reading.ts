import { z } from 'zod';
import { DAY, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import { optionalText, pageSize, wholeNumber } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isDate } from './fields.ts';
import { type Body, type Kind, readBody, titleOf, wireBody } from './kind.ts';
import { changedFields } from './merge.ts';
import {
  namesIn,
  RECORD_STATES,
  type RecordJson,
  type RecordRow,
  type RevisionRow,
  recordById,
  recordJson,
  revisionOf,
} from './rows.ts';

/** How long a removed record can be restored. */
export const RESTORABLE = 30 * DAY;

const day = z
  .string()
  .optional()
  .transform((text) => text || undefined)
  .refine((text) => text === undefined || isDate(text), coded('not_date'));

export const RecordsQuery = z.object({
  q: optionalText(100),
  /** Only records whose dates overlap this range; records without dates are included. */
  from: day,
  to: day,
  state: z.enum(RECORD_STATES).optional(),
  limit: pageSize(50, 200),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
});

export type RecordsFilter = Partial<z.output<typeof RecordsQuery>>;

/** A version of a record in its history. */
export interface HistoryEntry {
  version: number;
  /** ISO 8601. */
  at: string;
  by: string | null;
  reason: RevisionRow['reason'];
  /** The fields that differ from the previous version that is still kept; all of them if there is none. */
  fields: string[];
  /** ISO 8601; null: it was never published. */
  published_at: string | null;
}

/** Lists records by their first date, then by title, unless `order` is given. Removed ones only with `state: removed`. */
export function listRecords<B extends Body>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  kind: Kind<B>,
  { q, from, to, state, limit = 50, offset = 0 }: RecordsFilter = {},
  order?: (a: B, b: B) => number,
): { items: RecordJson<B>[]; total: number } {
  const nameOf = namesIn(db);
  const words = q?.toLowerCase();
  const items = db
    .all(newest(kind).where('record.removed_at', state === 'removed' ? 'is not' : 'is', null))
    .filter((row) => !isGone(row, now()))
    .map((row) => recordJson(kind, row, row, nameOf))
    .filter((item) => state === undefined || item.state === state)
    .filter(({ body }) => words === undefined || JSON.stringify(body).toLowerCase().includes(words))
    .filter(({ body }) => isWithin(kind, body, from, to));
  const key = ({ body }: RecordJson<B>) => `${kind.dates?.(body)?.from ?? ''} ${titleOf(kind, body)}`;
  const sorted = items.toSorted(
    order ? (a, b) => order(a.body, b.body) : (a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))),
  );
  return { items: sorted.slice(offset, offset + limit), total: items.length };
}

/** Returns a record in its newest version, with its history, the newest first. @throws 404 */
export function getRecord<B extends Body>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  kind: Kind<B>,
  id: string,
): RecordJson<B> & { history: HistoryEntry[] } {
  const row = getRow(db, kind, id, now());
  const nameOf = namesIn(db);
  const revision = getRevision(db, id, row.version);
  return { ...recordJson(kind, row, revision, nameOf), history: listHistory(db, kind, id, nameOf) };
}

/** Returns the body of a version. @throws 404 */
export function getVersion<B extends Body>(
  { db }: Pick<Context, 'db'>,
  kind: Kind<B>,
  id: string,
  version: number,
): B {
  return readBody(kind, getRevision(db, id, version).body);
}

/** @throws 404, also for a record that was removed too long ago to be restored */
export function getRow(reader: Reader, kind: Pick<Kind, 'name'>, id: string, now: number): RecordRow {
  const row = reader.first(recordById({ id: id.replaceAll('-', ''), kind: kind.name }));
  if (!row || isGone(row, now)) throw notFound('no_such_record');
  return row;
}

/** @throws 404 */
export function getRevision(reader: Reader, id: string, version: number): RevisionRow {
  const revision = reader.first(revisionOf({ id, version }));
  if (!revision) throw notFound('version_not_kept');
  return revision;
}

/** Returns the newest versions of all records of a kind that are not removed, except the one with the id `without`. */
export function listNewestBodies<B extends Body>(reader: Reader, kind: Kind<B>, without?: string): B[] {
  const rows = reader.all(newest(kind).where('record.removed_at', 'is', null));
  return rows.filter(({ id }) => id !== without).map(({ body }) => readBody(kind, body));
}

const newest = (kind: Pick<Kind, 'name'>) =>
  build
    .selectFrom('content_records as record')
    .innerJoin('content_revisions as revision', (join) =>
      join.onRef('revision.record_id', '=', 'record.id').onRef('revision.version', '=', 'record.version'),
    )
    .selectAll('record')
    .select(['revision.body', 'revision.by'])
    .where('record.kind', '=', kind.name);

const isGone = ({ removed_at }: Pick<RecordRow, 'removed_at'>, now: number): boolean =>
  removed_at !== null && removed_at <= now - RESTORABLE;

function isWithin<B extends Body>(kind: Kind<B>, body: B, from?: string, to?: string): boolean {
  if (from === undefined && to === undefined) return true;
  const dates = kind.dates?.(body);
  if (!dates) return true;
  return (to === undefined || dates.from <= to) && (from === undefined || (dates.to ?? from) >= from);
}

function listHistory(
  reader: Reader,
  kind: Kind,
  id: string,
  nameOf: (by: string | null) => string | null,
): HistoryEntry[] {
  const rows = reader.all(
    build.selectFrom('content_revisions').selectAll().where('record_id', '=', id).orderBy('version'),
  );
  const bodies = rows.map(({ body }): Body => wireBody(kind, readBody(kind, body)));
  const entries = rows.map(({ version, at, by, reason, published_at }, index) => ({
    version,
    at: isoTime(at),
    by: nameOf(by),
    reason,
    fields: changedFields(bodies[index - 1] ?? {}, bodies[index] ?? {}),
    published_at: published_at === null ? null : isoTime(published_at),
  }));
  return entries.reverse();
}
