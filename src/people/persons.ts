import { randomBytes } from 'node:crypto';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { spellingsOf } from '#kernel/mail-addresses.ts';
import { cleanName, withoutAccents } from '#kernel/names.ts';

/**
 * Converts a name for sorting and searching: lower case, Latin, Greek and Cyrillic letters without accents. It
 * identifies nobody: for that, names are compared by `nameKey`.
 */
export function sortName(name: string): string {
  return cleanName(withoutAccents(name)).normalize('NFC').toLowerCase();
}

/** The text by which a person is sorted and searched: family name if it is known, name, nickname and number. */
export function searchName(person: {
  family_name: string | null;
  name: string;
  called: string | null;
  number: string | null;
}): string {
  const { family_name, name, called, number } = person;
  return [family_name, name, called, number]
    .filter((text) => text !== null)
    .map(sortName)
    .join('\n');
}

/**
 * Creates a person with one address. The caller writes the audit log entry, which gives the reason.
 * @param email in lower case
 * @returns the person's id
 */
export function createPerson(tx: Tx, { name, email }: { name: string; email: string }, actor: Actor): string {
  const id = newId(actor.at);
  tx.run(
    build.insertInto('persons').values({
      id,
      name,
      sort_name: sortName(name),
      webauthn_id: randomBytes(32),
      created_at: actor.at,
      called: null,
      number: null,
      note: null,
      erased_at: null,
    }),
  );
  addAddress(tx, id, { email, is_primary: 1 }, actor);
  return id;
}

/** Adds an address to a person. */
export function addAddress(
  tx: Tx,
  personId: string,
  { email, is_primary }: { email: string; is_primary: 0 | 1 },
  actor: Actor,
): void {
  const added = { added_by: actor.by ?? actor.ip, added_at: actor.at };
  tx.run(
    build
      .insertInto('addresses')
      .values({ id: newId(actor.at), person_id: personId, email, is_primary, verified_at: null, ...added }),
  );
}

/** Returns the addresses of a person, the primary one first. */
export function listAddresses(
  reader: Reader,
  personId: string,
): { email: string; primary: boolean; verified: boolean }[] {
  const rows = reader.all(
    build
      .selectFrom('addresses')
      .select(['email', 'is_primary', 'verified_at'])
      .where('person_id', '=', personId)
      .orderBy('is_primary', 'desc')
      .orderBy('added_at'),
  );
  return rows.map(({ email, is_primary, verified_at }) => ({
    email,
    primary: is_primary === 1,
    verified: verified_at !== null,
  }));
}

/** The addresses of people, and those that they had. */
const everyAddress = () =>
  build
    .selectFrom('addresses')
    .select(['person_id', 'email'])
    .union(build.selectFrom('former_addresses').select(['person_id', 'email']))
    .as('every_address');

/**
 * The addresses that a person has and had and no other person has or had, in all spellings: data under a shared address
 * may belong to the other person.
 */
export function listOwnEmails(reader: Reader, id: string): string[] {
  const others = build.selectFrom(everyAddress()).select('email').where('person_id', '<>', id);
  const own = build
    .selectFrom(everyAddress())
    .select('email')
    .where('person_id', '=', id)
    .where('email', 'not in', others);
  return reader.all(own).flatMap(({ email }) => spellingsOf(email));
}
