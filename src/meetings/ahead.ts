import type { Context } from '#kernel/context.ts';
import { type MeetingChange, untoldChange } from './invitations.ts';
import { type Item, listItems } from './items.ts';
import { listMeetings, type Meeting } from './meetings.ts';
import { listReadyMotions } from './motions/motions.ts';
import { listReady } from './nominations/candidates.ts';

/** A meeting that is prepared or running, and what waits for an officer there. */
export interface MeetingAhead {
  meeting: Meeting;
  /** Whether no invitation went out; one that is running needs none. */
  isUninvited: boolean;
  /** What those who were invited have not been told of. */
  untold: MeetingChange | undefined;
  /** The items with nominations that wait for a decision, and how many do. */
  nominations: { item: Item; waiting: number }[];
  /** How many motions wait for a decision. */
  motions: number;
  /** The items that are counted and not announced. */
  unannounced: Item[];
}

/** The meetings that are not over: the one that is held first comes first. */
export const listAhead = (ctx: Context): Meeting[] =>
  listMeetings(ctx.db)
    .filter(({ state }) => state !== 'closed')
    .toReversed();

/** What waits for an officer at a meeting that is not over. */
export function needsOfMeeting({ db }: Pick<Context, 'db'>, meeting: Meeting): MeetingAhead {
  const items = listItems(db, meeting.id);
  const nominations = items
    .filter(({ kind, state }) => kind === 'election' && state === 'prepared')
    .map((item) => ({ item, waiting: listReady(db, item.id).length }));
  return {
    meeting,
    isUninvited: meeting.state === 'prepared' && meeting.invited_at === null,
    untold: untoldChange(db, meeting),
    nominations: nominations.filter(({ waiting }) => waiting > 0),
    motions: listReadyMotions(db, meeting.id).length,
    unannounced: items.filter(({ state }) => state === 'closed'),
  };
}
