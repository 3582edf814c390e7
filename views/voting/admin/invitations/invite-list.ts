import { type Child, type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { numberedPages, pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import {
  crumbsTo,
  inMeeting,
  mayDo,
  navOf,
  type OfficerProps,
  officerPage,
} from '#views/voting/admin/frame.ts';
import { adminPath, calledOf, type Named, sectionPath } from '#views/voting/words.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import type { InviteFilter, InviteSort } from '#voting/invitations/invite-search.ts';
import type { Invite, SlipState } from '#voting/invitations/invites.ts';
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
  created: string;
  sent: string | null;
  /** When the last mail was sent, in milliseconds; 0 before the first. */
  mailed_at: number;
  /** The same, already formatted, where it was later than the invitation. */
  remailed: string | null;
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
  zone: string;
  /** The outcome of the mail that was just sent again. */
  said?: { kind: 'success' | 'attention'; sentence: string } | undefined;
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
  title: 'Invitations',
  eyebrow: election.title,
  crumbs: crumbsTo(election.meeting, {
    href: sectionPath(election, 'invitations'),
    label: `This ${calledOf(election)}`,
  }),
})}
${inMeeting(
  election.meeting,
  html`<p class="soft small">${
    rows.some(({ used }) => used === null)
      ? 'The vote is void: its turnout is public, and nobody sees who voted.'
      : 'You see whether a link was used, never what for.'
  }</p>
${all > 0 && zoneNote(props.zone)}
${mayDo(props, 'elections:run') && mailNotice(props, props)}
${all > 0 && searchForm(props)}
${
  rows.length === 0
    ? html`
<p>${all === 0 ? 'Nobody was invited yet.' : 'No invitation matches.'}</p>`
    : inviteTable(props)
}
${
  total > 0 &&
  numberedPages({
    page: query.page,
    pageSize,
    total,
    of: total === 1 ? 'invitation' : 'invitations',
    href: (page) => invitesPath(election, { ...query, page }),
  })
}
<p class="toolbar"><a class="button button-quiet" href="${sectionPath(election, 'invitations')}">Back to the ${calledOf(election)}</a></p>`,
)}`;
  return officerPage({ title: `Invitations: ${election.title}`, body, nav: navOf(election.meeting), viewer });
}

function searchForm({ election, query }: InviteListProps): Html {
  const { q, filter, sort, batch } = query;
  const filters: [InviteFilter, string][] = [
    ['all', 'Everybody'],
    ['sent', 'Sent'],
    ['failed', 'Failed'],
    ['queued', 'Not sent yet'],
    ['slip', 'With a slip'],
    ['withdrawn', 'Withdrawn'],
    ['not-voted', 'Sent, not voted'],
  ];
  const sorts: [InviteSort, string][] = [
    ['address', 'By address'],
    ['name', 'By name'],
    ['newest', 'Last mailed first'],
  ];
  const options = (pairs: readonly [string, string][]) => pairs.map(([value, label]) => ({ value, label }));
  const changed = q !== '' || filter !== 'all' || sort !== 'address' || batch !== undefined;
  return html`<form class="card filter" method="get" action="${invitesPath(
    election,
  )}" role="search" aria-label="Find an invitation">${batch !== undefined && hiddenInputs({ batch })}
