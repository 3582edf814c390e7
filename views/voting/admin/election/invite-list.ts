import { type Child, type Html, html } from '#kernel/html.ts';
import { badge } from '#views/components/status.ts';
import { pagination } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import { count, counted } from '#views/voting/words.ts';
import type { ElectionDesk } from './desk.ts';
import type { Invitations, InviteFilter, InviteRow } from './invitations.ts';

/** The invitations with what can be done about each, some at a time. */
export function inviteList(desk: ElectionDesk, invitations: Invitations): Html {
  const { rows, total } = invitations;
  return html`${filters(desk, invitations)}
${rows.length === 0 ? html`<p>${total === 0 ? 'There are none of these.' : 'There are none on this page.'}</p>` : inviteTable(desk, invitations)}
${pages(desk, invitations)}`;
}

function filters({ election }: ElectionDesk, { counts, filter }: Invitations): Html {
  const { queued, sent, failed, notVoted } = counts;
  const links: [InviteFilter, string, number][] = [
    ['all', 'All', queued + sent + failed],
    ['queued', 'Queued', queued],
    ['sent', 'Sent', sent],
    ['failed', 'Failed', failed],
    ['not-voted', 'Not voted', notVoted],
  ];
  return html`<nav class="filters" aria-label="Which invitations"><ul role="list">${links.map(
    ([key, label, found]) =>
      html`<li><a href="${filterPath(election.id, key)}"${key === filter && html` aria-current="true"`}>${label} <span class="numbers">${count(found)}</span></a></li>`,
  )}</ul></nav>`;
}

function inviteTable(desk: ElectionDesk, { rows, total, mailReady }: Invitations): Html {
  const open = desk.election.status !== 'closed';
  return table({
    caption: counted(total, 'invitation'),
    columns: [
      { label: 'Address' },
      { label: 'State' },
      { label: 'Voted', number: true },
      ...(open ? [{ label: 'Mail again', quiet: true }] : []),
    ],
    rows: rows.map((row) => [
      html`<span class="address">${row.email}</span>`,
      stateOf(row, desk),
      row.used ? 'Yes' : 'No',
      ...(open ? [deeds(row, desk, mailReady)] : []),
    ]),
  });
}

function stateOf({ status, created, sent, error }: InviteRow, { election }: ElectionDesk): Child {
  if (status === 'SENT')
    return html`<div>${badge('Sent', 'open')}<br><span class="small soft">${sent ?? created}</span></div>`;
  if (status === 'QUEUED')
    return html`<div>${badge('Queued', 'scheduled')}<br><span class="small soft">${election.status === 'open' ? 'Goes out next' : `Since ${created}`}</span></div>`;
  return html`<div>${badge('Failed', 'danger')}<br><span class="small">${error ?? 'Not sent'}</span></div>`;
}

/** What makes sense: a used link needs no mail, and what is queued goes out by itself. */
function deeds(
  { id, email, status, used }: InviteRow,
  { election }: ElectionDesk,
  mailReady: boolean,
): Child {
  if (used || status === 'QUEUED') return null;
  const form = (deed: 'resend' | 'remind', label: string) =>
    html`<form method="post" action="${deskPath(election.id, `invites/${encodeURIComponent(id)}/${deed}`)}"><button class="button button-quiet button-small"${!mailReady && html` disabled`}>${label}<span class="visually-hidden"> ${deed === 'remind' ? '' : 'to '}${email}</span></button></form>`;
  return html`<div class="row-deeds">${form('resend', status === 'FAILED' ? 'Try again' : 'Send again')}${status === 'SENT' && election.status === 'open' && form('remind', 'Remind')}</div>`;
}

function pages(
  { election }: ElectionDesk,
  { rows, total, filter, page, pageSize }: Invitations,
): Html | null {
  if (total <= pageSize && page === 1) return null;
  const from = (page - 1) * pageSize;
  return pagination({
    from: rows.length === 0 ? 0 : from + 1,
    to: rows.length === 0 ? 0 : from + rows.length,
    total,
    of: 'invitations',
    previous: page > 1 ? filterPath(election.id, filter, page - 1) : undefined,
    next: from + rows.length < total ? filterPath(election.id, filter, page + 1) : undefined,
  });
}

/** The address of the page with only some invitations shown. */
export function filterPath(id: string, filter: InviteFilter, page = 1): string {
  const query = new URLSearchParams({
    ...(filter !== 'all' && { invites: filter }),
    ...(page > 1 && { invites_page: String(page) }),
  }).toString();
  return `${deskPath(id)}${query && `?${query}`}#invitations`;
}
