import { type Html, html } from '#kernel/html.ts';
import { copyField } from '#views/components/codes.ts';
import { icon } from '#views/components/icons.ts';
import { page } from '#views/layout.ts';
import { coversChoice } from '#voting/elections/settings.ts';
import { formatCode } from '#voting/shared/receipts.ts';
import { type SecrecySettings, secrecyLimits, secrecyWords } from './words.ts';

/** The data of the page after a ballot was cast. */
export interface ConfirmationProps {
  election: { id: string; title: string; settings: SecrecySettings };
  /** Whether fewer than five voting codes were made. */
  few: boolean;
  /** A sentence on when results appear: `Results appear when voting closes: …`. */
  resultsWhen: string;
  /** Shown only here, and only once. */
  inclusionCode?: string | null | undefined;
}

/** Says what happened, what nobody can see, and what comes next. */
export function confirmationPage({ election, few, resultsWhen, inclusionCode }: ConfirmationProps): Html {
  const body = html`<div class="thanks"><p class="thanks-sign">${icon('check')}</p>
<h1 tabindex="-1">Your vote has been recorded.</h1><p class="lede">${election.title}</p></div>
<h2>What happened</h2><p>Your ballot is in the box, and your link has been used up. There is nothing more to do.</p>
${typeof inclusionCode === 'string' && codePart(election, inclusionCode)}
<h2>What is stored</h2><p>${[secrecyWords(election.settings), ...secrecyLimits({ ...election, few })].join(' ')}</p>
<h2>What comes next</h2><p>${resultsWhen}</p>
<p><a class="button button-quiet" href="/e/${election.id}">To the election’s page</a></p>`;
  return page({ title: 'Your vote has been recorded', body, scripts: ['base/copy.js'] });
}

function codePart({ id, settings }: ConfirmationProps['election'], code: string): Html {
  const covers = coversChoice(settings);
  return html`<section class="card" aria-labelledby="code-heading"><h2 id="code-heading">Your code: keep it now</h2>
<p><strong>This is shown only now.</strong> Copy it or write it down before you leave this page.</p>
${copyField({ id: 'inclusion-code', value: formatCode(code), label: 'your code' })}
<p>After the close you can <a href="/e/${id}/check">check with it</a> that your ballot is in the box${covers && ' as you cast it'}. ${covers ? 'Keep the code to yourself: whoever has it can find out how you voted.' : 'The list there shows no choices. Keep the code to yourself all the same: whoever runs this website could find your ballot with it.'}</p></section>`;
}
