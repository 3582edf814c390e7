import { build, type Reader } from '#kernel/db/queries.ts';

/** Addresses of people with a role that another person has too. @param now in milliseconds */
export function listSharedStaffAddresses(
  reader: Reader,
  now: number,
): { person_id: string; email: string }[] {
  return reader.all(
    build
      .selectFrom('person_roles')
      // SQLite does not reorder a cross join: start with the few people with a role, not with the many addresses.
      .crossJoin('addresses')
      .whereRef('addresses.person_id', '=', 'person_roles.person_id')
      .select(['addresses.person_id', 'email'])
      .distinct()
      .where((is) => is.or([is('until', 'is', null), is('until', '>', now)]))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('addresses as other')
            .innerJoin('persons', 'persons.id', 'other.person_id')
            .select('other.id')
            .whereRef('other.email', '=', 'addresses.email')
            .whereRef('other.person_id', '<>', 'addresses.person_id')
            .where('erased_at', 'is', null),
        ),
      ),
  );
}
