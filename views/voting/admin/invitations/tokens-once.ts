import { type Html, html } from '#kernel/html.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { crumbsTo, inMeeting, navOf, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { adminPath, calledOf, type Named, sectionPath } from '#views/voting/words.ts';

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
    title: `${counted(count, 'new voting code')}`,
    eyebrow: batch_name === null ? 'Unnamed batch' : `Batch “${batch_name}”`,
    lede: election.title,
    crumbs: crumbsTo(election.meeting, { href: adminPath(election), label: `This ${calledOf(election)}` }),
  })}
${inMeeting(
  election.meeting,
  html`${notice(
    'attention',
    html`<p>They are not stored. Once you leave this page nobody can show them again, not even
an officer: download, print or copy them first. Each lets one person vote once, so hand
each to one person only.</p>`,
    'Shown only now',
  )}
<div class="toolbar keep" data-once>
<form method="post" action="${adminPath(election, 'tokens/csv')}" data-keeps>${hiddenInputs({
    tokens,
  })}<button class="button">Download as CSV</button></form>
<form method="post" action="${adminPath(election, 'tokens/print')}" target="_blank" data-keeps>${hiddenInputs(
    {
      tokens,
    },
  )}<button class="button button-quiet">Print voting slips<span class="visually-hidden"> (opens in a new tab)</span></button></form>
<p class="small soft" role="status" data-once-status></p>
</div>
${list(
  'links',
  'Voting links',
  'For mails: each opens the ballot at once.',
  links.map(({ url }) => url),
)}
${list('codes', 'Voting codes', 'For paper: voters type them at /vote, in any spelling.', tokens)}
<p><a class="button button-quiet" href="${sectionPath(election, 'tokens')}">Back to the ${calledOf(election)}</a></p>`,
)}`;
  return officerPage({
    title: `New voting codes: ${election.title}`,
    body,
    nav: navOf(election.meeting),
    viewer,
    scripts: ['admin/tokens-once.js'],
  });
}

function list(id: string, title: string, about: string, lines: readonly string[]): Html {
  return html`<section aria-labelledby="${id}-title"><div class="list-head"><div><h2 id="${id}-title">${title}</h2>
  <p class="small soft">${about}</p></div>
<button class="button button-quiet" type="button" data-copy="${id}" data-keeps hidden>Copy all<span class="visually-hidden"> ${title.toLowerCase()}</span></button></div>
<pre class="token-list" id="${id}" tabindex="0" aria-labelledby="${id}-title">${lines.join('\n')}</pre></section>
`;
}
