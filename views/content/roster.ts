import { type Html, html } from '#kernel/html.ts';
import { choice, hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { NO_TENDERS, type RosterTender } from './fields/parts.ts';

/** A date of the roster. */
export interface RosterDay {
  date: string;
  /** `Sat, Nov 21`. */
  label: string;
  hours: string | null;
  crew: readonly string[];
  /** The version of its record; undefined where it has none yet. */
  version: number | undefined;
  isDraft: boolean;
}

/** One row per day with a checkbox for each tender. */
export function rosterTable(props: {
  days: readonly RosterDay[];
  tenders: readonly RosterTender[];
  first: string;
  previous: string;
  next: string;
  write: boolean;
  done?: string | undefined;
  /** Labels of the dates that somebody else changed. */
  conflicts?: readonly string[] | undefined;
  isCopied?: boolean | undefined;
}): Html {
  const { days, tenders, first, write, done, conflicts = [] } = props;
  const at = (from: string) => `/admin/content/roster?from=${from}`;
  const rows = days.map((one) => rosterRow(one, tenders));
  return html`${doneNotice(done)}${
    conflicts.length > 0 &&
    html`<div role="alert">${notice(
      'attention',
      `Somebody changed these days while you were writing, and they show what is stored now: ${conflicts.join('; ')}. The other days were saved.`,
      'Changed meanwhile',
    )}</div>`
  }${props.isCopied && notice('info', 'These are the people of a week before. Nothing is saved yet.')}
<nav class="toolbar"
aria-label="Weeks"><a class="button button-quiet" href="${at(props.previous)}">Earlier</a> <a class="button button-quiet" href="${at(props.next)}">Later</a>
${
  write &&
  tenders.some(({ active }) => active) &&
  html`<a class="button button-quiet" href="${at(first)}&amp;like=last-week">As last week</a>`
}</nav>
${
  days.every((day) => shownOn(day, tenders).length === 0)
    ? NO_TENDERS
    : html`<form method="post" action="/admin/content/roster/days">${hiddenInputs({ first })}
${
  write
    ? rows
    : html`<fieldset disabled class="content-read"><legend class="visually-hidden">To look at</legend>
${rows}</fieldset>`
}
${
  write &&
  html`<p class="actions"><button class="button" name="publish" value="true">Save and publish</button> <button class="button button-quiet">Save as drafts</button></p>`
}</form>`
}`;
}

/** The form for who works today: one row and a button. */
export function tonightForm({ day, tenders }: { day: RosterDay; tenders: readonly RosterTender[] }): Html {
  if (shownOn(day, tenders).length === 0) return NO_TENDERS;
  return html`<form class="card" method="post" action="/admin/content/roster/days">${hiddenInputs({
    first: day.date,
    back: 'content',
  })}
${rosterRow(day, tenders)}
<p class="actions"><button class="button" name="publish" value="true">Save who works</button></p></form>`;
}

/** The tenders who can be chosen for a day, and those who are already on it. */
const shownOn = ({ crew }: RosterDay, tenders: readonly RosterTender[]): RosterTender[] =>
  tenders.filter(({ id, active }) => active || crew.includes(id));

function rosterRow(day: RosterDay, tenders: readonly RosterTender[]): Html {
  const { date, label, hours, crew, version, isDraft } = day;
  const ticks = shownOn(day, tenders).map(({ id, name }) =>
    choice({ type: 'checkbox', name: `crew.${date}`, value: id, label: name, checked: crew.includes(id) }),
  );
  return html`<fieldset class="content-day">
  <legend>${label}<span class="content-hours">${hours ?? 'Closed'}${isDraft && ', a draft'}</span></legend>
${version !== undefined && hiddenInputs({ [`version.${date}`]: String(version) })}
<div class="choices choices-plain content-crew">${ticks}</div></fieldset>`;
}
