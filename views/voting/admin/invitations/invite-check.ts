import { type Child, type Html, html } from '#kernel/html.ts';
import { displayAddress, namedAddress } from '#kernel/mail-addresses.ts';
import type { Entered } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { badge, statusBadge } from '#views/components/status.ts';
import { definitionList, pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { crumbsTo, inMeeting, navOf, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { adminPath, askPath, calledOf, type Named, sectionPath } from '#views/voting/words.ts';
import type { SpareCodes } from '#voting/ballots/spare-codes.ts';
import type { InvitableElection } from './bulk-invites.ts';
import { enteredInputs, type MailState, mailNotice } from './invite-fields.ts';

/** The result of checking one address that was entered or came from a list. */
export interface CheckRow {
  email: string;
  /** The name of a person on the roll. */
  name?: string | undefined;
  /** The name that was entered before the address. */
  given?: string | undefined;
  /**
   * `added` is mailed; `repeated` is further up in this list; `invited` has an invitation to all of these elections;
   * `unaddressed` is from the roll and gets a printed slip.
   */
  state: 'added' | 'repeated' | 'invalid' | 'invited' | 'unaddressed';
  /** Why it is invalid, or another remark: “Invited to ‘Budget’ before”. */
  reason?: string | undefined;
}

/** A mail as its first recipient will get it. */
export interface MailSample {
  subject: string;
  /** The text part. */
  text: string;
}

/** Voting codes of an election that were made to be handed out, before anybody was invited. */
export interface SpareOfElection {
  election: Named;
  batches: readonly SpareCodes[];
  /** The number of all its voting codes. */
  issued: number;
}

/** The data of the page that shows invitations before they are sent. */
export interface InviteCheckProps extends OfficerProps, MailState {
  /** Set where the invitations began on the page of one election. */
  single?: Named | undefined;
  /** `waits` says whether its invitations are sent only when it opens. */
  elections: readonly (InvitableElection & { waits: boolean })[];
  /** The time zone of all times, in words. */
  zone: string;
  mode: 'individual' | 'batch';
  queue: boolean;
  batch_name: string | null;
  /** The entered values by field name, to go back to the form. */
  entered: Entered;
  /** In the order entered, then the addresses of lists. */
  rows: readonly CheckRow[];
  /** The chosen members: ids of kinds and groups, and an ISO date. */
  roll: { kinds: readonly string[]; groups: readonly string[]; on: string | null } | undefined;
  /** Whether names and addresses from the roll may be shown. */
  showRoll: boolean;
  /** The number of mails that are sent now, and of those that are sent later. */
  mails: { now: number; later: number };
  /** When the later ones are sent, already formatted. */
  goesOut?: string | undefined;
  /** The elections with unused codes that were mailed to nobody. */
  spare: readonly SpareOfElection[];
  /** Ranked elections in which there is nothing to choose from yet. */
  withoutChoice?: readonly { id: string; title: string; candidates: number }[] | undefined;
  /** One in batch mode, else one for each election. */
  samples: readonly MailSample[];
}

/** Who gets what and when, the rows that are not mailed, and the button that sends. */
export function inviteCheckPage(props: InviteCheckProps): Html {
  const { single, rows, showRoll, viewer } = props;
  const added = rows.filter(({ state }) => state === 'added');
  const isShown = ({ name }: CheckRow) => showRoll || name === undefined;
  const left = rows.filter((row) => row.state !== 'added' && isShown(row));
  const some = added.length > 0 || rows.some(({ state }) => state === 'unaddressed');
  const body = html`${pageHeader({
    title: 'Check before sending',
    eyebrow: single?.title,
    lede: html`<span data-unsent>Nothing has been sent yet.</span>`,
    crumbs: crumbsTo(
      single?.meeting,
      single
        ? { href: sectionPath(single, 'invitations'), label: `This ${calledOf(single)}` }
        : { href: '/admin/bulk-invites', label: 'Invitations' },
    ),
  })}
${inMeeting(
  single?.meeting,
  html`${mailNotice(props, props)}${props.withoutChoice?.map(choiceNotice)}
${some && props.spare.map((one) => spareNotice(one, rows))}
${
  !some
    ? notice(
        'attention',
        'Nobody on this list is to be mailed. The table says why; “Change” leads back.',
        'There is nobody to invite',
      )
    : facts(props, added.length)
}
${zoneNote(props.zone)}${added.length > 0 && sampleMails(props)}
${left.length > 0 && leftOut(left)}
${added.some(isShown) && recipients(added.filter(isShown))}
${sending(props, some ? rows : [])}`,
)}`;
  return officerPage({
    title: 'Check before sending',
    body,
    nav: single ? navOf(single.meeting) : '/admin/bulk-invites',
    viewer,
    scripts: ['admin/bulk-invites.js'],
  });
}

/** Warns before mails are sent that lead to a ballot without a choice. */
function choiceNotice({ id, title, candidates }: { id: string; title: string; candidates: number }): Html {
  return notice(
    'attention',
    html`<p>People who are invited
    find nothing to choose from. <a href="${sectionPath({ id }, 'candidates')}">Add candidates</a> before you
    send the invitations; those that wait for the opening are kept back until there are some.</p>`,
    `“${title}” has ${candidates === 0 ? 'no candidates' : 'one candidate only'}`,
  );
}

/** Warns of unused codes that were made for paper, with links to delete them. */
function spareNotice({ election, batches, issued }: SpareOfElection, rows: readonly CheckRow[]): Html {
  const spare = batches.reduce((sum, batch) => sum + batch.count, 0);
  const invited = rows.filter(({ state }) => state === 'added' || state === 'unaddressed').length;
  const links = batches
    .filter(({ deletable }) => deletable)
    .map(
      ({ batch_name, count: codes }) =>
        html`<li><a href="${askPath(election, 'batch', batch_name)}" target="_blank">Delete ${
          batch_name === null ? 'the unnamed batch' : `“${batch_name}”`
        }, ${counted(codes, 'code')} …<span class="visually-hidden"> (opens in a new tab)</span></a></li>`,
    );
  const text = html`<p>They belong to “${election.title}”, and nobody was mailed one. Each stays valid beside the
  invitations: anyone who holds it can vote. The public turnout counts them too,
  so it would be out of ${count(issued + invited)} voting codes, though you invite ${counted(
    invited,
    'person',
    'people',
  )} now.</p>
<p>All is well if they are handed out on paper to others.${links.length > 0 && ' Otherwise delete them first:'}</p>
${links.length > 0 && html`<ul>${links}</ul>`}`;
  return notice(
    'attention',
    text,
    `There ${spare === 1 ? 'is' : 'are'} ${counted(spare, 'unused voting code')} already`,
  );
}

/** The addresses of the forms on this page. */
function pathsOf(single: InviteCheckProps['single']) {
  const base = single ? adminPath(single, 'invite') : '/admin/bulk-invites';
  return { send: base, edit: `${base}/edit${single ? '#invitations' : ''}`, preview: `${base}/preview` };
}

function facts({ elections, mode, mails, goesOut, rows, batch_name }: InviteCheckProps, added: number): Html {
  const of = (state: CheckRow['state']) => rows.filter((row) => row.state === state).length;
  const skipped: [Child, number][] = [
    ['repeated', of('repeated')],
    ['invited before', of('invited')],
    ['invalid', of('invalid')],
  ];
  return html`<section aria-label="What will happen">${definitionList([
    [
      'Mailed',
      html`<strong>${counted(added, 'person', 'people')}</strong>, ${counted(mails.now + mails.later, 'mail')}`,
    ],
    [
      'Left out',
      skipped.every(([, n]) => n === 0)
        ? 'Nobody'
        : skipped
            .filter(([, n]) => n > 0)
            .map(([words, n], at) => html`${at > 0 && ', '}${count(n)} ${words}`),
    ],
    ...(of('unaddressed') > 0
      ? [['Get a slip', html`${counted(of('unaddressed'), 'person', 'people')} without an address`] as const]
      : []),
    ['Go now', mails.now === 0 ? 'None' : counted(mails.now, 'mail')],
    ...(mails.later > 0
      ? [['Wait', html`${counted(mails.later, 'mail')}${goesOut && html`, until ${goesOut}`}`] as const]
      : []),
    ['What is sent', mode === 'batch' ? 'A link to “My elections”' : 'A voting link'],
    ...(batch_name ? [['Batch', batch_name] as const] : []),
  ])}
<ul class="check-elections" role="list">${elections.map(
    ({ title, status, opens, closes, waits }) =>
      html`<li>${statusBadge(status)} <strong>${title}</strong><br><span class="small soft">${
        status === 'open' ? `Closes ${closes}.` : `Opens ${opens}.`
      } ${
        waits
          ? 'Its invitations wait until then.'
          : status === 'scheduled' && 'Its invitations go now and say so.'
      }</span></li>`,
  )}</ul></section>`;
}

function sampleMails({ samples, single, entered }: InviteCheckProps): Html | null {
  if (samples.length === 0) return null;
  return html`<section aria-labelledby="sample-title"><div class="list-head">
  <h2 id="sample-title">${samples.length === 1 ? 'The mail' : 'The mails'}</h2>
<form method="post" action="${
    pathsOf(single).preview
  }" target="_blank">${enteredInputs(entered)}<button class="button button-quiet">Look at the ${
    samples.length === 1 ? 'mail' : 'mails'
  }<span class="visually-hidden"> (opens in a new tab)</span></button></form></div>
${samples.map(
  ({ subject, text }, at) =>
    html`<details${at === 0 && html` open`}><summary>${subject}</summary>
    <pre class="mail-text" tabindex="0" aria-label="Text of the mail “${subject}”">${text}</pre></details>`,
)}
<p class="small soft">Each person gets a link of their own; the one shown here opens nothing.</p></section>`;
}

const STATES: Record<Exclude<CheckRow['state'], 'added'>, { sign: Html; say: string }> = {
  invalid: { sign: badge('Invalid', 'danger'), say: 'Not an address.' },
  unaddressed: { sign: badge('Slip'), say: 'Has no address, and votes with a printed slip.' },
  invited: { sign: badge('Invited before'), say: 'Has an invitation, and is not mailed again.' },
  repeated: { sign: badge('Repeated'), say: 'Stands further up, and is mailed once.' },
};

function leftOut(rows: readonly CheckRow[]): Html {
  const states = Object.keys(STATES);
  const sorted = rows.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state));
  return html`<section aria-labelledby="left-title"><h2 id="left-title">Not mailed</h2>
${table({
  caption: `${counted(rows.length, 'row')} of what you entered`,
  columns: [{ label: 'Row' }, { label: 'Found' }, { label: 'Why' }],
  rows: sorted.map(({ email, name, given, state, reason }) => {
    const { sign, say } = STATES[state as keyof typeof STATES];
    return [recipientOf({ email, name, given }), sign, reason ?? say];
  }),
})}</section>`;
}

