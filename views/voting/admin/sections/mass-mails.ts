import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import { disclosure } from '#views/components/structure.ts';
import { mailingSentence, mailingTable, type ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import { adminPath } from '#views/voting/words.ts';
import { formOf } from './forms.ts';
import type { Invitations, SharedProps } from './props.ts';

/** The mailings that are shown; older ones are collapsed. */
const SHOWN = 5;

/** The outcome of what was just requested. */
export function saidOfMailing({ said, counts }: Invitations): Html | null {
  if (!said) return null;
  const [kind, sentence] =
    'mailing' in said
      ? [isWhole(said.mailing) ? 'success' : 'attention', mailingSentence(said.mailing)]
      : ['info', nobody(said.nobody, counts.notVoted)];
  const more =
    'mailing' in said &&
    html` <a href="/admin/mailings/${said.mailing.id}">${
      said.mailing.finished
        ? t('voting-admin.mass_mails.see_each_mail')
        : t('voting-admin.mass_mails.see_how_far')
    }</a>`;
  return html`<div id="mailed" role="status" tabindex="-1">${notice(
    kind as 'success' | 'attention' | 'info',
    html`
  <p>${sentence}${more}</p>`,
  )}</div>`;
}

const isWhole = ({ finished, failed, unsure, note }: ShownMailing): boolean =>
  finished && failed === 0 && unsure === 0 && note === null;

function nobody(kind: 'reminders' | 'results', notVoted: number): Words {
  if (kind === 'results') return t('voting-admin.mass_mails.mailed_everybody_who_invited_result');
  if (notVoted === 0) return t('voting-admin.mass_mails.reminded_everybody_who_reached_voted');
  if (notVoted === 1) return t('voting-admin.mass_mails.reminded_who_voted_mail_within');
  return t('voting-admin.mass_mails.nobody_reminded_all_had_mail', { voted: notVoted });
}

/** Mails to many: reminders while voting is open, the result once it is out. */
export function massMails(props: SharedProps, invitations: Invitations): Html {
  return html`${props.election.status === 'open' && reminders(props, invitations)}${
    props.election.status === 'closed' && props.publication.results_visible && resultMail(props, invitations)
  }`;
}

/** All mailings of the election, the newest first. */
export function mailingHistory(mailings: readonly ShownMailing[]): Html | null {
  if (mailings.length === 0) return null;
  const earlier = mailings.slice(SHOWN);
  return html`${mailingTable(mailings.slice(0, SHOWN))}
${earlier.length > 0 && disclosure(t('voting-admin.mass_mails.earlier_mailings', { earlier: earlier.length }), mailingTable(earlier))}`;
}

const newest = ({ mailings }: Invitations, kind: ShownMailing['kind']): ShownMailing | undefined =>
  mailings.find((mailing) => mailing.kind === kind);

/** The newest mailing that the page knows of, so that a double click sends only one mailing. */
const afterInput = (mailing: ShownMailing | undefined): Html =>
  html`<input type="hidden" name="after" value="${mailing?.id ?? ''}">`;

const off = (mailReady: boolean): Html | null => (mailReady ? null : html` disabled`);

function reminders(props: SharedProps, invitations: Invitations): Html | null {
  const {
    counts: { notVoted },
    mailReady,
  } = invitations;
  if (notVoted === 0) return null;
  const { entered, tick } = formOf(props, 'reminders');
  const last = newest(invitations, 'reminders');
  return html`<details${entered && html` open`}>
  <summary>${t('voting-admin.mass_mails.remind_all_who_voted', { voted: notVoted })}</summary><div class="fold">
<p>${t('voting-admin.mass_mails.people_link_used_each_gets', { voted: notVoted, closes: props.times.closes })}</p>
${last && html`<p class="soft">${mailingSentence(last)}</p>`}
<form method="post" action="${adminPath(props.election, 'reminders/send')}">${afterInput(last)}
<div class="choices choices-plain">${tick('force')}</div>
<button class="button button-quiet"${off(mailReady)}>${t('voting-admin.mass_mails.send_reminders')}</button></form></div></details>`;
}

function resultMail(props: SharedProps, invitations: Invitations): Html | null {
  const { resultMails: invited, mailReady } = invitations;
  if (invited === 0) return null;
  const path = adminPath(props.election, 'results-email');
  const last = newest(invitations, 'results');
  if (last)
    return html`<p><strong>${mailingSentence(last)}</strong> <a href="${path}">${
      last.failed > 0
        ? t('voting-admin.mass_mails.send_those_who_again')
        : t('voting-admin.mass_mails.send_again')
    }</a></p>`;
  return html`<details><summary>${t('voting-admin.mass_mails.mail_result')}</summary><div class="fold">
<p>${t('voting-admin.mass_mails.everyone_who_invited_address_gets', { invited })}</p>
<form method="post" action="${path}">${afterInput(last)}<button class="button button-quiet"${off(mailReady)}>${t('voting-admin.mass_mails.mail_result_people', { invited })}</button></form></div></details>`;
}
