import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import {
  backTo,
  crumbsTo,
  inMeeting,
  navOf,
  type OfficerProps,
  officerPage,
  thisOne,
} from '#views/voting/admin/frame.ts';
import { adminPath, type Named, sectionPath } from '#views/voting/words.ts';

/** The data of the page with new tokens. */
export interface TokensOnceProps extends OfficerProps {
  election: Named;
  batch_name: string | null;
  count: number;
  /** Each with its full voting link. */
  links: readonly { token: string; url: string }[];
}

/** The only page that shows new tokens, with the buttons to download, print and copy them. */
export function tokensOncePage({ election, batch_name, count, links, viewer }: TokensOnceProps): Html {
  const tokens = links.map(({ token }) => token);
  const body = html`${pageHeader({
    title: t('voting-admin.tokens_once.new_codes_counted', { new: count }),
    eyebrow:
      batch_name === null
        ? t('voting-admin.tokens_once.unnamed_batch')
        : t('voting-admin.tokens_once.batch', { batch: batch_name }),
    lede: election.title,
    crumbs: crumbsTo(election.meeting, {
      href: adminPath(election),
      label: thisOne(election),
    }),
  })}
${inMeeting(
  election.meeting,
  html`${notice(
    'attention',
    html`<p>${t('voting-admin.tokens_once.stored_once_leave_page_show')}</p>`,
    t('voting-admin.tokens_once.shown_only_now'),
  )}
<div class="toolbar keep" data-once>
<form method="post" action="${adminPath(election, 'tokens/csv')}" data-keeps>${hiddenInputs({
    tokens,
  })}<button class="button">${t('voting-admin.tokens_once.download_csv')}</button></form>
<form method="post" action="${adminPath(election, 'tokens/print')}" target="_blank" data-keeps>${hiddenInputs(
    {
      tokens,
    },
  )}<button class="button button-quiet">${t('voting-admin.tokens_once.print_voting_slips_opens_new', { hidden })}</button></form>
<p class="small soft" role="status" data-once-status></p>
</div>
${list(
  'links',
  t('voting-admin.tokens_once.voting_links'),
  t('voting-admin.tokens_once.mails_each_opens_ballot_once'),
  links.map(({ url }) => url),
)}
${list('codes', t('voting-admin.tokens_once.voting_codes'), t('voting-admin.tokens_once.paper_voters_type_vote_any'), tokens)}
<p><a class="button button-quiet" href="${sectionPath(election, 'tokens')}">${backTo(election)}</a></p>`,
)}`;
  return officerPage({
    title: t('voting-admin.tokens_once.document_title', { title: election.title }),
    body,
    nav: navOf(election.meeting),
    viewer,
    scripts: ['admin/tokens-once.js'],
  });
}

function list(id: 'links' | 'codes', title: Words, about: Words, lines: readonly string[]): Html {
  return html`<section aria-labelledby="${id}-title"><div class="list-head"><div><h2 id="${id}-title">${title}</h2>
  <p class="small soft">${about}</p></div>
<button class="button button-quiet" type="button" data-copy="${id}" data-keeps hidden>${t('voting-admin.tokens_once.copy_all', { hidden, what: id === 'links' ? 'links' : 'other' })}</button></div>
<pre class="token-list" id="${id}" tabindex="0" aria-labelledby="${id}-title">${lines.join('\n')}</pre></section>
`;
}
