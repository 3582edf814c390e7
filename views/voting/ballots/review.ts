import { type Html, html } from '#kernel/html.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { choiceInWords } from '#views/voting/ballot-types.ts';
import { type Choices, handlingOf, type LeftBlank } from '#voting/ballots/ballot-types.ts';
import type { BallotType, ElectionJson } from '#voting/elections/elections.ts';
import { type BallotFrameProps, ballotSecrets, limits, secrecy } from './ballot-frame.ts';
import { byteLength, equalInputs, filledTo, formLength } from './equal-length.ts';

type Choice = Choices[BallotType] | LeftBlank;

/** The data of the review page. */
export interface ReviewProps extends Omit<BallotFrameProps, 'errors'> {
  election: BallotFrameProps['election'] & Pick<ElectionJson, 'ballot_type'>;
  choice: Choice;
  /** Choices of which one is at least as long as any ballot of this election. */
  longest: readonly Choice[];
  /** The address that casts the ballot: `/e/:id/vote` or `/e/:id/vote/poll`. */
  action: string;
}

/** The review page: the choice in words, the warning that it is final, and buttons to cast it or to change it. */
export function reviewPage(props: ReviewProps): Html {
  const { election, choice, action, closes } = props;
  const { choiceFields } = handlingOf(election.ballot_type);
  const said = (one: Choice) => choiceInWords(election.ballot_type, one);
  const bodyLength = Math.max(...props.longest.map((one) => formLength(choiceFields(one))));
  const inputsOf = (one: Choice) => equalInputs(bodyLength, choiceFields(one));
  // The choice is on the page once in words, and in both forms.
  const lengthOf = (one: Choice) => byteLength(said(one), inputsOf(one), inputsOf(one));
  const missing = Math.max(...props.longest.map(lengthOf)) - lengthOf(choice);
  const words = said(choice);
  const secrets = html`${ballotSecrets(props)}${inputsOf(choice)}`;
  const body = html`${pageHeader({ title: 'Is this your vote?', eyebrow: 'Last look', lede: election.title })}
<div class="card review">${filledTo(byteLength(words) + missing, words)}</div>
${notice(
  'attention',
  'Once it is cast it cannot be changed or taken back, and nobody can look it up for you.',
  'A ballot is cast once',
)}
${limits(props)}
<div class="actions">
<form method="post" action="${action}" data-cast data-after="/e/${election.id}">${secrets}<button class="button button-large">Cast my vote</button></form>
<form method="post" action="/e/${election.id}/vote/review">${secrets}${hiddenInputs({
    step: 'edit',
    shown_order: props.shownOrder,
  })}<button class="button button-quiet button-large">Change my answer</button></form>
</div>
<div class="cast-status" role="status" data-cast-status></div>
<div class="panel"><p>Voting closes <strong>${closes}</strong>.</p>${secrecy(props)}</div>`;
  return page({ title: `Review: ${election.title}`, body, scripts: ['voting/cast.js', 'base/copy.js'] });
}
