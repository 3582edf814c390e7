import type { DateLine, DatesAhead } from '#content/events/ahead.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words } from '#kernel/language/words.ts';
import { dateInWords } from '#kernel/local-time.ts';
import { type Entered, enteredText, namedErrors } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { at, entry } from './fields/parts.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage, mayWrite } from './frame.ts';

const EVENTS = '/admin/content/event';
/** So many closed dates are named. */
const CLOSED_NAMED = 5;
const LABELS = {
  title: 'Title',
  date: 'Date',
  time: 'From',
  end_time: 'Until',
  end_days: 'Days later',
  place: 'Place',
  note: 'Note',
  rule: 'Rule',
};

/** The rule in words, and what is wrong with the dates, above the form. */
export function seriesPanel(ahead: DatesAhead): Html {
  return ahead.isSeries ? html`${sentences(ahead)}${warnings(ahead)}` : datesPanel(ahead);
}

/** The rule in words and the next ten dates, so that the record can be checked. */
export function datesPanel(ahead: DatesAhead): Html {
  const { id, isSeries, dates } = ahead;
  if (!isSeries && id !== undefined)
    return html`${dates[0]?.clocks && notice('info', dates[0].clocks)}${warnings(ahead)}`;
  return html`<section aria-labelledby="dates"><h2 id="dates">The next dates</h2>
  ${sentences(ahead)}${datesTable(ahead)}${warnings(ahead)}</section>`;
}

/** The same for a form that is being filled in. */
export function typingPanel(ahead: DatesAhead): Html {
  return html`<h2>As entered now</h2>${sentences(ahead)}
${
  ahead.isSeries &&
  html`
<ol class="content-live-list">${ahead.dates.map(
    (date) => html`
<li>${whenOf(date)}${date.state !== 'as planned' && html` ${stateOf(date)}`}</li>`,
  )}</ol>`
}
${
  !ahead.isSeries &&
  ahead.dates[0]?.clocks &&
  html`
<p class="small soft">${ahead.dates[0].clocks}</p>`
}${warnings(ahead)}`;
}

/** Says why the dates cannot be computed yet. */
export function typingProblem(
  errors: readonly FieldError[],
  message: Words,
  labels: Readonly<Record<string, string>>,
): Html {
  const [first] = namedErrors(errors, labels);
  return html`<h2>As entered now</h2><p data-sentence>${first?.message ?? message}</p>`;
}

const sentences = ({ sentence, ends }: DatesAhead): Html =>
  html`<p data-sentence>${sentence}.${ends !== null && ` ${ends}.`}</p>`;

function warnings({ unfit, closed }: DatesAhead): Html {
  return html`${
    closed.length > 0 &&
    notice(
      'attention',
      `The pub is closed on ${closed.slice(0, CLOSED_NAMED).join('; ')}${
        closed.length > CLOSED_NAMED ? ` and ${closed.length - CLOSED_NAMED} more dates` : ''
      }. Move or cancel the event there, or change the special day.`,
    )
  }${
    unfit.length > 0 &&
    notice(
      'attention',
      `These dates were changed individually and no longer belong to the series: ${unfit
        .map(dateInWords)
        .join('; ')}. They are not shown.`,
    )
  }`;
}

function datesTable({ id, dates }: DatesAhead): Html {
  if (dates.length === 0) return html`<p>None: it is over.</p>`;
  const rows = dates.map((date) => [
    id === undefined
      ? whenOf(date)
      : html`<a class="content-link" href="${datePath(id, date.original)}">${date.when}</a>${clocksOf(date)}`,
    date.title,
    stateOf(date),
  ]);
  const columns = [{ label: 'When' }, { label: 'Title' }, { label: 'State' }];
  return table({ caption: 'The next dates', quietCaption: true, flows: true, columns, rows });
}

const whenOf = (date: DateLine): Html => html`${date.when}${clocksOf(date)}`;

const clocksOf = ({ clocks }: DateLine): Html | null =>
  clocks === undefined ? null : html`<span class="content-clocks">${clocks}</span>`;

/** One date of a series: change it, it and the following, or all; or cancel or skip it. */
export function eventDatePage(
  props: ContentPageProps & {
    id: string;
    version: number;
    series: string;
    sentence: string;
    line: DateLine;
    values: Entered;
    /** The values that somebody else stored meanwhile, where the form holds other ones. */
    stored?: Entered | undefined;
    /** In words: `Times are the pub’s: New York.` */
    zone: string;
    refused?: RefusedForm | undefined;
  },
): Html {
  const { id, series, sentence, line, refused } = props;
  const crumbs = [
    CONTENT_CRUMB,
    { href: EVENTS, label: 'Events' },
    { href: `${EVENTS}/${encodeURIComponent(id)}`, label: 'The series' },
  ];
  const header = pageHeader({
    title: line.when,
    crumbs,
    eyebrow: stateOf(line),
    lede: html`<span class="content-text">${series}</span>: ${sentence}`,
  });
  const idOf = (path: string) => (path in LABELS && path !== 'rule' ? path : 'unfit-group');
  const body = html`${header}${refusedNotice(refused, LABELS, idOf, 'saved')}${storedNow(props)}${
    mayWrite(props) ? html`${changeForm(props)}${offForm(props)}` : html`<p>${line.title}</p>`
  }`;
  return contentPage(`${series}, ${line.when}`, body, props);
}

