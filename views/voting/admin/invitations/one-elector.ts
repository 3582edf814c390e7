import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, enteredText, namedErrors } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
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

const STATES: Record<OneElectorProps['invite']['state'], string> = {
  prepared: 'Has no code yet',
  unused: 'Has not been used',
  used: 'Has been used',
  withdrawn: 'Was withdrawn',
  ended: 'Ended: a card was handed out at the door, or links of the meeting ended',
  hidden: 'Not shown: the vote is void',
};

const WORDS = { reason: { label: 'Reason' }, to: { label: 'Send the new code' } };

/** The page for the code of one elector. */
export function oneElectorPage(props: OneElectorProps): Html {
  const { election, invite, refused, viewer } = props;
  const { email, name, state, slip, address } = invite;
  const who = name ?? (email || 'Somebody from the roll');
  const isChangeable = election.status !== 'closed' && state !== 'used';
  const body = html`${
    refused &&
    errorSummary(
      namedErrors(refused.errors, labelsOf(WORDS)),
      (path) => `${refused.form}-${path}`,
      refused.message,
    )
  }
${pageHeader({
  title: `Voting code of ${who}`,
  eyebrow: election.title,
  crumbs: crumbsTo(election.meeting, { href: invitesPath(election), label: 'Invitations' }),
})}
${inMeeting(
  election.meeting,
  html`${mailNotice(props, props)}
${definitionList([
  ['Invited at', slip ? 'No address: the code is on a slip' : email || 'Not shown to you'],
  ...(address !== null && address !== '' && address !== email
    ? [['Address in the roll now', address] as const]
    : []),
  ['The code', STATES[state]],
])}
${
  isChangeable
    ? html`${state !== 'prepared' && replaceForm(props)}${state !== 'withdrawn' && state !== 'ended' && withdrawForm(props)}
<p class="small soft">The election’s page counts replaced and withdrawn codes in public, without names.
The reason is for officers alone.</p>`
    : notice(
        'info',
        state === 'used'
          ? 'A ballot was cast with it, so nothing can be changed.'
          : 'Voting has closed, so nothing can be changed.',
      )
}
<p class="toolbar"><a class="button button-quiet" href="${invitesPath(election)}">Back to the invitations</a></p>`,
)}`;
  return officerPage({
    title: `Voting code of ${who}: ${election.title}`,
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
      : [{ value: 'address', label: `By mail to ${address || 'the address in the roll'}` }]),
    { value: 'slip', label: 'On a slip to print' },
  ];
  const given = enteredText(entered, 'to');
  const usual = address !== null && mailReady && !slip ? 'address' : 'slip';
  const title = state === 'withdrawn' || state === 'ended' ? 'Give a new code' : 'Replace the code';
  return html`<form class="card" method="post" action="${adminPath(election, `invites/${id}/replace`)}">
  <h2>${title}</h2>
<p>${
    state === 'withdrawn'
      ? 'They can vote again, once.'
      : 'The old link or slip stops working at once, and a new one is made. Nobody ever has two.'
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
  )}"><h2>${prepared ? 'Take them off the list' : 'Withdraw the code'}</h2>
<p>${
    prepared
      ? 'They are not invited with the others.'
      : 'They cannot vote in this election, and their link says so. They stay in the list, so that nobody ' +
        'invites them again by accident.'
  }</p>
${field({ ...formOf(props, 'withdraw').at('reason'), maxlength: 300 })}
<button class="button button-danger-quiet">${prepared ? 'Take them off' : 'Withdraw the code'}</button></form>`;
}

function formOf({ refused }: OneElectorProps, form: 'replace' | 'withdraw') {
  const { entered = {}, errors = [] } = refused?.form === form ? refused : {};
  return { entered, ...inputsOf(WORDS, { entered, errors, prefix: `${form}-` }) };
}
