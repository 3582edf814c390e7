// Whether the pub is open, by the openings in the last feed: also without a network.

import { t } from '../base/texts.js';
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
    title: hours && isEvening(pubDays, at, zone) ? t('tv.tv.tonight') : t('tv.tv.today'),
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
export const atLineStart = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** @param {PubDay} [day] */
const closedFor = (day) =>
  day?.reason ? t('tv.hours.closed_because', { reason: day.reason }) : t('tv.hours.closed');

/**
 * The note for the pub. The feed's state is `inactive` after the last shift of a day and on a day without any.
 * @param {NoteState} state
 * @param {string} note
 * @param {PubDay | undefined} day
 */
function noteOf(state, note, day) {
  if (state !== 'inactive') return note;
  return day?.open ? t('tv.feed.closed_tonight') : '';
}

/**
 * A time of day, `midnight` and `noon` in words.
 * @param {number} at
 * @param {string} zone
 * @param {string} [time] the same in digits
 */
export function timeInWords(at, zone, time = label(at, zone)) {
  const minute = minuteOfDay(at, zone);
  if (minute === 0) return t('common.time.midnight');
  return minute === 12 * 60 ? t('common.time.noon') : time;
}

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
 * When it opens again: `We open again tomorrow at 5:00 PM.` Empty if no opening is known.
 * @param {PubDay[]} days
 * @param {number} at
 * @param {string} zone
 */
export function nextOpening(days, at, zone) {
  const next = openingsOf(days).find(({ opens }) => opens > at);
  if (!next) return '';
  const time = label(next.opens, zone);
  const today = localDate(at, zone);
  if (next.date === today) return t('tv.hours.again_today', { time });
  const noon = Date.parse(`${next.date}T12:00:00Z`);
  const isTomorrow = localDate(noon - 24 * 3_600_000, 'UTC') === today;
  if (isTomorrow) return t('tv.hours.again_tomorrow', { time });
  return t('tv.hours.again_on_day', { weekday: label(noon, 'UTC', { weekday: 'long' }), time });
}

/** @param {PubDay[]} days */
function openingsOf(days) {
  return days.flatMap(({ date, openings }) =>
    openings.map(([opens, closes]) => ({ date, opens: Date.parse(opens), closes: Date.parse(closes) })),
  );
}
