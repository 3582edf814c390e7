import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { saidErrors } from '#views/components/entered.ts';
import { choice, hiddenInputs } from '#views/components/forms.ts';
import { asWritten } from '#views/components/language.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { pageHeader, plainText } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { blankValue } from '#views/voting/ballot-types.ts';
import { withdrawnNotice } from '#views/voting/ballots/about-options.ts';
import {
  about,
  type BallotFrameProps,
  type BallotParts,
  ballotSecrets,
  documentLink,
  EQUAL_BODY,
  limits,
  secrecy,
} from '#views/voting/ballots/ballot-frame.ts';
import { randomFilling } from '#views/voting/ballots/equal-length.ts';
import { documentChanges } from '#views/voting/ballots/history.ts';
import { BLANK_WORDS } from '#views/voting/words.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import { prefixed } from './prefix.ts';

/** Why a question of a paper takes no ballot with this code now. */
export type QuestionState = 'answered' | 'closed' | 'not_open' | 'no_candidates' | 'not_yours';

export const STATE_WORDS: Record<QuestionState, Words> = {
  answered: t('voting.ballot.voted_ballot_cast_once'),
  closed: t('voting.ballot.voting_question_closed'),
  not_open: t('voting.ballot.voting_question_opened_yet_code'),
  no_candidates: t('voting.ballot.rank_yet_code_stays_good'),
  not_yours: t('voting.ballot.code_made_after_voting_question'),
};

/** A question on the page of a paper. */
export interface ShownQuestion {
  id: string;
  /** On the agenda of a meeting. */
  number?: string | undefined;
  title: string;
  /** Its section, see `questionSection`; the reason without one. */
  content: Html | QuestionState;
}

/** A meeting as the pages of its paper show it. */
export interface ShownMeeting {
  id: string;
  /** The address of its page for a phone with a card. */
  page: string;
}

/** The script that follows a meeting, and the style of what it shows. */
export const FOLLOW = 'meetings/follow.js';
export const FOLLOWED_STYLES = stylesheets('meetings/meetings.css');

/** Where a page of a paper leads back to. */
export const wayBack = (paper: { id: string }, meeting: ShownMeeting | undefined) =>
  meeting
    ? { href: meeting.page, label: t('voting.ballot.back_meeting') }
    : { href: paperPath(paper), label: t('voting.ballot.about_ballot_paper') };

/**
 * Follows a meeting on a page that it is voted on: says when voting ends, and leaves it once none of its questions takes
 * a ballot any more.
 */
export const followed = ({ id, page: of }: ShownMeeting, questions: readonly { id: string }[]): Html =>
  html`<div data-follow="/m/${id}/stream" data-page="${of}" data-voting="${questions.map((one) => one.id).join(' ')}">
<div data-part="closing" role="status"></div></div>`;

/** The paper as its pages show it. */
export interface ShownPaper {
  id: string;
  title: string;
  description: string | null;
}

/** The data of the form of a paper. */
export interface PaperFormProps
  extends Pick<BallotFrameProps, 'token' | 'submissionId' | 'inclusionCode' | 'list' | 'range'> {
  paper: ShownPaper;
  questions: readonly ShownQuestion[];
  /** The places of shuffled options, by the name of their field. */
  shownOrders: Record<string, string>;
  /** `path` is the id of the element. */
  errors: readonly FieldError[];
  /** Hides what is chosen, see `randomFilling`; drawn for `range` without one. */
  filling?: Html | undefined;
}

/** What a page says above its questions of what can give a vote away. */
export type Warned = 'nothing' | 'few' | 'all';

/** The data of the page where a paper is filled in. */
export interface PaperBallotProps extends Secrecy, PaperFormProps {
  /** When the first of the questions closes, already formatted. */
  closes: Words | string;
  warned: Warned;
  scripts: readonly string[];
  /** The meeting that it is the paper of. */
  meeting?: ShownMeeting | undefined;
}

/**
 * The page of a ballot paper: one form with all questions. On phones one is shown at a time, and the links under it lead
 * to the next: nothing is sent between them, with and without script.
 */
