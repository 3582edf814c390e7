import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { field } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** The page where a member requests the link to their elections again. */
export function ownLinkPage({
  email = '',
  error,
  sent,
}: {
  email?: string;
  error?: Words | string | undefined;
  /** The address that was sent; the page does not say whether a mail was sent to it. */
  sent?: string | undefined;
}): Html {
  const body = html`${errorSummary(error === undefined ? [] : [{ path: 'email', message: error }])}
${pageHeader({
  title: t('voting.own_link.mail_me_my_ballot_link'),
  lede: t('voting.own_link.invited_vote_cannot_find_mail'),
  crumbs: [{ href: '/', label: t('voting.own_link.all_elections') }],
})}
${
  sent !== undefined &&
  html`<div role="status">${notice(
    'info',
    html`<p>${t('voting.own_link.ballot_mail_way_look_spam', { sent: html`<strong>${sent}</strong>` })}</p>`,
    t('voting.own_link.check_mail'),
  )}</div>`
}
<form class="card" method="post" action="/vote/my-elections">
${field({
  name: 'email',
  label: t('voting.own_link.e_mail_address'),
  hint: t('voting.own_link.club_writes'),
  type: 'email',
  value: email,
  autocomplete: 'email',
  spellcheck: false,
  maxlength: 254,
  error,
})}
<div class="actions"><button class="button button-large">${t('voting.own_link.mail_me_my_link')}</button></div></form>
<p class="small soft">${t('voting.own_link.tell_anybody_who_invited_answer')}</p>`;
  return page({ title: t('voting.own_link.mail_me_my_ballot_link'), body });
}
