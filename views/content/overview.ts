import type { RosterTender } from '#content/display.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type ContentPageProps, contentPage, type KindWords, kindPath, mayWrite } from './frame.ts';
import { type RosterDay, tonightForm } from './roster.ts';

export interface OverviewProps extends ContentPageProps {
  /** What needs doing: a sentence and a link each. */
  todo: readonly { text: string; href: string; label: string }[];
  days: readonly { label: string; hours: Words | string | null; crew: readonly string[] }[];
  /** The next holidays from the calendars of holidays; `date` is an ISO date. */
  holidays: readonly { date: string; label: string; title: string }[];
  /** Today on the roster; undefined while the pub is closed today, or its hours are not known. */
  tonight: { day: RosterDay; tenders: readonly RosterTender[] } | undefined;
  /** What has just been done. */
  done?: string | undefined;
  kinds: readonly { words: KindWords; shown: number; drafts: number }[];
  /** Whether a workspace is set up and the user is an owner, who may import from it. */
  canImport: boolean;
}

/** What needs doing, the next two weeks, and a link to each kind. */
export function contentOverview(props: OverviewProps): Html {
  const { todo, days, holidays, kinds } = props;
  const write = mayWrite(props);
  const quick =
    write &&
    html`<a class="button" href="/admin/content/event/new">New event</a>
<a class="button button-quiet" href="/admin/content/special/new">Closed on a day</a>
<a class="button button-quiet" href="/admin/content/announcement/new">New announcement</a>
<a class="button button-quiet" href="/admin/content/roster">Who works when</a>`;
  const body = html`${pageHeader({
    title: 'Content',
    lede: 'What the screens, the public pages and the calendar say: events, hours, people, announcements.',
    actions: quick || null,
  })}${doneNotice(props.done)}
${
  write &&
  props.tonight &&
  html`<section aria-labelledby="tonight"><h2 id="tonight">Who works tonight</h2>
${tonightForm(props.tonight)}</section>`
}
<section aria-labelledby="todo"><h2 id="todo">What needs doing</h2>
${
  todo.length === 0
    ? html`<p>Nothing: all that was written is published.</p>`
    : html`<ul class="action-list" role="list">${todo.map(
        ({ text, href, label }) => html`
    <li><span>${text}</span> <a class="button button-quiet button-small" href="${href}">${label}</a></li>`,
      )}</ul>`
}</section>
<section aria-labelledby="ahead"><h2 id="ahead">The next two weeks</h2>
${table({
  caption: 'The next two weeks',
  quietCaption: true,
  flows: true,
  columns: [{ label: 'Day' }, { label: 'Open' }, { label: 'Who works' }],
  rows: days.map(({ label, hours, crew }) => [
    label,
    hours ?? 'Closed',
    crew.join(', ') || (hours === null ? '' : badge('nobody yet', 'scheduled')),
  ]),
})}</section>
${holidays.length > 0 && holidayList(props)}
<section aria-labelledby="kinds"><h2 id="kinds">Everything</h2>
${table({
  caption: 'Everything, by what it is',
  quietCaption: true,
  columns: [{ label: 'What' }, { label: 'Published', number: true }, { label: 'Drafts', number: true }],
  rows: kinds.map(({ words, shown, drafts }) => [
    html`<a class="content-link" href="${kindPath(words)}">${words.many}</a>`,
    String(shown),
    String(drafts),
  ]),
})}<p><a class="content-link" href="/admin/content/prices">All prices of drinks and food</a></p>
${write && html`<p><a class="content-link" href="/admin/content/menu-import">Drinks and food from a file</a></p>`}
<p><a class="content-link" href="/admin/content/ical">Calendars we read</a></p>
<p><a class="content-link" href="/admin/content/pictures">All pictures</a></p>
${
  props.canImport &&
  html`
<p><a class="content-link" href="/admin/content/import">Import from the workspace</a></p>`
}</section>`;
  return contentPage('Content', body, props);
}

/** Holidays close nothing automatically: each links to the form for a special day. */
function holidayList(props: OverviewProps): Html {
  const ask = (date: string, label: string) =>
    mayWrite(props) &&
    html` <a class="button button-quiet button-small" href="/admin/content/special/new?date=${date}">Closed, or other hours<span class="visually-hidden"> on ${label}</span></a>`;
  return html`<section aria-labelledby="holidays"><h2 id="holidays">Holidays ahead</h2>
<p>Open as usual, unless you say otherwise.</p>
<ul class="action-list" role="list">${props.holidays.map(
    ({ date, label, title }) => html`
<li><span>${label}: ${title}</span>${ask(date, label)}</li>`,
  )}</ul></section>`;
}
