import { eventPath } from '#content/events/shown.ts';
import { DAY, isoTime } from '#kernel/clock.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart, formatDay, formatTime, spanOnPage, timeInWords } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import type { Site } from '#kernel/site.ts';
import type { Announcement } from '#pub/display/announcements.ts';
import { EVENT_KINDS, type EventKind, eventToWire, kindOfEvent, type PubEvent } from '#pub/display/events.ts';
import { eventStatus } from '#pub/display/shared/event-status.js';
import type { Game } from '#pub/screen/games.ts';
import { houseFacts } from '#views/components/club.ts';
import { icon } from '#views/components/icons.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader, sized, withSide } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { CALENDAR_LINK, PROGRAMME_LINK } from '#views/patron-nav.ts';
import { announcementLine } from './announcements.ts';
import { gamesLine } from './games.ts';
import { hoursAhead, isOld, type OpenNow, openNow } from './hours.ts';

/** The data of the page “What’s on”. */
export interface EventsPageProps extends OpenNow {
  /** Milliseconds. */
  now: number;
  zone: string;
  /** When the content was read, already formatted. */
  readAt: Words;
  /** Those of the next two weeks, and those that are still going on. */
  events: readonly PubEvent[];
  /** The only kind of events to show; undefined for all. */
  kind: EventKind | undefined;
  announcements: readonly Announcement[];
  /** The events that are announced now. */
  ahead: readonly PubEvent[];
  /** Those of tonight, the preferred ones first. */
  games: readonly Game[];
}

/** What's on: the announcements in one line, today, the coming two weeks by day, and the hours of the next seven days. */
export function eventsPage(props: EventsPageProps): Html {
  const { feed, now, today, zone, readAt, kind, days, announcements } = props;
  const events = props.events.filter((event) => kind === undefined || kindOfEvent(event) === kind);
  const begun = (event: PubEvent) => localDate(event.start, zone) <= today;
  const ofToday = events.filter(begun);
  const later = Map.groupBy(
    events.filter((event) => !begun(event)),
    ({ start }) => localDate(start, zone),
  );
  const pictured = firstWithPicture(events);
  const main = ({ parts }: Site) => html`${announcementLine(announcements)}${aheadLine(
    props.ahead.filter((event) => !begun(event)),
    zone,
  )}
${kindLinks(props)}
<section data-programme data-next="${feed.nextWindowMin}">
<h2>${t('pub.events.today')}</h2>
${
  ofToday.length > 0
    ? programme(ofToday.map((event) => todayEvent(event, props, pictured)))
    : events.length > 0 && html`<p>${t('pub.events.events_today')}</p>`
}
${kind === undefined && gamesLine(props.games, zone)}
${events.length === 0 && noEvents(kind)}
${[...later].map(
  ([, ofDay]) =>
    html`<section class="dated"><h2>${formatDay(ofDay[0]!.start, zone)}</h2>${programme(ofDay.map((event) => entry(event, zone, pictured)))}</section>`,
)}
</section>
${parts.calendar && html`<p><a class="link-alone" href="${PROGRAMME_LINK.href}">${PROGRAMME_LINK.label}</a></p>`}`;
  const body = (site: Site) => html`${pageHeader({ title: t('pub.events.whats') })}
${isOld(feed, now) && notice('attention', t('pub.events.state_reading_again_failed_since', { read: readAt }))}
${withSide({
  first: openNow(props),
  main: main(site),
  side: html`${hoursAhead(days, feed)}${houseFacts(site)}${inYourCalendar(site)}`,
})}`;
  return page({
    title: t('pub.events.whats'),
    body,
    nav: '/events',
    wide: true,
    styles: 'guests',
    scripts: ['pub/events.js'],
  });
}

const KINDS: Record<EventKind, Words> = {
  direct: t('pub.events.club'),
  affiliate: t('pub.events.affiliates'),
  other: t('pub.events.others'),
};

/** Links to show one kind of events only; null while there is only one kind. */
function kindLinks({ events, kind }: EventsPageProps): Html | null {
  const there = new Set(events.map(kindOfEvent));
  const shown = EVENT_KINDS.filter((one) => there.has(one) || one === kind);
  if (shown.length < 2) return null;
  const link = (href: string, label: Words, here: boolean) =>
    html`<li><a href="${href}"${here && html` aria-current="true"`}>${label}</a></li>`;
  return html`<nav class="filter-links" aria-label="${t('pub.events.kinds_events')}">
  <ul role="list">${link('/events', t('pub.events.all_events'), kind === undefined)}${shown.map((one) =>
    link(`/events?kind=${one}`, KINDS[one], one === kind),
  )}</ul></nav>`;
}

function noEvents(kind: EventKind | undefined): Html {
  if (kind === undefined)
    return empty(t('pub.events.next_two_weeks_free'), t('pub.events.new_events_appear_here_soon'));
  const all = html`<p><a class="button button-quiet" href="/events">${t('pub.events.all_events')}</a></p>`;
  return empty(t('pub.events.none_these_next_two_weeks'), t('pub.events.there_may_be_others'), all);
}

const AHEAD = 3;

