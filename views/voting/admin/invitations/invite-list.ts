import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { numberedPages, pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import {
  backTo,
  crumbsTo,
  inMeeting,
  mayDo,
  navOf,
  type OfficerProps,
  officerPage,
  thisOne,
} from '#views/voting/admin/frame.ts';
import { adminPath, type Named, sectionPath } from '#views/voting/words.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import type { InviteFilter, InviteSort } from '#voting/invitations/invite-search.ts';
import type { Invite, SlipState } from '#voting/invitations/invites.ts';
import { NOT_SENT } from '#voting/invitations/not-sent.ts';
import { type MailState, mailNotice } from './invite-fields.ts';
import { invitesPath } from './invites-path.ts';

/** An invitation on the page. Times are already formatted. */
export interface InviteRow {
  id: string;
  /** Empty for a person without an address, and where the officer may not read the roll. */
  email: string;
  /** The name of a person on the roll, or the name that was entered before the address. */
  name: string | null;
  /** The kind of membership of somebody on the roll. */
  standing: string | null;
  status: Invite['status'];
  /** How far a printed slip is; null for everybody who is mailed. */
  slip: SlipState | null;
  /** Whether the code was withdrawn. */
  withdrawn: boolean;
  /** Whether the door ended the link. */
  ended: boolean;
  /** The address that the roll has now, where it is another one. */
  rollEmail: string | null;
  created: Words | string;
  sent: Words | string | null;
  /** When the last mail was sent, in milliseconds; 0 before the first. */
  mailed_at: number;
  /** The same, already formatted, where it was later than the invitation. */
  remailed: Words | string | null;
  /** Whether its token was used, never what for. Null where the vote is void. */
  used: boolean | null;
  error: string | null;
}

/** The data of one page of the invitations of an election. */
export interface InviteListProps extends OfficerProps, MailState {
  election: Named & { status: ElectionStatus };
  rows: readonly InviteRow[];
  /** The number of invitations that match; `all` is the number of all invitations. */
  total: number;
  all: number;
  query: { q: string; filter: InviteFilter; sort: InviteSort; batch?: string; page: number };
  pageSize: number;
  /** In words, see `zoneName`. */
  zone: Words | string;
  /** The outcome of the mail that was just sent again. */
  said?: { kind: 'success' | 'attention'; sentence: Words | string } | undefined;
}

/** The invitations of an election: who was reached, and buttons to mail somebody again. */
export function inviteListPage(props: InviteListProps): Html {
  const { election, rows, total, all, query, pageSize, said, viewer } = props;
  const body = html`${
    said &&
    html`
  <div id="mailed" role="status" tabindex="-1">${notice(said.kind, said.sentence)}</div>`
  }
${pageHeader({
  title: t('voting-admin.invite_list.invitations'),
  eyebrow: election.title,
  crumbs: crumbsTo(election.meeting, {
    href: sectionPath(election, 'invitations'),
    label: thisOne(election),
  }),
})}
${inMeeting(
  election.meeting,
  html`<p class="soft small">${
    rows.some(({ used }) => used === null)
      ? t('voting-admin.invite_list.vote_void_turnout_public_sees')
      : t('voting-admin.invite_list.see_whether_link_used_never')
  }</p>
${all > 0 && zoneNote(props.zone)}
${mayDo(props, 'elections:run') && mailNotice(props, props)}
${all > 0 && searchForm(props)}
${
  rows.length === 0
    ? html`
<p>${all === 0 ? t('voting-admin.invite_list.nobody_invited_yet') : t('voting-admin.invite_list.invitation_matches')}</p>`
    : inviteTable(props)
}
${
  total > 0 &&
  numberedPages({
    page: query.page,
    pageSize,
    total,
    of: (range) => t('voting-admin.invite_list.pages', range),
    href: (page) => invitesPath(election, { ...query, page }),
  })
}
<p class="toolbar"><a class="button button-quiet" href="${sectionPath(election, 'invitations')}">${backTo(election)}</a></p>`,
)}`;
  return officerPage({
    title: t('voting-admin.invite_list.document_title', { title: election.title }),
    body,
    nav: navOf(election.meeting),
    viewer,
  });
}

function searchForm({ election, query }: InviteListProps): Html {
  const { q, filter, sort, batch } = query;
  const filters: [InviteFilter, Words][] = [
    ['all', t('voting-admin.invite_list.everybody')],
    ['sent', t('voting-admin.invite_list.sent')],
    ['failed', t('voting-admin.invite_list.failed')],
    ['queued', t('voting-admin.invite_list.sent_yet')],
    ['slip', t('voting-admin.invite_list.slip')],
    ['withdrawn', t('voting-admin.invite_list.withdrawn')],
    ['not-voted', t('voting-admin.invite_list.sent_voted')],
  ];
  const sorts: [InviteSort, Words][] = [
    ['address', t('voting-admin.invite_list.address')],
    ['name', t('voting-admin.invite_list.name')],
    ['newest', t('voting-admin.invite_list.last_mailed_first')],
  ];
  const options = (pairs: readonly [string, Words][]) => pairs.map(([value, label]) => ({ value, label }));
  const changed = q !== '' || filter !== 'all' || sort !== 'address' || batch !== undefined;
  return html`<form class="card filter" method="get" action="${invitesPath(
    election,
  )}" role="search" aria-label="${t('voting-admin.invite_list.find_invitation')}">${batch !== undefined && hiddenInputs({ batch })}
${openField({ name: 'q', type: 'search', label: t('voting-admin.invite_list.name_address'), value: q })}
${selectField({ name: 'filter', label: t('voting-admin.invite_list.show'), options: options(filters), value: filter })}
${selectField({ name: 'sort', label: t('voting-admin.invite_list.order'), options: options(sorts), value: sort })}
<div class="filter-go"><button class="button">${t('voting-admin.invite_list.show')}</button>${
    changed &&
    html`<a class="button button-quiet" href="${invitesPath(election)}">${t('voting-admin.invite_list.show_all')}</a>`
  }</div></form>`;
}

function inviteTable(props: InviteListProps): Html {
  const { rows, total, election, query } = props;
  const open = election.status !== 'closed' && mayDo(props, 'elections:run');
  return table({
    caption:
      query.batch === undefined
        ? t('voting-admin.invite_list.invitation_count', { invitations: total })
        : t('voting-admin.invite_list.invitations_batch', { invitations: total, batch: query.batch }),
    columns: [
      { label: t('voting-admin.invite_list.who') },
      { label: t('voting-admin.invite_list.state') },
      { label: t('voting-admin.invite_list.voted'), number: true },
      ...(open ? [{ label: t('voting-admin.invite_list.what'), quiet: true }] : []),
    ],
    rows: rows.map((row) => [
      recipientCell(row),
      stateOf(row, election.status),
      row.used === null
        ? '–'
        : row.used
          ? t('voting-admin.invite_list.yes')
          : t('voting-admin.invite_list.no'),
      ...(open ? [rowActions(row, props)] : []),
    ]),
  });
}

function recipientCell({ id, email, name, standing, rollEmail }: InviteRow): Child {
  if (name === null)
    return html`<span class="address" id="invite-${id}">${displayAddress(email) || t('voting-admin.invite_list.somebody_roll')}</span>`;
  const about = commas([standing, displayAddress(email) || t('voting-admin.invite_list.no_address')]);
  return html`<div id="invite-${id}">${name}<br><span class="address small soft">${about}</span>${
    rollEmail !== null &&
    html`<br><span class="small">${t('voting-admin.invite_list.roll_now', {
      email: html`<span class="address">${displayAddress(rollEmail)}</span>`,
    })}</span>`
  }</div>`;
}

function stateOf(row: InviteRow, election: ElectionStatus): Child {
  const { status, slip, withdrawn, ended, created, sent, remailed, error } = row;
  if (withdrawn) return badge(t('voting-admin.invite_list.withdrawn'));
  if (ended)
    return html`<div>${badge(t('voting-admin.invite_list.ended'))}<br><span class="small soft">${t('voting-admin.invite_list.door_ended_link_replace')}</span></div>`;
  if (slip !== null) return badge(SLIPS[slip], slip === 'to_print' ? 'scheduled' : 'open');
  switch (status) {
    case 'PREPARED':
      return badge(t('voting-admin.invite_list.not_invited_yet'), 'scheduled');
    case 'SENT':
      return html`<div>${badge(t('voting-admin.invite_list.sent'), 'open')}<br><span class="small soft">${sent ?? created}${
        remailed && html`<br>${t('voting-admin.invite_list.mailed_again', { remailed })}`
      }</span></div>`;
    case 'QUEUED': {
      const when = error
        ? t('voting-admin.invite_list.mail_server_deferred_service_tries', { error: reasonWords(error) })
        : election === 'open'
          ? t('voting-admin.invite_list.goes_out_next')
          : t('voting-admin.invite_list.since', { created });
      return html`<div>${badge(t('voting-admin.invite_list.queued'), 'scheduled')}<br><span class="small soft">${when}</span></div>`;
    }
    case 'SLIP':
    case 'FAILED':
      return html`<div>${badge(t('voting-admin.invite_list.failed'), 'danger')}<br><span class="small">${reasonWords(error ?? NOT_SENT)}</span></div>`;
  }
}

const SLIPS: Record<SlipState, Words> = {
  to_print: t('voting-admin.invite_list.slip_print'),
  printed: t('voting-admin.invite_list.slip_printed'),
  used: t('voting-admin.invite_list.slip_used'),
};

/** The buttons of a row: to mail somebody again, except while the mail is queued, and to replace their code. */
function rowActions(
  { id, email, name, status, withdrawn, ended, slip, rollEmail, used, mailed_at }: InviteRow,
  { election, mailReady, query }: InviteListProps,
): Child {
  if (used) return null;
  const path = adminPath(election, `invites/${encodeURIComponent(id)}`);
  const who = name ?? (displayAddress(email) || t('voting-admin.invite_list.somebody_from_roll'));
  const of = { who, hidden };
  const change = html`<a class="button button-text button-small" href="${path}">${
    rollEmail === null
      ? t('voting-admin.invite_list.replace_withdraw', of)
      : t('voting-admin.invite_list.replace_send_new_address', of)
  }</a>`;
  if (withdrawn || ended || slip !== null || status === 'QUEUED' || status === 'PREPARED')
    return html`<div class="row-actions">${change}</div>`;
  // A new address is to be seen: it is why the mail may not have arrived.
  const more =
    rollEmail === null
      ? html`<details class="fold-small"><summary>${t('voting-admin.invite_list.more', of)}</summary><div class="fold">${change}</div></details>`
      : change;
  const back = [
    ['after', String(mailed_at)],
    ...Object.entries(query).map(([field, value]) => [`back_${field}`, String(value)]),
  ];
  const to = { hidden, who: commas([name, displayAddress(email)]) ?? who };
  const form = (action: string, label: Words | string) =>
    html`<form method="post" action="${path}/${action}">${back.map(
      ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
    )}<button class="button button-text button-small"${
      !mailReady && html` disabled`
    }>${label}</button></form>`;
  return html`<div class="row-actions">${form('resend', status === 'FAILED' ? t('voting-admin.invite_list.try_again', to) : t('voting-admin.invite_list.send_again', to))}${
    status === 'SENT' &&
    election.status === 'open' &&
    form('remind', t('voting-admin.invite_list.remind', to))
  }${more}</div>`;
}
