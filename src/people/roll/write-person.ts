import { randomBytes } from 'node:crypto';
import type { Actor } from '#kernel/db/audit.ts';
import { build, prepare, type Tx } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { searchName } from '#people/persons.ts';
import type { RollAddress, RollPerson } from './records.ts';
import type { Standing } from './standings.ts';

/** The parts of a person that two states differ in. */
export type Part = 'name' | 'called' | 'number' | 'note' | 'addresses' | 'standings' | 'groups';

/** What is different between two states of a person, in this order. */
export function differences(before: RollPerson, after: Omit<RollPerson, 'version'>): Part[] {
  const texts = (['name', 'called', 'number', 'note'] as const).filter(
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

const insertPerson = prepare(
  (p: {
    id: string;
    name: string;
    sort_name: string;
    called: string | null;
    number: string | null;
    note: string | null;
    webauthn_id: Uint8Array;
    created_at: number;
  }) =>
    build.insertInto('persons').values({
      id: p.id,
      name: p.name,
      sort_name: p.sort_name,
      called: p.called,
      number: p.number,
      note: p.note,
      webauthn_id: p.webauthn_id,
      created_at: p.created_at,
      erased_at: null,
    }),
);

/** Stores a new person. The entry in the audit log is the caller's. */
export function insertRollPerson(tx: Tx, person: Omit<RollPerson, 'version'>, actor: Actor): void {
  const { id, name, called, number, note } = person;
  const webauthn_id = randomBytes(32);
  const sort_name = searchName(person);
  tx.run(insertPerson({ id, name, sort_name, called, number, note, webauthn_id, created_at: actor.at }));
  for (const address of person.addresses) insertAddress(tx, id, address, actor);
  for (const standing of person.standings) insertStanding(tx, id, standing, actor);
  for (const group_id of person.groups) tx.run(insertMember({ person_id: id, group_id }));
}

const updatePerson = prepare(
  (p: {
    id: string;
    name: string;
    sort_name: string;
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
        called: p.called,
        number: p.number,
        note: p.note,
        version: p.version,
      })
      .where('id', '=', p.id),
);

/**
 * Stores another state of a person, as a new version. The entry in the audit log is the caller's.
 * @param before what is stored
 * @returns what was different; where nothing was, nothing is stored
 */
export function updateRollPerson(
  tx: Tx,
  before: RollPerson,
  after: Omit<RollPerson, 'version'>,
  actor: Actor,
): Part[] {
  const parts = differences(before, after);
  if (parts.length === 0) return parts;
  const { id, name, called, number, note } = after;
  const version = before.version + 1;
  tx.run(updatePerson({ id, name, sort_name: searchName(after), called, number, note, version }));
  if (parts.includes('addresses')) replaceAddresses(tx, before, after, actor);
  if (parts.includes('standings')) {
    tx.run(deleteStandings({ id }));
    for (const standing of after.standings) insertStanding(tx, id, standing, actor);
  }
  if (parts.includes('groups')) {
    tx.run(deleteMembers({ id }));
    for (const group_id of after.groups) tx.run(insertMember({ person_id: id, group_id }));
  }
  return parts;
}

/** Those that stay keep their row, and with it when they were verified. */
function replaceAddresses(
  tx: Tx,
  before: RollPerson,
  { id, addresses }: Pick<RollPerson, 'id' | 'addresses'>,
  actor: Actor,
): void {
  const had = new Set(before.addresses.map(({ email }) => email));
  const has = new Set(addresses.map(({ email }) => email));
  for (const email of had) if (!has.has(email)) tx.run(deleteAddress({ id, email }));
  // Two primary ones at once are refused by the database.
  tx.run(unmarkPrimary({ id }));
  for (const address of addresses) {
    if (!had.has(address.email)) insertAddress(tx, id, address, actor);
    else if (address.primary) tx.run(markPrimary({ id, email: address.email }));
  }
}

const addressRow = prepare(
  (p: {
    id: string;
    person_id: string;
    email: string;
    is_primary: 0 | 1;
    verified_at: number | null;
    added_by: string;
    added_at: number;
  }) =>
    build.insertInto('addresses').values({
      id: p.id,
      person_id: p.person_id,
      email: p.email,
      is_primary: p.is_primary,
      verified_at: p.verified_at,
      added_by: p.added_by,
      added_at: p.added_at,
    }),
);

function insertAddress(
  tx: Tx,
  person_id: string,
  { email, primary, verified_at }: RollAddress,
  actor: Actor,
) {
  const added = { added_by: actor.by ?? actor.ip, added_at: actor.at };
  tx.run(
    addressRow({ id: newId(actor.at), person_id, email, is_primary: primary ? 1 : 0, verified_at, ...added }),
  );
}

const standingRow = prepare(
  (p: { id: string; person_id: string; kind_id: string; first_day: string; last_day: string | null }) =>
    build.insertInto('standings').values({
      id: p.id,
      person_id: p.person_id,
      kind_id: p.kind_id,
      first_day: p.first_day,
      last_day: p.last_day,
    }),
);

function insertStanding(
  tx: Tx,
  person_id: string,
  { kind_id, first_day, last_day }: Standing,
  { at }: Actor,
) {
  tx.run(standingRow({ id: newId(at), person_id, kind_id, first_day, last_day }));
}

const insertMember = prepare((p: { person_id: string; group_id: string }) =>
  build.insertInto('group_members').values({ person_id: p.person_id, group_id: p.group_id }),
);
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
