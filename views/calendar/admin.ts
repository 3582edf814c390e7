import type { Calendar } from '#calendar/calendars.ts';
import type { Figures } from '#calendar/stats.ts';
import type { SubscriberJson } from '#calendar/subscriptions/subscribers.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, enterMail, notice } from '#views/components/notices.ts';
import { hidden, linkTo } from '#views/components/slots.ts';
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
  since: Words;
  lastRead: Words | null;
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
  done?: Words | undefined;
}

/** The page to manage the calendar: figures, subscribers, and the switch of each calendar. */
export function calendarAdminPage(props: CalendarAdminProps): Html {
  const { figures, calendars, identity, missing, done } = props;
  const mayWrite = identity?.permissions.has('calendar:write') ?? false;
  const body = html`${pageHeader({ title: t('content-admin.calendar.calendar'), lede: t('content-admin.calendar.who_clubs_programme_calendar') })}
${doneNotice(done)}
${missing.length > 0 && noMail(missing, identity?.permissions.has('settings:write') ?? false)}
${statFigures([
  { label: t('content-admin.calendar.subscribers'), value: figures.subscribers.active },
  { label: t('content-admin.calendar.stopped'), value: figures.subscribers.disabled },
  { label: t('content-admin.calendar.calendars_use'), value: figures.tokens.live },
  { label: t('content-admin.calendar.reads_24_hours'), value: figures.accesses.last_24h },
])}
${
  props.horizon !== null &&
  html`
<p>${
    props.horizon < 400
      ? t('content-admin.calendar.horizon_short', { days: props.horizon })
      : t('content-admin.calendar.horizon', { days: props.horizon })
  }</p>`
}
${disclosure(t('content-admin.calendar.more_figures'), moreFigures(figures))}
<section class="panel"><h2>${t('content-admin.calendar.subscribers')}</h2>${subscribers(props, mayWrite)}</section>
<section class="panel"><h2>${t('content-admin.calendar.calendars')}</h2>
<ul class="action-list switches"
role="list">${calendars.map((calendar) => switchRow(calendar, figures, mayWrite))}</ul></section>`;
  return staffPage({
    title: t('content-admin.calendar.calendar'),
    body,
    nav: '/admin/calendar',
    identity,
    head: stylesheets('officers', 'calendar/calendar.css'),
  });
}

const noMail = (missing: readonly string[], mayEnter: boolean): Html =>
  notice(
    'attention',
    html`<p>${enterMail(missing, mayEnter)} ${t('content-admin.calendar.until_page_subscribe_form', { link: linkTo('/subscribe-programs') })}</p>`,
    t('content-admin.calendar.mail_sent_subscribe'),
  );

function moreFigures({ tokens, verifications, accesses }: Figures): Html {
  const clients = Object.entries(accesses.by_client).sort(([, a], [, b]) => b - a);
  return definitionList([
    [t('content-admin.calendar.links_made_24_hours'), verifications.last_24h],
    [t('content-admin.calendar.links_made_7_days'), verifications.last_7d],
    [t('content-admin.calendar.links_followed_yet'), verifications.pending],
    [t('content-admin.calendar.addresses_expired'), tokens.expired],
    [t('content-admin.calendar.addresses_revoked'), tokens.revoked],
    [t('content-admin.calendar.reads_7_days'), accesses.last_7d],
    [
      t('content-admin.calendar.calendar_program'),
      commas(
        clients.map(([client, n]) =>
          t('content-admin.calendar.program_reads', { program: NAMES[client] ?? client, n }),
        ),
      ) ?? t('content-admin.calendar.none'),
    ],
  ]);
}

const SIGN_UP = '/subscribe-programs';

const NAMES: Record<string, Words | string> = {
  google: 'Google',
  apple: 'Apple',
  outlook: 'Outlook',
  thunderbird: 'Thunderbird',
  nextcloud: 'Nextcloud',
  android: 'Android',
  browser: t('content-admin.calendar.browser'),
  other: t('content-admin.calendar.other'),
};