function recipientOf({ email, name, given }: Pick<CheckRow, 'email' | 'name' | 'given'>): Html {
  const address = html`<span class="address">${displayAddress(email) || '(empty)'}</span>`;
  const who = name ?? given;
  if (who === undefined) return address;
  return email === '' ? html`${who}` : html`${who} ${address}`;
}

function recipients(rows: readonly CheckRow[]): Html {
  return html`<section aria-labelledby="added-title"><h2 id="added-title">Mailed</h2>
<details${rows.length <= 30 && html` open`}><summary>${counted(rows.length, 'address', 'addresses')}</summary>
<ol class="fold recipients" tabindex="0" aria-label="Everyone who is mailed">${rows.map(
    ({ reason, ...row }) =>
      html`<li>${recipientOf(row)}${reason && html` <span class="small soft">${reason}</span>`}</li>`,
  )}</ol></details></section>`;
}

/** The most invitations that the page's script sends; more than these are sent by the service itself. */
const MOST_BY_SLICES = 500;

/** The forms to send or to change. Members of the roll are mailed by the service, addresses in slices by a script. */
function sending(props: InviteCheckProps, rows: readonly CheckRow[]): Html {
  const { single, elections, mode, queue, batch_name, entered, roll, mails, mailReady } = props;
  const { send, edit } = pathsOf(single);
  const named = rows.filter(({ name, state }) => name === undefined && state === 'added');
  const bySlices = roll === undefined && rows.length > 0 && named.length <= MOST_BY_SLICES;
  return html`<div class="actions${rows.length > 0 && ' check-actions'}">
${
  rows.length > 0 &&
  html`<form method="post" action="${send}"${
    bySlices &&
    html` data-slices
  data-mode="${mode}"`
  }>${rollInputs(roll)}${hiddenInputs({
    emails: named.map(({ email, given }) => namedAddress(email, given)),
    election_ids: single ? [] : elections.map(({ id }) => id),
    invite_mode: mode,
    queue: String(queue),
    batch_name,
  })}<button class="button"${!mailReady && html` disabled`}>${sendLabel(mails)}</button></form>`
}
<form method="post" action="${edit}">${enteredInputs(entered)}<button class="button button-quiet">Change</button></form></div>
${bySlices && sendingPanel(single ? sectionPath(single, 'invitations') : '/admin')}`;
}

