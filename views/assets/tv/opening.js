// Whether the pub is open, by the openings in the last feed: also without a network.

import { label, localDate, minuteOfDay } from '../playing/clock.js';

/** The minute of the day at which “tonight” begins. */
const EVENING = 16 * 60;

/**
 * @import { EventsFeed } from '#pub/display/feeds.ts'
 * @import { NoteState, PubDay } from '#pub/display/hours.ts'
 * @typedef {{ zone: string, readAt: number, fresh: boolean, names?: readonly string[], club?: string }} How `names` are those of this screen: its own and its groups'
 */

/**
 * Tonight's hours and tenders. A recent feed's own status is used; for an older feed the status is computed from the
 * openings, and what is no longer known is left out.
 * @param {Pick<EventsFeed, 'pubTender' | 'pubDays' | 'hoursKnown' | 'openingInWords'>} feed
 * @param {number} at
 * @param {How} how
 */
export function pubAt(feed, at, { zone, readAt, fresh }) {
  const { pubTender, pubDays = [], hoursKnown: known } = feed;
  // A feed of an earlier version has the words of `pubTender` only.
  const words = feed.openingInWords ?? pubTender;
  const today = localDate(at, zone);
  const sameDay = localDate(readAt, zone) === today;
  const day = pubDays.find(({ date }) => date === today);
  const hours = (sameDay && words.hours) || day?.hours || '';
  const state = fresh ? pubTender.noteState : stateAt(pubDays, at, zone);
  return {
    known,
    state,
    closed: known && ['upcoming', 'closed', 'inactive'].includes(state),
    title: hours && isEvening(pubDays, at, zone) ? 'Tonight' : 'Today',
    hours: known ? atLineStart(hours) || closedFor(day) : '',
    reason: day?.reason ?? '',
    note: fresh ? noteOf(pubTender.noteState, words.note, known ? day : undefined) : '',
    who: sameDay && state !== 'closed' && state !== 'inactive' ? pubTender.name : '',
  };
}

/**
 * The hours and the note as two lines that do not say a time twice: an open pub says until when, one that will open says
 * its hours. A time is never broken over two lines.
 * @param {Pick<ReturnType<typeof pubAt>, 'hours' | 'note' | 'state'>} pub
 * @returns {[main: string, note: string]}
 */
export function hoursLines({ hours, note, state }) {
  const lines = note && state === 'active' ? [note, ''] : [hours, state === 'upcoming' ? '' : note];
  const [main = '', below = ''] = hours ? lines.map(unbroken) : [];
  return [main, below];
}

/** @param {string} words */
const unbroken = (words) => words.replace(/(\d) (?=\p{L})| (?=–)/gu, '$1\u00a0');

/** Words that begin a line: `Noon – 2:00 AM`. @param {string} words */
export const atLineStart = (words) =>
  words.replace(/^(noon|midnight)\b/, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/** @param {PubDay} [day] */
const closedFor = (day) => (day?.reason ? `Closed: ${day.reason}` : 'Closed');

/**
 * The note for the pub. The feed's state is `inactive` after the last shift of a day and on a day without any.
 * @param {NoteState} state
 * @param {string} note
 * @param {PubDay | undefined} day
 */
function noteOf(state, note, day) {
  if (state !== 'inactive') return note;
  return day?.open ? 'Closed for tonight' : '';
}

/**
 * A sentence whose time at the end is written as “midnight” or “noon”.
 * @param {string} sentence
 */
export const spoken = (sentence) =>
  sentence.replace(/ (12:00 AM|00:00)$/, ' midnight').replace(/ 12:00( PM)?$/, ' noon');

/**
 * Whether the pub is open by its published openings.
 * @param {PubDay[]} days
 * @param {number} at
 * @param {string} zone
 * @returns {NoteState}
 */
export function stateAt(days, at, zone) {
  const openings = openingsOf(days);
  if (openings.some(({ opens, closes }) => at >= opens && at < closes)) return 'active';
  const today = localDate(at, zone);
  const todays = openings.filter(({ date }) => date === today);
  if (todays.length === 0) return 'inactive';
  return todays.some(({ opens }) => at < opens) ? 'upcoming' : 'closed';
}

/**
 * Whether all openings of today, and one still open from last night, begin in the evening.
 * @param {PubDay[]} days
 * @param {number} at
 * @param {string} zone
 */
function isEvening(days, at, zone) {
  const today = localDate(at, zone);
  return openingsOf(days)
    .filter(({ date, opens, closes }) => date === today || (at >= opens && at < closes))
    .every(({ opens }) => minuteOfDay(opens, zone) >= EVENING);
}

/**
 * `today at 5:00 PM`, `tomorrow at …`, `Wednesday at …`; empty if no opening is known.
 * @param {PubDay[]} days
 * @param {number} at
 * @param {string} zone
 */
export function nextOpening(days, at, zone) {
  const next = openingsOf(days).find(({ opens }) => opens > at);
  if (!next) return '';
  const time = label(next.opens, zone);
  const today = localDate(at, zone);
  if (next.date === today) return `today at ${time}`;
  const noon = Date.parse(`${next.date}T12:00:00Z`);
  const isTomorrow = localDate(noon - 24 * 3_600_000, 'UTC') === today;
  return `${isTomorrow ? 'tomorrow' : label(noon, 'UTC', { weekday: 'long' })} at ${time}`;
}

/** @param {PubDay[]} days */
function openingsOf(days) {
  return days.flatMap(({ date, openings }) =>
    openings.map(([opens, closes]) => ({ date, opens: Date.parse(opens), closes: Date.parse(closes) })),
  );
}
