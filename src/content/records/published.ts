import { isDeepStrictEqual } from 'node:util';
import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, prepare } from '#kernel/db/queries.ts';
import { type Body, type Kind, readBody } from './kind.ts';
import { revisionOf } from './rows.ts';

/** A record in its published version. */
export interface Published<B extends Body = Body> {
  id: string;
  version: number;
  body: B;
  uid_base: string;
  /** `workspace:<id>` of the page that it was imported from, or the origin of a copy. */
  origin: string | null;
  /** When this version was published. */
  published_at: number;
}

type Memory = Pick<Context, 'db' | 'cache' | 'hub'>;

/** By kind. */
const PUBLISHED = kept<readonly Published[]>();
const IMPORTED = kept<ReadonlyMap<string, string>>();
const EVER_PUBLISHED = kept<boolean>();

/**
 * Returns the published records of a kind from memory; the same array until one is published or removed. Each version
 * is read once: a record whose published version is unchanged stays the same object in the next array.
 */
export function listPublished<B extends Body>(
  { db, cache, hub }: Memory,
  kind: Kind<B>,
): readonly Published<B>[] {
  const make = (before: readonly Published[] = []) => {
    const known = new Map(before.map((record) => [record.id, record]));
    const list = db
      .all(shownOf({ kind: kind.name }))
      .flatMap(({ version, ...record }): Published | Published[] => {
        const last = known.get(record.id);
        if (last?.version === version) return last;
        const revision = db.first(revisionOf({ id: record.id, version: version ?? 0 }));
        if (!revision) return [];
        const { body, published_at } = revision;
        return {
          ...record,
          version: revision.version,
          body: readBody(kind, body),
          published_at: published_at ?? 0,
        };
      });
    return isDeepStrictEqual(list, before) ? before : list;
  };
  return cache.get(PUBLISHED, kind.name, make, [hub.version('content')]) as readonly Published<B>[];
}

const shownOf = prepare((p: { kind: string }) =>
  build
    .selectFrom('content_records')
    .select(['id', 'uid_base', 'origin', 'published_version as version'])
    .where('kind', '=', p.kind)
    .where('published_version', 'is not', null)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id'),
);

/**
 * Maps the workspace pages that records of a kind were imported from to the ids of the records, including removed ones:
 * these pages are not shown themselves.
 */
export function listImportedPages(
  { db, cache, hub }: Memory,
  kind: Pick<Kind, 'name'>,
): ReadonlyMap<string, string> {
  const make = (before?: ReadonlyMap<string, string>) => {
    const rows = db.all(
      build
        .selectFrom('content_records')
        .select(['id', 'origin'])
        .where('kind', '=', kind.name)
        .where('origin', 'like', 'workspace:%'),
    );
    // A record merged from two pages has the id of one and the origin of the other.
    const pages = new Map(
      rows.flatMap(({ id, origin }) => [
        [id, id],
        [(origin ?? '').replace(ORIGIN, ''), id],
      ]),
    );
    return isDeepStrictEqual(pages, before) ? before! : pages;
  };
  return cache.get(IMPORTED, kind.name, make, [hub.version('content')]);
}

/** Prefix of the origin of an imported record. */
export const ORIGIN = 'workspace:';

/** Whether a record of these kinds, or of any kind if the list is empty, was ever published. */
export function everPublished(
  { db, cache, hub }: Memory,
  kinds: readonly Pick<Kind, 'name'>[] = [],
): boolean {
  const names = kinds.map(({ name }) => name);
  const find = () => {
    let records = build.selectFrom('content_records as record').select('record.id');
    if (names.length > 0) records = records.where('record.kind', 'in', names);
    const shown = records.where('record.published_version', 'is not', null);
    // The revisions are searched only if nothing is published now.
    const wasShown = records.where((is) =>
      is.exists(
        is
          .selectFrom('content_revisions as revision')
          .select('revision.version')
          .whereRef('revision.record_id', '=', 'record.id')
          .where('revision.published_at', 'is not', null),
      ),
    );
    return [shown, wasShown].some((query) => db.first(query.limit(ONE)) !== undefined);
  };
  return cache.get(EVER_PUBLISHED, names.join(), find, [hub.version('content')]);
}
