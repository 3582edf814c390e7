import { type Html, html } from '#kernel/html.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader, plainText } from '#views/components/structure.ts';
import { calendarPage } from './subscribe.ts';

/** One thing on the programme; times as ready strings. */
export interface ProgrammeEntry {
  title: string;
  /** `7:00 PM to 10:00 PM`, `All day`, `Until Sun, Dec 6`. */
  when: string;
  /** For machines: the instant, or the date of an all-day one. */
  datetime: string;
  location: string;
  description: string;
  url: string | null;
  cancelled: boolean;
}

export interface ProgrammeDay {
  /** `Saturday, December 5`. */
  label: string;
  entries: readonly ProgrammeEntry[];
}

export interface ProgrammeProps {
  days: readonly ProgrammeDay[];
  /** What does not fit on the page. */
  more: number;
  /** When the programme was read, where that is long ago. */
  asOf: string | undefined;
  zone: string;
  enabled: boolean;
}

const EXCERPT = 280;

/** The public page of the programme: what the feed holds, from today on. */
export function programmePage({ days, more, asOf, zone, enabled }: ProgrammeProps): Html {
  const subscribe = enabled && html`<a class="button" href="/subscribe-programs">Get it in your calendar</a>`;
  const body = html`${pageHeader({ title: 'The programme', lede: 'What the club plans, from today on.', actions: subscribe })}
${asOf && notice('attention', `This is how the programme stood on ${asOf}. What has changed since then is not in it yet.`)}
${days.length === 0 ? empty('Nothing is planned yet', 'As soon as something is, it will be here.') : null}
${days.map(({ label, entries }) => html`<section class="day"><h2>${label}</h2><ul class="day-list" role="list">${entries.map(entry)}</ul></section>\n`)}
${more > 0 && html`<p>And ${more} more later on; your calendar shows them all.</p>`}
${days.length > 0 && html`<p class="small soft">All times are those of ${zone}.</p>`}`;
  return calendarPage({ title: 'Programme', body });
}

function entry({ title, when, datetime, location, description, url, cancelled }: ProgrammeEntry): Html {
  const long = description.length > EXCERPT;
  return html`<li class="programme-entry"><p class="programme-when"><time datetime="${datetime}">${when}</time></p><div>
<h3>${cancelled ? html`<s>${title}</s> ${badge('Cancelled', 'danger')}` : title}</h3>
${location && html`<p class="soft">${location}</p>`}
${description && (long ? disclosure('About it', plainText(description)) : plainText(description))}
${url && html`<p><a href="${url}" rel="noreferrer">More about it<span class="visually-hidden">: ${title}</span></a></p>`}
</div></li>`;
}
