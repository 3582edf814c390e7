import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress, namedAddress } from '#kernel/mail-addresses.ts';
import type { Entered } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { hidden, linkTo, strong } from '#views/components/slots.ts';
import { badge, statusBadge } from '#views/components/status.ts';
import { definitionList, pageHeader, zoneNote } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import {
  crumbsTo,
  inMeeting,
  navOf,
  type OfficerProps,
  officerPage,
  thisOne,
} from '#views/voting/admin/frame.ts';
import { adminPath, askPath, type Named, sectionPath } from '#views/voting/words.ts';
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
  reason?: Words | string | undefined;
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
  zone: Words | string;
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
  goesOut?: Words | string | undefined;
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
    title: t('voting-admin.invite_check.check_before_sending'),
    eyebrow: single?.title,
    lede: html`<span data-unsent>${t('voting-admin.invite_check.nothing_sent_yet')}</span>`,
    crumbs: crumbsTo(
      single?.meeting,
      single
        ? {
            href: sectionPath(single, 'invitations'),
            label: thisOne(single),
          }
        : { href: '/admin/bulk-invites', label: t('voting-admin.invite_check.invitations') },
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
        t('voting-admin.invite_check.list_mailed_table_says_why'),
        t('voting-admin.invite_check.invite'),
      )
    : facts(props, added.length)
}
${zoneNote(props.zone)}${added.length > 0 && sampleMails(props)}
${left.length > 0 && leftOut(left)}
${added.some(isShown) && recipients(added.filter(isShown))}
${sending(props, some ? rows : [])}`,
)}`;
  return officerPage({
    title: t('voting-admin.invite_check.check_before_sending'),
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
    html`<p>${t('voting-admin.invite_check.people_who_invited_find_nothing', { link: linkTo(sectionPath({ id }, 'candidates')) })}</p>`,
    candidates === 0
      ? t('voting-admin.invite_check.candidates', { title })
      : t('voting-admin.invite_check.candidate_only', { title }),
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
        html`<li><a href="${askPath(election, 'batch', batch_name)}" target="_blank">${batch_name === null ? t('voting-admin.invite_check.delete_unnamed_batch_codes_opens', { codes, hidden }) : t('voting-admin.invite_check.delete_codes_opens_new_tab', { batch: batch_name, codes, hidden })}</a></li>`,
    );
  const text = html`<p>${t('voting-admin.invite_check.belong_mailed_each_stays_valid', { title: election.title, issued: issued + invited, invited })}</p>
<p>${sentences([
    t('voting-admin.invite_check.all_well_handed_out_paper'),
    links.length > 0 && t('voting-admin.invite_check.otherwise_delete'),
  ])}</p>
${links.length > 0 && html`<ul>${links}</ul>`}`;
  return notice('attention', text, t('voting-admin.invite_check.unused_voting_codes_already', { spare }));
}

/** The addresses of the forms on this page. */
function pathsOf(single: InviteCheckProps['single']) {
  const base = single ? adminPath(single, 'invite') : '/admin/bulk-invites';
  return { send: base, edit: `${base}/edit${single ? '#invitations' : ''}`, preview: `${base}/preview` };
}

function facts({ elections, mode, mails, goesOut, rows, batch_name }: InviteCheckProps, added: number): Html {
  const of = (state: CheckRow['state']) => rows.filter((row) => row.state === state).length;
  const [repeated, invited, invalid] = [of('repeated'), of('invited'), of('invalid')];
  const leftOut = commas([
    repeated > 0 && t('voting-admin.invite_check.some_repeated', { repeated }),
    invited > 0 && t('voting-admin.invite_check.some_invited', { invited }),
    invalid > 0 && t('voting-admin.invite_check.some_invalid', { invalid }),
  ]);
  return html`<section aria-label="${t('voting-admin.invite_check.what_happen')}">${definitionList([
    [
      t('voting-admin.invite_check.mailed'),
      t('voting-admin.invite_check.people_mails', { strong, people: added, mails: mails.now + mails.later }),
    ],
    [t('voting-admin.invite_check.left_out'), leftOut ?? t('voting-admin.invite_check.nobody')],
    ...(of('unaddressed') > 0
      ? [
          [
            t('voting-admin.invite_check.get_slip'),
            t('voting-admin.invite_check.people_without_address', { people: of('unaddressed') }),
          ] as const,
        ]
      : []),
    [
      t('voting-admin.invite_check.go_now'),
      mails.now === 0
        ? t('voting-admin.invite_check.none')
        : t('voting-admin.invite_check.mails', { mails: mails.now }),
    ],
    ...(mails.later > 0
      ? [
          [
            t('voting-admin.invite_check.wait'),
            goesOut
              ? t('voting-admin.invite_check.mails_until', { mails: mails.later, until: goesOut })
              : t('voting-admin.invite_check.mails', { mails: mails.later }),
          ] as const,
        ]
      : []),
    [
      t('voting-admin.invite_check.what_sent'),
      mode === 'batch'
        ? t('voting-admin.invite_check.link_my_elections')
        : t('voting-admin.invite_check.voting_link'),
    ],
    ...(batch_name ? [[t('voting-admin.invite_check.batch'), batch_name] as const] : []),
  ])}
<ul class="check-elections" role="list">${elections.map(
    ({ title, status, opens, closes, waits }) =>
      html`<li>${statusBadge(status)} <strong>${title}</strong><br><span class="small soft">${
        status === 'open'
          ? t('voting-admin.invite_check.closes', { closes })
          : t('voting-admin.invite_check.opens', { opens })
      } ${
        waits
          ? t('voting-admin.invite_check.invitations_wait_until')
          : status === 'scheduled' && t('voting-admin.invite_check.invitations_go_now_say')
      }</span></li>`,
  )}</ul></section>`;
}

