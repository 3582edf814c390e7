import { z } from 'zod';
import { badField, badFields, type FieldError, fieldError } from '#kernel/http/errors.ts';
import { nameField, record, textField } from '#kernel/http/record.ts';
import {
  atMost,
  emailAddress,
  flag,
  listOf,
  REQUIRED_TEXT,
  requiredText,
  wholeNumber,
} from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { dateInWords } from '#kernel/language/times.ts';
import { ENGLISH, Note, type Words } from '#kernel/language/words.ts';
import { coded } from '#kernel/messages/messages.ts';
import { cleanName, isVisible } from '#kernel/names.ts';
import { sortName } from '#people/persons.ts';
import type { GroupJson, KindJson, Names } from './kinds-and-groups.ts';
import type { RollPerson } from './records.ts';
import { addStanding, findOverlap, isDay, type Standing } from './standings.ts';

/** A name on one line, also sent as a number; null and an empty text remove it. */
const visibleText = (max: number) =>
  z
    .union([z.string(), z.number().transform(String), z.null()], coded('not_text'))
    .transform((text) => (text && isVisible(text) ? cleanName(text).replace(/\s+/g, ' ') : null))
    .refine((text) => text === null || text.length <= max, atMost(max));

const NoteInput = z
  .union([z.string().trim().max(2_000, atMost(2_000)), z.null()], coded('not_text'))
  .transform((text) => text?.replace(/\r\n?/g, '\n') || null);

const OFF = { autocomplete: 'off' } as const;
const name = nameField(200, OFF);

/** The texts of a person. The words of their form are `PERSON_WORDS`. */
export const PERSON = record({
  name: { ...name, input: name.input.transform((text) => text.replace(/\s+/g, ' ')) },
  called: { ...textField(200, OFF), input: visibleText(200) },
  number: { ...textField(40, OFF), input: visibleText(40) },
  note: { ...textField(2_000, { rows: 3 }), input: NoteInput },
});

const day = z.string(REQUIRED_TEXT).trim().refine(isDay, coded('not_day'));

const StandingInput = z
  .object({ kind: requiredText(80), first_day: day, last_day: z.union([day, z.literal('')]).nullish() })
  .transform(({ last_day, ...rest }) => ({ ...rest, last_day: last_day || null }))
  .refine(({ first_day, last_day }) => last_day === null || last_day >= first_day, {
    path: ['last_day'],
    message: coded('before_first_day'),
  });

const AddressInput = z.object({ email: emailAddress, primary: flag.default(false) });

const parts = {
  addresses: listOf(AddressInput, 10).optional(),
  standing: StandingInput.optional(),
  standings: listOf(StandingInput, 100).optional(),
  groups: listOf(requiredText(80), 100).optional(),
};

export const PersonInput = PERSON.input.extend(parts);
export const PersonPatch = PERSON.patch.extend({
  ...parts,
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER),
});

type Patch = Omit<z.output<typeof PersonPatch>, 'version'>;

/** The club's kinds and groups. */
export interface Vocabulary {
  kinds: Names<KindJson>;
  groups: Names<GroupJson>;
}

export const NOBODY: Omit<RollPerson, 'id' | 'name'> = {
  family_name: null,
  called: null,
  number: null,
  note: null,
  version: 0,
  addresses: [],
  standings: [],
  groups: [],
};

/**
 * Applies an input to a person. `standing` adds one, see `addStanding`; `standings` replaces all. A standing that is
 * stored already is not added again.
 * @throws 400 for unknown kinds and groups, overlapping standings, repeated addresses, and two primary addresses
 */
export function applyInput(before: RollPerson, input: Patch, { kinds, groups }: Vocabulary): RollPerson {
  const { name = before.name, called = before.called, number = before.number, note = before.note } = input;
  return {
    ...before,
    name,
    family_name: familyIn(name, before),
    called,
    number,
    note,
    addresses: input.addresses ? readAddresses(before, input.addresses) : before.addresses,
    standings: readStandings(before, input, kinds),
    groups: input.groups ? readGroups(input.groups, groups) : before.groups,
  };
}

/** A family name stays as long as it is in the name. */
export const familyIn = (name: string, { family_name }: Pick<RollPerson, 'family_name'>): string | null =>
  family_name !== null && sortName(name).includes(sortName(family_name)) ? family_name : null;

function readAddresses(before: RollPerson, given: NonNullable<Patch['addresses']>): RollPerson['addresses'] {
  const errors: FieldError[] = given.flatMap(({ email, primary }, index) => [
    ...(given.findIndex((other) => other.email === email) < index
      ? [fieldError(`addresses.${index}.email`, 'listed_twice')]
      : []),
    ...(primary && given.findIndex((other) => other.primary) < index
      ? [fieldError(`addresses.${index}.primary`, 'one_primary_address')]
      : []),
  ]);
  if (errors.length > 0) throw badFields(errors);
  const stored = new Map(before.addresses.map((address) => [address.email, address]));
  const chosen =
    given.find(({ primary }) => primary) ?? given.find(({ email }) => stored.get(email)?.primary) ?? given[0];
  return given
    .map((address) => ({
      email: address.email,
      primary: address === chosen,
      verified_at: stored.get(address.email)?.verified_at ?? null,
    }))
    .sort((a, b) => Number(b.primary) - Number(a.primary));
}

function readStandings(before: RollPerson, input: Patch, kinds: Names<KindJson>): readonly Standing[] {
  let standings = before.standings;
  if (input.standings)
    standings = input.standings.map((given, index) => readStanding(given, `standings.${index}.kind`, kinds));
  if (input.standing) {
    const added = readStanding(input.standing, 'standing.kind', kinds);
    if (!before.standings.some((stored) => isSame(stored, added))) standings = addStanding(standings, added);
  }
  if (standings !== before.standings)
    ensureApart(standings, input.standing ? 'standing' : 'standings', kinds);
  return standings;
}

function readStanding(
  { kind, first_day, last_day }: z.output<typeof StandingInput>,
  path: string,
  kinds: Names<KindJson>,
): Standing {
  const { id, votes } = kinds.find(kind) ?? unknown(path, 'kind', kind);
  return { kind_id: id, votes, first_day, last_day };
}

function readGroups(names: readonly string[], groups: Names<GroupJson>): string[] {
  const ids = names.map((one, index) => (groups.find(one) ?? unknown(`groups.${index}`, 'group', one)).id);
  return [...new Set(ids)].sort();
}

/** @throws 400 when two standings overlap that must not */
function ensureApart(standings: readonly Standing[], path: string, kinds: Names<KindJson>): void {
  const overlap = findOverlap(standings);
  if (!overlap) return;
  const [one, other] = overlap.map((standing) => standingWords(standing, kinds.ofId(standing.kind_id).name));
  throw badField(path, 'overlapping', { one: one!, other: other! });
}

/** JSON has the days as they are sent. */
function standingWords({ first_day, last_day }: Standing, kind: string): Words {
  const inWords = (day: (text: string) => Words | string) =>
    last_day === null
      ? t('errors-admin.overlapping.since', { kind, first: day(first_day) })
      : t('errors-admin.overlapping.between', { kind, first: day(first_day), last: day(last_day) });
  return new Note(inWords(dateInWords), inWords(String).for(ENGLISH));
}

const isSame = (a: Standing, b: Standing): boolean =>
  a.kind_id === b.kind_id && a.first_day === b.first_day && a.last_day === b.last_day;

function unknown(path: string, what: string, name: string): never {
  throw badField(path, 'no_such_one', { what, name });
}
