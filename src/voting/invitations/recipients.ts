import { sql } from 'kysely';
import { z } from 'zod';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { roomFor } from '#kernel/http/http.ts';
import { listOf } from '#kernel/http/validation.ts';
import { namedAddress, normalizeAddress } from '#kernel/mail-addresses.ts';
import { sentenceOf } from '#kernel/messages/messages.ts';
import { findMembers, MembersInput } from '#people/roll/members.ts';
import type { InvitedPerson } from '#voting/electors/electors.ts';
import { listAddresses } from './distribution-lists.ts';

export const RECIPIENTS_PER_REQUEST = 2_000;
/** A form may name more, because the service sends its mails in the background. */
export const RECIPIENTS_PER_FORM = 20_000;
/** Room for a form with so many, in any encoding: 100 characters are twice the usual name with its address. */
export const LONG_FORM = roomFor(100 * RECIPIENTS_PER_FORM);

/** The recipients of a mail: addresses, lists, or both. */
export const RecipientsInput = z.object({
  emails: listOf(z.string(), RECIPIENTS_PER_REQUEST).optional(),
  distribution_list_ids: listOf(z.string(), 100).optional(),
});

/** The recipients of an invitation: addresses, lists and members of the roll. A form may name more than a request. */
export const InvitedInput = RecipientsInput.extend({
  emails: listOf(z.string(), RECIPIENTS_PER_FORM).optional(),
  roll: MembersInput.optional(),
  /** People of the roll by their ids. */
  person_ids: listOf(z.string().max(64), RECIPIENTS_PER_REQUEST).optional(),
});

export interface MailResult {
  email: string;
  /** The name of a person from the roll. */
  name?: string;
  success: boolean;
  error?: string;
  /** Whether it is sent in the background: now, when voting opens, or once the mail server accepts it. */
  queued?: boolean;
  /** Whether they have no address, and get a printed slip. */
  slip?: true;
}

/** Names addresses as the request wrote them: a client looks for the row of what it sent. */
export function asSent<Row extends { email: string }>(
  rows: readonly Row[],
  sent: readonly string[] = [],
): Row[] {
  const written = new Map<string, string>();
  for (const text of sent) {
    const read = normalizeAddress(text);
    // A name before the address is no part of it.
    if (read.ok && read.name === undefined && !written.has(read.email)) written.set(read.email, text.trim());
  }
  return rows.map((row) => ({ ...row, email: written.get(row.email) ?? row.email }));
}

/** Addresses in the order given, each once, and a row for each entry that is not an address. */
export interface Recipients {
  emails: string[];
  /** The names given before the addresses, by address. */
  names: ReadonlyMap<string, string>;
  invalid: MailResult[];
}

/** A person or an address to invite. */
export interface Invitee {
  /** Null for a person of the roll without an address. */
  email: string | null;
  /** Null if nobody on the roll has the address, or several people have it. */
  person: InvitedPerson | null;
  /** The name that was given before the address. */
  name?: string | undefined;
}

/** @throws 400 without any recipient or over the limit, 404 for an unknown list */
export function readRecipients(
  reader: Reader,
  input: z.output<typeof RecipientsInput>,
  most = RECIPIENTS_PER_REQUEST,
): Recipients {
  const listed = listAddresses(reader, input.distribution_list_ids ?? []);
  const given = [...(input.emails ?? []), ...listed.map(({ email, name }) => namedAddress(email, name))];
  const emails = new Set<string>();
  const names = new Map<string, string>();
  const invalid: MailResult[] = [];
  for (const text of given) {
    const read = normalizeAddress(text);
    if (read.ok) {
      emails.add(read.email);
      if (read.name && !names.has(read.email)) names.set(read.email, read.name);
    } else invalid.push({ email: text.trim().slice(0, 254), success: false, error: sentenceOf(read.reason) });
  }
  if (given.length === 0) throw badField('emails', 'no_recipients');
  ensureNotTooMany(emails.size + invalid.length, most);
  return { emails: [...emails], names, invalid };
}

/** @throws 400 over the limit of addresses in a request */
export function ensureNotTooMany(count: number, most: number): void {
  if (count > most) throw badField('emails', 'too_many_recipients', { max: most });
}

/**
 * Returns the members of the roll by name, then the addresses in the order given. An address that exactly one person
 * has means that person; everybody is listed once.
 * @param today a day in TIME_ZONE
 * @throws 400 without anybody, over the limit, or for a wrong kind or group; 404 for an unknown list
 */
export function readInvitees(
  reader: Reader,
  { roll, person_ids = [], ...named }: z.output<typeof InvitedInput>,
  today: string,
  most = RECIPIENTS_PER_REQUEST,
): { invitees: Invitee[]; invalid: MailResult[] } {
  const members = [...(roll ? membersToInvite(reader, roll, today) : []), ...peopleById(reader, person_ids)];
  const anyNamed = (named.emails?.length ?? 0) + (named.distribution_list_ids?.length ?? 0) > 0;
  const { emails, names, invalid } =
    (roll || person_ids.length > 0) && !anyNamed
      ? { emails: [], names: new Map<string, string>(), invalid: [] }
      : readRecipients(reader, named, most);
  if (members.length + emails.length + invalid.length === 0) throw badField('roll', 'nobody_chosen');
  const others = identify(reader, emails).map((one) => ({ ...one, name: names.get(one.email) }));
  return { invitees: [...members, ...othersThan(members, others)], invalid };
}

/** People by id, each once, with the address that the roll has. @throws 400 for an id of nobody */
function peopleById(reader: Reader, ids: readonly string[]): Invitee[] {
  return [...new Set(ids)].map((id) => {
    const person = reader.first(
      build.selectFrom('persons').select(['id', 'name']).where('id', '=', id).where('erased_at', 'is', null),
    );
    if (!person) throw badField('person_ids', 'not_found');
    const address = build.selectFrom('addresses').select('email').where('person_id', '=', id);
    const email = reader.first(address.where('is_primary', '=', sql.lit(1)))?.email ?? null;
    return { email, person: { ...person, standing: null, as_of: null } };
  });
}

function membersToInvite(reader: Reader, roll: z.output<typeof MembersInput>, today: string): Invitee[] {
  return findMembers(reader, roll, today).map(({ email, ...person }) => ({ email, person }));
}

/** Adds the person to each address that exactly one person on the roll has. */
export function identify(reader: Reader, emails: readonly string[]): (Invitee & { email: string })[] {
  const among = sql<string>`(SELECT value FROM json_each(${JSON.stringify(emails)}))`;
  const rows = reader.all(
    build
      .selectFrom('addresses')
      .innerJoin('persons', 'persons.id', 'addresses.person_id')
      .select(['email', 'persons.id', 'name'])
      .where('email', 'in', among)
      .where('erased_at', 'is', null),
  );
  const byEmail = Map.groupBy(rows, ({ email }) => email);
  return emails.map((email) => {
    const [person, other] = byEmail.get(email) ?? [];
    if (!person || other) return { email, person: null };
    return { email, person: { id: person.id, name: person.name, standing: null, as_of: null } };
  });
}

/** Returns the invitees who are not among the members, neither as a person nor by a member's address. */
function othersThan(members: readonly Invitee[], named: readonly Invitee[]): Invitee[] {
  const people = new Set(members.map(({ person }) => person?.id));
  const emails = new Set(members.map(({ email }) => email));
  return named.filter(({ email, person }) => {
    const isNew = person ? !people.has(person.id) : !emails.has(email);
    if (person) people.add(person.id);
    return isNew;
  });
}
