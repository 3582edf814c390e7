import { z } from 'zod';
import { flag, listOf, oneOf, optionalName, optionalText, wholeNumber } from '#kernel/http/validation.ts';
import type { Meeting } from '#meetings/meetings.ts';
import type { Wait } from '#voting/elections/ways-to-vote.ts';
import type { Attendance } from './attendance-rows.ts';

const LATEST = 24 * 3_600;

export const DoorInput = z.object({
  person_id: optionalText(64),
  /** The name of somebody without a vote who is not on the roll. */
  guest: optionalName(300),
  action: oneOf(['in', 'out', 'undo', 'card', 'all_out']),
  class: optionalText(60),
  /** The people whom this person represents; absent: those that were entered before. */
  proxies: listOf(z.string().max(64), 100).optional(),
  /**
   * Of whoever leaves: whether they gave back all their cards. Of an undo: whether the card is back. Of a card for the
   * giver of a proxy: that the holder gave the card back.
   */
  gave_back: flag.optional(),
  /** Of an undo: the person who has the card that was handed out. */
  for: optionalText(64),
  /** A random id of this press: what a door sends again because no answer arrived happens once. */
  press: optionalText(64),
  /** The press that an undo takes back, if nothing has happened since. */
  undoes: optionalText(64),
  /** How many seconds ago it was pressed at a door that had no network. */
  ago: wholeNumber(0, LATEST).optional(),
});
export type DoorInput = z.output<typeof DoorInput>;

/** What the door does next. */
export interface DoorAnswer {
  /** The cards to hand out, by class. */
  cards: Record<string, number>;
  /** Why no card of their own is handed out to somebody who is in and has none. */
  waits?: true;
  /** The titles of the questions for which they wait. */
  waits_for?: string[];
  /** The holder of the card that represents somebody who has come. */
  holder?: string;
  /** Why else they wait: cards that were given back are not scanned, or the pile is empty. */
  waits_cards?: Wait['cards'];
  /** The cards to take from somebody who leaves, or whose check-in was a mistake. */
  takes?: Record<string, number>;
  /** Cards that a check-in seemed to have handed out, and did not. */
  undone?: Record<string, number>;
  /** Whether this press had happened before. */
  repeated?: true;
  /** Whether the link of somebody for whom a card is handed out has ended. */
  link_ended?: true;
}

/** What a press at the door is about. */
export interface AtDoor {
  meeting: Meeting;
  known: Attendance | undefined;
}

/** What a press that let somebody in has changed, for an undo. */
export interface Entry {
  from: 'absent' | 'in' | 'out';
  /** Their card before; not there if they were handed none of their own. */
  card?: Attendance['card'];
  /** The proxies whose cards they were handed. */
  proxies: string[];
  link_ended?: true;
}
