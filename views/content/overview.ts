import type { RosterTender } from '#content/display.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type ContentPageProps, contentPage, type KindWords, kindPath, mayWrite } from './frame.ts';
import { type RosterDay, tonightForm } from './roster.ts';

export interface OverviewProps extends ContentPageProps {
  /** What needs doing: a sentence and a link each. */
  todo: readonly { text: Words | string; href: string; label: Words | string }[];
  days: readonly { label: Words; hours: Words | string | null; crew: readonly string[] }[];
  /** The next holidays from the calendars of holidays; `date` is an ISO date. */
  holidays: readonly { date: string; label: Words; title: string }[];
  /** Today on the roster; undefined while the pub is closed today, or its hours are not known. */
  tonight: { day: RosterDay; tenders: readonly RosterTender[] } | undefined;
  /** What has just been done. */
  done?: Words | undefined;
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
    html`<a class="button" href="/admin/content/event/new">${t('content-admin.overview.new_event')}</a>
<a class="button button-quiet" href="/admin/content/special/new">${t('content-admin.overview.closed_day')}</a>
<a class="button button-quiet" href="/admin/content/announcement/new">${t('content-admin.overview.new_announcement')}</a>
<a class="button button-quiet" href="/admin/content/roster">${t('content-admin.overview.who_works_when')}</a>`;
  const body = html`${pageHeader({
    title: t('content-admin.overview.content'),
    lede: t('content-admin.overview.what_screens_public_pages_calendar'),
    actions: quick || null,
  })}${doneNotice(props.done)}
${
  write &&
  props.tonight &&
  html`<section aria-labelledby="tonight"><h2 id="tonight">${t('content-admin.overview.who_works_tonight')}</h2>
${tonightForm(props.tonight)}</section>`
}
<section aria-labelledby="todo"><h2 id="todo">${t('content-admin.overview.what_needs_doing')}</h2>
${
  todo.length === 0
    ? html`<p>${t('content-admin.overview.nothing_all_written_published')}</p>`
    : html`<ul class="action-list" role="list">${todo.map(
        ({ text, href, label }) => html`
    <li><span>${text}</span> <a class="button button-quiet button-small" href="${href}">${label}</a></li>`,
      )}</ul>`
}</section>
<section aria-labelledby="ahead"><h2 id="ahead">${t('content-admin.overview.next_two_weeks')}</h2>
${table({
  caption: t('content-admin.overview.next_two_weeks'),
  quietCaption: true,
  flows: true,
  columns: [
    { label: t('content-admin.overview.day') },
    { label: t('content-admin.overview.open') },
    { label: t('content-admin.overview.who_works') },
  ],
  rows: days.map(({ label, hours, crew }) => [
    label,
    hours ?? t('content-admin.overview.closed'),
    crew.join(', ') || (hours === null ? '' : badge(t('content-admin.overview.nobody_yet'), 'scheduled')),
  ]),
})}</section>
${holidays.length > 0 && holidayList(props)}
<section aria-labelledby="kinds"><h2 id="kinds">${t('content-admin.overview.everything')}</h2>
${table({
  caption: t('content-admin.overview.everything_what'),
  quietCaption: true,
  columns: [
    { label: t('content-admin.overview.what') },
    { label: t('content-admin.overview.published'), number: true },
    { label: t('content-admin.overview.drafts'), number: true },
  ],
  rows: kinds.map(({ words, shown, drafts }) => [
    html`<a class="content-link" href="${kindPath(words)}">${words.many}</a>`,
    String(shown),
    String(drafts),
  ]),
})}<p><a class="content-link" href="/admin/content/prices">${t('content-admin.overview.all_prices_drinks_food')}</a></p>
${write && html`<p><a class="content-link" href="/admin/content/menu-import">${t('content-admin.overview.drinks_food_file')}</a></p>`}
<p><a class="content-link" href="/admin/content/ical">${t('content-admin.overview.calendars_read')}</a></p>
<p><a class="content-link" href="/admin/content/pictures">${t('content-admin.overview.all_pictures')}</a></p>
${
  props.canImport &&
  html`
<p><a class="content-link" href="/admin/content/import">${t('content-admin.overview.import_workspace')}</a></p>`
}</section>`;
  return contentPage(t('content-admin.overview.content'), body, props);
}

/** Holidays close nothing automatically: each links to the form for a special day. */
function holidayList(props: OverviewProps): Html {
  const ask = (date: string, label: Words) =>
    mayWrite(props) &&
    html` <a class="button button-quiet button-small" href="/admin/content/special/new?date=${date}">${t('content-admin.overview.closed_other_hours', { hidden, label })}</a>`;
  return html`<section aria-labelledby="holidays"><h2 id="holidays">${t('content-admin.overview.holidays_ahead')}</h2>
<p>${t('content-admin.overview.open_usual_unless_say_otherwise')}</p>
<ul class="action-list" role="list">${props.holidays.map(
    ({ date, label, title }) => html`
<li><span>${t('common.named', { name: label, value: title })}</span>${ask(date, label)}</li>`,
  )}</ul></section>`;
}
