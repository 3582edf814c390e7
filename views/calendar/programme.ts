import { lineOf, textOf, urlOf } from '#calendar/feed/ics.ts';
import type { Program, ProgrammeAhead } from '#calendar/feed/programme.ts';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { type Html, html } from '#kernel/html.ts';
import { formatDate, formatDay, formatTime, formatWhen, localDate, timeInWords } from '#kernel/local-time.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader, plainText } from '#views/components/structure.ts';
import { calendarPage } from './subscribe.ts';

const EXCERPT = 280;

/** The public page of the programme: what the feed holds, from today on. */
export function programmePage(programme: ProgrammeAhead, { enabled }: { enabled: boolean }): Html {
  const { today, days, more, asOf, zone } = programme;
  const subscribe = enabled && html`<a class="button" href="/subscribe-programs">Get it in your calendar</a>`;
  const body = html`${pageHeader({ title: 'The programme', lede: 'What the club plans, from today on.', actions: subscribe })}
${asOf !== null && notice('attention', `This is how the programme stood on ${formatWhen(asOf, zone)}. What has changed since then is not in it yet.`)}
${days.length === 0 ? empty('Nothing is planned yet', 'As soon as something is, it will be here.') : null}
${days.map(({ day, programs }) => html`<section class="day"><h2>${formatDayHeading(day, today)}</h2><ul class="day-list" role="list">${programs.map((program) => entry(program, day, zone))}</ul></section>\n`)}
${more > 0 && html`<p>And ${more} more later on; your calendar shows them all.</p>`}
${days.length > 0 && html`<p class="small soft">All times are those of ${zone}.</p>`}`;
  return calendarPage({ title: 'Programme', body, nav: '/programme' });
}

function entry(program: Program, day: string, zone: string): Html {
  const { start, allDay, cancelled } = program;
  const title = lineOf(program.title);
  const location = lineOf(program.location);
  const description = textOf(program.description);
  const url = urlOf(program);
  const datetime = allDay ? localDate(start, zone) : isoTime(start);
  const long = description.length > EXCERPT;
  return html`<li class="programme-entry"><p class="programme-when"><time datetime="${datetime}">${formatTimes(program, day, zone)}</time></p><div>
<h3>${cancelled ? html`<s>${title}</s> ${badge('Cancelled', 'danger')}` : title}</h3>
${location && html`<p class="soft">${location}</p>`}
${description && (long ? disclosure('About it', plainText(description)) : plainText(description))}
${url && html`<p><a href="${url}" rel="noreferrer">More about it<span class="visually-hidden">: ${title}</span></a></p>`}
</div></li>`;
}

/** Formats the times of a program under the date `day`: `7:00 PM to 10:00 PM`, `All day`, `Until Sun, Dec 6`. */
function formatTimes({ start, end, allDay }: Program, day: string, zone: string): string {
  const lastDay = localDate(end - 1, zone);
  if (allDay) return lastDay === day ? 'All day' : `Until ${formatDay(end - 1, zone)}`;
  if (localDate(start, zone) < day) return `Until ${formatEnd(end, day, zone)}`;
  // A night that ends before morning is still one evening.
  const night = end - start <= 12 * HOUR ? day : localDate(end, zone);
  return `${timeInWords(start, zone)} to ${night === day ? timeInWords(end, zone) : formatEnd(end, day, zone)}`;
}

function formatEnd(end: number, day: string, zone: string): string {
  return localDate(end, zone) === day
    ? timeInWords(end, zone)
    : `${formatDay(end, zone)}, ${formatTime(end, zone)}`;
}

/** Formats a date: `Saturday, December 5`. */
function formatDayHeading(day: string, today: string): string {
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  return formatDate(day, { weekday: 'long', month: 'long', day: 'numeric', ...year });
}
