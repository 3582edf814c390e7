import type { Identity } from '#kernel/access/permissions.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { FeedbackJson, FeedbackState } from '#pub/feedback/triage.ts';
import { refusalSentence } from '#views/components/entered.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import {
  disclosure,
  type ListPages,
  numberedPages,
  pageHeader,
  plainText,
} from '#views/components/structure.ts';
import type { Refusal } from './refusal.ts';
import { doneNotice, staffPage } from './staff-frame.ts';

/** A state with its label. */
export interface StateOption {
  value: FeedbackState;
  label: Words;
}

/** A message on the page; times are already formatted. */
export interface FeedbackRow extends Omit<FeedbackJson, 'createdAt' | 'updatedAt' | 'resolvedAt' | 'state'> {
  when: Words;
  state: StateOption;
  /** The states that it can change to. */
  next: readonly StateOption[];
}

export interface StaffFeedbackProps {
  messages: readonly FeedbackRow[];
  /** Every state with the number of its messages. */
  counts: readonly (StateOption & { count: number })[];
  /** The state that is shown; undefined for all. */
  state: string | undefined;
  /** The newest week first; `week` is its first day, already formatted. */
  ratings: readonly { week: Words; average: number; count: number }[];
  pages: Omit<ListPages, 'href'>;
  identity: Identity | undefined;
  done?: Words | undefined;
  /** Why the message with this id was not changed. */
  refused?: (Refusal & { id: string }) | undefined;
}

const LABELS = {
  assignee: t('pub-staff.staff_feedback.who_looks_after'),
  tags: t('pub-staff.staff_feedback.each_tag'),
  note: t('pub-staff.staff_feedback.the_note'),
};

/** The feedback of patrons, with forms to process it. */
export function staffFeedbackPage(props: StaffFeedbackProps): Html {
  const { messages, counts, state, ratings, pages, identity, done, refused } = props;
  const mayWrite = identity?.permissions.has('feedback:write') ?? false;
  const query = state === undefined ? '' : `&state=${state}`;
  const body = html`${pageHeader({
    title: t('pub-staff.staff_feedback.feedback'),
    lede: ledeOf(counts),
    actions: html`<a class="button button-quiet" href="/api/admin/feedback?format=csv${query}"
    download>${t('pub-staff.staff_feedback.table_csv')}</a>`,
  })}
${doneNotice(done)}${
  refused &&
  html`
<div role="alert">${notice('danger', refusalSentence(refused, LABELS), t('pub-staff.staff_feedback.nothing_changed'))}</div>`
}
${filter(counts, state)}
${
  messages.length === 0
    ? empty(
        t('pub-staff.staff_feedback.nothing_here'),
        state === undefined
          ? t('pub-staff.staff_feedback.messages_yet_visitors_write_feedback')
          : t('pub-staff.staff_feedback.message_state'),
      )
    : html`<ul class="messages" role="list">${messages.map((row) =>
        message(row, mayWrite, { shown: state ?? null, page: String(pages.page) }, refused?.id === row.id),
      )}</ul>`
}
${
  pages.total > pages.pageSize &&
  numberedPages({
    ...pages,
    of: (shown) => t('pub-staff.staff_feedback.shown', shown),
    href: (page) => `/admin/feedback?page=${page}${query}`,
  })
}
${ratings.length > 0 && html`<section class="panel"><h2>${t('pub-staff.staff_feedback.ratings_week')}</h2>${ratingList(ratings)}</section>`}`;
  return staffPage({ title: t('pub-staff.staff_feedback.feedback'), body, nav: '/admin/feedback', identity });
}

function ledeOf(counts: StaffFeedbackProps['counts']): Words {
  if (counts.every(({ count }) => count === 0))
    return t('pub-staff.staff_feedback.feedback_patrons_shown_here');
  const fresh = counts.find(({ value }) => value === 'new')?.count ?? 0;
  if (fresh === 0) return t('pub-staff.staff_feedback.new_messages');
  return t('pub-staff.staff_feedback.messages_new', { fresh });
}

function filter(counts: StaffFeedbackProps['counts'], state: string | undefined): Html {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const shown = counts.filter(({ value, count }) => count > 0 || value === 'new' || value === state);
  const link = (value: string | undefined, label: Words, count: number) =>
    html`<li><a class="button button-quiet button-small" href="/admin/feedback${
      value !== undefined && `?state=${value}`
    }"${
      value === state && html` aria-current="true"`
    }>${label} <span class="numbers">${count}</span></a></li>`;
  return html`<nav aria-label="${t('pub-staff.staff_feedback.states')}"><ul class="states" role="list">${link(undefined, t('pub-staff.staff_feedback.all'), all)}${shown.map(
    ({ value, count }) => link(value, STATES[value], count),
  )}</ul></nav>`;
}

