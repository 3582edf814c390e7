import type { RosterTender } from '#content/display.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, semicolons } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { portrait } from '#views/pub/pictures.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { NO_TENDERS } from './fields/parts.ts';

/** A date of the roster. */
export interface RosterDay {
  date: string;
  /** `Sat, Nov 21`. */
  label: Words;
  hours: Words | string;
  /** Its names are stored, but not shown anywhere else. */
  isClosed: boolean;
  /** The ids of those who are ticked. */
  crew: readonly string[];
  /** The ids of those who are stored. */
  marks: readonly string[];
  /** The version of its record; undefined where it has none yet. */
  version: number | undefined;
  isDraft: boolean;
}

/** Days down, people across, how many days each has below. On a phone each day is a row of names. */
export function rosterTable(props: {
  days: readonly RosterDay[];
  tenders: readonly RosterTender[];
  first: string;
  previous: string;
  next: string;
  write: boolean;
  done?: Words | undefined;
  /** Labels of the dates that somebody else changed. */
  conflicts?: readonly Words[] | undefined;
  /** Labels of the dates that somebody else changed too, and that are saved with both changes. */
  merged?: readonly Words[] | undefined;
  isCopied?: boolean | undefined;
}): Html {
  const { days, tenders, first, write, done, conflicts = [], merged = [] } = props;
  const at = (from: string) => `/admin/content/roster?from=${from}`;
  return html`${doneNotice(done)}${
    merged.length > 0 &&
    notice('info', t('content-admin.roster.somebody_else_changed_while_writing', { days: allOf(merged) }))
  }${
    conflicts.length > 0 &&
    html`<div role="alert">${notice(
      'attention',
      t('content-admin.roster.somebody_changed_these_days_while', { days: semicolons(conflicts) ?? '' }),
      t('content-admin.roster.changed_meanwhile'),
    )}</div>`
  }${props.isCopied && notice('info', t('content-admin.roster.these_people_week_before_nothing'))}
<nav class="toolbar"
aria-label="${t('content-admin.roster.weeks')}"><a class="button button-quiet" href="${at(props.previous)}">${t('content-admin.roster.earlier')}</a> <a class="button button-quiet" href="${at(props.next)}">${t('content-admin.roster.later')}</a>
${
  write &&
  tenders.some(({ active }) => active) &&
  html`<a class="button button-quiet" href="${at(first)}&amp;like=last-week">${t('content-admin.roster.last_week')}</a>`
}</nav>
${
  days.every((day) => shownOn(day, tenders).length === 0)
    ? NO_TENDERS
    : write
      ? html`<form method="post" action="/admin/content/roster/days">${hiddenInputs({ first })}
${grid(days, tenders)}
<p class="actions"><button class="button" name="publish" value="true">${t('content-admin.roster.save_publish')}</button> <button class="button button-quiet">${t('content-admin.roster.save_drafts')}</button></p></form>`
      : html`<fieldset disabled class="content-read"><legend class="visually-hidden">${t('content-admin.roster.look')}</legend>
${grid(days, tenders)}</fieldset>`
}`;
}

/** The form for who works today: one row and a button. */
export function tonightForm({ day, tenders }: { day: RosterDay; tenders: readonly RosterTender[] }): Html {
  const shown = shownOn(day, tenders);
  if (shown.length === 0) return NO_TENDERS;
  const names = new Map(shown.map(({ id, name }) => [id, name]));
  return html`<form class="card" method="post" action="/admin/content/roster/days">${hiddenInputs({
    first: day.date,
    back: 'content',
  })}
<fieldset><legend>${day.label} ${hoursOf(day)}</legend>${opened(day, shown)}
<div class="roster-names">${shown.map((one) => mark(day, one, names))}</div></fieldset>
<p class="actions"><button class="button" name="publish" value="true">${t('content-admin.roster.save_who_works')}</button></p></form>`;
}

/** The tenders who can be chosen for a day, and those who are already on it. */
const shownOn = ({ crew, marks }: RosterDay, tenders: readonly RosterTender[]): RosterTender[] =>
  tenders.filter(({ id, active }) => active || crew.includes(id) || marks.includes(id));

