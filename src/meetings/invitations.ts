import { sql } from 'kysely';
import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { optionalText } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { findMembers } from '#people/roll/members.ts';
import { InvitedInput, RECIPIENTS_PER_FORM, readInvitees } from '#voting/invitations/recipients.ts';
import { listUntold, noteTold } from './additions.ts';
import { documentPath, listUploaded } from './documents/documents.ts';
import { formatDoorNumber, giveDoorNumbers, listDoorNumbers } from './door/numbers.ts';
import { isAddedLater, listItems } from './items.ts';
import { documentsOf, ensureNotClosed, getMeeting, type Meeting, type MeetingDocument } from './meetings.ts';

/** What those who were invited are told. */
export type MeetingChange = 'moved' | 'called_off' | 'added';

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About a row of `meetings`. */
    'meeting-invitation': {
      origin: string;
      change?: MeetingChange;
      message?: string;
      /** The ids of what was added to the agenda since the invitation. */
      added?: string[];
    };
  }
}

/** Whom an invitation goes to, and own words that come first in it. */
export const MeetingInviteInput = InvitedInput.extend({ message: optionalText(2_000) });
type MeetingInvite = z.output<typeof MeetingInviteInput>;

/** What became of an invitation to a meeting. */
export interface MeetingInvited {
  /** Mails that go out now. */
  queued: number;
  /** Addresses whose mail about it still waits: they get one. */
  waiting: number;
  /** Members without an address, and their names. */
  without_address: number;
  unreached: string[];
  invalid: { email: string; error?: string | undefined }[];
}

/** What the mails of an invitation said, for the minutes. */
export interface SentInvitation {
  /** When the first mail with these words went out, and how many did. */
  at: string;
  mails: number;
  title: string;
  held_at: string;
  place: string | null;
  notes: string | null;
  documents: MeetingDocument[];
  /** `number`: of what was added after the first one. */
  agenda: { id: string; number?: string; title: string; mover: string | null }[];
}

/** Further ones only count mails: somebody who changes the agenda before each mail fills no database. */
const INVITATIONS_AT_MOST = 10;

/** The different invitations that were sent, the first first. */
export const invitationsOf = ({ invitations }: Pick<Meeting, 'invitations'>): SentInvitation[] =>
  JSON.parse(invitations);

/** Adds what is sent now: mails with the words of the last ones only count. */
function withInvitation(reader: Reader, meeting: Meeting, mails: number, at: number): SentInvitation[] {
  const words = {
    title: meeting.title,
    held_at: isoTime(meeting.held_at),
    place: meeting.place,
    notes: meeting.notes,
    documents: [
      ...documentsOf(meeting),
      ...listUploaded(reader, meeting.id).map((one) => ({
        title: one.title,
        url: documentPath(meeting.id, one.id),
      })),
    ],
    agenda: listItems(reader, meeting.id).map((item) => ({
      id: item.id,
      ...(isAddedLater(item) && { number: item.number }),
      title: item.title,
      mover: item.mover,
    })),
  };
  const sent = invitationsOf(meeting);
  const last = sent.at(-1);
  if (last) {
    const { at: _, mails: before, ...said } = last;
    const isSame = JSON.stringify(said) === JSON.stringify(words);
    if (isSame || sent.length >= INVITATIONS_AT_MOST)
      return [...sent.slice(0, -1), { ...last, mails: before + mails }];
  }
  return [...sent, { at: isoTime(at), mails, ...words }];
}

/**
 * Mails the agenda of a meeting with its calendar file, and with the number by which the door finds a person of the roll;
 * without voting codes. The roll is that of the day of the meeting
 * unless another one is named.
 * @throws 400 without anybody, 404, 409 once the meeting is closed
 */
export function inviteToMeeting(
  ctx: Context,
  id: string,
  { message, ...chosen }: MeetingInvite,
  origin: string,
  actor: Actor,
): Promise<MeetingInvited> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, id);
    const { invitees, fresh, ...invited } = findInvitees(ctx, tx, meeting, chosen);
    giveDoorNumbers(
      tx,
      id,
      invitees.flatMap(({ person, email }) => (person && email !== null ? person.id : [])),
    );
    const facts = { origin, ...(message !== null && { message }) };
    const before = listInvited(tx, id);
    for (const email of fresh) putMail(tx, { kind: 'meeting-invitation', ref: id, email, facts }, ctx.now());
    if (fresh.length > 0) {
      tx.run(
        build
          .updateTable('meetings')
          .set((of) => ({
            invited_at: of.fn.coalesce('invited_at', of.val(actor.at)),
            invited: of('invited', '+', fresh.length),
            invitations: JSON.stringify(withInvitation(tx, meeting, fresh.length, actor.at)),
          }))
          .where('id', '=', id),
      );
      // Whoever was invited before has the agenda as it is now, too.
      if (before.every((email) => fresh.includes(email))) noteTold(tx, listUntold(tx, meeting), actor.at);
      recordAudit(tx, actor, { action: 'meeting.invited', metadata: { meeting: id, mails: fresh.length } });
    }
    return { queued: fresh.length, ...invited };
  });
}

/** A member who gets a letter, with the number for the door. */
export interface Letter {
  name: string;
  number: string;
}

/** The members without an address who may vote on the day and have a number for the door, by name. */
export function listLetters(reader: Reader, meeting: Meeting, zone: string): Letter[] {
  const numbers = listDoorNumbers(reader, meeting.id);
  return listUnreached(reader, meeting, zone).flatMap(({ id, name }) => {
    const number = numbers.get(id);
    return number === undefined ? [] : [{ name, number: formatDoorNumber(number) }];
  });
}

