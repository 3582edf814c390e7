import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import { icon } from '#views/components/icons.ts';
import { asWritten } from '#views/components/language.ts';
import { strong } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { codePart, otherBallots } from '#views/voting/ballots/confirmation.ts';
import { secrecyLimits, secrecyWords } from '#views/voting/words.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import type { OtherBallots } from '#voting/invitations/own-list.ts';
import { formatCode } from '#voting/shared/receipts.ts';
import {
  FOLLOW,
  FOLLOWED_STYLES,
  paperBallotPath,
  paperPath,
  type ShownMeeting,
  type ShownPaper,
} from './ballot.ts';
import { cardLinks, KEEP_CODES, keptCodes } from './kept-codes.ts';

/** The data of the page after ballots of a paper were cast. */
export interface PaperConfirmationProps extends Secrecy {
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
  /** The meeting that it is the paper of: it goes on below the code. */
  meeting?: ConfirmedMeeting | undefined;
}

/** What the page after a cast in a meeting says of it. */
export interface ConfirmedMeeting extends ShownMeeting {
  /** The mark of the card that was cast with. */
  card: string;
  /** The titles of the votes that the code belongs to. */
  votes: readonly string[];
  /** The ids of the questions that this card can still answer now. */
  open: readonly string[];
}

/**
 * Confirmations of which one is at least as long as any of the same paper, however many questions were answered.
 * @param withCodes whether a question of the paper gives inclusion codes
 * @param all the votes of its meeting
 */
export function longestConfirmations(
  props: PaperConfirmationProps,
  {
    questions,
    withCodes,
    all,
  }: { questions: number; withCodes: boolean; all: Pick<ConfirmedMeeting, 'votes' | 'open'> },
): PaperConfirmationProps[] {
  const inclusionCode = withCodes ? ANY_CODE : undefined;
  const next = '.'.repeat(LONGEST_PATH);
  const { others } = props;
  const meeting = props.meeting && { ...props.meeting, ...all };
  const lists =
    others && others.waiting !== null
      ? [0, 1, MOST_WAITING].map((waiting) => ({ ...others, waiting, next }))
      : [others];
  return [1, questions].flatMap((cast) =>
    [1, questions].flatMap((waiting) =>
      lists.flatMap((list) =>
        [true, false].map((covers) => ({
          ...props,
          cast,
          waiting,
          covers,
          inclusionCode,
          others: list,
          meeting,
        })),
      ),
    ),
  );
}

/** The path of a ballot with its code and the list that the voter came from, and how many ballots wait there. */
const LONGEST_PATH = 1_000;
const ANY_CODE = '0'.repeat(32);
const MOST_WAITING = 1_000;

/** Says what happened, how many questions wait, and what comes next. */
export function paperConfirmationPage(props: PaperConfirmationProps): Html {
  const { paper, election, few, cast, waiting, inclusionCode, others, token, covers, meeting } = props;
  if (meeting) return inMeeting(props);
  const path = paperPath(paper);
  const title = t('voting.confirmation.votes_recorded', { cast });
  const body = html`<div class="thanks"><p class="thanks-sign">${icon('check')}</p>
<h1 tabindex="-1">${title}</h1><p class="lede">${asWritten(paper.title)}</p></div>
<h2>${t('voting.confirmation.what_happened')}</h2><p>${t('voting.confirmation.ballots_boxes', { cast })}</p>
${
  waiting > 0 &&
  html`<p>${t('voting.confirmation.questions_wait_code_stays_good', { strong, waiting })}</p>
<p><a class="button button-large" href="${paperBallotPath(paper, token)}">${t('voting.confirmation.vote_rest')}</a></p>`
}
${inclusionCode !== undefined && codePart({ path, covers }, inclusionCode)}
<h2>${t('voting.confirmation.what_stored')}</h2>
<p>${sentences([
    secrecyWords(election),
    ...secrecyLimits({ election, few }),
    t('voting.confirmation.nothing_stored_connects_ballots_each'),
  ])}</p>
<h2>${t('voting.confirmation.what_comes_next')}</h2>${others && otherBallots(others)}<p>${t('voting.confirmation.page_ballot_paper_shows_result')}</p>
<p><a class="button button-quiet" href="${path}">${t('voting.confirmation.page_ballot_paper')}</a></p>`;
  return page({ title, body, scripts: ['base/copy.js'] });
}

/**
 * In a meeting: the code is kept with the others of the evening, or stays on the page until it is left, and the meeting
 * goes on below it.
 */
function inMeeting({ paper, inclusionCode, covers, meeting }: PaperConfirmationProps): Html {
  if (!meeting) throw new Error('There is no meeting');
  const { id, page: back, votes, card, open } = meeting;
  const title = t('voting.confirmation.vote_is_recorded');
  const body = html`${pageHeader({ title, lede: asWritten(paper.title) })}
<div data-follow="/m/${id}/stream" data-page="${back}" data-version="" data-recorded="${open.join(' ')}">${
    inclusionCode !== undefined &&
    html`<div data-new-code="${formatCode(inclusionCode)}" data-votes="${JSON.stringify(votes)}"${!covers && ' data-keeps'}>${codePart({ path: paperPath(paper), covers }, inclusionCode)}</div>`
  }${keptCodes({ meeting: { id, paper_id: paper.id }, card })}
<p class="notice notice-attention" data-next hidden>${t('voting.confirmation.another_vote_open_keep_code')}</p>
<div class="actions"><a class="button" href="${back}" data-codes-back="${open.length > 0 ? t('voting.confirmation.go_on_to_next_vote') : t('voting.confirmation.back_to_meeting')}">${open.length > 0 ? t('voting.confirmation.kept_my_code_next_vote') : t('voting.confirmation.kept_my_code_back_meeting')}</a></div>
<section class="card room-now" data-part="now" aria-live="polite"><p>${open.length > 0 ? t('voting.confirmation.another_vote_open') : t('voting.confirmation.please_wait_result')}</p></section>
<div data-part="closing"></div><div data-part="card">${cardLinks(meeting)}</div></div>`;
  return page({ title, body, head: FOLLOWED_STYLES, scripts: [FOLLOW, ...KEEP_CODES] });
}
