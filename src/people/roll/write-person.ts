import type { Actor } from '#kernel/db/audit.ts';
import { build, prepare, type Tx } from '#kernel/db/queries.ts';
import { searchName } from '#people/persons.ts';
import { insertAddresses, insertMembers, insertStandings, membersOf, standingsOf } from './insert-rows.ts';
import type { RollPerson } from './records.ts';

/** A part of a person that can differ between two states. */
export type Part =
  | 'name'
  | 'family_name'
  | 'called'
  | 'number'
  | 'note'
  | 'addresses'
  | 'standings'
  | 'groups';

/** Returns the parts in which two states of a person differ, in the order of `Part`. */
export function differences(before: RollPerson, after: Omit<RollPerson, 'version'>): Part[] {
  const texts = (['name', 'family_name', 'called', 'number', 'note'] as const).filter(
    (part) => before[part] !== after[part],
  );
  const addresses = ({ addresses }: Pick<RollPerson, 'addresses'>) =>
    addresses.map(({ email, primary }) => `${email} ${primary}`).sort();
  const standings = ({ standings }: Pick<RollPerson, 'standings'>) =>
    standings.map(({ kind_id, first_day, last_day }) => `${first_day} ${last_day} ${kind_id}`).sort();
  return [
    ...texts,
    ...(same(addresses(before), addresses(after)) ? [] : (['addresses'] as const)),
    ...(same(standings(before), standings(after)) ? [] : (['standings'] as const)),
    ...(same(before.groups.toSorted(), after.groups.toSorted()) ? [] : (['groups'] as const)),
  ];
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);

const updatePerson = prepare(
  (p: {
    id: string;
    name: string;
    sort_name: string;
    family_name: string | null;
    called: string | null;
    number: string | null;
    note: string | null;
    version: number;
  }) =>
    build
      .updateTable('persons')
      .set({
        name: p.name,
        sort_name: p.sort_name,
        family_name: p.family_name,
        called: p.called,
        number: p.number,
        note: p.note,
        version: p.version,
      })
      .where('id', '=', p.id),
);

/**
 * Stores a changed person as a new version. The caller writes the audit log entry.
 * @param before the stored state
 * @returns the changed parts; if there are none, nothing is stored
 */
export function updateRollPerson(
  tx: Tx,
  before: RollPerson,
  after: Omit<RollPerson, 'version'>,
  actor: Actor,
): Part[] {
  const parts = differences(before, after);
  if (parts.length === 0) return parts;
  const { id, name, family_name, called, number, note } = after;
  const version = before.version + 1;
  tx.run(
    updatePerson({ id, name, sort_name: searchName(after), family_name, called, number, note, version }),
  );
  if (parts.includes('addresses')) replaceAddresses(tx, before, after, actor);
  if (parts.includes('standings')) {
    tx.run(deleteStandings({ id }));
    insertStandings(tx, standingsOf(after), actor);
  }
  if (parts.includes('groups')) {
    tx.run(deleteMembers({ id }));
    insertMembers(tx, membersOf(after));
  }
  return parts;
}

/** Addresses that stay keep their row, and with it the time of their verification. */
function replaceAddresses(
  tx: Tx,
  before: RollPerson,
  { id, addresses }: Pick<RollPerson, 'id' | 'addresses'>,
  actor: Actor,
): void {
  const had = new Set(before.addresses.map(({ email }) => email));
  const has = new Set(addresses.map(({ email }) => email));
  for (const email of had.difference(has)) {
    tx.run(deleteAddress({ id, email }));
    tx.run(build.replaceInto('former_addresses').values({ person_id: id, email, ended_at: actor.at }));
  }
  // The database refuses two primary addresses at any moment, so the old one is unmarked first.
  tx.run(unmarkPrimary({ id }));
  for (const address of addresses) {
    if (!had.has(address.email)) insertAddresses(tx, [{ person_id: id, ...address }], actor);
    else if (address.primary) tx.run(markPrimary({ id, email: address.email }));
  }
}

const deleteMembers = prepare((p: { id: string }) =>
  build.deleteFrom('group_members').where('person_id', '=', p.id),
);
const deleteStandings = prepare((p: { id: string }) =>
  build.deleteFrom('standings').where('person_id', '=', p.id),
);
const deleteAddress = prepare((p: { id: string; email: string }) =>
  build.deleteFrom('addresses').where('person_id', '=', p.id).where('email', '=', p.email),
);
const unmarkPrimary = prepare((p: { id: string }) =>
  build.updateTable('addresses').set({ is_primary: 0 }).where('person_id', '=', p.id),
);
const markPrimary = prepare((p: { id: string; email: string }) =>
  build
    .updateTable('addresses')
    .set({ is_primary: 1 })
    .where('person_id', '=', p.id)
    .where('email', '=', p.email),
);
