import type { Selectable } from 'kysely';
import { build, type Reader } from '#kernel/db/queries.ts';
import type { IcalSourcesTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { GoesTo, IcalFilter } from './input.ts';

/** A source without its address and its content. */
export type SourceRow = Omit<Selectable<IcalSourcesTable>, 'content' | 'address'>;

/** Returns all sources, oldest first. */
export const listRows = (db: Reader): SourceRow[] => db.all(columns().orderBy('created_at').orderBy('id'));

export const findRow = (db: Reader, id: string): SourceRow | undefined =>
  db.first(columns().where('id', '=', id));

/** @throws 404 */
export function getRow(db: Reader, id: string): SourceRow {
  const row = findRow(db, id);
  if (!row) throw notFound('no_such_calendar');
  return row;
}

export const goesToOf = ({ goes_to }: Pick<SourceRow, 'goes_to'>): GoesTo => JSON.parse(goes_to);
export const filterOf = ({ filter }: Pick<SourceRow, 'filter'>): IcalFilter | null =>
  filter === null ? null : JSON.parse(filter);

const columns = () =>
  build
    .selectFrom('ical_sources')
    .select(['id', 'name', 'host', 'hint', 'goes_to', 'filter', 'place', 'prefix', 'created_at'])
    .select(['etag', 'last_modified', 'refresh_ms', 'tried_at', 'read_at', 'next_at'])
    .select(['fails', 'doubted_at', 'error', 'events']);
