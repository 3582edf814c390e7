import type { Selectable } from 'kysely';
import type { Actor } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { ElectorsTable } from '#kernel/db/schema.ts';
import type { Election } from '#voting/elections/elections.ts';

/** A person on the roll who is invited to an election. */
export interface InvitedPerson {
  id: string;
  name: string;
  /** The kind of membership and the day by which they were chosen; null for people found by a given address. */
  standing: string | null;
  as_of: string | null;
}

export type Elector = Selectable<ElectorsTable>;

/**
 * Makes a person an elector. For a known elector the stored row is updated from the roll until voting opens, and
 * stays unchanged from then on.
 * @returns whether the person was not an elector before
 */
export function addElector(
  tx: Tx,
  election: Pick<Election, 'id' | 'opened_at'>,
  { person, email }: { person: InvitedPerson; email: string | null },
  actor: Actor,
): boolean {
  const { id: election_id, opened_at } = election;
  const { id: person_id, name, standing, as_of } = person;
  const known = findElector(tx, election_id, person_id);
  if (!known) {
    const added = { added_at: actor.at, added_by: actor.by ?? 'key' };
    tx.run(insertElector({ election_id, person_id, name, email, standing, as_of, ...added }));
    return true;
  }
  if (opened_at === null)
    tx.run(
      build
        .updateTable('electors')
        .set({ name, email, ...(standing !== null && { standing, as_of }) })
        .where('election_id', '=', election_id)
        .where('person_id', '=', person_id),
    );
  return false;
}

const insertElector = prepare((p: Elector) =>
  build.insertInto('electors').values({
    election_id: p.election_id,
    person_id: p.person_id,
    name: p.name,
    email: p.email,
    standing: p.standing,
    as_of: p.as_of,
    added_at: p.added_at,
    added_by: p.added_by,
  }),
);

const electorById = prepare((p: { election_id: string; person_id: string }) =>
  build
    .selectFrom('electors')
    .selectAll()
    .where('election_id', '=', p.election_id)
    .where('person_id', '=', p.person_id),
);

export function findElector(reader: Reader, electionId: string, personId: string): Elector | undefined {
  return reader.first(electorById({ election_id: electionId, person_id: personId }));
}
