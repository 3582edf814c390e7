import type { Identity } from '#kernel/access/permissions.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { formatNumber } from '#kernel/locale.ts';
import type { FeedbackJson } from '#pub/feedback/triage.ts';
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
import { type Refusal, refusalSentence } from './refusal.ts';
import { doneNotice, staffPage } from './staff-frame.ts';

/** A state with its label. */
export interface StateOption {
  value: string;
  label: string;
}

/** A message on the page; times are already formatted. */
export interface FeedbackRow extends Omit<FeedbackJson, 'createdAt' | 'updatedAt' | 'resolvedAt' | 'state'> {
  when: string;
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
  ratings: readonly { week: string; average: number; count: number }[];
  pages: Omit<ListPages, 'href'>;
  identity: Identity | undefined;
  done?: string | undefined;
  /** Why the message with this id was not changed. */
  refused?: (Refusal & { id: string }) | undefined;
}

const LABELS = { assignee: 'Who looks after it', tags: 'Each tag', note: 'The note' };

/** The feedback of patrons, with forms to process it. */
export function staffFeedbackPage(props: StaffFeedbackProps): Html {
  const { messages, counts, state, ratings, pages, identity, done, refused } = props;
  const mayWrite = identity?.permissions.has('feedback:write') ?? false;
  const query = state === undefined ? '' : `&state=${state}`;
  const body = html`${pageHeader({
    title: 'Feedback',
    lede: ledeOf(counts),
    actions: html`<a class="button button-quiet" href="/api/admin/feedback?format=csv${query}"
    download>Table (CSV)</a>`,
  })}
${doneNotice(done)}${
  refused &&
  html`
<div role="alert">${notice('danger', refusalSentence(refused, LABELS), 'Nothing was changed')}</div>`
}
${filter(counts, state)}
${
  messages.length === 0
    ? empty(
        'Nothing here',
        state === undefined
          ? 'No messages yet. Visitors write at /feedback.'
          : 'No message is in this state.',
      )
    : html`<ul class="messages" role="list">${messages.map((row) =>
        message(row, mayWrite, { shown: state ?? null, page: String(pages.page) }, refused?.id === row.id),
      )}</ul>`
}
${
  pages.total > pages.pageSize &&
  numberedPages({ ...pages, of: 'messages', href: (page) => `/admin/feedback?page=${page}${query}` })
}
${ratings.length > 0 && html`<section class="panel"><h2>Ratings by week</h2>${ratingList(ratings)}</section>`}`;
  return staffPage({ title: 'Feedback', body, nav: '/admin/feedback', identity });
}

function ledeOf(counts: StaffFeedbackProps['counts']): string {
  if (counts.every(({ count }) => count === 0)) return 'Feedback from patrons is shown here.';
  const fresh = counts.find(({ value }) => value === 'new')?.count ?? 0;
  if (fresh === 0) return 'No new messages.';
  return fresh === 1 ? 'One message is new.' : `${fresh} messages are new.`;
}

function filter(counts: StaffFeedbackProps['counts'], state: string | undefined): Html {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const shown = counts.filter(({ value, count }) => count > 0 || value === 'new' || value === state);
  const link = (value: string | undefined, label: string, count: number) =>
    html`<li><a class="button button-quiet button-small" href="/admin/feedback${
      value !== undefined && `?state=${value}`
    }"${
      value === state && html` aria-current="true"`
    }>${label} <span class="numbers">${count}</span></a></li>`;
  return html`<nav aria-label="States"><ul class="states" role="list">${link(undefined, 'All', all)}${shown.map(
    ({ value, label, count }) => link(value, capital(label), count),
  )}</ul></nav>`;
}

/** What is shown, to come back to. */
type Back = { shown: string | null; page: string };

function message(row: FeedbackRow, mayWrite: boolean, back: Back, open: boolean): Html {
  const { id, when, state, rating, assignee, tags, note } = row;
  return html`<li class="card" id="message-${id}">
  <p class="eyebrow">${badge(capital(state.label), toneOf(state.value))}<span>${when}</span>${
    rating !== null && html`<span>${rating} of 5</span>`
  }</p>
${plainText(row.message)}
${facts([
  ['From', [row.name, row.contact].filter(Boolean).join(', ') || null],
  ['Sent from', row.page],
  ['Assigned to', assignee],
  ['Tags', tags.join(', ') || null],
  ['Note', note],
])}
${mayWrite && triage(row, back, open)}</li>\n`;
}

function facts(rows: readonly (readonly [string, Child])[]): Html | null {
  const known = rows.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return html`<dl class="facts small">${known.map(
    ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd>
  </div>`,
  )}</dl>`;
}

function triage({ id, state, next, assignee, tags, note }: FeedbackRow, back: Back, open: boolean): Html {
  const action = `/admin/feedback/${id}`;
  const quick = next.filter(({ value }) => ['seen', 'done', 'new'].includes(value));
  return html`<div class="toolbar">${quick.map(
    ({ value, label }) =>
      html`<form method="post" action="${action}">${hiddenInputs(back)}<button class="button button-quiet button-small" name="state" value="${value}">${
        value === 'new' ? 'Reopen' : `Mark as ${label}`
      }</button></form>`,
  )}</div>
${disclosure(
  'More',
  html`<form method="post" action="${action}">${hiddenInputs(back)}
<div class="field-row">${selectField({ name: 'state', id: `state-${id}`, label: 'State', options: [state, ...next], value: state.value })}
${field({
  name: 'assignee',
  id: `assignee-${id}`,
  label: 'Assigned to',
  optional: true,
  value: assignee,
  maxlength: 254,
})}
${field({
  name: 'tags',
  id: `tags-${id}`,
  label: 'Tags',
  hint: 'Separate with commas.',
  optional: true,
  value: tags.join(', '),
  maxlength: 300,
})}</div>
${field({
  name: 'note',
  id: `note-${id}`,
  label: 'Note for the staff',
  optional: true,
  value: note,
  rows: 2,
  maxlength: 2_000,
})}
<p><button class="button">Save</button></p></form>`,
  open,
  'message',
)}`;
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function toneOf(state: string): 'open' | 'scheduled' | 'danger' | undefined {
  if (state === 'new') return 'scheduled';
  return state === 'done' ? 'open' : undefined;
}

function ratingList(ratings: StaffFeedbackProps['ratings']): Html {
  return html`<dl class="facts">${ratings.map(
    ({ week, average, count }) =>
      html`<div><dt>Week of ${week}</dt>
      <dd class="numbers">${formatNumber(average, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} of 5,
      from ${count} ${count === 1 ? 'mark' : 'marks'}</dd></div>`,
  )}</dl>`;
}
