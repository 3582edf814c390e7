import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { statFigures } from '#views/components/structure.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import {
  batchNameField,
  mailNotice,
  modeChoice,
  queueBox,
  recipientFields,
  whileMailReady,
} from '#views/voting/admin/invitations/invite-fields.ts';
import { invitesPath } from '#views/voting/admin/invitations/invites-path.ts';
import { adminPath } from '#views/voting/words.ts';
import type { InviteFilter } from '#voting/invitations/invite-search.ts';
import { formOf, type Section } from './forms.ts';
import { mailingHistory, massMails, saidOfMailing } from './mass-mails.ts';
import type { Invitations, SharedProps } from './props.ts';

/** The warning at the top of the page while voting is open and some invitations have not been sent. */
export function unsentNotice({ election, unsent: counts, mayInvite }: SharedProps): Html | null {
  const { queued, failed } = counts ?? { queued: 0, failed: 0 };
  const unsent = queued + failed;
  if (unsent === 0) return null;
  const show = (filter: InviteFilter, words: string) =>
    html`<a href="${invitesPath(election, { filter })}">${words}</a>`;
  return notice(
    'danger',
    html`<p>Voting is open, and ${unsent === 1 ? 'this person has' : 'these people have'} no link.
${
  queued > 0 &&
  html`${show('queued', `${count(queued)} queued`)}: the service
sends ${queued === 1 ? 'it' : 'them'}${
    mayInvite
      ? '; if this does not change within minutes, see whether mail works.'
      : ', but no mail can be sent now.'
  }`
}
${failed > 0 && html`${show('failed', `${count(failed)} failed`)}: try again, or print a slip for each.`}</p>`,
    `${counted(unsent, 'invitation')} ${unsent === 1 ? 'has' : 'have'} not been sent`,
  );
}

/** The state of the invitations, and the forms to invite people and to send other mails. */
export function invitationsSection(props: SharedProps, invitations: Invitations): Section {
  const closed = props.election.status === 'closed';
  const mayRun = mayDo(props, 'elections:run');
  return {
    id: 'invitations',
    title: 'Invitations',
    about:
      'Each is a mail with a voting link of its own. You see whether a link was used, never what for: the ' +
      'ballot is kept apart from it.',
    work: html`${saidOfMailing(invitations)}
${mayRun && mailNotice(invitations, props)}
${total(invitations) > 0 ? figures(props, invitations) : !mayRun && html`<p>Nobody has been invited yet.</p>`}
${
  mayRun &&
  whileMailReady(
    invitations.mailReady,
    html`${!closed && preparedForm(props, invitations)}${
      closed
        ? html`
    <p class="soft">Voting has closed, so nobody can be invited
    any more.</p>`
        : inviteForm(props, invitations)
    }${massMails(props, invitations)}`,
  )
}
${mailingHistory(invitations.mailings)}`,
  };
}

/** Everybody in the list of invitations. */
function total({ counts: { prepared, queued, sent, failed, slips, withdrawn } }: Invitations): number {
  return prepared + queued + sent + failed + slips.to_print + slips.printed + slips.used + withdrawn;
}

function figures({ election }: SharedProps, invitations: Invitations): Html {
  const { counts, goesOut } = invitations;
  const { queued, sent, failed, used, slips, withdrawn } = counts;
  const withSlip = slips.to_print + slips.printed + slips.used;
  const all = total(invitations);
  return html`<div class="invite-figures">${statFigures([
    { label: 'Sent', value: count(sent) },
    { label: 'Queued', value: count(queued) },
    { label: 'Failed', value: count(failed) },
    ...(withSlip > 0 ? [{ label: 'Slips', value: count(withSlip) }] : []),
    ...(withdrawn > 0 ? [{ label: 'Withdrawn', value: count(withdrawn) }] : []),
    { label: 'Have voted', value: count(used) },
  ])}</div>
${
  queued > 0 &&
  election.status === 'scheduled' &&
  html`
<p><strong>Queued: ${count(queued)}.</strong> ${
    queued === 1 ? 'It goes' : 'They go'
  } out ${goesOut ?? 'when voting opens'}, by ${queued === 1 ? 'itself' : 'themselves'}.</p>`
}
<p><a class="link-alone" href="${invitesPath(election)}">${
    all === 1 ? 'The invitation' : `All ${count(all)} invitations`
  }</a>: search, see who was reached, send again, replace or withdraw a code.</p>
${slipsNotice(election, invitations)}
${
  failed > 0 &&
  election.status === 'scheduled' &&
  notice(
    'attention',
    html`
<p>${counted(failed, 'invitation')} could not be
delivered. <a href="${invitesPath(election, { filter: 'failed' })}">See which and why</a></p>`,
  )
}`;
}

