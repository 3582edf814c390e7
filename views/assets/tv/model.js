// What the main screen shows at a moment, worked out from the last feed alone: no page, no clock, no network here.

import { eventStatus } from '../../../src/pub/display/shared/event-status.js';
import { label, minuteOfDay } from '../playing/clock.js';
import { slidesAt } from './round.js';

/** An event that is over stays in today's list for so long, as Done. */
const LINGER_MS = 10 * 60_000;
const TODAY = 5;
const COMING = 3;
/** Events that fit below each other, today's and coming ones. */
const LINES = 5;

/** The minute of the day from which it is tonight. */
const EVENING = 16 * 60;

/**
 * @typedef {{ title: string, start: string, end: string, startIso: string, endIso: string, date?: string }} FeedEvent
 * @typedef {{ date: string, open: boolean, hours: string | null }} Day
 * @typedef {{ todayEvents: FeedEvent[], carryoverEvents?: FeedEvent[], weekEvents: FeedEvent[], slides: any[], laterSlides?: any[],
 *   pubHoursWeek: Day[], hoursKnown: boolean, nextWindowMin: number, pubTender: { name: string, hours: string, note: string, noteState: string } }} Feed
 * @typedef {{ status: 'Now' | 'Next' | 'Later' | 'Done', lead: boolean, when: string, title: string, note: string }} Row
 * @typedef {{ zone: string, readAt: number, fresh: boolean, screen?: string, club?: string }} How
 */

/**
 * @param {Feed} feed
 * @param {number} at milliseconds by the server's clock
 * @param {How} how the settings of the service, when the feed was read, and whether that is recent
 */
export function screenModel(feed, at, how) {
  const programme = programmeOf(feed, at, how);
  const pub = pubOf(feed, at, how);
  const closed = pub.closed && !programme.today.some(({ status }) => status === 'Now');
  return { ...programme, pub, closed, ...slidesOf(feed, at, how, pub, closed) };
}

/**
 * Today's events, and of the next days what fits.
 * @param {Feed} feed
 * @param {number} at
 * @param {How} how
 */
function programmeOf(feed, at, { zone }) {
  const today = dateKey(at, zone);
  const lingers = new Set(feed.todayEvents);
  const events = [...(feed.carryoverEvents ?? []), ...feed.todayEvents, ...feed.weekEvents]
    .map((event) => ({
      event,
      status: eventStatus(event.startIso, event.endIso, at, feed.nextWindowMin),
      // Of the feed's own words only these are local: after midnight without a new feed, tomorrow has become today.
      date: dateKey(Date.parse(event.startIso), zone),
    }))
    .sort((a, b) => Date.parse(a.event.startIso) - Date.parse(b.event.startIso));
  const going = events.filter(({ status }) => status !== 'Done');
  const over = events.filter(
    ({ event, status, date }) =>
      status === 'Done' && date === today && lingers.has(event) && at - Date.parse(event.endIso) < LINGER_MS,
  );

  const todays = going.filter(({ date }) => date <= today);
  const kept = todays.length + over.length > TODAY ? [] : over;
  const shown = [...kept, ...todays].slice(0, TODAY);
  const room = Math.max(0, Math.min(COMING, LINES - shown.length));
  return {
    today: shown.map(({ event, status }) => rowOf(event, status, at, event === todays[0]?.event)),
    more: Math.max(0, todays.length - TODAY),
    coming: going
      .filter(({ date }) => date > today)
      .slice(0, room)
      .map(({ event, status }) => ({
        status,
        lead: false,
        when: event.date ?? '',
        title: event.title,
        note: event.start,
      })),
    nothing:
      shown.length > 0
        ? ''
        : events.some(({ date }) => date === today)
          ? 'That was all for today.'
          : 'No events today.',
  };
}

/**
 * @param {FeedEvent} event
 * @param {Row['status']} status
 * @param {number} at
 * @param {boolean} lead whether it is the one to look at first
 * @returns {Row}
 */
function rowOf({ title, start, end, startIso }, status, at, lead) {
  const until = end && spoken(`until ${end}`);
  const soon = inWords(Date.parse(startIso) - at);
  const note = { Now: until, Next: until ? `${soon}, ${until}` : soon, Later: until, Done: 'is over' }[
    status
  ];
  return { status, lead, when: start, title, note };
}

/**
 * A sentence that ends with a time of day, in words where that is midnight or noon.
 * @param {string} sentence
 */
const spoken = (sentence) =>
  sentence.replace(/ (12:00 AM|00:00)$/, ' midnight').replace(/ 12:00( PM)?$/, ' noon');

/** @param {number} ms until something starts */
function inWords(ms) {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes < 60) return `in ${minutes} min`;
  return `in ${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`;
}

/**
 * Tonight's hours and who is on. While the feed is recent the status in the feed counts; later the printed hours of the
 * week say whether it is open, and what is not known any more is left out.
 * @param {Feed} feed
 * @param {number} at
 * @param {How} how
 */
