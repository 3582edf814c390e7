import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { nameKey } from '#kernel/names.ts';
import { sortName } from '#people/persons.ts';
import { loadPeople, loadRoles, type RollPerson } from '#people/roll/records.ts';

const PAGE = 250;

/** All people on the roll, indexed for the matching of an import. */
export class RollIndex {
  readonly #people = new Map<string, RollPerson>();
  readonly #byNumber = new Map<string, RollPerson>();
  readonly #byEmail = new Map<string, RollPerson[]>();
  readonly #byName = new Map<string, RollPerson[]>();
  readonly #byLikeName = new Map<string, RollPerson[]>();
  readonly #staff = new Set<string>();

  add(person: RollPerson, staff: boolean): void {
    this.#people.set(person.id, person);
    if (staff) this.#staff.add(person.id);
    if (person.number !== null) this.#byNumber.set(person.number, person);
    this.#byName.getOrInsertComputed(nameKey(person.name), () => []).push(person);
    this.#byLikeName.getOrInsertComputed(sortName(person.name), () => []).push(person);
    for (const { email } of person.addresses) this.#byEmail.getOrInsertComputed(email, () => []).push(person);
  }

  everybody(): Iterable<RollPerson> {
    return this.#people.values();
  }

  byId(id: string): RollPerson | undefined {
    return this.#people.get(id);
  }

  byNumber(number: string): RollPerson | undefined {
    return this.#byNumber.get(number);
  }

  /** The people of exactly this name. */
  byName(name: string): readonly RollPerson[] {
    return this.#byName.get(nameKey(name)) ?? [];
  }

  /** The people whose name is this one but for accents. */
  byLikeName(name: string): readonly RollPerson[] {
    return this.#byLikeName.get(sortName(name)) ?? [];
  }

  byEmail(emails: readonly string[]): readonly RollPerson[] {
    return [...new Set(emails.flatMap((email) => this.#byEmail.get(email) ?? []))];
  }

  /** Whether the person has a role. */
  isStaff(id: string): boolean {
    return this.#staff.has(id);
  }
}

const pageOfIds = prepare((p: { after: string }) =>
  build
    .selectFrom('persons')
    .select('id')
    .where('id', '>', p.after)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .limit(PAGE),
);

/** Reads the whole roll. */
export function readRoll(reader: Reader, now: number): RollIndex {
  const index = new RollIndex();
  for (let after = ''; ; ) {
    const ids = reader.all(pageOfIds({ after })).map(({ id }) => id);
    const roles = loadRoles(reader, ids, now);
    for (const person of loadPeople(reader, ids)) index.add(person, roles.has(person.id));
    const last = ids.at(-1);
    if (last === undefined || ids.length < PAGE) return index;
    after = last;
  }
}

const versionOfRoll = build.selectFrom('roll_version').select('version').compile();

/** A number that increases with every change of the roll. */
export function rollVersion(reader: Reader): number {
  return reader.first(versionOfRoll)?.version ?? 0;
}
