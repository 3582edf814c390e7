import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatNumber, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import { hidden, linkTo, strong } from '#views/components/slots.ts';
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
  const show = (filter: InviteFilter) => (inside: Words) =>
    html`<a href="${invitesPath(election, { filter })}">${inside}</a>`;
  const waiting = { queued, link: show('queued') };
  return notice(
    'danger',
    html`<p>${sentences([
      t('voting-admin.invitations.unsent', { unsent }),
      queued > 0 &&
        (mayInvite
          ? t('voting-admin.invitations.unsent_queued', waiting)
          : t('voting-admin.invitations.unsent_no_mail', waiting)),
      failed > 0 && t('voting-admin.invitations.unsent_failed', { failed, link: show('failed') }),
    ])}</p>`,
    t('voting-admin.invitations.invitations_sent', { unsent }),
  );
}

/** The state of the invitations, and the forms to invite people and to send other mails. */
export function invitationsSection(props: SharedProps, invitations: Invitations): Section {
  const closed = props.election.status === 'closed';
  const mayRun = mayDo(props, 'elections:run');
  return {
    id: 'invitations',
    title: t('voting-admin.invitations.invitations'),
    about: t('voting-admin.invitations.each_mail_voting_link_own'),
    work: html`${saidOfMailing(invitations)}
${mayRun && mailNotice(invitations, props)}
${total(invitations) > 0 ? figures(props, invitations) : !mayRun && html`<p>${t('voting-admin.invitations.invited_yet')}</p>`}
${
  mayRun &&
  whileMailReady(
    invitations.mailReady,
    html`${!closed && preparedForm(props, invitations)}${
      closed
        ? html`
    <p class="soft">${t('voting-admin.invitations.voting_closed_invited_any_more')}</p>`
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
    { label: t('voting-admin.invitations.sent'), value: formatNumber(sent) },
    { label: t('voting-admin.invitations.queued'), value: formatNumber(queued) },
    { label: t('voting-admin.invitations.failed'), value: formatNumber(failed) },
    ...(withSlip > 0 ? [{ label: t('voting-admin.invitations.slips'), value: formatNumber(withSlip) }] : []),
    ...(withdrawn > 0
      ? [{ label: t('voting-admin.invitations.withdrawn'), value: formatNumber(withdrawn) }]
      : []),
    { label: t('voting-admin.invitations.voted'), value: formatNumber(used) },
  ])}</div>
${
  queued > 0 &&
  election.status === 'scheduled' &&
  html`
<p>${goesOut == null ? t('voting-admin.invitations.queued_go_out_when_voting', { strong, queued }) : t('voting-admin.invitations.queued_go_out_themselves', { strong, queued, out: goesOut })}</p>`
}
<p>${t('voting-admin.invitations.all_invitations_search_see_who', { link: (inside) => html`<a class="link-alone" href="${invitesPath(election)}">${inside}</a>`, all })}</p>
${slipsNotice(election, invitations)}
${
  failed > 0 &&
  election.status === 'scheduled' &&
  notice(
    'attention',
    html`
<p>${t('voting-admin.invitations.invitations_delivered_see_which_why', { failed, link: linkTo(invitesPath(election, { filter: 'failed' })) })}</p>`,
  )
}`;
}

/** The notice about electors without an address: they vote with a printed slip. */
function slipsNotice(election: SharedProps['election'], { counts: { slips } }: Invitations): Html | null {
  const { to_print, printed, used } = slips;
  const unused = to_print + printed;
  if (unused === 0 || election.status === 'closed') return null;
  const states = commas([
    printed > 0 && t('voting-admin.invitations.printed_used', { printed }),
    used > 0 && t('voting-admin.invitations.used', { used }),
  ]);
  return notice(
    to_print > 0 ? 'attention' : 'info',
    html`<p>${t('voting-admin.invitations.vote_printed_slip_which_name')}${states && html` ${t('voting-admin.invitations.slip_others', { states })}`}</p>
<form method="post" action="${adminPath(election, 'invites/slips')}" target="_blank"><button class="button button-quiet">${
      to_print === 0
        ? t('voting-admin.invitations.print_again', { unused, hidden })
        : t('voting-admin.invitations.print_slips', { unused, hidden })
    }</button></form>`,
    to_print > 0
      ? t('voting-admin.invitations.slips_print', { print: to_print })
      : t('voting-admin.invitations.slips_printed_used_yet', { printed }),
  );
}

/** The button that invites the electors that were taken over from another election. */
function preparedForm({ election }: SharedProps, { counts, mailReady }: Invitations): Html | null {
  const { prepared } = counts;
  if (prepared === 0) return null;
  return html`<form method="post" action="${adminPath(election, 'invite/prepared')}">
  <p>${t('voting-admin.invitations.electors_taken_over_election_before', { strong, prepared })} ${
    election.status === 'scheduled'
      ? t('voting-admin.invitations.mails_go_out_when_voting')
      : t('voting-admin.invitations.mails_go_out_once')
  }</p>
<button class="button button-quiet"${off(mailReady)}>${t('voting-admin.invitations.invite_count', { prepared })}</button></form>`;
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
    when: t('voting-admin.invitations.go_out_ticked_go_now', { opens: times.opens }),
  })
}
${batchNameField(shared)}
<p class="hint">${t('voting-admin.invitations.nothing_sent_yet_next_page')}</p>
<button class="button button-quiet"${off(mailReady)}>${t('voting-admin.invitations.check_before_sending')}</button></form>`;
  return html`<details class="invite-form"${((fresh && mailReady) || entered !== undefined) && html` open`}>
  <summary>${t('voting-admin.invitations.invite_people')}</summary><div class="fold">${form}</div></details>`;
}

function off(mailReady: boolean): Html | null {
  return mailReady ? null : html` disabled`;
}
