import { type Html, html } from '#kernel/html.ts';
import type { Event, WeekEvent } from '#pub/display/events.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { stylesheets } from '#views/components/head.ts';
import { icon } from '#views/components/icons.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { hoursOfWeek, isOld } from './hours.ts';
import { portrait } from './pictures.ts';

/** The programme as patrons read it on their phones. */
export interface EventsPageProps {
  feed: EventsFeed;
  /** Milliseconds. */
  now: number;
  /** The local date, `2026-11-21`. */
  today: string;
  /** When the content was read, ready to show. */
  readAt: string;
}

/** What's on: tonight, the next two weeks by day, the hours of the week. */
export function eventsPage({ feed, now, today, readAt }: EventsPageProps): Html {
  const ofToday = [...feed.carryoverEvents, ...feed.todayEvents];
  const days = byDay(withPictureOnce(feed.weekEvents, ofToday));
  const body = html`${pageHeader({ title: 'What’s on', lede: 'Two weeks at the pub, day by day.' })}
${isOld(feed, now) && notice('attention', `This is how it stood on ${readAt}. The club’s calendar cannot be reached at the moment.`)}
${tonight(feed, today)}
<section data-programme data-next="${feed.nextWindowMin}">
${
  ofToday.length + days.length === 0
    ? empty('The next two weeks are free', 'New events appear here as soon as they are set.')
    : [
        html`<h2>Today</h2>${ofToday.length === 0 ? html`<p>No events today.</p>` : programme(ofToday.map(todayEvent))}`,
        ...days.map(
          ([date, events]) => html`<h2>${date}</h2>${programme(events.map((event) => entry(event)))}`,
        ),
      ]
}
</section>
<p class="programme-feed"><a class="button button-quiet" href="/subscribe-programs">${icon('board')}Get the programme in your calendar</a></p>
${hoursOfWeek(feed, today)}`;
  return page({
    title: 'What’s on',
    body,
    nav: '/events',
    head: stylesheets('pub/pages.css'),
    scripts: ['pub/events.js'],
  });
}

/** Whether the pub is open, and who is behind the bar. */
function tonight({ hoursKnown, pubTender, pubHoursWeek }: EventsFeed, today: string): Html | null {
  if (!hoursKnown) return null;
  const { name, note, noteState, hours, activeTenders } = pubTender;
  const open = ['active', 'last-call'].includes(noteState);
  // Inactive is the pub after the last shift of a day and on a day without any.
  const hadShift = pubHoursWeek.some(({ date, open }) => open && date === today);
  const inactive = hadShift ? 'Closed for tonight' : 'Closed today';
  const who = noteState === 'upcoming' || noteState === 'setup' ? 'will be behind the bar' : 'behind the bar';
  return html`<section class="card tonight"><div><p class="eyebrow">${badge(open ? 'Open' : 'Closed', open ? 'open' : undefined)}</p>
<h2>${noteState === 'inactive' ? inactive : note}</h2><p>${hours && html`${hours}. `}${name && html`<strong>${name}</strong> ${who}.`}</p></div>
${
  activeTenders.length > 0 &&
  html`<ul class="faces" role="list">${activeTenders.map(
    ({ id, fullName, imageUrl, imageFocus }) =>
      html`<li><a href="/tenders/?tender=${id}">${portrait({ name: fullName, imageUrl, imageFocus, size: 'small' })}<span class="visually-hidden">${fullName}</span></a></li>`,
  )}</ul>`
}</section>`;
}

function programme(entries: readonly Html[]): Html {
  return html`<ol class="programme" role="list">${entries}</ol>`;
}

/** A series has one picture: it stands beside the first date that is shown. */
function withPictureOnce(events: readonly WeekEvent[], before: readonly Event[]): WeekEvent[] {
  const seen = new Set(before.map(({ imageUrl }) => imageUrl));
  return events.map((event) => {
    const { imageUrl, imageAlt: _alt, ...rest } = event;
    if (seen.has(imageUrl)) return rest;
    seen.add(imageUrl);
    return event;
  });
}

function byDay(events: readonly WeekEvent[]): [date: string, events: WeekEvent[]][] {
  return [...Map.groupBy(events, ({ date }) => date)];
}

/** All its statuses are there, one of them shown: pub/events.js changes which. */
function todayEvent(event: Event): Html {
  const statuses = [
    ['Now', badge('Now', 'open')],
    ['Next', badge('Next', 'scheduled')],
    ['Done', badge('Over')],
  ] as const;
  return entry(
    event,
    statuses.map(
      ([status, sign]) =>
        html`<span data-status="${status}"${status !== event.status && html` hidden`}>${sign}</span>`,
    ),
  );
}

function entry(
  { title, start, end, startIso, endIso, imageUrl, imageAlt }: Omit<WeekEvent, 'date'>,
  statuses: readonly Html[] = [],
): Html {
  return html`<li class="event"${statuses.length > 0 && html` data-event data-start="${startIso}" data-end="${endIso}"`}>
<p class="event-when numbers"><time datetime="${startIso}">${start}</time>${end && html` to <time datetime="${endIso}">${end}</time>`}</p>
<div class="event-what"><h3>${title}</h3>${statuses}</div>${imageUrl && html`<img class="event-picture" src="${imageUrl}" alt="${imageAlt}" loading="lazy" decoding="async">`}</li>\n`;
}
