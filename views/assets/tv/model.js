// Computes what the main screen shows at a moment from the last feed alone: no DOM, no clock, no network.

import { eventStatus } from '../../../src/pub/display/shared/event-status.js';
import { t } from '../base/texts.js';
import { label, localDate } from '../playing/clock.js';
import { atLineStart, nextOpening, pubAt, timeInWords } from './opening.js';
import { slidesAt } from './round.js';

/** How long a finished event stays in today's list as Done, while there are few others. */
const LINGER_MS = 10 * 60_000;
const FEW = 5;
/** More are not shown: a full rotation would take too long. */
const TODAY_AT_MOST = 24;
const COMING_AT_MOST = 24;
const WEEK = 7;

/**
 * @import { Event, WeekEvent } from '#pub/display/events.ts'
 * @import { EventsFeed } from '#pub/display/feeds.ts'
 * @import { How } from './opening.js'
 * @import { Slides } from './round.js'
 * @import { Slide } from './slide.js'
 * @typedef {Omit<EventsFeed, keyof Slides> & Slides} Feed
 * @typedef {Omit<WeekEvent, 'date'> & { date?: string }} FeedEvent
 * @typedef {{ status: Event['status'], lead: boolean, when: string, title: string, note: string }} Row
 */

/**
 * @param {Feed} feed
 * @param {number} at milliseconds by the server's clock
 * @param {How} how the settings of the service, when the feed was read, and whether that is recent
 */
export function screenModel(feed, at, how) {
  const programme = programmeOf(feed, at, how);
  const pub = pubAt(feed, at, how);
  const eventful = programme.today.some(({ status }) => status === 'Now');
  const closed = pub.closed && !eventful;
  return { ...programme, pub, closed, eventful, ...slidesOf(feed, at, how, pub, closed) };
}

/**
 * Today's events, and those of the next days.
 * @param {Feed} feed
 * @param {number} at
 * @param {How} how
 */
function programmeOf(feed, at, { zone }) {
  const today = localDate(at, zone);
  /** @type {Set<FeedEvent>} */
  const lingers = new Set(feed.todayEvents);
  const events = [...(feed.carryoverEvents ?? []), ...feed.todayEvents, ...feed.weekEvents]
    .map((/** @type {FeedEvent} */ event) => ({
      event,
      status: eventStatus(event.startIso, event.endIso, at, feed.nextWindowMin),
      // Not by the feed's own lists: after midnight without a new feed, its tomorrow has become today.
      date: localDate(Date.parse(event.startIso), zone),
    }))
    .sort((a, b) => Date.parse(a.event.startIso) - Date.parse(b.event.startIso));
  const going = events.filter(({ status }) => status !== 'Done');
  const over = events.filter(
    ({ event, status, date }) =>
      status === 'Done' && date === today && lingers.has(event) && at - Date.parse(event.endIso) < LINGER_MS,
  );
  const todays = going.filter(({ date }) => date <= today);
  const shown = [...(todays.length + over.length > FEW ? [] : over), ...todays].slice(0, TODAY_AT_MOST);
  return {
    today: shown.map(({ event, status }) =>
      rowOf(event, status, { at, zone, lead: event === todays[0]?.event }),
    ),
    coming: going
      .filter(({ date }) => date > today)
      .slice(0, COMING_AT_MOST)
      .map(({ event, status }) => ({
        status,
        lead: false,
        when: [event.date, beginOf(event)].filter(Boolean).join(' · '),
        title: event.title,
        note: '',
      })),
    nothing:
      shown.length > 0
        ? ''
        : events.some(({ date }) => date === today)
          ? t('tv.tv.all_for_today')
          : t('tv.tv.events_today'),
  };
}

/**
 * @param {FeedEvent} event
 * @param {Row['status']} status
 * @param {{ at: number, zone: string, lead: boolean }} how `lead`: whether it is the first that is not over
 * @returns {Row}
 */
function rowOf(event, status, { at, zone, lead }) {
  const { title, end, startIso, endIso, open_ended } = event;
  const hasEnd = end !== '' && !open_ended;
  const until = hasEnd ? t('tv.row.until', { time: timeInWords(Date.parse(endIso), zone, end) }) : '';
  const soon = inWords(Date.parse(startIso) - at);
  const note = {
    Now: until,
    Next: until ? t('tv.row.soon_until', { soon, until }) : soon,
    Later: until,
    Done: t('tv.row.over'),
  }[status];
  return { status, lead, when: beginOf(event), title, note };
}

/**
 * When an event begins: of one without an end that nothing is known beyond that.
 * @param {FeedEvent} event
 */
const beginOf = ({ start, open_ended }) => (open_ended ? t('tv.row.from', { time: start }) : start);

/** @param {number} ms until something starts */
function inWords(ms) {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return t('tv.row.in_minutes', { minutes });
  if (minutes % 60 === 0) return t('tv.row.in_hours', { hours });
  return t('tv.row.in_hours_minutes', { hours, minutes: minutes % 60 });
}

/**
 * The slides, and the codes of pages for phones. The welcome slide has the hours of the next seven days: shown if the club has no slides of its
 * own, and first if the pub is closed.
 * @param {Feed} feed
 * @param {number} at
 * @param {How} how
 * @param {ReturnType<typeof pubAt>} pub
 * @param {boolean} closed
 */
function slidesOf(feed, at, { zone, names, club = 'Public House' }, pub, closed) {
  const { own, codes } = slidesAt(feed, at, names);
  const today = localDate(at, zone);
  const days = feed.pubDays ?? [];
  const week = pub.known
    ? days
        .filter(({ date }) => date >= today)
        .slice(0, WEEK)
        .map(({ date, hours }) => ({
          day: label(Date.parse(`${date}T12:00:00Z`), 'UTC', { weekday: 'long' }),
          hours: hours ? atLineStart(hours) : t('tv.hours.closed'),
          today: date === today,
        }))
    : [];
  const again = pub.state === 'upcoming' ? '' : nextOpening(days, at, zone);
  /** @type {Slide} */
  const welcome = closed
    ? {
        type: 'welcome',
        eyebrow: club,
        title: closedTitle(pub),
        body: again,
        week,
      }
    : { type: 'welcome', eyebrow: t('tv.tv.welcome'), title: club, body: '', week };
  return { welcome, slides: closed || own.length === 0 ? [welcome, ...own] : own, codes };
}

/** @param {ReturnType<typeof pubAt>} pub */
function closedTitle({ state, note, hours, reason }) {
  if (note) return note;
  if (state === 'upcoming') return t('tv.hours.open', { hours });
  if (state === 'closed') return t('tv.feed.closed_tonight');
  return reason ? t('tv.hours.closed_today_because', { reason }) : t('tv.hours.closed_today');
}
