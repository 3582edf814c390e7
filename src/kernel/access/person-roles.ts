import { build, prepare, type Reader } from '#kernel/db/queries.ts';

const rolesByPerson = prepare((p: { person_id: string; now: number }) =>
  build
    .selectFrom('person_roles')
    .select('role')
    .where('person_id', '=', p.person_id)
    .where((is) => is.or([is('until', 'is', null), is('until', '>', p.now)])),
);

/** The current roles of a person, `now` in milliseconds; includes roles that this version does not know. */
export function findRoles(reader: Reader, personId: string, now: number): string[] {
  return reader.all(rolesByPerson({ person_id: personId, now })).map(({ role }) => role);
}

const peopleByEmail = prepare((p: { email: string }) =>
  build
    .selectFrom('addresses')
    .innerJoin('persons', 'persons.id', 'addresses.person_id')
    .select(['persons.id', 'persons.name'])
    .where('email', '=', p.email)
    .where('erased_at', 'is', null)
    .orderBy('sort_name'),
);

/** The people who have an address: none, one, or several who share it. @param email in lower case */
export function listPeopleOf(reader: Reader, email: string): { id: string; name: string }[] {
  return reader.all(peopleByEmail({ email }));
}

/** The person with a verified address. If several share it: the one with a role, if only one has any. */
export function findPersonOf(reader: Reader, email: string, now: number): string | undefined {
  const people = listPeopleOf(reader, email);
  if (people.length === 1) return people[0]?.id;
  const staff = people.filter(({ id }) => findRoles(reader, id, now).length > 0);
  return staff.length === 1 ? staff[0]?.id : undefined;
}
