import { type Html, html } from '#kernel/html.ts';
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
  error?: string | undefined;
  /** The address that was sent; the page does not say whether a mail was sent to it. */
  sent?: string | undefined;
}): Html {
  const body = html`${errorSummary(error === undefined ? [] : [{ path: 'email', message: error }])}
${pageHeader({
  title: 'Mail me my ballot link',
  lede: 'You were invited to vote and cannot find the mail? We send it again.',
  crumbs: [{ href: '/', label: 'All elections' }],
})}
${
  sent !== undefined &&
  html`<div role="status">${notice(
    'info',
    html`<p>If <strong>${sent}</strong> has a ballot, a mail is on its way.
  Look in the spam folder too. It comes once in ten minutes at most.</p>`,
    'Check your mail',
  )}</div>`
}
<form class="card" method="post" action="/vote/my-elections">
${field({
  name: 'email',
  label: 'E-mail address',
  hint: 'The one that the club writes to.',
  type: 'email',
  value: email,
  autocomplete: 'email',
  spellcheck: false,
  maxlength: 254,
  error,
})}
<div class="actions"><button class="button button-large">Mail me my link</button></div></form>
<p class="small soft">We do not tell anybody who was invited: the answer is the same for every address.</p>`;
  return page({ title: 'Mail me my ballot link', body });
}
