import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { isSameName } from '#kernel/names.ts';

/** Of a meeting: the names of its classes, as JSON. */
interface Classed {
  classes: string;
}

/** The class of a person: the one that the roll gives, else the first. */
export const classOfPerson = (
  reader: Reader,
  of: Classed,
  person: { id: string; kind: string | null },
): string => findClassOfRoll(reader, of, person) ?? (JSON.parse(of.classes) as string[])[0]!;

/** The class that is named like one of the groups of a person or their kind of membership; undefined without any. */
export function findClassOfRoll(
  reader: Reader,
  { classes }: Classed,
  { id, kind }: { id: string; kind: string | null },
): string | undefined {
  const groups = reader.all(
    build
      .selectFrom('group_members')
      .innerJoin('groups', 'groups.id', 'group_id')
      .select('name')
      .where('person_id', '=', id),
  );
  return namedLike(
    JSON.parse(classes),
    groups.map(({ name }) => name),
    kind,
  );
}

const namedLike = (classes: readonly string[], groups: readonly string[], kind: string | null) =>
  classes.find((name) => [...groups, kind ?? ''].some((one) => isSameName(one, name)));

/** How many people the roll gives each class; those whom it names none for are of the first. @param voters kinds by id */
export function countByClass(
  reader: Reader,
  { classes }: Classed,
  voters: ReadonlyMap<string, string>,
): Record<string, number> {
  const known: string[] = JSON.parse(classes);
  const rows = reader.all(
    build
      .selectFrom('group_members')
      .innerJoin('groups', 'groups.id', 'group_id')
      .select(['person_id', 'name']),
  );
  const groups = Map.groupBy(rows, ({ person_id }) => person_id);
  const counts = Object.fromEntries(known.map((name) => [name, 0]));
  for (const [id, kind] of voters) {
    const own = (groups.get(id) ?? []).map(({ name }) => name);
    const name = namedLike(known, own, kind) ?? known[0]!;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Takes the right to answer questions of other classes from a new link of a meeting. */
export function keepClassOfLink(
  tx: Tx,
  meeting: Classed & { id: string },
  person: { id: string; kind: string | null },
  token_hash: string,
): void {
  const items = tx.all(
    build
      .selectFrom('meeting_items')
      .select(['election_id', 'classes'])
      .where('meeting_id', '=', meeting.id)
      .where('classes', 'is not', null)
      .where('election_id', 'is not', null),
  );
  if (items.length === 0) return;
  const own = classOfPerson(tx, meeting, person);
  for (const { election_id, classes } of items) {
    if ((JSON.parse(classes ?? '[]') as string[]).includes(own)) continue;
    const unused = build.deleteFrom('tokens').where('election_id', '=', election_id ?? '');
    tx.run(unused.where('token_hash', '=', token_hash).where('used_at', 'is', null));
  }
}
