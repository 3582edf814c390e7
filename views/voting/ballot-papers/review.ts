import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { choiceInWords } from '#views/voting/ballot-types.ts';
import { type BallotFrameProps, ballotSecrets, secrecy } from '#views/voting/ballots/ballot-frame.ts';
import { byteLength, equalInputs, filledTo, formLength } from '#views/voting/ballots/equal-length.ts';
import { type Choices, handlingOf, type LeftBlank } from '#voting/ballots/ballot-types.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import type { BallotType } from '#voting/elections/elections.ts';
import {
  FOLLOW,
  FOLLOWED_STYLES,
  followed,
  numberedTitle,
  paperPath,
  type QuestionState,
  type ShownMeeting,
  type ShownPaper,
  STATE_WORDS,
} from './ballot.ts';
import { KEEP_CODES } from './kept-codes.ts';
import { prefixedFields } from './prefix.ts';

type Choice = Choices[BallotType] | LeftBlank;

/** A question on the review page. */
export interface ReviewedQuestion {
  id: string;
  /** On the agenda of a meeting. */
  number?: string | undefined;
  title: string;
  ballot_type: BallotType;
  /** Absent if it is left out. */
  choice?: Choice | undefined;
  /** Choices of which one is at least as long as any ballot of this question. */
  longest: readonly Choice[];
  /** Why it takes no ballot. */
  state?: QuestionState | undefined;
}

/** The data of the review page of a paper. */
export interface PaperReviewProps
  extends Secrecy,
    Pick<BallotFrameProps, 'token' | 'submissionId' | 'inclusionCode' | 'list'> {
  paper: ShownPaper;
  questions: readonly ReviewedQuestion[];
  /** Questions that were answered and take no ballot any more: nothing was cast. */
  gone?: { closed: readonly string[]; answered: readonly string[] } | undefined;
  closes: string;
  /** The meeting that it is the paper of. */
  meeting?: ShownMeeting | undefined;
}

/** The choices of all questions in words, and one button to cast them. Its length tells nothing about them. */
export function paperReviewPage(props: PaperReviewProps): Html {
  const { paper, questions, closes, gone, meeting } = props;
  const path = paperPath(paper);
  const open = questions.filter(({ state }) => state === undefined);
  const answered = open.filter(({ choice }) => choice !== undefined).length;
  // The words say so where there is only one vote to cast, whatever was chosen.
  const isOnly = open.length === 1;
  const cards = questions.map((question, index) =>
    card(question, { index, of: questions.length, path, isOnly }),
  );
  const secrets = ballotSecrets(props);
  const inputs = open.map((question) => inputsOf(question, question.choice));
  const missing = open.reduce((sum, question) => sum + missingBytes(question, { path, isOnly }), 0);
  const left = open.length - answered;
  const body = html`${pageHeader({ title: isOnly ? 'Is this your vote?' : 'Are these your votes?', eyebrow: 'Last look', lede: paper.title })}${meeting && followed(meeting, open)}
${gone && goneNotice(gone)}
${filledTo(byteLength(...cards) + missing, html`${cards}`)}
${notice(
  'attention',
  html`<p>${
    isOnly
      ? 'Once it is cast it cannot be changed or taken back, and nobody can look it up for you.'
      : 'Once they are cast they cannot be changed or taken back, and nobody can look them up for you.'
  }${
    left > 0 &&
    ` You leave out ${counted(left, 'question')}: your code stays good for ${left === 1 ? 'it' : 'them'}.`
  }</p>`,
  isOnly && answered === 1
    ? 'You cast it now'
    : `You cast ${answered} of ${counted(open.length, 'vote')} now`,
)}
<div class="actions">
<form method="post" action="${path}/vote" data-cast data-after="${meeting?.page ?? path}">${secrets}${inputs}<button class="button button-large">${isOnly ? 'Cast my vote' : 'Cast my votes'}</button></form>
<form method="post" action="${path}/vote/review" id="edit">${secrets}${inputs}<button class="button button-quiet button-large" name="step" value="edit">${isOnly ? 'Change my answer' : 'Change my answers'}</button></form>
</div>
<div class="cast-status" role="status" data-cast-status></div>
<div class="panel"><p>Voting closes <strong>${closes}</strong>.</p>${secrecy(props)}</div>`;
  return page({
    title: `Review: ${paper.title}`,
    body,
    scripts: ['voting/cast.js', ...(meeting ? [FOLLOW, ...KEEP_CODES] : ['base/copy.js'])],
    head: meeting && FOLLOWED_STYLES,
  });
}

