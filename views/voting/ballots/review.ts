import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Reader } from '#kernel/language/words.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { choiceInWords } from '#views/voting/ballot-types.ts';
import { type Choices, handlingOf, type LeftBlank } from '#voting/ballots/ballot-types.ts';
import type { BallotType, ElectionJson } from '#voting/elections/elections.ts';
import { type BallotFrameProps, ballotSecrets, limits, secrecy } from './ballot-frame.ts';
import { byteLength, equalInputs, filledUp, formLength } from './equal-length.ts';

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
  const lengthFor = (reader: Reader, one: Choice) =>
    byteLength(reader, said(one), inputsOf(one), inputsOf(one));
  const missing = (reader: Reader) =>
    Math.max(...props.longest.map((one) => lengthFor(reader, one))) - lengthFor(reader, choice);
  const secrets = html`${ballotSecrets(props)}${inputsOf(choice)}`;
  const body = html`${pageHeader({ title: t('voting.review.vote'), eyebrow: t('voting.review.last_look'), lede: asWritten(election.title) })}
<div class="card review">${filledUp(said(choice), missing)}</div>
${notice('attention', t('voting.review.one_cast_is_final'), t('voting.review.ballot_cast_once'))}
${limits(props)}
<div class="actions">
<form method="post" action="${action}" data-cast data-after="/e/${election.id}">${secrets}<button class="button button-large">${t('voting.review.cast_my_vote')}</button></form>
<form method="post" action="/e/${election.id}/vote/review">${secrets}${hiddenInputs({
    step: 'edit',
    shown_order: props.shownOrder,
  })}<button class="button button-quiet button-large">${t('voting.review.change_my_answer')}</button></form>
</div>
<div class="cast-status" role="status" data-cast-status></div>
<div class="panel"><p>${t('voting.review.voting_closes', { closes: html`<strong>${closes}</strong>` })}</p>${secrecy(props)}</div>`;
  return page({
    title: t('voting.review.review', { title: election.title }),
    body,
    scripts: ['voting/cast.js', 'base/copy.js'],
  });
}
