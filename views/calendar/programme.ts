import { lineOf, textOf, urlOf } from '#calendar/feed/ics.ts';
import type { Program } from '#calendar/feed/programme.ts';
import type { ProgrammeAhead, ProgrammeEntry } from '#calendar/feed/public-programme.ts';
import { eventPath } from '#content/events/shown.ts';
import { isoTime } from '#kernel/clock.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatWhen, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import type { Site } from '#kernel/site.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { empty, notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader, plainText, zoneNote } from '#views/components/structure.ts';
import { CALENDAR_LINK, PROGRAMME_LINK } from '#views/patron-nav.ts';
import { calendarPage } from './subscribe.ts';
import { formatLongDate, formatShortDate, formatTimes } from './times.ts';

const EXCERPT = 280;

/** The public page of the programme: the events of the feed, from today on. */
export function programmePage(programme: ProgrammeAhead, { enabled }: { enabled: boolean }): Html {
  const { today, days, more, asOf, zone } = programme;
  const subscribe = html`<a class="button" href="${CALENDAR_LINK.href}">${CALENDAR_LINK.label}</a>`;
  const { places, place } = programme;
  const body = ({ canMail }: Site) => html`${pageHeader({
    title: PROGRAMME_LINK.label,
    lede: t('calendar.programme.what_club_plans_today'),
    actions: enabled && canMail && subscribe,
  })}
${asOf !== null && notice('attention', t('calendar.programme.as_of', { when: formatWhen(asOf, zone) }))}
${places.length > 0 && placeLinks(places, place)}
${days.length === 0 ? empty(t('calendar.programme.nothing_planned_yet'), t('calendar.programme.soon_something_here')) : null}
${days.map(
  ({ day, entries }) => html`<section class="day"><h2>${formatLongDate(day, today)}</h2>
<ul class="day-list" role="list">${entries.map((one) => entry(one, day, programme))}</ul></section>\n`,
)}
${more > 0 && html`<p>${t('calendar.programme.more_later', { n: more })}</p>`}
${days.length > 0 && zoneNote(zoneName(zone))}`;
  return calendarPage({ title: PROGRAMME_LINK.label, body, nav: PROGRAMME_LINK.href });
}

/** Links to show the events at one place only, or all. */
function placeLinks(places: readonly string[], chosen: string): Html {
  const link = (href: string, label: Words | string, here: boolean) =>
    html`<li><a href="${href}"${here && html` aria-current="true"`}>${label}</a></li>`;
  return html`<nav class="filter-links" aria-label="${t('calendar.programme.places')}">
  <ul role="list">${link('/programme', t('calendar.programme.everywhere'), chosen === '')}${places.map(
    (place) => link(`/programme?place=${encodeURIComponent(place)}`, place, place === chosen),
  )}</ul></nav>`;
}

/** The next dates of a series in one line, each with its page, and how many more there are. */
function nextDates({ next, further }: ProgrammeEntry, { today, zone }: ProgrammeAhead): Html | false {
  const date = ({ id, start, cancelled }: Program) => {
    const day = formatShortDate(localDate(start, zone), today);
    return html`<a href="${eventPath(id)}">${cancelled ? html`<s>${day}</s>` : day}</a>`;
  };
  if (next.length === 0) return false;
  const dates = html`${next.map((one, index) => html`${index > 0 && ' · '}${date(one)}`)}`;
  const soft = (inside: Words) => html`<span class="soft">${inside}</span>`;
  return html`<p class="programme-next">${
    further > 0
      ? t('calendar.programme.next_and_more', { dates, n: further, soft })
      : t('calendar.programme.next', { dates })
  }</p>`;
}

function entry(listed: ProgrammeEntry, day: string, programme: ProgrammeAhead): Html {
  const { program } = listed;
  const { zone } = programme;
  const { start, allDay, cancelled } = program;
  const title = lineOf(program.title);
  const location = lineOf(program.location);
  const description = textOf(program.description);
  const url = urlOf(program);
  const datetime = allDay ? localDate(start, zone) : isoTime(start);
  const long = description.length > EXCERPT;
  return html`<li class="programme-entry">
  <p class="programme-when"><time datetime="${datetime}">${formatTimes(program, day, zone)}</time></p><div>
<h3><a href="${eventPath(program.id)}"${WRITTEN}>${cancelled ? html`<s>${title}</s>` : title}</a>${
    cancelled && html` ${badge(t('calendar.programme.cancelled'), 'danger')}`
  }</h3>
${location && html`<p class="soft"${WRITTEN}>${location}</p>`}
${nextDates(listed, programme)}
${description && (long ? disclosure(t('calendar.programme.about'), plainText(description)) : plainText(description))}
<p class="toolbar programme-ways">${
    url &&
    html`<a class="link-alone" href="${url}" rel="noreferrer">${t('calendar.programme.more_about', { hidden, title: asWritten(title) })}</a>`
  }${
    !cancelled &&
    html`<a class="link-alone" href="${eventPath(program.id)}/calendar.ics">${t('calendar.programme.add_only', { hidden, title: asWritten(title) })}</a>`
  }</p>
</div></li>`;
}
