import { lineOf, textOf, urlOf } from '#calendar/feed/ics.ts';
import type { Program } from '#calendar/feed/programme.ts';
import type { ProgrammeAhead, ProgrammeEntry } from '#calendar/feed/public-programme.ts';
import { eventPath } from '#content/events/shown.ts';
import { isoTime } from '#kernel/clock.ts';
import { type Html, html } from '#kernel/html.ts';
import { atLineStart, formatWhen, localDate, zoneName } from '#kernel/local-time.ts';
import type { Site } from '#kernel/site.ts';
import { empty, notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
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
    lede: 'What the club plans, from today on.',
    actions: enabled && canMail && subscribe,
  })}
${
  asOf !== null &&
  notice(
    'attention',
    `This is the programme as of ${formatWhen(asOf, zone)}. Later changes are not in it yet.`,
  )
}
${places.length > 0 && placeLinks(places, place)}
${days.length === 0 ? empty('Nothing is planned yet', 'As soon as something is, it will be here.') : null}
${days.map(
  ({ day, entries }) => html`<section class="day"><h2>${formatLongDate(day, today)}</h2>
<ul class="day-list" role="list">${entries.map((one) => entry(one, day, programme))}</ul></section>\n`,
)}
${more > 0 && html`<p>And ${more} more later on; your calendar shows them all.</p>`}
${days.length > 0 && zoneNote(zoneName(zone))}`;
  return calendarPage({ title: PROGRAMME_LINK.label, body, nav: PROGRAMME_LINK.href });
}

/** Links to show the events at one place only, or all. */
function placeLinks(places: readonly string[], chosen: string): Html {
  const link = (href: string, label: string, here: boolean) =>
    html`<li><a href="${href}"${here && html` aria-current="true"`}>${label}</a></li>`;
  return html`<nav class="filter-links" aria-label="Places">
  <ul role="list">${link('/programme', 'Everywhere', chosen === '')}${places.map((place) =>
    link(`/programme?place=${encodeURIComponent(place)}`, place, place === chosen),
  )}</ul></nav>`;
}

/** The next dates of a series in one line, each with its page, and how many more there are. */
function nextDates({ next, further }: ProgrammeEntry, { today, zone }: ProgrammeAhead): Html | false {
  const date = ({ id, start, cancelled }: Program) => {
    const day = formatShortDate(localDate(start, zone), today);
    return html`<a href="${eventPath(id)}">${cancelled ? html`<s>${day}</s>` : day}</a>`;
  };
  return (
    next.length > 0 &&
    html`<p class="programme-next">Next: ${next.map((one, index) => html`${index > 0 && ' · '}${date(one)}`)}${
      further > 0 && html` <span class="soft">and ${count(further)} more</span>`
    }</p>`
  );
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
  <p class="programme-when"><time datetime="${datetime}">${atLineStart(formatTimes(program, day, zone))}</time></p><div>
<h3><a href="${eventPath(program.id)}">${cancelled ? html`<s>${title}</s>` : title}</a>${
    cancelled && html` ${badge('Cancelled', 'danger')}`
  }</h3>
${location && html`<p class="soft">${location}</p>`}
${nextDates(listed, programme)}
${description && (long ? disclosure('About it', plainText(description)) : plainText(description))}
<p class="toolbar programme-ways">${
    url &&
    html`<a class="link-alone" href="${url}" rel="noreferrer">More about it<span class="visually-hidden">: ${title}</span></a>`
  }${
    !cancelled &&
    html`<a class="link-alone" href="${eventPath(program.id)}/calendar.ics">Add only this one<span class="visually-hidden">: ${title}</span></a>`
  }</p>
</div></li>`;
}
