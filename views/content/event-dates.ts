import type { DateLine, DatesAhead } from '#content/events/ahead.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { dateInWords, semicolons } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
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
  title: t('content-admin.dates.title'),
  date: t('content-admin.dates.date'),
  time: t('content-admin.dates.from'),
  end_time: t('content-admin.dates.until'),
  end_days: t('content-admin.dates.days_later'),
  place: t('content-admin.dates.place'),
  note: t('content-admin.dates.note'),
  rule: t('content-admin.dates.rule'),
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
  return html`<section aria-labelledby="dates"><h2 id="dates">${t('content-admin.dates.next_dates')}</h2>
  ${sentences(ahead)}${datesTable(ahead)}${warnings(ahead)}</section>`;
}

/** The same for a form that is being filled in. */
export function typingPanel(ahead: DatesAhead): Html {
  return html`<h2>${t('content-admin.dates.entered_now')}</h2>${sentences(ahead)}
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
  message: Words | string,
  labels: Readonly<Record<string, Words>>,
): Html {
  const [first] = namedErrors(errors, labels);
  return html`<h2>${t('content-admin.dates.entered_now')}</h2><p data-sentence>${first?.message ?? message}</p>`;
}

const sentences = ({ sentence, ends }: DatesAhead): Html =>
  html`<p data-sentence>${sentence}.${ends !== null && html` ${ends}.`}</p>`;

function warnings({ unfit, closed }: DatesAhead): Html {
  return html`${
    closed.length > 0 &&
    notice(
      'attention',
      closed.length > CLOSED_NAMED
        ? t('content-admin.dates.pub_closed_more_dates', {
            days: semicolons(closed.slice(0, CLOSED_NAMED)) ?? '',
            n: closed.length - CLOSED_NAMED,
          })
        : t('content-admin.dates.pub_closed', { days: semicolons(closed) ?? '' }),
    )
  }${
    unfit.length > 0 &&
    notice(
      'attention',
      t('content-admin.dates.no_longer_in_series', { dates: semicolons(unfit.map(dateInWords)) ?? '' }),
    )
  }`;
}

function datesTable({ id, dates }: DatesAhead): Html {
  if (dates.length === 0) return html`<p>${t('content-admin.dates.none_over')}</p>`;
  const rows = dates.map((date) => [
    id === undefined
      ? whenOf(date)
      : html`<a class="content-link" href="${datePath(id, date.original)}">${date.when}</a>${clocksOf(date)}`,
    date.title,
    stateOf(date),
  ]);
  const columns = [
    { label: t('content-admin.dates.when') },
    { label: t('content-admin.dates.title') },
    { label: t('content-admin.dates.state') },
  ];
  return table({
    caption: t('content-admin.dates.next_dates'),
    quietCaption: true,
    flows: true,
    columns,
    rows,
  });
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
    sentence: Words;
    line: DateLine;
    values: Entered;
    /** The values that somebody else stored meanwhile, where the form holds other ones. */
    stored?: Entered | undefined;
    /** In words: `Times are the pub’s: New York.` */
    zone: Words;
    refused?: RefusedForm | undefined;
  },
): Html {
  const { id, series, sentence, line, refused } = props;
  const crumbs = [
    CONTENT_CRUMB,
    { href: EVENTS, label: t('content-admin.dates.events') },
    { href: `${EVENTS}/${encodeURIComponent(id)}`, label: t('content-admin.dates.series') },
  ];
  const header = pageHeader({
    title: line.when,
    crumbs,
    eyebrow: stateOf(line),
    lede: t('common.named', { name: html`<span class="content-text">${series}</span>`, value: sentence }),
  });
  const idOf = (path: string) => (path in LABELS && path !== 'rule' ? path : 'unfit-group');
  const body = html`${header}${refusedNotice(refused, LABELS, idOf, 'saved')}${storedNow(props)}${
    mayWrite(props) ? html`${changeForm(props)}${offForm(props)}` : html`<p>${line.title}</p>`
  }`;
  return contentPage(t('content-admin.dates.title_when', { title: series, when: line.when }), body, props);
}

type DatePageProps = Parameters<typeof eventDatePage>[0];

/** Lists the stored values that differ from the form, which is below with what was typed. */
function storedNow({ id, line, stored, values }: DatePageProps): Html | null {
  if (!stored) return null;
  const fields = Object.entries(LABELS).filter(
    ([name]) => name !== 'rule' && enteredText(stored, name) !== enteredText(values, name),
  );
  if (fields.length === 0) return null;
  return html`<section class="card" aria-labelledby="stored"><h2 id="stored">${t('content-admin.dates.stored_now')}</h2>
${definitionList(
  fields.map(([name, label]) => [
    label,
    html`<span class="content-text">${storedText(name, enteredText(stored, name))}</span>`,
  ]),
)}
<p>${t('content-admin.dates.what_wrote_shown_below_saving')}</p>
<p><a class="content-link" href="${datePath(id, line.original)}">${t('content-admin.dates.leave_stored')}</a></p></section>`;
}

/** A date in words, every other value as it is stored. */
function storedText(name: string, text: string): Words | string {
  if (text === '') return t('content-admin.dates.nothing');
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
<fieldset class="content-pair"><legend>${t('content-admin.dates.times')}</legend>
<p class="hint">${t('content-admin.dates.times_hint')}</p>
${entry(fields, { name: 'time' })}${entry(fields, { name: 'end_time' })}</fieldset>
${entry(fields, {
  name: 'end_days',
  label: t('content-admin.dates.ends_many_days_after_date'),
  type: 'number',
  min: 0,
  short: true,
  hint: t('content-admin.dates.empty_night_latest'),
})}
${entry(fields, { name: 'place' })}
${entry(fields, { name: 'note', hint: t('content-admin.dates.date_alone_above_description') })}
${choiceGroup({
  name: 'unfit',
  label: t('content-admin.dates.series_moves_another_day_what'),
  plain: true,
  rows: [
    choice({
      type: 'radio',
      name: 'unfit',
      value: 'ask',
      label: t('content-admin.dates.name_first'),
      checked: unfit !== 'drop' && refused?.status !== 409,
    }),
    choice({
      type: 'radio',
      name: 'unfit',
      value: 'single',
      label: t('content-admin.dates.keep_separate_events'),
      checked: unfit !== 'drop' && refused?.status === 409,
    }),
    choice({
      type: 'radio',
      name: 'unfit',
      value: 'drop',
      label: t('content-admin.dates.drop'),
      checked: unfit === 'drop',
    }),
  ],
})}
${tickBox({
  name: 'publish',
  label: t('content-admin.dates.publish_once'),
  checked: refused === undefined || enteredText(values, 'publish') === 'true',
})}
<p class="actions"><button class="button" name="scope" value="this">${t('content-admin.dates.change_date')}</button>
<button class="button button-quiet" name="scope" value="following">${t('content-admin.dates.following')}</button>
<button class="button button-quiet" name="scope" value="all">${t('content-admin.dates.whole_series')}</button></p></form>`;
}