export function paperBallotPage(props: PaperBallotProps): Html {
  const { paper, questions, errors, closes, scripts, meeting, few, warned } = props;
  const settings = { ...props.election.settings, hide_results_until_close: warned !== 'all' };
  const waiting = questions.filter(({ content }) => typeof content !== 'string').length;
  const body = html`${errorSummary(saidErrors(errors), undefined, t('voting.ballot.ballot_paper_complete_yet'))}
${pageHeader({ title: asWritten(paper.title), eyebrow: t('voting.ballot.your_ballot_paper'), crumbs: [wayBack(paper, meeting)] })}${
  meeting && followed(meeting, questions)
}
<div class="paper-intro"><p>${t('voting.ballot.questions_vote_voting_closes_leave', { waiting, closes: html`<strong>${closes}</strong>` })}</p>
${paper.description && plainText(paper.description)}${
  warned !== 'nothing' && limits({ few, election: { settings } })
}</div>
${paperForm(props)}
<div class="panel">${secrecy(props)}</div>`;
  return page({
    title: t('voting.ballot.document_title', { title: paper.title }),
    body,
    scripts: [...new Set([EQUAL_BODY, ...scripts, ...(meeting ? [FOLLOW] : [])])],
    head: meeting && FOLLOWED_STYLES,
  });
}

/** The title of a question, with its number on the agenda of a meeting. */
export const numberedTitle = ({ number, title }: Pick<ShownQuestion, 'number' | 'title'>): string =>
  number === undefined ? title : `${number}. ${title}`;

/** The form of a paper, which leads to the review. */
export function paperForm(props: PaperFormProps): Html {
  const { paper, questions, shownOrders, errors, filling = randomFilling(props.range) } = props;
  const first = questions.findIndex(({ content, id }) =>
    errors.length > 0 ? errors.some(({ path }) => path.startsWith(`${id}.`)) : typeof content !== 'string',
  );
  const noRestore = Object.keys(shownOrders).length > 0 && html` autocomplete="off"`;
  return html`<form class="ballot paper" method="post" action="${paperPath(paper)}/vote/review"${noRestore}>
${ballotSecrets(props)}${filling}${hiddenInputs(shownOrders)}
${questions.map((question, index) => section(question, index, questions, index === Math.max(0, first)))}
<div class="paper-review actions"><button class="button button-large">${t('voting.ballot.review_my_choices')}</button>
<p class="small soft">${t('voting.ballot.nothing_cast_yet_next_page')}</p></div>
</form>`;
}

function section(
  { id, number, title, content }: ShownQuestion,
  index: number,
  all: readonly ShownQuestion[],
  isFirst: boolean,
): Html {
  const [before, after] = [all[index - 1], all[index + 1]];
  return html`<section class="paper-question${isFirst && ' is-first'}" id="${id}" tabindex="-1" aria-labelledby="${id}.title">
${all.length > 1 && html`<p class="eyebrow">${t('voting.ballot.question', { index: index + 1, all: all.length })}</p>`}<h2 id="${id}.title">${asWritten(numberedTitle({ number, title }))}</h2>
${typeof content === 'string' ? notice('info', STATE_WORDS[content]) : content}
<nav class="paper-steps" aria-label="${t('voting.ballot.questions')}">${
    before && html`<a class="button button-quiet" href="#${before.id}">${t('voting.ballot.back')}</a>`
  }${all.length > 1 && html`<span class="numbers">${t('voting.ballot.of', { index: index + 1, all: all.length })}</span>`}${
    after
      ? html`<a class="button" href="#${after.id}">${t('voting.ballot.next')}</a>`
      : html`<button class="button">${t('voting.ballot.review')}</button>`
  }</nav></section>`;
}

/** The content of a question: what it is about, and its ballot. @param warned what is said above all questions */
export function questionSection(
  props: BallotFrameProps,
  { ask, choices, ranking, progress }: BallotParts,
  { blank, warned }: { blank: Html | null; warned: Warned },
): Html {
  const { election } = props;
  return html`${props.rules && props.rules.length > 0 && html`<p>${sentences(props.rules)}</p>`}${
    election.description && about(election.description)
  }
${documentLink(election.attachment_url)}${documentChanges(props.documentChanges ?? [])}${withdrawnNotice(
  props.withdrawn ?? [],
)}${warned !== 'all' && limits(warned === 'few' ? { ...props, few: false } : props)}
<div class="paper-ballot"${ranking && html` data-ranking="${ranking}"`}>${prefixed(
    election.id,
    html`${ask}${choices}${blank}`,
  )}${progress}</div>`;
}

/** The way to leave a question blank, below its choices; null where that is not allowed, or its choices have one. */
export function blankRow(election: ElectionJson, checked: boolean): Html | null {
  const value = blankValue(election);
  if (value === undefined) return null;
  const label = t('voting.ballot.abstain_question');
  return choice({ type: 'checkbox', name: 'blank', id: 'blank', value, label, note: BLANK_WORDS, checked });
}

export const paperPath = ({ id }: { id: string }): string => `/p/${id}`;

/** The path of the ballots that a code of a paper opens. */
export const paperBallotPath = (paper: { id: string }, code: string): string =>
  `${paperPath(paper)}/vote?t=${encodeURIComponent(code)}`;