/** The members without an address who may vote on the day of a meeting. */
export const listUnreached = (reader: Reader, { held_at }: Meeting, zone: string) =>
  findMembers(reader, { on: null }, localDate(held_at, zone)).filter(({ email }) => email === null);

/**
 * Gives those a number for the door who are invited by letter.
 * @returns how many they are. @throws 404, 409 once the meeting is closed, and where everybody has an address
 */
export function prepareLetters(ctx: Context, id: string, actor: Actor): Promise<number> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, id);
    ensureNotClosed(meeting);
    const people = listUnreached(tx, meeting, ctx.config.TIME_ZONE).map((one) => one.id);
    if (people.length === 0) throw conflict('everybody_has_address');
    giveDoorNumbers(tx, id, people);
    recordAudit(tx, actor, {
      action: 'meeting.letters_made',
      metadata: { meeting: id, letters: people.length },
    });
    return people.length;
  });
}

/**
 * What an invitation would do, without doing it.
 * @param showRoll whether `addresses` has those that come from the roll too; without it only those that were named
 * @throws as `inviteToMeeting`
 */
export function checkInvitation(
  ctx: Context,
  id: string,
  { message: _, ...chosen }: MeetingInvite,
  showRoll: boolean,
): MeetingInvited & { addresses: string[] } {
  const { invitees, fresh, ...invited } = findInvitees(ctx, ctx.db, getMeeting(ctx.db, id), chosen);
  const ofRoll = new Set(
    invitees.flatMap(({ email, person }) => (person?.as_of != null ? (email ?? []) : [])),
  );
  const addresses = fresh.filter((email) => showRoll || !ofRoll.has(email));
  return { addresses, queued: fresh.length, ...invited };
}

function findInvitees(
  ctx: Context,
  reader: Reader,
  meeting: Meeting,
  chosen: Omit<MeetingInvite, 'message'>,
) {
  ensureNotClosed(meeting);
  const day = localDate(meeting.held_at, ctx.config.TIME_ZONE);
  const { invitees, invalid } = readInvitees(reader, chosen, day, RECIPIENTS_PER_FORM);
  const addresses = [...new Set(invitees.flatMap(({ email }) => email ?? []))];
  const waiting = new Set(
    reader
      .all(
        build
          .selectFrom('outbox')
          .select('email')
          .where('kind', '=', 'meeting-invitation')
          .where('ref', '=', meeting.id)
          .where('state', 'in', ['WAITING', 'SENDING']),
      )
      .map(({ email }) => email),
  );
  const fresh = addresses.filter((email) => !waiting.has(email));
  const unreached = invitees.flatMap(({ email, person }) => (email === null && person ? person.name : []));
  return {
    invitees,
    fresh,
    waiting: addresses.length - fresh.length,
    without_address: unreached.length,
    unreached,
    invalid: invalid.map(({ email, error }) => ({ email, error })),
  };
}

/** What those who were invited have not been told of yet: that it is called off, another time or place, or new items. */
export function untoldChange(reader: Reader, meeting: Meeting): MeetingChange | undefined {
  const last = invitationsOf(meeting).at(-1);
  if (last === undefined) return undefined;
  if (meeting.called_off_at !== null)
    return (meeting.told_at ?? 0) < meeting.called_off_at ? 'called_off' : undefined;
  if (meeting.state === 'closed') return undefined;
  if (last.held_at !== isoTime(meeting.held_at) || last.place !== meeting.place) return 'moved';
  return listUntold(reader, meeting).length > 0 ? 'added' : undefined;
}

/** The addresses to which the invitation went: those of the people with a number, and for a year those of its mails. */
export function listInvited(reader: Reader, meetingId: string): string[] {
  const people = reader.all(
    build
      .selectFrom('door_numbers')
      .innerJoin('addresses', 'addresses.person_id', 'door_numbers.person_id')
      .select('email')
      .where('meeting_id', '=', meetingId)
      .where('is_primary', '=', sql.lit(1)),
  );
  const mailed = reader.all(
    build
      .selectFrom('outbox')
      .select('email')
      .where('kind', '=', 'meeting-invitation')
      .where('ref', '=', meetingId),
  );
  return [...new Set([...people, ...mailed].map(({ email }) => email))].toSorted();
}

/**
 * Mails everybody who was invited that the meeting is called off, has another time or place, or has new items on its
 * agenda, with the new calendar file.
 * @returns how many mails. @throws 404, 409 if they know
 */
export function tellInvited(ctx: Context, id: string, origin: string, actor: Actor): Promise<number> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, id);
    const change = untoldChange(tx, meeting);
    if (change === undefined) throw conflict('nothing_to_tell');
    const addresses = listInvited(tx, id);
    const untold = listUntold(tx, meeting);
    const added = untold.map((item) => item.id);
    const facts = { origin, change, ...(added.length > 0 && { added }) };
    for (const email of addresses)
      putMail(tx, { kind: 'meeting-invitation', ref: id, email, facts }, ctx.now());
    noteTold(tx, untold, actor.at);
    const invitations = withInvitation(tx, meeting, addresses.length, actor.at);
    const told = change === 'called_off' ? {} : { invitations: JSON.stringify(invitations) };
    tx.run(
      build
        .updateTable('meetings')
        .set({ told_at: actor.at, ...told })
        .where('id', '=', id),
    );
    recordAudit(tx, actor, {
      action: 'meeting.change_mailed',
      metadata: { meeting: id, change, mails: addresses.length, ...(added.length > 0 && { items: added }) },
    });
    return addresses.length;
  });
}
