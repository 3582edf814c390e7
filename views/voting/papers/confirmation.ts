import { type Html, html } from '#kernel/html.ts';
import { icon } from '#views/components/icons.ts';
import { counted } from '#views/components/numbers.ts';
import { page } from '#views/layout.ts';
import type { SecrecyProps } from '#views/voting/ballot-frame.ts';
import { codePart, otherBallots } from '#views/voting/confirmation.ts';
import { secrecyLimits, secrecyWords } from '#views/voting/words.ts';
import type { OtherBallots } from '#voting/invitations/own-list.ts';
import { paperBallotPath, paperPath, type ShownPaper } from './ballot.ts';

/** The data of the page after ballots of a paper were cast. */
export interface PaperConfirmationProps extends SecrecyProps {
  /** The code of the paper. */
  token: string;
  paper: ShownPaper;
  /** How many ballots were cast just now, and how many questions wait for this code. */
  cast: number;
  waiting: number;
  /** The other ballots of the list that the voter came from; undefined without such a list. */
  others?: OtherBallots | undefined;
  /** Shown only here, and only once. */
  inclusionCode?: string | undefined;
  /** Whether the code covers the choices. */
  covers: boolean;
  /** The meeting that it is the paper of. */
  meeting?: string | undefined;
}

/** Says what happened, how many questions wait, and what comes next. */
export function paperConfirmationPage(props: PaperConfirmationProps): Html {
  const { paper, election, few, cast, waiting, inclusionCode, others, token, covers, meeting } = props;
  const path = paperPath(paper);
  const title = cast === 1 ? 'Your vote has been recorded.' : 'Your votes have been recorded.';
  const body = html`<div class="thanks"><p class="thanks-sign">${icon('check')}</p>
<h1 tabindex="-1">${title}</h1><p class="lede">${paper.title}</p></div>
${
  meeting !== undefined &&
  html`<p>Please wait: the meeting goes on there.</p><p><a class="button button-large" href="/m/${meeting}">Back to the meeting</a></p>`
}
<h2>What happened</h2><p>${counted(cast, 'ballot is in its box', 'ballots are in their boxes')}.</p>
${
  waiting > 0 &&
  html`<p><strong>${counted(waiting, 'question waits', 'questions wait')} for you.</strong> Your code stays good for
${waiting === 1 ? 'it' : 'them'} until voting closes.</p>
<p><a class="button button-large" href="${paperBallotPath(paper, token)}">Vote on the rest</a></p>`
}
${inclusionCode !== undefined && codePart({ path, covers }, inclusionCode)}
<h2>What is stored</h2>
<p>${[secrecyWords(election.settings, election.candidates), ...secrecyLimits({ ...election, few })].join(' ')}
Nothing that is stored connects your ballots with each other.</p>
<h2>What comes next</h2>${others && otherBallots(others)}<p>The page of the ballot paper shows the result of each question as soon
as it is public.</p>
<p><a class="button button-quiet" href="${path}">To the page of the ballot paper</a></p>`;
  return page({ title, body, scripts: ['base/copy.js'] });
}
