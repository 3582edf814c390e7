import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, enteredText } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { inputsOf, labelsOf } from '#views/components/record-fields.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { crumbsTo, inMeeting, navOf, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { adminPath, type Named } from '#views/voting/words.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import { type MailState, mailNotice } from './invite-fields.ts';
import { invitesPath } from './invites-path.ts';

/** The data of the page on which an officer replaces or withdraws the code of one elector. */
export interface OneElectorProps extends OfficerProps, MailState {
  election: Named & { status: ElectionStatus };
  invite: {
    id: string;
    /** The address of the invitation; empty for a slip, and where the officer may not read the roll. */
    email: string;
    name: string | null;
    /**
     * Where a new mail would go: to the address of the roll, or of the invitation; empty if not shown, null without.
     */
    address: string | null;
    state: 'prepared' | 'unused' | 'used' | 'withdrawn' | 'ended' | 'hidden';
    /** Whether the code is on a slip. */
    slip: boolean;
  };
  /** What was entered, and which form was refused. */
  refused?: RefusedAct | undefined;
}

/** A refused form, with what was entered. */
export interface RefusedAct {
  form: 'replace' | 'withdraw';
  message: Words | string;
  errors: readonly FieldError[];
  entered: Entered;
}

const STATES: Record<OneElectorProps['invite']['state'], Words> = {
  prepared: t('voting-admin.one_elector.code_yet'),
  unused: t('voting-admin.one_elector.not_used'),
  used: t('voting-admin.one_elector.used'),
  withdrawn: t('voting-admin.one_elector.withdrawn'),
  ended: t('voting-admin.one_elector.ended_card_handed_out_door'),
  hidden: t('voting-admin.one_elector.shown_vote_void'),
};

const WORDS = {
  reason: { label: t('voting-admin.one_elector.reason') },
  to: { label: t('voting-admin.one_elector.send_new_code') },
};

/** The page for the code of one elector. */
export function oneElectorPage(props: OneElectorProps): Html {
  const { election, invite, refused, viewer } = props;
  const { email, name, state, slip, address } = invite;
  const who = name ?? (email || t('voting-admin.one_elector.somebody_roll'));
  const isChangeable = election.status !== 'closed' && state !== 'used';
  const body = html`${refusedNotice(refused, labelsOf(WORDS), (path) => `${refused?.form}-${path}`)}
${pageHeader({
  title: t('voting-admin.one_elector.voting_code', { who }),
  eyebrow: election.title,
  crumbs: crumbsTo(election.meeting, {
    href: invitesPath(election),
    label: t('voting-admin.one_elector.invitations'),
  }),
})}
${inMeeting(
  election.meeting,
  html`${mailNotice(props, props)}
${definitionList([
  [
    t('voting-admin.one_elector.invited'),
    slip ? t('voting-admin.one_elector.address_code_slip') : email || t('voting-admin.one_elector.shown'),
  ],
  ...(address !== null && address !== '' && address !== email
    ? [[t('voting-admin.one_elector.address_roll_now'), address] as const]
    : []),
  [t('voting-admin.one_elector.code'), STATES[state]],
])}
${
  isChangeable
    ? html`${state !== 'prepared' && replaceForm(props)}${state !== 'withdrawn' && state !== 'ended' && withdrawForm(props)}
<p class="small soft">${t('voting-admin.one_elector.elections_page_counts_replaced_withdrawn')}</p>`
    : notice(
        'info',
        state === 'used'
          ? t('voting-admin.one_elector.ballot_cast_nothing_changed')
          : t('voting-admin.one_elector.voting_closed_nothing_changed'),
      )
}
<p class="toolbar"><a class="button button-quiet" href="${invitesPath(election)}">${t('voting-admin.one_elector.back_invitations')}</a></p>`,
)}`;
  return officerPage({
    title: t('voting-admin.one_elector.document_title', { who, title: election.title }),
    body,
    nav: navOf(election.meeting),
    viewer,
  });
}

function replaceForm(props: OneElectorProps): Html {
  const { election, invite, mailReady } = props;
  const { id, address, state, slip } = invite;
  const { entered, at } = formOf(props, 'replace');
  const choices = [
    ...(address === null
      ? []
      : [
          {
            value: 'address',
            label: address
              ? t('voting-admin.one_elector.mail', { address })
              : t('voting-admin.one_elector.mail_address_roll'),
          },
        ]),
    { value: 'slip', label: t('voting-admin.one_elector.slip_print') },
  ];
  const given = enteredText(entered, 'to');
  const usual = address !== null && mailReady && !slip ? 'address' : 'slip';
  const title =
    state === 'withdrawn' || state === 'ended'
      ? t('voting-admin.one_elector.give_new_code')
      : t('voting-admin.one_elector.replace_code');
  return html`<form class="card" method="post" action="${adminPath(election, `invites/${id}/replace`)}">
  <h2>${title}</h2>
<p>${
    state === 'withdrawn'
      ? t('voting-admin.one_elector.vote_again_once')
      : t('voting-admin.one_elector.old_link_slip_stops_working')
  }</p>
${choiceGroup({
  ...at('to'),
  name: 'replace-to',
  plain: true,
  rows: choices.map(({ value, label }, index) =>
    choice({
      type: 'radio',
      name: 'to',
      value,
      label,
      id: index === 0 ? 'replace-to' : undefined,
      checked: value === (given || usual),
    }),
  ),
})}
${field({ ...at('reason'), maxlength: 300 })}
<button class="button">${title}</button></form>`;
}

function withdrawForm(props: OneElectorProps): Html {
  const { election, invite } = props;
  const prepared = invite.state === 'prepared';
  return html`<form class="card" method="post" action="${adminPath(
    election,
    `invites/${invite.id}/withdraw`,
  )}"><h2>${prepared ? t('voting-admin.one_elector.take_off_list') : t('voting-admin.one_elector.withdraw_code')}</h2>
<p>${
    prepared
      ? t('voting-admin.one_elector.invited_others')
      : t('voting-admin.one_elector.cannot_vote_election_link_says')
  }</p>
${field({ ...formOf(props, 'withdraw').at('reason'), maxlength: 300 })}
<button class="button button-danger-quiet">${prepared ? t('voting-admin.one_elector.take_off') : t('voting-admin.one_elector.withdraw_code')}</button></form>`;
}

function formOf({ refused }: OneElectorProps, form: 'replace' | 'withdraw') {
  const { entered = {}, errors = [] } = refused?.form === form ? refused : {};
  return { entered, ...inputsOf(WORDS, { entered, errors, prefix: `${form}-` }) };
}
