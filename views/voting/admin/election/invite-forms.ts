import { type Html, html } from '#kernel/html.ts';
import { isTicked } from '#views/voting/admin/entered.ts';
import { tickBox } from '#views/voting/admin/fields.ts';
import {
  batchNameField,
  modeChoice,
  queueBox,
  recipientFields,
} from '#views/voting/admin/invitations/invite-fields.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import { count, counted } from '#views/voting/words.ts';
import { type ElectionDesk, problemOf } from './desk.ts';
import type { Invitations } from './invitations.ts';

/** Whom to invite. It leads to a page that shows everything before anything is sent. */
export function inviteForm(desk: ElectionDesk, { lists, counts, mailReady }: Invitations): Html {
  const { election, times } = desk;
  const { errors, entered = desk.inviting } = problemOf(desk, 'invite');
  const shared = { entered: entered ?? {}, errors, prefix: 'invite-' };
  const fresh = counts.queued + counts.sent + counts.failed === 0;
  const form = html`<form method="post" action="${deskPath(election.id, 'invite/check')}">
${recipientFields({ ...shared, lists })}
${modeChoice({ ...shared, fallback: election.invite_mode ?? 'individual' })}
${election.status === 'scheduled' && queueBox({ ...shared, when: `They go out ${times.opens}. Not ticked, they go now and say when voting opens.` })}
${batchNameField(shared)}
<p class="hint">Nothing is sent yet: the next page shows who gets what.</p>
<button class="button button-quiet"${off(mailReady)}>Check before sending</button></form>`;
  return html`<details class="invite-form"${((fresh && mailReady) || entered !== undefined) && html` open`}><summary>Invite people</summary><div class="fold">${form}</div></details>`;
}

/** Mails to many: reminders while voting is open, the result once it is out. */
export function massMails(desk: ElectionDesk, invitations: Invitations): Html {
  return html`${desk.election.status === 'open' && reminders(desk, invitations)}${
    desk.election.status === 'closed' && desk.publication.results_visible && resultMail(desk, invitations)
  }`;
}

function reminders(desk: ElectionDesk, { counts: { notVoted }, mailReady }: Invitations): Html | null {
  if (notVoted === 0) return null;
  const { entered } = problemOf(desk, 'reminders');
  return html`<details${entered && html` open`}><summary>Remind all who have not voted (${count(notVoted)})</summary><div class="fold">
<p>${counted(notVoted, 'person has', 'people have')} a link and ${notVoted === 1 ? 'has' : 'have'} not used it. Each gets the same link once more, and the deadline: ${desk.times.closes}.</p>
<form method="post" action="${deskPath(desk.election.id, 'reminders/send')}">
<div class="choices choices-plain">${tickBox({ name: 'force', id: 'reminders-force', label: 'Also those who had a mail in the last 24 hours', note: 'Without this they are left in peace.', checked: isTicked(entered ?? {}, 'force') })}</div>
<button class="button button-quiet"${off(mailReady)}>Send the reminders</button></form></div></details>`;
}

function resultMail(desk: ElectionDesk, { counts, mailReady }: Invitations): Html | null {
  const { queued, sent, failed } = counts;
  const invited = queued + sent + failed;
  if (invited === 0) return null;
  return html`<details><summary>Mail the result</summary><div class="fold">
<p>Everyone who was invited gets it, whether they voted or not: ${counted(invited, 'person', 'people')}. The mail says the outcome in a sentence and links to the result.</p>
<form method="post" action="${deskPath(desk.election.id, 'results-email')}"><button class="button button-quiet"${off(mailReady)}>Mail the result to ${counted(invited, 'person', 'people')}</button></form></div></details>`;
}

function off(mailReady: boolean): Html | null {
  return mailReady ? null : html` disabled`;
}