/** The notice about electors without an address: they vote with a printed slip. */
function slipsNotice(election: SharedProps['election'], { counts: { slips } }: Invitations): Html | null {
  const { to_print, printed, used } = slips;
  const unused = to_print + printed;
  if (unused === 0 || election.status === 'closed') return null;
  const states = [
    ...(printed > 0 ? [`${count(printed)} printed and not used`] : []),
    ...(used > 0 ? [`${count(used)} used`] : []),
  ];
  return notice(
    to_print > 0 ? 'attention' : 'info',
    html`<p>They vote with a printed slip, which has their name on it. A slip can be printed again
    until it is used.${states.length > 0 && ` Others: ${states.join(', ')}.`}</p>
<form method="post" action="${adminPath(election, 'invites/slips')}" target="_blank"><button class="button button-quiet">${
      to_print === 0 ? 'Print again: ' : 'Print '
    }${counted(unused, 'slip')}<span class="visually-hidden"> (opens in a new tab)</span></button></form>`,
    to_print > 0
      ? `${counted(to_print, 'slip')} to print`
      : `${counted(printed, 'slip')} printed, not used yet`,
  );
}

/** The button that invites the electors that were taken over from another election. */
function preparedForm({ election }: SharedProps, { counts, mailReady }: Invitations): Html | null {
  const { prepared } = counts;
  if (prepared === 0) return null;
  return html`<form method="post" action="${adminPath(election, 'invite/prepared')}">
  <p><strong>${counted(prepared, 'elector was', 'electors were')} taken over from the election before.</strong> Nobody
  of them was mailed yet. ${
    election.status === 'scheduled' ? 'Their mails go out when voting opens.' : 'Their mails go out at once.'
  }</p>
<button class="button button-quiet"${off(mailReady)}>Invite ${counted(prepared, 'person', 'people')}</button></form>`;
}

/** The form to invite people. It leads to a page that shows everything before anything is sent. */
function inviteForm(props: SharedProps, invitations: Invitations): Html {
  const { lists, roll, mailReady } = invitations;
  const { election, times } = props;
  const { errors, prefix, entered = invitations.entered } = formOf(props, 'invite');
  const shared = { entered: entered ?? {}, errors, prefix };
  const fresh = total(invitations) === 0;
  const form = html`<form method="post" action="${adminPath(election, 'invite/check')}">
${recipientFields({ ...shared, lists, roll })}
${modeChoice({ ...shared, fallback: election.invite_mode ?? 'individual', isPaper: election.isPaper })}
${
  election.status === 'scheduled' &&
  queueBox({
    ...shared,
    when: `They go out ${times.opens}. Not ticked, they go now and say when voting opens.`,
  })
}
${batchNameField(shared)}
<p class="hint">Nothing is sent yet: the next page shows who gets what.</p>
<button class="button button-quiet"${off(mailReady)}>Check before sending</button></form>`;
  return html`<details class="invite-form"${((fresh && mailReady) || entered !== undefined) && html` open`}>
  <summary>Invite people</summary><div class="fold">${form}</div></details>`;
}

function off(mailReady: boolean): Html | null {
  return mailReady ? null : html` disabled`;
}