type DatePageProps = Parameters<typeof eventDatePage>[0];

/** Lists the stored values that differ from the form, which is below with what was typed. */
function storedNow({ id, line, stored, values }: DatePageProps): Html | null {
  if (!stored) return null;
  const fields = Object.entries(LABELS).filter(
    ([name]) => name !== 'rule' && enteredText(stored, name) !== enteredText(values, name),
  );
  if (fields.length === 0) return null;
  return html`<section class="card" aria-labelledby="stored"><h2 id="stored">Stored now</h2>
${definitionList(
  fields.map(([name, label]) => [
    label,
    html`<span class="content-text">${storedText(name, enteredText(stored, name))}</span>`,
  ]),
)}
<p>What you wrote is shown below: saving it again replaces this.</p>
<p><a class="content-link" href="${datePath(id, line.original)}">Leave it as it is stored</a></p></section>`;
}

/** A date in words, every other value as it is stored. */
function storedText(name: string, text: string): string {
  if (text === '') return 'Nothing';
  return name === 'date' ? dateInWords(text) : text;
}

function changeForm({ id, version, line, values, zone, refused }: DatePageProps): Html {
  const fields = { labels: LABELS, values, errors: refused?.errors ?? [] };
  const unfit = enteredText(values, 'unfit', 'single');
  return html`<form class="card" method="post" action="${datePath(id, line.original)}">${hiddenInputs({
    version: String(version),
  })}
<p class="hint">${zone}</p>
${field({ ...at(fields, 'title'), maxlength: 200, autocomplete: 'off' })}
${field({ ...at(fields, 'date'), type: 'date' })}
<fieldset class="content-pair"><legend>Times</legend>
<p class="hint">As 8pm or 20:00. An end that is earlier is on the next day. Both empty: all day</p>
${entry(fields, { name: 'time' })}${entry(fields, { name: 'end_time' })}</fieldset>
${entry(fields, {
  name: 'end_days',
  label: 'It ends so many days after its date',
  type: 'number',
  min: 0,
  short: true,
  hint: 'Empty: that night at the latest',
})}
${entry(fields, { name: 'place' })}
${entry(fields, { name: 'note', hint: 'For this date alone, above the description' })}
${choiceGroup({
  name: 'unfit',
  label: 'If the series moves to another day: what happens to dates that were changed individually',
  plain: true,
  rows: [
    choice({
      type: 'radio',
      name: 'unfit',
      value: 'ask',
      label: 'Name them first',
      checked: unfit !== 'drop' && refused?.status !== 409,
    }),
    choice({
      type: 'radio',
      name: 'unfit',
      value: 'single',
      label: 'Keep them as separate events',
      checked: unfit !== 'drop' && refused?.status === 409,
    }),
    choice({ type: 'radio', name: 'unfit', value: 'drop', label: 'Drop them', checked: unfit === 'drop' }),
  ],
})}
${tickBox({
  name: 'publish',
  label: 'Publish at once',
  checked: refused === undefined || enteredText(values, 'publish') === 'true',
})}
<p class="actions"><button class="button" name="scope" value="this">Change this date</button>
<button class="button button-quiet" name="scope" value="following">This and following</button>
<button class="button button-quiet" name="scope" value="all">The whole series</button></p></form>`;
}

function offForm({ id, version, line }: DatePageProps): Html {
  const button = (as: string, label: string, look = 'button-quiet') =>
    html`<button class="button ${look}" name="as" value="${as}">${label}</button>`;
  return html`<form class="card" method="post" action="${datePath(id, line.original)}">${hiddenInputs({
    version: String(version),
    scope: 'this',
    publish: 'true',
  })}
<h2>It does not take place</h2><p>Cancelled is said on the screens and in calendars. Skipped is not mentioned
at all, as on holidays.</p>
<p class="actions">${line.state !== 'cancelled' && button('cancelled', 'Cancel this date', 'button-danger-quiet')}
${line.state !== 'skipped' && button('skipped', 'Skip this date')}
${line.state !== 'as planned' && button('unchanged', 'As the series again')}</p></form>`;
}

const datePath = (id: string, date: string) => `${EVENTS}/${encodeURIComponent(id)}/dates/${date}`;

function stateOf({ state }: DateLine): Html | null {
  if (state === 'as planned') return null;
  return state === 'cancelled'
    ? badge('Cancelled', 'danger')
    : badge(state === 'skipped' ? 'Skipped' : 'Changed', 'scheduled');
}