${openField({ name: 'q', type: 'search', label: 'Name or address', value: q })}
${selectField({ name: 'filter', label: 'Show', options: options(filters), value: filter })}
${selectField({ name: 'sort', label: 'Order', options: options(sorts), value: sort })}
<div class="filter-go"><button class="button">Show</button>${
    changed && html`<a class="button button-quiet" href="${invitesPath(election)}">Show all</a>`
  }</div></form>`;
}

function inviteTable(props: InviteListProps): Html {
  const { rows, total, election, query } = props;
  const open = election.status !== 'closed' && mayDo(props, 'elections:run');
  return table({
    caption: `${counted(total, 'invitation')}${query.batch === undefined ? '' : ` of the batch “${query.batch}”`}`,
    columns: [
      { label: 'Who' },
      { label: 'State' },
      { label: 'Voted', number: true },
      ...(open ? [{ label: 'What you can do', quiet: true }] : []),
    ],
    rows: rows.map((row) => [
      recipientCell(row),
      stateOf(row, election.status),
      row.used === null ? '–' : row.used ? 'Yes' : 'No',
      ...(open ? [rowActions(row, props)] : []),
    ]),
  });
}

function recipientCell({ id, email, name, standing, rollEmail }: InviteRow): Child {
  if (name === null)
    return html`<span class="address" id="invite-${id}">${displayAddress(email) || 'Somebody from the roll'}</span>`;
  const about = [standing, displayAddress(email) || 'no address'].filter((text) => text !== null);
  return html`<div id="invite-${id}">${name}<br><span class="address small soft">${about.join(', ')}</span>${
    rollEmail !== null &&
    html`<br><span class="small">The roll has <span class="address">${displayAddress(
      rollEmail,
    )}</span> now.</span>`
  }</div>`;
}

function stateOf(row: InviteRow, election: ElectionStatus): Child {
  const { status, slip, withdrawn, ended, created, sent, remailed, error } = row;
  if (withdrawn) return badge('Withdrawn');
  if (ended)
    return html`<div>${badge('Ended')}<br><span class="small soft">The door ended this link. Replace it if they are not there.</span></div>`;
  if (slip !== null) return badge(SLIPS[slip], slip === 'to_print' ? 'scheduled' : 'open');
  switch (status) {
    case 'PREPARED':
      return badge('Not invited yet', 'scheduled');
    case 'SENT':
      return html`<div>${badge('Sent', 'open')}<br><span class="small soft">${sent ?? created}${
        remailed && html`<br>Mailed again ${remailed}`
      }</span></div>`;
    case 'QUEUED': {
      const when = error
        ? `The mail server deferred it; the service tries again: ${error}`
        : election === 'open'
          ? 'Goes out next'
          : `Since ${created}`;
      return html`<div>${badge('Queued', 'scheduled')}<br><span class="small soft">${when}</span></div>`;
    }
    case 'SLIP':
    case 'FAILED':
      return html`<div>${badge('Failed', 'danger')}<br><span class="small">${error ?? 'Not sent'}</span></div>`;
  }
}

const SLIPS: Record<SlipState, string> = {
  to_print: 'Slip to print',
  printed: 'Slip printed',
  used: 'Slip used',
};

/** The buttons of a row: to mail somebody again, except while the mail is queued, and to replace their code. */
function rowActions(
  { id, email, name, status, withdrawn, ended, slip, rollEmail, used, mailed_at }: InviteRow,
  { election, mailReady, query }: InviteListProps,
): Child {
  if (used) return null;
  const path = adminPath(election, `invites/${encodeURIComponent(id)}`);
  const who = name ?? (displayAddress(email) || 'somebody from the roll');
  const words = rollEmail === null ? 'Replace or withdraw …' : 'Replace: send to the new address …';
  const change = html`<a class="button button-text button-small" href="${path}">${words}<span class="visually-hidden"> (${who})</span></a>`;
  if (withdrawn || ended || slip !== null || status === 'QUEUED' || status === 'PREPARED')
    return html`<div class="row-actions">${change}</div>`;
  // A new address is to be seen: it is why the mail may not have arrived.
  const more =
    rollEmail === null
      ? html`<details class="fold-small"><summary>…<span class="visually-hidden"> More for ${who}</span></summary><div class="fold">${change}</div></details>`
      : change;
  const back = [
    ['after', String(mailed_at)],
    ...Object.entries(query).map(([field, value]) => [`back_${field}`, String(value)]),
  ];
  const to = ` to ${[name, displayAddress(email)].filter(Boolean).join(', ') || who}`;
  const form = (action: string, label: string) =>
    html`<form method="post" action="${path}/${action}">${back.map(
      ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
    )}<button class="button button-text button-small"${
      !mailReady && html` disabled`
    }>${label}<span class="visually-hidden">${to}</span></button></form>`;
  return html`<div class="row-actions">${form('resend', status === 'FAILED' ? 'Try again' : 'Send again')}${
    status === 'SENT' && election.status === 'open' && form('remind', 'Remind')
  }${more}</div>`;
}