function rollInputs(roll: InviteCheckProps['roll']): Html[] {
  if (!roll) return [];
  const { kinds, groups, on } = roll;
  const places = (name: string, ids: readonly string[]) => ids.map((id, at) => [`roll.${name}.${at}`, id]);
  const list = [
    ...places('kinds', kinds),
    ...places('groups', groups),
    ...(on === null ? [] : [['roll.on', on]]),
  ];
  return hiddenInputs(Object.fromEntries(list));
}

/** The label of the button that sends, with numbers. */
function sendLabel({ now, later }: InviteCheckProps['mails']): string {
  if (now + later === 0) return 'Make their slips';
  if (later === 0) return `Send ${counted(now, 'invitation')}`;
  if (now === 0) return `Queue ${counted(later, 'invitation')}`;
  return `Send ${count(now)} and queue ${counted(later, 'invitation')}`;
}

/** The progress of sending, shown by the page’s script. Without script, the form leads to the page of results. */
function sendingPanel(back: string): Html {
  const figure = (name: string, label: string) =>
    html`<div><dt>${label}</dt><dd data-count="${name}">0</dd></div>`;
  return html`<section class="card sending" aria-labelledby="sending-title" data-sending hidden>
<h2 id="sending-title" tabindex="-1" data-sending-title>Sending</h2>
<progress class="progress" max="1" value="0" aria-labelledby="sending-title"></progress>
<p role="status" data-sending-status></p>
<dl class="stats">${figure('sent', 'Sent')}${figure('queued', 'Queued')}${figure(
    'known',
    'Invited before',
  )}${figure('failed', 'Failed')}</dl>
<p class="notice notice-danger" role="alert" data-sending-problem hidden></p>
<div class="toolbar"><button class="button" type="button" data-sending-retry hidden>Try the failed ones again</button>
<button class="button" type="button" data-sending-go hidden>Go on</button>
<button class="button button-quiet" type="button" data-sending-stop>Stop</button>
<a class="button button-quiet" href="${back}" data-sending-back hidden>Done</a></div>
<div data-sending-failures hidden><h3>Failed</h3><ul class="failures" role="list"></ul></div>
</section>`;
}
