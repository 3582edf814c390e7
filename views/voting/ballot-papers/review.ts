import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, sentences } from '#kernel/language/times.ts';
import type { Reader, Words } from '#kernel/language/words.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { choiceInWords } from '#views/voting/ballot-types.ts';
import { type BallotFrameProps, ballotSecrets, secrecy } from '#views/voting/ballots/ballot-frame.ts';
import { byteLength, equalInputs, filledUp, formLength } from '#views/voting/ballots/equal-length.ts';
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
  closes: Words | string;
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
  const missing = (reader: Reader) =>
    open.reduce((sum, question) => sum + missingBytes(reader, question, { path, isOnly }), 0);
  const left = open.length - answered;
  const body = html`${pageHeader({ title: isOnly ? t('voting.review.vote') : t('voting.review.these_votes'), eyebrow: t('voting.review.last_look'), lede: asWritten(paper.title) })}${meeting && followed(meeting, open)}
${gone && goneNotice(gone)}
${filledUp(html`${cards}`, missing)}
${notice(
  'attention',
  html`<p>${sentences([
    isOnly ? t('voting.review.one_cast_is_final') : t('voting.review.several_cast_are_final'),
    left > 0 && t('voting.review.you_leave_out', { left }),
  ])}</p>`,
  isOnly && answered === 1
    ? t('voting.review.cast_now')
    : t('voting.review.cast_votes_now', { answered, open: open.length }),
)}
<div class="actions">
<form method="post" action="${path}/vote" data-cast data-after="${meeting?.page ?? path}">${secrets}${inputs}<button class="button button-large">${isOnly ? t('voting.review.cast_my_vote') : t('voting.review.cast_my_votes')}</button></form>
<form method="post" action="${path}/vote/review" id="edit">${secrets}${inputs}<button class="button button-quiet button-large" name="step" value="edit">${isOnly ? t('voting.review.change_my_answer') : t('voting.review.change_my_answers')}</button></form>
</div>
<div class="cast-status" role="status" data-cast-status></div>
<div class="panel"><p>${t('voting.review.voting_closes', { closes: html`<strong>${closes}</strong>` })}</p>${secrecy(props)}</div>`;
  return page({
    title: t('voting.review.review', { title: paper.title }),
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
${of > 1 && html`<p class="eyebrow">${t('voting.review.question', { index: index + 1, of })}</p>`}<h2 class="paper-title" id="${id}">${asWritten(numberedTitle(question))}</h2>${
    state ? html`<p class="soft">${STATE_WORDS[state]}</p>` : answer(question, question.choice, frame)
  }</section>`;
}

/** @param isOnly whether it is the only vote to cast: the button below changes it too */
function answer(
  { id, ballot_type }: ReviewedQuestion,
  choice: Choice | undefined,
  { path, isOnly }: Frame,
): Html {
  const change = (label: Words) =>
    html`<button class="button button-quiet" form="edit" name="step" value="edit" formaction="${path}/vote/review#${id}">${label}</button>`;
  if (choice === undefined)
    return html`<p class="said">${t('voting.review.now')}</p><div class="toolbar">${change(t('voting.review.vote_now'))}</div>`;
  if (isOnly) return choiceInWords(ballot_type, choice);
  return html`${choiceInWords(ballot_type, choice)}<div class="toolbar">${change(t('voting.review.change'))}
<button class="button button-quiet" form="edit" name="leave" value="${id}">${t('voting.review.leave_out_now')}</button></div>`;
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
function missingBytes(reader: Reader, question: ReviewedQuestion, frame: Frame): number {
  const lengthOf = (choice: Choice | undefined) => {
    const inputs = inputsOf(question, choice);
    return byteLength(reader, answer(question, choice, frame), inputs, inputs);
  };
  const longest = Math.max(...[undefined, ...question.longest].map(lengthOf));
  return longest - lengthOf(question.choice);
}

function goneNotice({ closed, answered }: { closed: readonly string[]; answered: readonly string[] }): Html {
  return notice(
    'danger',
    html`${sentences([
      closed.length > 0 && t('voting.review.voting_closed', { questions: allOf(closed.map(quoted)) }),
      answered.length > 0 && t('voting.review.ballot_already', { questions: allOf(answered.map(quoted)) }),
      t('voting.review.votes_below_still_cast_look'),
    ])}`,
    t('voting.review.nothing_cast_yet'),
  );
}

const quoted = (title: string): Words => t('voting.review.quoted', { title: asWritten(title) });
