import type { Calendar } from '#calendar/calendars.ts';
import type { Figures } from '#calendar/stats.ts';
import type { SubscriberJson } from '#calendar/subscriptions/subscribers.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, enterMail, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import {
  definitionList,
  disclosure,
  pageHeader,
  pagination,
  statFigures,
} from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';

/** A subscriber of the table; times are already formatted. */
export interface SubscriberRow
  extends Pick<SubscriberJson, 'id' | 'name' | 'email' | 'status' | 'tokens' | 'client'> {
  since: string;
  lastRead: string | null;
}

export interface CalendarAdminProps {
  figures: Figures;
  calendars: readonly Calendar[];
  rows: readonly SubscriberRow[];
  search: {
    q: string;
    from: number;
    total: number;
    previous?: string | undefined;
    next?: string | undefined;
  };
  /** How many days ahead the dates of series are in the calendar; null without series. */
  horizon: number | null;
  /** The missing environment variables: without them no mail can be sent, so nobody can subscribe. */
  missing: readonly string[];
  identity: Identity | undefined;
  done?: string | undefined;
}

/** The page to manage the calendar: figures, subscribers, and the switch of each calendar. */
export function calendarAdminPage(props: CalendarAdminProps): Html {
  const { figures, calendars, identity, missing, done } = props;
  const mayWrite = identity?.permissions.has('calendar:write') ?? false;
  const body = html`${pageHeader({ title: 'Calendar', lede: 'Who has the club’s programme in their calendar.' })}
${doneNotice(done)}
${missing.length > 0 && noMail(missing, identity?.permissions.has('settings:write') ?? false)}
${statFigures([
  { label: 'Subscribers', value: figures.subscribers.active },
  { label: 'Stopped', value: figures.subscribers.disabled },
  { label: 'Calendars in use', value: figures.tokens.live },
  { label: 'Reads in 24 hours', value: figures.accesses.last_24h },
])}
${
  props.horizon !== null &&
  html`
<p>Events that repeat are in the calendar for the next ${props.horizon} days.${
    props.horizon < 400 && ' More dates would make it too large for some calendars.'
  }</p>`
}
${disclosure('More figures', moreFigures(figures))}
<section class="panel"><h2>Subscribers</h2>${subscribers(props, mayWrite)}</section>
<section class="panel"><h2>Calendars</h2>
<ul class="action-list switches"
role="list">${calendars.map((calendar) => switchRow(calendar, figures, mayWrite))}</ul></section>`;
  return staffPage({
    title: 'Calendar',
    body,
    nav: '/admin/calendar',
    identity,
    head: stylesheets('officers', 'calendar/calendar.css'),
  });
}

const noMail = (missing: readonly string[], mayEnter: boolean): Html =>
  notice(
    'attention',
    html`<p>${enterMail(missing, mayEnter)} Until then <a href="/subscribe-programs">the page to subscribe</a> has no form.</p>`,
    'No mail can be sent, so nobody can subscribe',
  );

function moreFigures({ tokens, verifications, accesses }: Figures): Html {
  const clients = Object.entries(accesses.by_client).sort(([, a], [, b]) => b - a);
  return definitionList([
    ['Links made in 24 hours', verifications.last_24h],
    ['Links made in 7 days', verifications.last_7d],
    ['Links not followed yet', verifications.pending],
    ['Addresses expired', tokens.expired],
    ['Addresses revoked', tokens.revoked],
    ['Reads in 7 days', accesses.last_7d],
    [
      'By calendar program',
      clients.map(([client, count]) => `${NAMES[client] ?? client} ${count}`).join(', ') || 'None',
    ],
  ]);
}

const NAMES: Record<string, string> = {
  google: 'Google',
  apple: 'Apple',
  outlook: 'Outlook',
  thunderbird: 'Thunderbird',
  nextcloud: 'Nextcloud',
  android: 'Android',
  browser: 'Browser',
  other: 'Other',
};

