import type { Reader } from '#kernel/db/queries.ts';
import { localDate } from '#kernel/local-time.ts';
import { findMembers } from '#people/roll/members.ts';
import { needed, type Share } from '#voting/shared/share.ts';
import { type Meeting, quorumShareOf } from './meetings.ts';

/** What is counted of a meeting, beside its fields in JSON. */
export interface MeetingFigures {
  /** People who may vote: those with a kind of membership that votes on the day of the meeting. */
  entitled: number;
  quorum: { needed: number; met: boolean; number: number | null; share: Share | null };
}

/** Counts who may vote, and compares the quorum. @param zone the club's time zone */
export function meetingFigures(reader: Reader, meeting: Meeting, zone: string): MeetingFigures {
  const day = localDate(meeting.held_at, zone);
  const entitled = findMembers(reader, { kinds: undefined, groups: undefined, on: day }, day).length;
  const share = quorumShareOf(meeting);
  const people = share === null ? (meeting.quorum ?? 0) : needed(share, entitled);
  return { entitled, quorum: { needed: people, met: people === 0, number: meeting.quorum, share } };
}
