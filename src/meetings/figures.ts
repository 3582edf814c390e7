import { build, type Reader } from '#kernel/db/queries.ts';
import { endedCodes } from '#voting/elections/issuers.ts';
import { needed, type Share } from '#voting/shared/share.ts';
import { countPresent, countRemote } from './door/attendance.ts';
import { type CardCount, countCards, countSpare } from './door/figures.ts';
import { listVoters } from './door/people.ts';
import { type Meeting, quorumShareOf } from './meetings.ts';

/** What is counted of a meeting, beside its fields in JSON. */
export interface MeetingFigures {
  /** People who may vote: those with a kind of membership that votes on the day of the meeting. */
  entitled: number;
  /** People with a vote who were checked in and have not left. */
  present: number;
  /** Absent members who are represented by somebody who is present. */
  represented: number;
  /** Links of members elsewhere. */
  remote: number;
  /** Those who have opened the page of the meeting with their link while it was held. They count for the quorum. */
  remote_present: number;
  /** By class. */
  cards: Record<string, CardCount>;
  /** Valid cards that nobody who is here was handed. */
  cards_too_many: number;
  /** Whether no pack waits any more: then the cards too many are those that nobody has accounted for. */
  door_closed: boolean;
  quorum: { needed: number; met: boolean; number: number | null; share: Share | null };
}

/** Counts people and cards, and compares the quorum. @param zone the club's time zone */
export function meetingFigures(reader: Reader, meeting: Meeting, zone: string): MeetingFigures {
  const entitled = listVoters(reader, meeting, zone).size;
  const present = countPresent(reader, meeting.id);
  const represented = countRepresented(reader, meeting.id);
  const share = quorumShareOf(meeting);
  const people = share === null ? (meeting.quorum ?? 0) : needed(share, entitled);
  const remote_present = countRemote(reader, meeting.id);
  const counted = present + remote_present + (meeting.proxies_count === 1 ? represented : 0);
  return {
    entitled,
    present,
    represented,
    remote: countRemoteLinks(reader, meeting),
    remote_present,
    cards: countCards(reader, meeting),
    cards_too_many: countSpare(reader, meeting),
    door_closed: isDoorClosed(reader, meeting.id),
    quorum: { needed: people, met: counted >= people, number: meeting.quorum, share },
  };
}

function isDoorClosed(reader: Reader, meetingId: string): boolean {
  const packs = reader.all(
    build.selectFrom('card_packs').select('state').where('meeting_id', '=', meetingId),
  );
  return packs.length > 0 && packs.every(({ state }) => state !== 'printed');
}

const countRepresented = (reader: Reader, meetingId: string): number =>
  reader.first(
    build
      .selectFrom('proxies')
      .innerJoin('attendance', (join) =>
        join
          .onRef('attendance.meeting_id', '=', 'proxies.meeting_id')
          .onRef('attendance.person_id', '=', 'proxies.holder_id'),
      )
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('proxies.meeting_id', '=', meetingId)
      .where('proxies.state', '=', 'used')
      .where('attendance.state', '=', 'in'),
  )!.count;

/** The codes of the meeting's paper that are not cards and have not ended. */
const countRemoteLinks = (reader: Reader, { paper_id }: Meeting): number =>
  reader.first(
    build
      .selectFrom('tokens')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('election_id', '=', paper_id ?? '')
      .where('token_hash', 'not in', build.selectFrom('voting_cards').select('code_hash'))
      .where('token_hash', 'not in', endedCodes(paper_id ?? '')),
  )!.count;