function offForm({ id, version, line }: DatePageProps): Html {
  const button = (as: string, label: Words, look = 'button-quiet') =>
    html`<button class="button ${look}" name="as" value="${as}">${label}</button>`;
  return html`<form class="card" method="post" action="${datePath(id, line.original)}">${hiddenInputs({
    version: String(version),
    scope: 'this',
    publish: 'true',
  })}
<h2>${t('content-admin.dates.take_place')}</h2><p>${t('content-admin.dates.cancelled_said_screens_calendars_skipped')}</p>
<p class="actions">${line.state !== 'cancelled' && button('cancelled', t('content-admin.dates.cancel_date'), 'button-danger-quiet')}
${line.state !== 'skipped' && button('skipped', t('content-admin.dates.skip_date'))}
${line.state !== 'as planned' && button('unchanged', t('content-admin.dates.series_again'))}</p></form>`;
}

const datePath = (id: string, date: string) => `${EVENTS}/${encodeURIComponent(id)}/dates/${date}`;

function stateOf({ state }: DateLine): Html | null {
  if (state === 'as planned') return null;
  return state === 'cancelled'
    ? badge(t('content-admin.dates.cancelled'), 'danger')
    : badge(
        state === 'skipped' ? t('content-admin.dates.skipped') : t('content-admin.dates.changed'),
        'scheduled',
      );
}