function sampleMails({ samples, single, entered }: InviteCheckProps): Html | null {
  if (samples.length === 0) return null;
  return html`<section aria-labelledby="sample-title"><div class="list-head">
  <h2 id="sample-title">${t('voting-admin.invite_check.the_mails', { samples: samples.length })}</h2>
<form method="post" action="${
    pathsOf(single).preview
  }" target="_blank">${enteredInputs(entered)}<button class="button button-quiet">${t('voting-admin.invite_check.look_mails_opens_new_tab', { samples: samples.length, hidden })}</button></form></div>
${samples.map(
  ({ subject, text }, at) =>
    html`<details${at === 0 && html` open`}><summary>${subject}</summary>
    <pre class="mail-text" tabindex="0" aria-label="${t('voting-admin.invite_check.text_mail', { subject })}">${text}</pre></details>`,
)}
<p class="small soft">${t('voting-admin.invite_check.each_person_gets_link_own')}</p></section>`;
}

const STATES: Record<Exclude<CheckRow['state'], 'added'>, { sign: Html; say: Words }> = {
  invalid: {
    sign: badge(t('voting-admin.invite_check.invalid'), 'danger'),
    say: t('voting-admin.invite_check.address'),
  },
  unaddressed: {
    sign: badge(t('voting-admin.invite_check.slip')),
    say: t('voting-admin.invite_check.address_votes_printed_slip'),
  },
  invited: {
    sign: badge(t('voting-admin.invite_check.invited_before')),
    say: t('voting-admin.invite_check.invitation_mailed_again'),
  },
  repeated: {
    sign: badge(t('voting-admin.invite_check.repeated')),
    say: t('voting-admin.invite_check.stands_further_up_mailed_once'),
  },
};

function leftOut(rows: readonly CheckRow[]): Html {
  const states = Object.keys(STATES);
  const sorted = rows.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state));
  return html`<section aria-labelledby="left-title"><h2 id="left-title">${t('voting-admin.invite_check.not_mailed')}</h2>
${table({
  caption: t('voting-admin.invite_check.rows_what_entered', { rows: rows.length }),
  columns: [
    { label: t('voting-admin.invite_check.row') },
    { label: t('voting-admin.invite_check.found') },
    { label: t('voting-admin.invite_check.why') },
  ],
  rows: sorted.map(({ email, name, given, state, reason }) => {
    const { sign, say } = STATES[state as keyof typeof STATES];
    return [recipientOf({ email, name, given }), sign, reason ?? say];
  }),
})}</section>`;
}

function recipientOf({ email, name, given }: Pick<CheckRow, 'email' | 'name' | 'given'>): Html {
  const address = html`<span class="address">${displayAddress(email) || t('voting-admin.invite_check.empty')}</span>`;
  const who = name ?? given;
  if (who === undefined) return address;
  return email === '' ? html`${who}` : html`${who} ${address}`;
}

function recipients(rows: readonly CheckRow[]): Html {
  return html`<section aria-labelledby="added-title"><h2 id="added-title">${t('voting-admin.invite_check.mailed')}</h2>
<details${rows.length <= 30 && html` open`}><summary>${t('voting-admin.invite_check.addresses', { rows: rows.length })}</summary>
<ol class="fold recipients" tabindex="0" aria-label="${t('voting-admin.invite_check.everyone_who_mailed')}">${rows.map(
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
<form method="post" action="${edit}">${enteredInputs(entered)}<button class="button button-quiet">${t('voting-admin.invite_check.change')}</button></form></div>
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
function sendLabel({ now, later }: InviteCheckProps['mails']): Words {
  if (now + later === 0) return t('voting-admin.invite_check.make_slips');
  if (later === 0) return t('voting-admin.invite_check.send_invitations', { now });
  if (now === 0) return t('voting-admin.invite_check.queue_invitations', { later });
  return t('voting-admin.invite_check.send_queue_invitations', { now, later });
}

/** The progress of sending, shown by the page’s script. Without script, the form leads to the page of results. */
function sendingPanel(back: string): Html {
  const figure = (name: string, label: Words | string) =>
    html`<div><dt>${label}</dt><dd data-count="${name}">0</dd></div>`;
  return html`<section class="card sending" aria-labelledby="sending-title" data-sending hidden>
<h2 id="sending-title" tabindex="-1" data-sending-title>${t('voting-admin.invite_check.sending')}</h2>
<progress class="progress" max="1" value="0" aria-labelledby="sending-title"></progress>
<p role="status" data-sending-status></p>
<dl class="stats">${figure('sent', t('voting-admin.invite_check.sent'))}${figure('queued', t('voting-admin.invite_check.queued'))}${figure(
    'known',
    t('voting-admin.invite_check.invited_before'),
  )}${figure('failed', t('voting-admin.invite_check.failed'))}</dl>
<p class="notice notice-danger" role="alert" data-sending-problem hidden></p>
<div class="toolbar"><button class="button" type="button" data-sending-retry hidden>${t('voting-admin.invite_check.try_failed_ones_again')}</button>
<button class="button" type="button" data-sending-go hidden>${t('voting-admin.invite_check.go')}</button>
<button class="button button-quiet" type="button" data-sending-stop>${t('voting-admin.invite_check.stop')}</button>
<a class="button button-quiet" href="${back}" data-sending-back hidden>${t('voting-admin.invite_check.done')}</a></div>
<div data-sending-failures hidden><h3>${t('voting-admin.invite_check.failed')}</h3><ul class="failures" role="list"></ul></div>
</section>`;
}
