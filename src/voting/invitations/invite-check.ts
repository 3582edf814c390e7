import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { readAddressList } from '#kernel/mail-addresses.ts';
import { pageTextOf, sentenceOf } from '#kernel/messages/messages.ts';
import { findMembers, type MembersInput } from '#people/roll/members.ts';
import { todayOf } from '#people/roll/people.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { listAddresses } from './distribution-lists.ts';
import type { Invite, InviteMode } from './invites.ts';
import { ensureNotTooMany, type Invitee, identify, RECIPIENTS_PER_FORM } from './recipients.ts';

export interface CheckRow {
  email: string;
  /** The name of a person from the roll. */
  name?: string;
  /** The name that was given before the address. */
  given?: string;
  /**
   * `invited`: has an invitation to every one of the elections already. `unaddressed`: a person from the roll without
   * an address, who gets a printed slip.
   */
  state: 'added' | 'repeated' | 'invalid' | 'invited' | 'unaddressed';
  reason?: Words | string;
}

export interface InviteCheck {
  rows: CheckRow[];
  mails: { now: number; later: number };
}

interface CheckInput {
  text: string;
  listIds: string[];
  roll: z.output<typeof MembersInput> | undefined;
  mode: InviteMode;
  queue: boolean;
}

/**
 * Returns what an invitation would do with each person chosen from the roll, each row of a pasted list or file, and
 * each address of the chosen lists. Sends nothing.
 * @throws 404 for an unknown list, 400 without a row or over the limit
 */
export function checkInvites(ctx: Context, elections: Issuer[], input: CheckInput): InviteCheck {
  const listed = listAddresses(ctx.db, input.listIds);
  const entered = readAddressList(input.text);
  const members = input.roll ? findMembers(ctx.db, input.roll, todayOf(ctx)) : [];
  if (entered.length + listed.length + members.length === 0)
    throw input.roll ? badField('roll', 'nobody_chosen') : badField('emails', 'no_recipients');

  const pasted: CheckRow[] = entered.map(({ email, name, input: text, status, reason }) => ({
    email: email ?? text,
    state: status,
    ...(name && { given: name }),
    ...(reason && { reason: pageTextOf(reason) ?? sentenceOf(reason) }),
  }));
  const known = new Set(pasted.flatMap(({ email, state }) => (state === 'added' ? [email] : [])));
  for (const { email, name } of listed) {
    pasted.push({ email, state: known.has(email) ? 'repeated' : 'added', ...(name && { given: name }) });
    known.add(email);
  }
  ensureNotTooMany(known.size, RECIPIENTS_PER_FORM);
  const invited = findInvited(ctx.db, elections);
  const chosen: Candidate[] = members.map(({ email, ...person }) => ({
    invitee: { email, person },
    row: { email: email ?? '', name: person.name, state: email === null ? 'unaddressed' : 'added' },
  }));
  const named = identify(ctx.db, [...known]);
  const byEmail = new Map(named.map((invitee) => [invitee.email, invitee]));
  const rest = pasted.map((row): Candidate => ({ row, invitee: byEmail.get(row.email)! }));
  const rows = markInvited(invited, elections, [...chosen, ...markRepeated(chosen, rest)]);
  const added = rows.filter(({ row }) => row.state === 'added').map(({ invitee }) => invitee);
  return { rows: rows.map(({ row }) => row), mails: countMails(ctx, elections, invited, added, input) };
}

/** A row, with its invitee if it is an address. */
interface Candidate {
  row: CheckRow;
  invitee: Invitee;
}

/** Marks rows as repeated whose person or address was chosen from the roll or is in an earlier row. */
function markRepeated(chosen: Candidate[], rest: Candidate[]): Candidate[] {
  const people = new Set(chosen.map(({ invitee }) => invitee.person?.id));
  const emails = new Set(chosen.map(({ invitee }) => invitee.email));
  return rest.map(({ row, invitee }) => {
    if (row.state !== 'added') return { row, invitee };
    const { email, person } = invitee;
    const isRepeated = person ? people.has(person.id) : emails.has(email);
    if (person) people.add(person.id);
    return { invitee, row: isRepeated ? { ...row, state: 'repeated' } : row };
  });
}

function markInvited(invited: Invited, elections: Issuer[], candidates: Candidate[]): Candidate[] {
  return candidates.map(({ row, invitee }) => {
    if (row.state !== 'added' && row.state !== 'unaddressed') return { row, invitee };
    const before = elections.filter(({ id }) => invited.has(id, invitee));
    if (before.length === 0) return { row, invitee };
    if (before.length === elections.length) return { invitee, row: { ...row, state: 'invited' } };
    const titles = before.map(({ title }) => title).join(', ');
    const reason = t('voting-admin.invite_check.invited_before_to', { titles });
    return { invitee, row: { ...row, reason } };
  });
}

/** Counts the mails that will be sent: in batch mode one per recipient, else one per recipient and election. */
function countMails(
  ctx: Context,
  elections: Issuer[],
  invited: Invited,
  invitees: Invitee[],
  { mode, queue }: { mode: InviteMode; queue: boolean },
): { now: number; later: number } {
  const waits = ({ open_at, close_at, closed_at }: Issuer) =>
    queue && electionStatus({ open_at, close_at, closed_at }, ctx.now()) === 'scheduled';
  const due = (which: Issuer[]) =>
    invitees.map((invitee) => which.filter(({ id }) => !invited.has(id, invitee)).length);
  const count = (which: Issuer[]) =>
    due(which).reduce((sum, fresh) => sum + (mode === 'batch' ? Math.min(1, fresh) : fresh), 0);
  return { now: count(elections.filter((one) => !waits(one))), later: count(elections.filter(waits)) };
}

/** People and addresses with an invitation that was sent or is queued. */
class Invited {
  /** By election and person: whether they have a slip, and no mail. */
  readonly #people = new Map<string, boolean>();
  /** By election and address: whether all invitations to the address name a person. */
  readonly #emails = new Map<string, boolean>();

  add({
    election_id,
    email,
    person_id,
    status,
  }: Pick<Invite, 'election_id' | 'email' | 'person_id' | 'status'>) {
    const key = `${election_id} ${email}`;
    if (person_id !== null) this.#people.set(`${election_id} ${person_id}`, status === 'SLIP');
    this.#emails.set(key, (this.#emails.get(key) ?? true) && person_id !== null);
  }

  /** An invitation to a person's address that names no person counts as theirs. */
  has(electionId: string, { email, person }: Invitee): boolean {
    const isKnown = this.#emails.get(`${electionId} ${email}`);
    if (!person) return isKnown !== undefined;
    const hasSlip = this.#people.get(`${electionId} ${person.id}`);
    // Somebody with a slip who has an address now is mailed.
    if (hasSlip !== undefined) return !hasSlip || email === null;
    return isKnown === false;
  }
}

function findInvited(reader: Reader, elections: Issuer[]): Invited {
  const ids = elections.map(({ id }) => id);
  const rows = reader.all(
    build
      .selectFrom('invites')
      .select(['election_id', 'email', 'person_id', 'status'])
      .where('election_id', 'in', ids)
      .where((is) =>
        is.or([is('status', 'in', ['QUEUED', 'SENT', 'SLIP']), is('withdrawn_at', 'is not', null)]),
      ),
  );
  const invited = new Invited();
  for (const row of rows) invited.add(row);
  return invited;
}
