import { build, type Reader } from '#kernel/db/queries.ts';

/** The name for the audit log's `person:<id>`, null if erased; other values unchanged, see `actorWords`. */
export function actorName(reader: Reader, by: string): string | null {
  const [, id] = /^person:(.+)$/.exec(by) ?? [];
  if (id === undefined) return by;
  const person = reader.first(build.selectFrom('persons').select(['name', 'erased_at']).where('id', '=', id));
  return person && person.erased_at === null ? person.name : null;
}