/** What its questions share: the address of the paper, and whether there is only one vote to cast. */
interface Frame {
  path: string;
  isOnly: boolean;
}

/** A question in words. Its buttons belong to the form that shows the paper again. */
function card(
  question: ReviewedQuestion,
  { index, of, ...frame }: Frame & { index: number; of: number },
): Html {
  const { id, state } = question;
  return html`<section class="card review paper-reviewed" aria-labelledby="${id}">
${of > 1 && html`<p class="eyebrow">Question ${index + 1} of ${of}</p>`}<h2 class="paper-title" id="${id}">${numberedTitle(question)}</h2>${
    state ? html`<p class="soft">${STATE_WORDS[state]}</p>` : answer(question, question.choice, frame)
  }</section>`;
}

/** @param isOnly whether it is the only vote to cast: the button below changes it too */
function answer(
  { id, ballot_type }: ReviewedQuestion,
  choice: Choice | undefined,
  { path, isOnly }: Frame,
): Html {
  const change = (label: string) =>
    html`<button class="button button-quiet" form="edit" name="step" value="edit" formaction="${path}/vote/review#${id}">${label}</button>`;
  if (choice === undefined)
    return html`<p class="said">Not now</p><div class="toolbar">${change('Vote on it now')}</div>`;
  if (isOnly) return choiceInWords(ballot_type, choice);
  return html`${choiceInWords(ballot_type, choice)}<div class="toolbar">${change('Change')}
<button class="button button-quiet" form="edit" name="leave" value="${id}">Leave out for now</button></div>`;
}

/** Its fields, of the same length in the body whatever was chosen, also if it is left out. */
function inputsOf({ id, ballot_type, longest }: ReviewedQuestion, choice: Choice | undefined): Html {
  const { choiceFields } = handlingOf(ballot_type);
  const fieldsOf = (one: Choice) => prefixedFields(id, choiceFields(one));
  const length = Math.max(...longest.map((one) => formLength(fieldsOf(one))));
  // The mark between the fields and the filling is filled up too.
  if (choice === undefined) return equalInputs(length + 1, {}, `${id}.filling`);
  return equalInputs(length, fieldsOf(choice), `${id}.filling`);
}

/** The bytes by which a question is shorter than with its longest choice: once in words, and in both forms. */
function missingBytes(question: ReviewedQuestion, frame: Frame): number {
  const lengthOf = (choice: Choice | undefined) => {
    const inputs = inputsOf(question, choice);
    return byteLength(answer(question, choice, frame), inputs, inputs);
  };
  const longest = Math.max(...[undefined, ...question.longest].map(lengthOf));
  return longest - lengthOf(question.choice);
}

function goneNotice({ closed, answered }: { closed: readonly string[]; answered: readonly string[] }): Html {
  const parts = [
    ...(closed.length > 0 ? [`Voting has closed on ${listed(closed.map(quoted))}.`] : []),
    ...(answered.length > 0 ? [`A ballot is in already on ${listed(answered.map(quoted))}.`] : []),
  ];
  return notice(
    'danger',
    `${parts.join(' ')} The votes below are still to be cast: look at them, and cast them.`,
    'Nothing was cast yet',
  );
}

const quoted = (title: string): string => `“${title}”`;
