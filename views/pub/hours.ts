import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart, formatDay } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { DayAhead } from '#pub/display/ahead.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import type { Duty } from '#pub/display/hours.ts';
import { empty } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { portrait } from './pictures.ts';

/** The data of `openNow`. */
export interface OpenNow {
  feed: EventsFeed;
  /** The local date, `2026-11-21`. */
  today: string;
  /** Who is on duty, and whether the pub is open. */
  duty: Duty;
  /** The hours of the next days, today first. */
  days: readonly DayAhead[];
}

/** How old content may be before a page says so. */
const OLD_MS = 10 * 60_000;

/** The hours of the next days, today first; null where there are none. */
export function hoursAhead(
  days: readonly DayAhead[],
  { hoursKnown }: Pick<EventsFeed, 'hoursKnown'>,
): Html | null {
  if (!hoursKnown || days.every(({ hours, reason }) => hours === null && !reason)) return null;
  return html`<section class="panel" id="hours"><h2>${t('pub.hours.opening_hours')}</h2>${hoursList(days)}</section>`;
}

/** Whether the pub is open now, and the hours of the next days. */
export function hoursPage(props: OpenNow): Html {
  const { feed, days } = props;
  const none = feed.hoursKnown
    ? empty(t('pub.hours.closed_now'), t('pub.hours.hours_next_two_weeks_set'))
    : empty(t('pub.hours.hours_known_yet'), t('pub.hours.appear_here_soon_set'));
  const isSet = feed.hoursKnown && days.some(({ hours, reason }) => hours !== null || reason);
  return page({
    title: t('pub.hours.opening_hours'),
    body: html`${pageHeader({ title: t('pub.hours.opening_hours') })}${openNow(props)}${isSet ? hoursList(days) : none}`,
    nav: '/hours',
    styles: 'guests',
  });
}

const hoursList = (days: readonly DayAhead[]): Html =>
  definitionList(
    days.map(({ date, hours, reason }, index) => {
      // Noon in UTC, formatted in UTC, is always on that date.
      const day = formatDay(Date.parse(`${date}T12:00:00Z`), 'UTC');
      const value = hours === null ? closedFor(reason) : atLineStart(hours);
      return index === 0
        ? ([t('pub.hours.today'), html`<strong>${value}</strong>`] as const)
        : ([day, value] as const);
    }),
  );

/** `Closed: boiler broken` */
export const closedFor = (reason = ''): Words =>
  reason ? t('pub.hours.closed_because', { reason }) : t('pub.hours.closed');

/** Whether the feed is old enough to say so; `now` in milliseconds. */
export function isOld(
  { stale, lastUpdated }: Pick<EventsFeed, 'stale' | 'lastUpdated'>,
  now: number,
): boolean {
  return stale && now - Date.parse(lastUpdated) > OLD_MS;
}

/** Whether the pub is open, and who is behind the bar. */
export function openNow({ feed, today, duty, days }: OpenNow): Html | null {
  const { hoursKnown, pubTender, pubHoursWeek } = feed;
  if (!hoursKnown) return null;
  const { name, activeTenders } = pubTender;
  const { noteState, hours, inWords } = duty;
  const open = ['active', 'last-call'].includes(noteState);
  // The pub is `inactive` after the last shift of a day, and on a day without any.
  const hadShift = pubHoursWeek.some(({ date, open }) => open && date === today);
  const inactive = hadShift
    ? t('pub.hours.closed_tonight')
    : days[0]?.reason
      ? t('pub.hours.closed_today_because', { reason: days[0].reason })
      : t('pub.hours.closed_today');
  return html`<div class="card tonight"><div>
<p>${badge(open ? t('pub.hours.open') : t('pub.hours.closed'), open ? 'open' : undefined)}</p>
<p><strong>${noteState === 'inactive' ? inactive : inWords}</strong></p>
<p>${hours && noteState !== 'active' && html`${atLineStart(hours.digits)}. `}${
    name &&
    t(
      noteState === 'upcoming' || noteState === 'setup'
        ? 'pub.hours.will_be_behind_bar'
        : 'pub.hours.is_behind_bar',
      { names: html`<strong>${name}</strong>` },
    )
  }</p></div>
${
  activeTenders.length > 0 &&
  html`<ul class="faces" role="list">${activeTenders.map(
    ({ id, fullName, imageUrl, imageFocus }) =>
      html`<li><a href="/tenders/?tender=${id}">${portrait({
        name: fullName,
        imageUrl,
        imageFocus,
        size: 'small',
      })}<span class="visually-hidden">${fullName}</span></a></li>`,
  )}</ul>`
}</div>`;
}
