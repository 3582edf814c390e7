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

type Memory = Pick<Context, 'db' | 'derived'>;

/**
 * Returns the published records of a kind from memory; the same array until one is published or removed. Each version
 * is read once: a record whose published version is unchanged stays the same object in the next array.
 */
export function listPublished<B extends Body>(
  { db, derived }: Memory,
  kind: Kind<B>,
): readonly Published<B>[] {
  const known = derived.get(`published records of ${kind.name}`, [], () => new Map<string, Published<B>>());
  return derived.get(`content of ${kind.name}`, [], () => {
    const list = db.all(shownOf({ kind: kind.name })).flatMap(({ version, ...record }) => {
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
    known.clear();
    for (const record of list) known.set(record.id, record);
    return list;
  });
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
  { db, derived }: Memory,
  kind: Pick<Kind, 'name'>,
): ReadonlyMap<string, string> {
  return derived.get(`pages imported as ${kind.name}`, [], () => {
    const rows = db.all(
      build
        .selectFrom('content_records')
        .select(['id', 'origin'])
        .where('kind', '=', kind.name)
        .where('origin', 'like', 'workspace:%'),
    );
    // A record merged from two pages has the id of one and the origin of the other.
    return new Map(
      rows.flatMap(({ id, origin }) => [
        [id, id],
        [(origin ?? '').replace(ORIGIN, ''), id],
      ]),
    );
  });
}

/** Prefix of the origin of an imported record. */
export const ORIGIN = 'workspace:';

/** Whether a record of these kinds, or of any kind if the list is empty, was ever published. */
export function everPublished({ db, derived }: Memory, kinds: readonly Pick<Kind, 'name'>[] = []): boolean {
  const names = kinds.map(({ name }) => name);
  return derived.get(`ever published ${names.join()}`, [listVersion(derived)], () => {
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
  });
}

/** Announces that the published content of a kind has changed; call after the commit. */
export function announceContent({ derived, hub }: Pick<Context, 'derived' | 'hub'>, kind: string): void {
  for (const name of [`content of ${kind}`, `pages imported as ${kind}`, VERSION]) derived.forget(name);
  hub.publish('content');
}

const VERSION = 'version of the content';

/** Returns an object that is replaced whenever content of any kind is published. */
const listVersion = (derived: Context['derived']): object => derived.get(VERSION, [], () => ({}));
