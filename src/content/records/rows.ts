import type { Selectable } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { ContentRecordsTable, ContentRevisionsTable } from '#kernel/db/schema.ts';
import { type Body, type Kind, readBody, wireBody } from './kind.ts';

export type RecordRow = Selectable<ContentRecordsTable>;
export type RevisionRow = Selectable<ContentRevisionsTable>;

/** `changed`: published, with a newer draft. */
export type RecordState = 'draft' | 'published' | 'changed' | 'removed';
export const RECORD_STATES: readonly [RecordState, ...RecordState[]] = [
  'draft',
  'published',
  'changed',
  'removed',
];

/** A record in a list, in its newest version. */
export interface RecordJson<B extends Body = Body> {
  id: string;
  kind: string;
  version: number;
  published_version: number | null;
  state: RecordState;
  body: B;
  /** ISO 8601. */
  changed_at: string;
  /** A name; null if it is unknown. */
  changed_by: string | null;
}

export function stateOf(row: Pick<RecordRow, 'removed_at' | 'published_version' | 'version'>): RecordState {
  if (row.removed_at !== null) return 'removed';
  if (row.published_version === null) return 'draft';
  return row.published_version === row.version ? 'published' : 'changed';
}

export function recordJson<B extends Body>(
  kind: Kind<B>,
  row: RecordRow,
  revision: Pick<RevisionRow, 'body' | 'by'>,
  nameOf: (by: string | null) => string | null,
): RecordJson<B> {
  const { id, version, published_version, changed_at } = row;
  return {
    id,
    kind: kind.name,
    version,
    published_version,
    state: stateOf(row),
    body: wireBody(kind, readBody(kind, revision.body)),
    changed_at: isoTime(changed_at),
    changed_by: nameOf(revision.by),
  };
}

/** Returns the author as stored in revisions: no email address, because that would outlive the person's erasure. */
export function storedName({ by, person }: Actor): string | null {
  if (person !== undefined) return `person:${person}`;
  return by === undefined || by.includes('@') ? null : by;
}

/** Returns a function that converts stored authors to names, null for erased people; looks each up once. */
export function namesIn(reader: Reader): (by: string | null) => string | null {
  const known = new Map<string, string | null>();
  return (by) => {
    if (by === null || !by.startsWith('person:')) return by;
    return known.getOrInsertComputed(by, () => {
      const row = reader.first(personById({ id: by.slice('person:'.length) }));
      return row && row.erased_at === null ? row.name : null;
    });
  };
}

const personById = prepare((p: { id: string }) =>
  build.selectFrom('persons').select(['name', 'erased_at']).where('id', '=', p.id),
);

export const recordById = prepare((p: { id: string; kind: string }) =>
  build.selectFrom('content_records').selectAll().where('id', '=', p.id).where('kind', '=', p.kind),
);

export const revisionOf = prepare((p: { id: string; version: number }) =>
  build
    .selectFrom('content_revisions')
    .selectAll()
    .where('record_id', '=', p.id)
    .where('version', '=', p.version),
);