/** The announced events in one line; null if there are none. Those of today are in the list below it. */
function aheadLine(events: readonly PubEvent[], zone: string): Html | null {
  if (events.length === 0) return null;
  const more = events.length - AHEAD;
  return html`<p class="named-line"><strong>${t('pub.events.coming_up')}</strong>${events
    .slice(0, AHEAD)
    .map(
      ({ id, title, start }) =>
        html` <span>${id === undefined ? asWritten(title) : html`<a href="${eventPath(id)}"${WRITTEN}>${title}</a>`}, ${formatDay(start, zone)}</span>`,
    )}${more > 0 && html` <span class="soft">${t('pub.events.and_more', { more })}</span>`}</p>`;
}

/** How to get the events in a calendar of one's own, where mails can be sent. */
function inYourCalendar({ parts, canMail }: Site): Html | false {
  return (
    parts.calendar &&
    canMail &&
    html`<p class="toolbar"><a class="button button-quiet" href="${CALENDAR_LINK.href}">${icon('board')}${CALENDAR_LINK.label}</a></p>`
  );
}

function programme(entries: readonly Html[]): Html {
  return html`<ol class="programme" role="list">${entries}</ol>`;
}

/** Renders every status and hides all but one; pub/events.js updates which one is shown. */
function todayEvent(
  event: PubEvent,
  { feed, now, zone }: EventsPageProps,
  pictured: ReadonlySet<PubEvent>,
): Html {
  const present = eventStatus(isoTime(event.start), isoTime(event.end), now, feed.nextWindowMin);
  const statuses = [
    ['Now', badge(t('pub.events.now'), 'open')],
    ['Next', badge(t('pub.events.next'), 'scheduled')],
    ['Done', badge(t('pub.events.over'))],
  ] as const;
  return entry(
    event,
    zone,
    pictured,
    statuses.map(
      ([status, sign]) =>
        html`<span data-status="${status}"${status !== present && html` hidden`}>${sign}</span>`,
    ),
    present !== 'Done' && ownCalendar(event),
  );
}

/** Where a phone adds one event to its calendar. */
function ownCalendar({ id, title, cancelled }: PubEvent): Html | false {
  return (
    id !== undefined &&
    !cancelled &&
    html`<p><a class="link-alone small" href="${eventPath(id)}/calendar.ics">${t('pub.events.add_my_calendar', { hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`, title })}</a></p>`
  );
}

/** One event with the beginning of its description; the page of the event has all of it. */
function entry(
  event: PubEvent,
  zone: string,
  pictured: ReadonlySet<PubEvent>,
  statuses: readonly Html[] = [],
  act: Html | false = false,
): Html {
  const { id, title, name = title, start, end, allDay, openEnded, cancelled } = event;
  const { place = '', description = '' } = event;
  const [startIso, endIso] = [isoTime(start), isoTime(end)];
  const isOneDay = localDate(end - 1, zone) === localDate(start, zone);
  const [begins, ends] =
    end - start > DAY
      ? [
          timeInWords(start, zone),
          t('common.time.day_and_time', { day: formatDay(end, zone), time: formatTime(end, zone) }),
        ]
      : spanOnPage(start, end, zone);
  const when = allDay
    ? html`<time datetime="${localDate(start, zone)}">${isOneDay ? t('pub.events.all_day') : t('pub.events.all_day_until', { day: formatDay(end - 1, zone) })}</time>`
    : openEnded
      ? html`<time datetime="${startIso}">${t('pub.events.from', { begins })}</time>`
      : html`<time datetime="${startIso}">${atLineStart(begins)}</time> – <time datetime="${endIso}">${ends}</time>`;
  const more = [/^\W*(the )?pub\W*$/i.test(place) ? '' : place, excerpt(description)]
    .filter(Boolean)
    .join(' · ');
  const words = cancelled ? html`<s>${name}</s>` : title;
  return html`<li class="event"${
    statuses.length > 0 &&
    html` data-event
  data-start="${startIso}" data-end="${endIso}"`
  }>
<p class="event-at numbers">${when}</p>
<div class="event-what"><h3>${id === undefined ? words : html`<a href="${eventPath(id)}">${words}</a>`}</h3>
${cancelled ? badge(t('pub.events.cancelled'), 'danger') : statuses}${
  more !== '' &&
  html`
<p class="event-more small soft">${more}</p>`
}${act}</div>${pictured.has(event) && picture(event, zone)}</li>\n`;
}

function picture(event: PubEvent, zone: string): Html | undefined {
  const { imageUrl, imageAlt } = eventToWire(event, zone);
  if (!imageUrl) return undefined;
  return html`<img class="event-picture" src="${sized(imageUrl, 480)}" alt="${imageAlt}" width="288" height="176" loading="lazy" decoding="async">`;
}

/** The dates of a series have the same picture: it is shown only at the first of them. */
function firstWithPicture(events: readonly PubEvent[]): ReadonlySet<PubEvent> {
  const byPicture = Map.groupBy(events, (event) => event.picture?.id);
  byPicture.delete(undefined);
  return new Set([...byPicture.values()].flatMap(([first]) => first ?? []));
}

const EXCERPT = 140;

/** The first words of a text, in one line, cut between words. */
function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= EXCERPT ? line : `${line.slice(0, EXCERPT).replace(/\s\S*$/, '')} …`;
}
