import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { localDate } from '#kernel/local-time.ts';
import { type Message, say } from '#kernel/messages/messages.ts';
import { findMembers } from '#people/roll/members.ts';
import { findNoLink, type NoLink } from '#voting/elections/doubtful-cards.ts';
import { meetingOf } from '#voting/elections/issuers.ts';
import { keepClassOfLink } from '#voting/electors/classes.ts';
import type { Invite } from './invites.ts';
import type { Invitee } from './recipients.ts';

/** Why somebody gets no link, as a message. */
const saidOf = (no: NoLink): Message => {
  if (no.why === 'has_card' || no.why === 'card_unscanned') return say(no.why);
  if (no.why === 'is_represented') return say(no.why, { holder: no.holder });
  return say(no.why, { title: no.title });
};

/** The people with a vote on the day of a meeting, with their kind of membership; nobody for whatever is no meeting. */
export function votersOfMeeting(reader: Reader, issuerId: string, zone: string): ReadonlyMap<string, string> {
  const meeting = meetingOf(reader, issuerId);
  if (!meeting) return new Map();
  const day = localDate(meeting.held_at, zone);
  const members = findMembers(reader, { kinds: undefined, groups: undefined, on: day }, day);
  return new Map(members.map(({ id, standing }) => [id, standing]));
}

/** Takes the questions of other classes from a new link of a meeting. */
export function keepClass(
  tx: Tx,
  { election_id, person_id, token_hash }: Pick<Invite, 'election_id' | 'person_id' | 'token_hash'>,
  voters: ReadonlyMap<string, string>,
): void {
  const meeting = meetingOf(tx, election_id);
  if (!meeting || person_id === null || token_hash === null) return;
  keepClassOfLink(tx, meeting, { id: person_id, kind: voters.get(person_id) ?? null }, token_hash);
}

/**
 * Returns why an invitee gets no link of a meeting: links are for people of the roll who may vote that day, one each, and
 * for nobody who has another way to vote. Whatever is invited to an election or another ballot paper gets one.
 */
export function linkRefusals(
  reader: Reader,
  issuerId: string,
  voters: ReadonlyMap<string, string>,
): (invitee: Invitee) => Message | undefined {
  const meeting = meetingOf(reader, issuerId);
  if (!meeting) return () => undefined;
  return ({ person, email }) => {
    if (!person) return isShared(reader, email) ? say('link_for_several') : say('not_on_roll');
    if (!voters.has(person.id)) return say('not_on_roll');
    const no = findNoLink(reader, { id: meeting.id, paper_id: issuerId }, person.id);
    return no && saidOf(no);
  };
}

const isShared = (reader: Reader, email: string | null): boolean =>
  reader.all(
    build
      .selectFrom('addresses')
      .select('person_id')
      .where('email', '=', email ?? ''),
  ).length > 1;

/**
 * Refuses to make, replace or send again a link of a meeting for somebody who has another way to vote.
 * @param same the same link is sent again @throws 409
 */
export function ensureMayHaveLink(
  reader: Reader,
  { election_id, person_id }: Pick<Invite, 'election_id' | 'person_id'>,
  same = false,
): void {
  const meeting = meetingOf(reader, election_id);
  if (!meeting || person_id === null) return;
  const no = findNoLink(reader, { id: meeting.id, paper_id: election_id }, person_id, { same });
  if (!no) return;
  if (no.why === 'has_card' || no.why === 'card_unscanned') throw conflict(no.why);
  if (no.why === 'is_represented') throw conflict(no.why, { holder: no.holder });
  throw conflict(no.why, { title: no.title });
}