function subscribers({ rows, search }: CalendarAdminProps, mayWrite: boolean): Html {
  const { q, from, total, previous, next } = search;
  const form = html`<form class="search" method="get" action="/admin/calendar" role="search">
  <div class="field"><label for="q">Name or e-mail address</label>
<input class="input" id="q" name="q" type="search" value="${q}" maxlength="254" autocomplete="off"></div>
<button class="button button-quiet">Search</button></form>`;
  if (rows.length === 0) {
    const nobody = q
      ? empty(
          'Nobody is found',
          html`No subscriber’s name or address holds “${q}”. <a href="/admin/calendar">Show all</a>`,
        )
      : empty(
          'Nobody has subscribed yet',
          html`The sign-up page is <a href="/subscribe-programs">/subscribe-programs</a>.`,
        );
    return html`${(q || total > 0) && form}${nobody}`;
  }
  const columns = [
    { label: 'Name' },
    { label: 'E-mail address' },
    { label: 'State' },
    { label: 'Calendars in use', number: true },
    { label: 'Last read' },
    ...(mayWrite ? [{ label: 'What can be done', quiet: true }] : []),
  ];
  return html`${form}
${table({ caption: 'Subscribers', quietCaption: true, columns, rows: rows.map((row) => cells(row, q, mayWrite)) })}
${pagination({
  from,
  to: from + rows.length - 1,
  total,
  of: total === 1 ? 'subscriber' : 'subscribers',
  previous,
  next,
})}`;
}

function cells(row: SubscriberRow, q: string, mayWrite: boolean) {
  const { name, email, status, tokens, since, lastRead, client } = row;
  const stopped = status === 'disabled' && html`${badge('Stopped', 'danger')} `;
  const program = client && html` <span class="small soft">${NAMES[client] ?? client}</span>`;
  return [
    name,
    html`<span class="address">${displayAddress(email)}</span>`,
    html`<span>${stopped}<span class="small soft">since ${since}</span></span>`,
    tokens,
    lastRead === null ? html`<span class="soft">Never</span>` : html`<span>${lastRead}${program}</span>`,
    ...(mayWrite ? [stopForm(row, q)] : []),
  ];
}

function stopForm({ id, name, email, status, tokens }: SubscriberRow, q: string): Html {
  const who = hiddenInputs({ subscriber_id: id, q });
  const named = html`<span class="visually-hidden">: ${name}, ${displayAddress(email)}</span>`;
  if (status === 'disabled')
    return html`<form method="post" action="/api/admin/enable">${who}<button class="button button-quiet button-small">Allow again${named}</button></form>`;
  const going = tokens === 1 ? '1 address of the calendar stops' : `${tokens} addresses of the calendar stop`;
  return html`<details name="act" class="fold-small"><summary>Stop${named}</summary><div class="fold">
  <p>${going} working at once, and new links are refused.</p>
  <form method="post" action="/api/admin/revoke">${who}<button class="button button-danger button-small">Stop ${name}</button></form></div></details>`;
}

function switchRow({ id, title, enabled }: Calendar, figures: Figures, mayWrite: boolean): Html {
  const { active } = figures.subscribers;
  const off =
    id === 'programs'
      ? `${
          active === 1 ? 'The calendar of 1 subscriber falls' : `The calendars of ${active} subscribers fall`
        } silent until it is switched on again, and nobody can sign up.`
      : 'The internal calendar is no longer passed on, and nobody can sign up for it.';
  const form = (words: string, value: string, tone: string) =>
    html`<form method="post" action="/api/admin/calendars/${id}?_method=PATCH">${hiddenInputs({
      enabled: value,
    })}<button class="button ${tone} button-small">${words}<span class="visually-hidden">: ${title}</span></button></form>`;
  const act = enabled
    ? html`<details name="act" class="fold-small"><summary>Switch off<span class="visually-hidden">: ${title}</span></summary>
    <div class="fold"><p>${off}</p>${form('Switch off', 'false', 'button-danger')}</div></details>`
    : form('Switch on', 'true', 'button-quiet');
  return html`<li><p><strong>${title}</strong> ${!enabled && badge('Off', 'danger')}${
    id === 'internal' &&
    html`<br><span class="small soft">Another program keeps its subscribers, not this service.</span>`
  }</p>${mayWrite && act}</li>`;
}
