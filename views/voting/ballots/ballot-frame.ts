import { type Child, type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { saidErrors } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { asWritten } from '#views/components/language.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { disclosure, pageHeader, plainText } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { BLANK_WORDS, LIVE_WORDS, secrecyLimits, secrecyWords } from '#views/voting/words.ts';
import type { Secrecy, SecrecySettings } from '#voting/ballots/secrecy.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import { withdrawnNotice } from './about-options.ts';
import { randomFilling } from './equal-length.ts';
import { documentChanges, type ShownEvent } from './history.ts';

/** The settings of the election that a ballot page needs. */
type BallotSettings = SecrecySettings & ElectionSettings;

/** The script that sends the form of a ballot in one length. */
export const EQUAL_BODY = 'voting/equal-body.js';

/** Descriptions up to this length and number of lines are not collapsed on a ballot. */
const SHORT = { characters: 300, lines: 6 };

/** The data of every ballot page. Options and candidates come in the order to show. */
export interface BallotFrameProps {
  election: Pick<ElectionJson, 'id' | 'title' | 'description' | 'attachment_url' | 'candidates'> & {
    settings: BallotSettings;
  };
  /** Whether fewer than five voting codes were made. */
  few: boolean;
  /** The candidates or options that were withdrawn after the opening. */
  withdrawn?: readonly OptionJson[] | undefined;
  /** The changes of the document since the first ballot. */
  documentChanges?: readonly ShownEvent[] | undefined;
  /** The rules that decide, in sentences. */
  rules?: readonly Words[] | undefined;
  /** When voting closes, already formatted. */
  closes: Words | string;
  token: string;
  /** Created with the page and sent with every attempt to cast the ballot, so that it is stored only once. */
  submissionId: string;
  /** The bytes by which the form may differ, see `randomFilling`. */
  range?: number | undefined;
  /** Only in elections with inclusion codes. */
  inclusionCode?: string | null | undefined;
  /** The places of shuffled options, such as `3,1,2`: the next pages show the same order. */
  shownOrder?: string | null | undefined;
  /** The list of own elections that the voter came from: its token, or `me`. */
  list?: string | undefined;
  errors?: readonly FieldError[] | undefined;
  /** The value of the button that leaves the ballot blank; absent where there is none. */
  blankValue?: string | undefined;
  /** Puts the ballot into another page, such as that of a ballot paper; by default it has a page of its own. */
  frame?: ((parts: BallotParts, props: BallotFrameProps) => Html) | undefined;
}

/** What a type of ballot puts on its page. */
export interface BallotParts {
  ask: Child;
  choices: Html;
  /** The id of the element at which the error of a field is shown. */
  idOf: (path: string) => string;
  scripts?: string[];
  ranking?: ElectionSettings['ranking'];
  /** The progress in a long ballot, beside the button. */
  progress?: Html;
}

/** A ballot page: the question, the time of the close, why the vote is secret, and the form round the choices. */
export function ballotFrame(props: BallotFrameProps, parts: BallotParts): Html {
  if (props.frame) return props.frame(parts, props);
  const { ask, choices, idOf, scripts = [], ranking, progress } = parts;
  const { election, closes, shownOrder, errors = [] } = props;
  // After a reload browsers restore input by position, but the options have been shuffled again.
  const noRestore = shownOrder && html` autocomplete="off"`;
  const body = html`${errorSummary(saidErrors(errors), idOf, t('voting.ballot_frame.ballot_complete_yet'))}
${pageHeader({
  title: asWritten(election.title),
  eyebrow: t('voting.ballot_frame.your_ballot'),
  crumbs: [{ href: `/e/${election.id}`, label: t('voting.ballot_frame.about_election') }],
})}
<p>${t('voting.ballot_frame.voting_closes', { closes: html`<strong>${closes}</strong>` })}</p>
${props.rules && props.rules.length > 0 && html`<p class="small">${sentences(props.rules)}</p>`}
${election.description && about(election.description)}
${documentLink(election.attachment_url)}${documentChanges(props.documentChanges ?? [])}
${withdrawnNotice(props.withdrawn ?? [])}${limits(props)}
<form class="ballot" method="post" action="/e/${election.id}/vote/review"${
    ranking && html` data-ranking="${ranking}"`
  }${noRestore}>
${ballotSecrets(props)}${randomFilling(props.range)}${hiddenInputs({ shown_order: shownOrder })}
${ask}
${choices}
<div class="actions">${progress}<button class="button button-large">${t('voting.ballot_frame.review_my_choice')}</button></div>
<p class="small soft">${t('voting.ballot_frame.nothing_cast_yet_next_page')}</p>
${props.blankValue && abstention(props.blankValue)}
</form>
<div class="panel">${secrecy(props)}</div>`;
  return page({
    title: t('voting.ballot_frame.document_title', { title: election.title }),
    body,
    scripts: [EQUAL_BODY, ...scripts],
  });
}

const abstention = (value: string): Html => html`<div class="abstention">
<button class="button button-quiet" name="blank" value="${value}" aria-describedby="abstention-note">${t('voting.ballot_frame.abstain')}</button>
<p class="small soft" id="abstention-note">${BLANK_WORDS}</p></div>`;

/** The description: in full where it is short, else collapsed. */
export function about(description: string): Html {
  const short = description.length <= SHORT.characters && description.split('\n').length <= SHORT.lines;
  return short
    ? plainText(description)
    : disclosure(t('voting.ballot_frame.what_about'), plainText(description));
}

/** The link to the document of an election, with its host. */
export function documentLink(url: string | null): Html | null {
  if (url === null) return null;
  return html`<p><a class="print-address" href="${url}" rel="noreferrer noopener">${t('voting.ballot_frame.read_attached_document')}</a> <span class="soft small">(${URL.parse(url)?.host})</span></p>`;
}

/**
 * Warns in short of what can give a vote away in this election, so that the choices begin on a phone's first screen.
 */
export function limits(props: Secrecy): Html | null {
  const { few, election } = props;
  const live = !election.settings.hide_results_until_close;
  if (!live && !few) return null;
  const words = [live && LIVE_WORDS, few && t('voting.ballot_frame.fewer_five_voters_votes_guessed')];
  return notice(
    'attention',
    html`<p>${sentences(words)} <a href="#stored">${t('voting.ballot_frame.why')}</a></p>`,
  );
}

/** Says what is stored of a ballot and why nobody can look it up; collapsed. */
export function secrecy(props: Secrecy): Html {
  const said = secrecyLimits(props);
  const title =
    said.length === 0 ? t('voting.ballot_frame.vote_secret_how') : t('voting.ballot_frame.what_stored_vote');
  // The id is inside: browsers open the part that a link leads into.
  return disclosure(title, html`<p id="stored">${sentences([secrecyWords(props.election), ...said])}</p>`);
}

/** Hidden inputs that are passed from page to page with a choice. */
export function ballotSecrets(
  props: Pick<BallotFrameProps, 'token' | 'submissionId' | 'inclusionCode' | 'list'>,
): Html[] {
  return hiddenInputs({
    token: props.token,
    submission_id: props.submissionId,
    inclusion_code: props.inclusionCode,
    list: props.list || undefined,
  });
}
