import { type Html, html } from '#kernel/html.ts';
import { copyField } from '#views/components/codes.ts';
import { icon } from '#views/components/icons.ts';
import { count } from '#views/components/numbers.ts';
import { page } from '#views/layout.ts';
import { secrecyLimits, secrecyWords } from '#views/voting/words.ts';
import type { SecrecySettings } from '#voting/ballots/secrecy.ts';
import { coversChoice } from '#voting/election-settings.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import type { OtherBallots } from '#voting/invitations/own-list.ts';
import { formatCode } from '#voting/shared/receipts.ts';

/** The data of the page after a ballot was cast. */
export interface ConfirmationProps {
  election: Pick<ElectionJson, 'id' | 'title' | 'candidates' | 'paper_id'> & { settings: SecrecySettings };
  /** Whether fewer than five voting codes were made. */
  few: boolean;
  /** A sentence on when results appear: `Results appear when voting closes: …`. */
  resultsWhen: string;
  /** Whether the voter has a code to type, from a slip; otherwise it was a link. */
  typed?: boolean | undefined;
  /** The other ballots of the list that the voter came from; undefined without such a list. */
  others?: OtherBallots | undefined;
  /** Shown only here, and only once. */
  inclusionCode?: string | null | undefined;
}

/** Says what happened, what nobody can see, and what comes next. */
export function confirmationPage(props: ConfirmationProps): Html {
  const { election, few, resultsWhen, inclusionCode, typed, others } = props;
  const body = html`<div class="thanks"><p class="thanks-sign">${icon('check')}</p>
<h1 tabindex="-1">Your vote has been recorded.</h1><p class="lede">${election.title}</p></div>
<h2>What happened</h2><p>This ballot is done. It is in the box${
    election.paper_id === undefined && `, and your ${typed ? 'code' : 'link'} has been used`
  }.</p>
${typeof inclusionCode === 'string' && codePart({ path: `/e/${election.id}`, covers: coversChoice(election.settings) }, inclusionCode)}
<h2>What is stored</h2>
<p>${[secrecyWords(election), ...secrecyLimits({ election, few })].join(' ')}</p>
<h2>What comes next</h2>${others && otherBallots(others)}<p>${resultsWhen}</p>
<p><a class="button button-quiet" href="/e/${election.id}">To the election’s page</a></p>`;
  return page({ title: 'Your vote has been recorded', body, scripts: ['base/copy.js'] });
}

/** What else waits for a voter who came from the list of their own elections. */
export function otherBallots({ waiting, next, list, label = 'My elections' }: OtherBallots): Html {
  if (waiting === null)
    return html`<p><a class="button button-large" href="${list}">See what else waits for you</a></p>`;
  const back = html`<a class="button button-quiet" href="${list}">${label}</a>`;
  if (next === null || waiting === 0) return html`<p>No other ballot waits for you now.</p><p>${back}</p>`;
  return html`<p><strong>${
    waiting === 1 ? '1 more ballot waits for you.' : `${count(waiting)} more ballots wait for you.`
  }</strong></p>
<p class="toolbar"><a class="button button-large" href="${next}">Next ballot</a> ${back}</p>`;
}

/** The inclusion code of a ballot or of a paper, at whose `path` it can be checked. */
export function codePart({ path, covers }: { path: string; covers: boolean }, code: string): Html {
  return html`<section class="card" aria-labelledby="code-heading"><h2 id="code-heading">Your code: keep it now</h2>
<p><strong>This is shown only now.</strong> Copy it or write it down before you leave this page.</p>
${copyField({ id: 'inclusion-code', value: formatCode(code), label: 'your code' })}
<p>After the close you can <a href="${path}/check">check with it</a> that
your ballot is in the box${covers && ' as you cast it'}. ${
    covers
      ? 'Keep the code to yourself: anyone who has it can find out how you voted.'
      : 'The list there shows no choices. Keep the code to yourself all the same: the administrators of this website ' +
        'could find your ballot with it.'
  }</p></section>`;
}
