import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { countGivenBack, countLinks } from '#voting/elections/ways-to-vote.ts';
import { needed, type Share } from '#voting/shared/share.ts';
import { countPresent } from './door/attendance-rows.ts';
import { type CardCount, countCards, countSpare } from './door/figures.ts';
import { listVoters } from './door/people.ts';
import { type Meeting, quorumShareOf } from './meetings.ts';

/** What is counted of a meeting, beside its fields in JSON. */
export interface MeetingFigures {
  /** People who may vote: those with a kind of membership that votes on the day of the meeting. */
  entitled: number;
  /** People with a vote who were checked in and have not left, each once. */
  present: number;
  /** Those of them who have no card: they wait for one, or somebody has the card that represents them. */
  without_card: number;
  /** Absent members who are represented by somebody who is present. */
  represented: number;
  /** Links of members elsewhere. */
  remote: number;
  /** Those who are present with their link, or have voted with it. They count for the quorum. */
  remote_present: number;
  /** By class. */
  cards: Record<string, CardCount>;
  /** Cards of each class that people gave back, and those that were scanned. */
  given_back: Record<string, number>;
  scanned: Record<string, number>;
  /** Valid cards that nobody who is here was handed. */
  cards_too_many: number;
  /** Whether no pack waits any more: then the cards too many are those that nobody has accounted for. */
  door_closed: boolean;
  quorum: { needed: number; met: boolean; number: number | null; share: Share | null };
}

/** Counts people and cards, and compares the quorum. @param zone the club's time zone */
export function meetingFigures(reader: Reader, meeting: Meeting, zone: string): MeetingFigures {
  const entitled = listVoters(reader, meeting, zone).size;
  const links = countLinks(reader, meeting);
  const share = quorumShareOf(meeting);
  const people = share === null ? (meeting.quorum ?? 0) : needed(share, entitled);
  const here = countPresent(reader, meeting.id);
  const represented = countRepresented(reader, meeting.id);
  return {
    entitled,
    ...here,
    represented,
    remote: links.all,
    remote_present: links.here,
    cards: countCards(reader, meeting),
    ...countGivenBack(reader, meeting.id),
    cards_too_many: countSpare(reader, meeting),
    door_closed: isDoorClosed(reader, meeting.id),
    quorum: {
      needed: people,
      met: sumForQuorum(meeting, here.present, links.here, () => represented) >= people,
      number: meeting.quorum,
      share,
    },
  };
}

/** How many people count for the quorum of a meeting now. */
export const countForQuorum = (reader: Reader, meeting: Meeting): number =>
  sumForQuorum(meeting, countPresent(reader, meeting.id).present, countLinks(reader, meeting).here, () =>
    countRepresented(reader, meeting.id),
  );

const sumForQuorum = (
  { proxies_count }: Meeting,
  present: number,
  elsewhere: number,
  represented: () => number,
): number => present + elsewhere + (proxies_count === 1 ? represented() : 0);

function isDoorClosed(reader: Reader, meetingId: string): boolean {
  const packs = reader.all(
    build.selectFrom('card_packs').select('state').where('meeting_id', '=', meetingId),
  );
  return packs.length > 0 && packs.every(({ state }) => state !== 'printed');
}

/** A giver who has come is counted as present. */
const countRepresented = (reader: Reader, meetingId: string): number =>
  reader.first(representedAt({ id: meetingId }))!.count;

const representedAt = prepare((meeting: { id: string }) =>
  build
    .selectFrom('proxies')
    .innerJoin('attendance', (join) =>
      join
        .onRef('attendance.meeting_id', '=', 'proxies.meeting_id')
        .onRef('attendance.person_id', '=', 'proxies.holder_id'),
    )
    .leftJoin('attendance as giver', (join) =>
      join
        .onRef('giver.meeting_id', '=', 'proxies.meeting_id')
        .onRef('giver.person_id', '=', 'proxies.giver_id')
        .on('giver.state', '=', 'in'),
    )
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('proxies.meeting_id', '=', meeting.id)
    .where('proxies.state', '=', 'used')
    .where('attendance.state', '=', 'in')
    .where('giver.id', 'is', null),
);