function subscribers({ rows, search }: CalendarAdminProps, mayWrite: boolean): Html {
  const { q, from, total, previous, next } = search;
  const form = html`<form class="search" method="get" action="/admin/calendar" role="search">
  <div class="field"><label for="q">${t('content-admin.calendar.name_e_mail_address')}</label>
<input class="input" id="q" name="q" type="search" value="${q}" maxlength="254" autocomplete="off"></div>
<button class="button button-quiet">${t('content-admin.calendar.search')}</button></form>`;
  if (rows.length === 0) {
    const nobody = q
      ? empty(
          t('content-admin.calendar.found'),
          t('content-admin.calendar.subscribers_name_address_holds_show', {
            q,
            link: linkTo('/admin/calendar'),
          }),
        )
      : empty(
          t('content-admin.calendar.subscribed_yet'),
          t('content-admin.calendar.sign_up_page', {
            path: SIGN_UP,
            link: linkTo(SIGN_UP),
          }),
        );
    return html`${(q || total > 0) && form}${nobody}`;
  }
  const columns = [
    { label: t('content-admin.calendar.name') },
    { label: t('content-admin.calendar.e_mail_address') },
    { label: t('content-admin.calendar.state') },
    { label: t('content-admin.calendar.calendars_use'), number: true },
    { label: t('content-admin.calendar.last_read') },
    ...(mayWrite ? [{ label: t('content-admin.calendar.what_done'), quiet: true }] : []),
  ];
  return html`${form}
${table({ caption: t('content-admin.calendar.subscribers'), quietCaption: true, columns, rows: rows.map((row) => cells(row, q, mayWrite)) })}
${pagination({
  from,
  to: from + rows.length - 1,
  total,
  of: (shown) => t('content-admin.calendar.shown', shown),
  previous,
  next,
})}`;
}

function cells(row: SubscriberRow, q: string, mayWrite: boolean) {
  const { name, email, status, tokens, since, lastRead, client } = row;
  const stopped = status === 'disabled' && html`${badge(t('content-admin.calendar.stopped'), 'danger')} `;
  const program = client && html` <span class="small soft">${NAMES[client] ?? client}</span>`;
  return [
    name,
    html`<span class="address">${displayAddress(email)}</span>`,
    html`<span>${stopped}<span class="small soft">${t('content-admin.calendar.since', { when: since })}</span></span>`,
    tokens,
    lastRead === null
      ? html`<span class="soft">${t('content-admin.calendar.never')}</span>`
      : html`<span>${lastRead}${program}</span>`,
    ...(mayWrite ? [stopForm(row, q)] : []),
  ];
}

function stopForm({ id, name, email, status, tokens }: SubscriberRow, q: string): Html {
  const who = hiddenInputs({ subscriber_id: id, q });
  const named = { name, email: displayAddress(email), hidden };
  if (status === 'disabled')
    return html`<form method="post" action="/api/admin/enable">${who}<button class="button button-quiet button-small">${t('content-admin.calendar.allow_again', named)}</button></form>`;
  return html`<details name="act" class="fold-small"><summary>${t('content-admin.calendar.stop_fold', named)}</summary><div class="fold">
  <p>${t('content-admin.calendar.stop_addresses', { n: tokens })}</p>
  <form method="post" action="/api/admin/revoke">${who}<button class="button button-danger button-small">${t('content-admin.calendar.stop', { name })}</button></form></div></details>`;
}

function switchRow({ id, title, enabled }: Calendar, figures: Figures, mayWrite: boolean): Html {
  const { active } = figures.subscribers;
  const off =
    id === 'programs'
      ? t('content-admin.calendar.calendars_subscribers_fall_silent_until', { active })
      : t('content-admin.calendar.internal_calendar_longer_passed_sign');
  const form = (label: Words, value: string, tone: string) =>
    html`<form method="post" action="/api/admin/calendars/${id}?_method=PATCH">${hiddenInputs({
      enabled: value,
    })}<button class="button ${tone} button-small">${label}</button></form>`;
  const switchOff = t('content-admin.calendar.switch_off', { title, hidden });
  const act = enabled
    ? html`<details name="act" class="fold-small"><summary>${switchOff}</summary>
    <div class="fold"><p>${off}</p>${form(switchOff, 'false', 'button-danger')}</div></details>`
    : form(t('content-admin.calendar.switch_on', { title, hidden }), 'true', 'button-quiet');
  return html`<li><p><strong>${title}</strong> ${!enabled && badge(t('content-admin.calendar.off'), 'danger')}${
    id === 'internal' &&
    html`<br><span class="small soft">${t('content-admin.calendar.another_program_keeps_subscribers')}</span>`
  }</p>${mayWrite && act}</li>`;
}
