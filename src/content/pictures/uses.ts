import { sql } from 'kysely';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { KINDS } from '../kinds.ts';
import { readBody } from '../records/kind.ts';
import { RESTORABLE } from '../records/reading.ts';

/** A record that shows a picture, or would show it once its newest version is published. */
export interface PictureUse {
  kind: string;
  id: string;
  title: string;
}

/** The records that name a picture in their newest version or in the one that is shown, removed ones while they can be restored. */
export function listUses(reader: Reader, picture: string, now: number): PictureUse[] {
  const rows = reader.all(usesOf({ picture, restorable: now - RESTORABLE }));
  const uses = rows.map(({ id, kind: name, body }) => {
    const kind = KINDS.find((known) => known.name === name);
    return [id, { kind: name, id, title: kind ? kind.title(readBody(kind, body)) : name }] as const;
  });
  return [...new Map(uses).values()];
}

const usesOf = prepare((p: { picture: string; restorable: number }) =>
  build
    .selectFrom('content_records as record')
    .innerJoin('content_revisions as revision', (join) =>
      join
        .onRef('revision.record_id', '=', 'record.id')
        .on((is) =>
          is.or([
            is('revision.version', '=', is.ref('record.version')),
            is('revision.version', '=', is.ref('record.published_version')),
          ]),
        ),
    )
    .select(['record.id', 'record.kind', 'revision.body'])
    .where(sql`revision.body ->> '$.picture'`, '=', p.picture)
    .where((is) => is.or([is('record.removed_at', 'is', null), is('record.removed_at', '>', p.restorable)]))
    .orderBy('record.created_at')
    .orderBy('record.id')
    .orderBy('revision.version', 'desc'),
);