function pubOf({ pubTender, pubHoursWeek, hoursKnown: known }, at, { zone, readAt, fresh }) {
  const today = dateKey(at, zone);
  const sameDay = dateKey(readAt, zone) === today;
  const day = pubHoursWeek.find(({ date }) => date === today);
  const hours = (sameDay && pubTender.hours) || day?.hours || '';
  const state = fresh ? pubTender.noteState : stateByHours(pubHoursWeek, at, zone);
  const evening = rangesOf(hours).every(({ from }) => from >= EVENING);
  return {
    known,
    state,
    closed: known && ['upcoming', 'closed', 'inactive'].includes(state),
    title: hours && evening ? 'Tonight' : 'Today',
    hours: known ? hours || 'Closed' : '',
    note: fresh ? noteOf(pubTender, known ? day : undefined) : '',
    who: sameDay && state !== 'closed' && state !== 'inactive' ? pubTender.name : '',
  };
}

/**
 * What the feed says of the pub. It calls it inactive after the last shift of a day and on a day without any.
 * @param {Feed['pubTender']} pubTender
 * @param {Day | undefined} day
 */
function noteOf({ note, noteState }, day) {
  if (noteState !== 'inactive') return spoken(note);
  return day?.open ? 'Closed for tonight' : '';
}

/**
 * Whether the pub is open by its published hours.
 * @param {Day[]} week
 * @param {number} at
 * @param {string} zone
 * @returns {'active' | 'upcoming' | 'closed' | 'inactive'}
 */
export function stateByHours(week, at, zone) {
  const today = dateKey(at, zone);
  const index = week.findIndex(({ date }) => date === today);
  const minute = minuteOfDay(at, zone);
  const ranges = rangesOf(week[index]?.hours);
  const lastNight = rangesOf(week[index - 1]?.hours);
  if (ranges.some(({ from, to }) => minute >= from && minute < to)) return 'active';
  if (lastNight.some(({ to }) => minute < to - 1440)) return 'active';
  if (ranges.length === 0) return 'inactive';
  return ranges.some(({ from }) => minute < from) ? 'upcoming' : 'closed';
}

/**
 * `11:00 AM – 2:00 PM, 5:00 PM – 1:00 AM` as minutes of the day; an end past midnight is beyond 1440.
 * @param {string | null | undefined} hours
 */
export function rangesOf(hours) {
  return (hours ?? '').split(',').flatMap((range) => {
    const [from, to] = range.split('–').map(minutesOf);
    if (from === undefined || to === undefined) return [];
    return [{ from, to: to <= from ? to + 1440 : to }];
  });
}

/** @param {string} time @returns {number | undefined} */
function minutesOf(time) {
  const [, hour, minute, half] = /^\s*(\d{1,2}):(\d{2}) ([AP])M\s*$/.exec(time) ?? [];
  return half === undefined
    ? undefined
    : (Number(hour) % 12) * 60 + Number(minute) + (half === 'P' ? 720 : 0);
}

/**
 * The slides in turn. The welcome slide has the hours of the week: shown when there is nothing else, and first when the
 * pub is closed.
 * @param {Feed} feed
 * @param {number} at
 * @param {How} how
 * @param {ReturnType<typeof pubOf>} pub
 * @param {boolean} closed
 */
function slidesOf(feed, at, { zone, screen, club = 'Public House' }, pub, closed) {
  const { pubHoursWeek } = feed;
  const slides = slidesAt(feed, at, screen);
  const today = dateKey(at, zone);
  const week = pub.known
    ? pubHoursWeek.map(({ date, hours }) => ({
        day: label(Date.parse(`${date}T12:00:00Z`), 'UTC', { weekday: 'long' }),
        hours: hours ?? 'Closed',
        today: date === today,
      }))
    : [];
  const again = pub.state === 'upcoming' ? '' : nextOpening(pubHoursWeek, at, zone);
  const welcome = closed
    ? {
        type: 'welcome',
        eyebrow: club,
        title: closedTitle(pub),
        body: again && `We open again ${again}.`,
        week,
      }
    : { type: 'welcome', eyebrow: 'Welcome to', title: club, body: '', week };
  return { welcome, slides: slides.length === 0 ? [welcome] : closed ? [welcome, ...slides] : slides };
}

/** @param {ReturnType<typeof pubOf>} pub */
function closedTitle({ state, note, hours }) {
  if (note) return note;
  if (state === 'upcoming') return `Open ${hours}`;
  return state === 'closed' ? 'Closed for tonight' : 'Closed today';
}

/**
 * `today at 5:00 PM`, `tomorrow at …`, `Wednesday at …`; empty when the printed week does not say.
 * @param {Day[]} week
 * @param {number} at
 * @param {string} zone
 */
function nextOpening(week, at, zone) {
  const index = week.findIndex(({ date }) => date === dateKey(at, zone));
  if (index < 0) return '';
  for (const [ahead, { date, hours }] of week.slice(index).entries()) {
    const first = rangesOf(hours).find(({ from }) => ahead > 0 || from > minuteOfDay(at, zone));
    if (!first) continue;
    const time = label(Date.UTC(2000, 0, 1, 0, first.from), 'UTC');
    if (ahead === 0) return `today at ${time}`;
    const day = label(Date.parse(`${date}T12:00:00Z`), 'UTC', { weekday: 'long' });
    return `${ahead === 1 ? 'tomorrow' : day} at ${time}`;
  }
  return '';
}

/**
 * The local date, `2026-11-21`.
 * @param {number} at
 * @param {string} zone
 */
function dateKey(at, zone) {
  const [month, day, year] = label(at, zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).split(
    '/',
  );
  return `${year}-${month}-${day}`;
}
