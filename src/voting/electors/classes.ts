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
  const known: string[] = JSON.parse(classes);
  const groups = reader.all(
    build
      .selectFrom('group_members')
      .innerJoin('groups', 'groups.id', 'group_id')
      .select('name')
      .where('person_id', '=', id),
  );
  const own = [...groups.map(({ name }) => name), ...(kind === null ? [] : [kind])];
  return known.find((name) => own.some((one) => isSameName(one, name)));
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