/** The names of the states. */
const STATES: Readonly<Record<FeedbackState, Words>> = {
  new: t('pub-staff.staff_feedback.state_new'),
  seen: t('pub-staff.staff_feedback.state_seen'),
  in_progress: t('pub-staff.staff_feedback.state_in_progress'),
  done: t('pub-staff.staff_feedback.state_done'),
  declined: t('pub-staff.staff_feedback.state_declined'),
  duplicate: t('pub-staff.staff_feedback.state_duplicate'),
  spam: t('pub-staff.staff_feedback.state_spam'),
};

/** What is shown, to come back to. */
type Back = { shown: string | null; page: string };

function message(row: FeedbackRow, mayWrite: boolean, back: Back, open: boolean): Html {
  const { id, when, state, rating, assignee, tags, note } = row;
  return html`<li class="card" id="message-${id}">
  <p class="eyebrow">${badge(STATES[state.value], toneOf(state.value))}<span>${when}</span>${
    rating !== null && html`<span>${t('pub-staff.staff_feedback.mark_of_five', { rating })}</span>`
  }</p>
${plainText(row.message)}
${facts([
  [t('pub-staff.staff_feedback.from'), [row.name, row.contact].filter(Boolean).join(', ') || null],
  [t('pub-staff.staff_feedback.sent'), row.page],
  [t('pub-staff.staff_feedback.assigned'), assignee],
  [t('pub-staff.staff_feedback.tags'), tags.join(', ') || null],
  [t('pub-staff.staff_feedback.note'), note],
])}
${mayWrite && triage(row, back, open)}</li>\n`;
}

function facts(rows: readonly (readonly [Words, Child])[]): Html | null {
  const known = rows.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return html`<dl class="facts small">${known.map(
    ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd>
  </div>`,
  )}</dl>`;
}

/** The changes that have a button. */
const QUICK: readonly (readonly [FeedbackState, Words])[] = [
  ['seen', t('pub-staff.staff_feedback.mark_seen')],
  ['done', t('pub-staff.staff_feedback.mark_done')],
  ['new', t('pub-staff.staff_feedback.reopen')],
];

function triage({ id, state, next, assignee, tags, note }: FeedbackRow, back: Back, open: boolean): Html {
  const action = `/admin/feedback/${id}`;
  return html`<div class="toolbar">${QUICK.filter(([value]) => next.some((one) => one.value === value)).map(
    ([value, label]) =>
      html`<form method="post" action="${action}">${hiddenInputs(back)}<button class="button button-quiet button-small" name="state" value="${value}">${label}</button></form>`,
  )}</div>
${disclosure(
  t('pub-staff.staff_feedback.more'),
  html`<form method="post" action="${action}">${hiddenInputs(back)}
<div class="field-row">${selectField({ name: 'state', id: `state-${id}`, label: t('pub-staff.staff_feedback.state'), options: [state, ...next], value: state.value })}
${field({
  name: 'assignee',
  id: `assignee-${id}`,
  label: t('pub-staff.staff_feedback.assigned'),
  optional: true,
  value: assignee,
  maxlength: 254,
})}
${field({
  name: 'tags',
  id: `tags-${id}`,
  label: t('pub-staff.staff_feedback.tags'),
  hint: t('pub-staff.staff_feedback.separate_commas'),
  optional: true,
  value: tags.join(', '),
  maxlength: 300,
})}</div>
${field({
  name: 'note',
  id: `note-${id}`,
  label: t('pub-staff.staff_feedback.note_staff'),
  optional: true,
  value: note,
  rows: 2,
  maxlength: 2_000,
})}
<p><button class="button">${t('pub-staff.staff_feedback.save')}</button></p></form>`,
  open,
  'message',
)}`;
}

function toneOf(state: string): 'open' | 'scheduled' | 'danger' | undefined {
  if (state === 'new') return 'scheduled';
  return state === 'done' ? 'open' : undefined;
}

function ratingList(ratings: StaffFeedbackProps['ratings']): Html {
  return html`<dl class="facts">${ratings.map(
    ({ week, average, count }) =>
      html`<div><dt>${t('pub-staff.staff_feedback.week', { week })}</dt>
      <dd class="numbers">${t('pub-staff.staff_feedback.average_of_five', { average: formatNumber(average, { minimumFractionDigits: 1, maximumFractionDigits: 1 }), marks: count })}</dd></div>`,
  )}</dl>`;
}