/** So many people have a column each; more of them are rows of names at any width. */
const COLUMNS = 10;

function grid(days: readonly RosterDay[], tenders: readonly RosterTender[]): Html {
  const people = tenders.filter((one) => days.some((day) => shownOn(day, [one]).length > 0));
  const names = shortNames(people);
  return html`<table class="roster${people.length <= COLUMNS && ' roster-wide'}" role="table">
<caption class="visually-hidden">${t('content-admin.roster.who_works_when')}</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">${t('content-admin.roster.day')}</th>${people.map(
    (one) =>
      html`<th scope="col" role="columnheader">${portrait({ ...one, size: 'tiny' })}${names.get(one.id)}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${days.map((day) => row(day, people, names))}</tbody>
<tfoot role="rowgroup"><tr role="row"><th scope="row" role="rowheader">${t('content-admin.roster.days')}</th>${people.map(
    ({ id }) =>
      html`<td role="cell"><span class="roster-name">${names.get(id)}</span> <span data-days="${id}">${String(
        days.filter(({ crew, isClosed }) => !isClosed && crew.includes(id)).length,
      )}</span></td>`,
  )}</tr></tfoot></table>`;
}

function row(day: RosterDay, people: readonly RosterTender[], names: ReadonlyMap<string, string>): Html {
  const { date, label, isClosed, marks } = day;
  const weekday = Temporal.PlainDate.from(date).dayOfWeek;
  const classes = [(weekday === 5 || weekday === 7) && 'roster-line', isClosed && 'roster-closed'].filter(
    Boolean,
  );
  const kept = people.filter(({ id }) => marks.includes(id)).map(({ id }) => names.get(id) ?? '');
  const shown = shownOn(day, people);
  return html`<tr role="row"${classes.length > 0 && html` class="${classes.join(' ')}"`}><th scope="row" role="rowheader">${label} ${hoursOf(day)}</th>${
    isClosed
      ? html`<td role="cell" colspan="${people.length}" class="small">${
          kept.length > 0 && t('content-admin.roster.work_if_open', { names: allOf(kept), n: kept.length })
        }</td>`
      : people.map(
          (one, index) =>
            html`<td role="cell">${index === 0 && opened(day, shown)}${shown.includes(one) && mark(day, one, names)}</td>`,
        )
  }</tr>\n`;
}

const hoursOf = ({ hours, isClosed, isDraft }: RosterDay): Html =>
  html`<span class="roster-hours">${isDraft ? t('content-admin.roster.a_draft', { hours: isClosed ? t('content-admin.roster.closed') : hours }) : isClosed ? t('content-admin.roster.closed') : hours}</span>`;

/** What the form began with: changes that others make meanwhile stay. */
const opened = ({ date, marks, version }: RosterDay, shown: readonly RosterTender[]): Html[] =>
  hiddenInputs({
    [`marks.${date}`]: shown
      .map(({ id }) => id)
      .filter((id) => marks.includes(id))
      .join(' '),
    ...(version !== undefined && { [`version.${date}`]: String(version) }),
  });

function mark(
  { date, label, crew }: RosterDay,
  { id, name }: RosterTender,
  names: ReadonlyMap<string, string>,
): Html {
  return html`<label class="roster-mark"><input type="checkbox" name="crew.${date}" value="${id}"${
    crew.includes(id) && html` checked`
  } aria-label="${name}, ${label}"><span><span class="roster-name">${names.get(id)}</span></span></label>`;
}

/** First names by id, with the initial of the last name where two people share one. */
function shortNames(people: readonly RosterTender[]): Map<string, string> {
  return new Map(
    people.map(({ id, first, name }) => {
      const isShared = people.filter((one) => one.first === first).length > 1;
      const initial = isShared ? [...(name.split(/\s+/).at(-1) ?? '')][0] : undefined;
      return [id, initial === undefined || name === first ? first : `${first} ${initial}.`];
    }),
  );
}
