import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { errorAt } from '#views/components/entered.ts';
import { errorText } from '#views/components/forms.ts';
import { nameText } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { optionInRow } from '#views/voting/ballots/about-options.ts';
import { ballotFrame } from '#views/voting/ballots/ballot-frame.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import { shownName } from '#voting/option-names.ts';
import type { Ranks } from '#voting/shared/choice.ts';
import type { Ranking } from '#voting/shared/settings.ts';
import type { BallotPageProps, BallotView } from './ballot-view.ts';

type RankedBallotProps = BallotPageProps<Ranks>;

/** What differs between the ballots that rank candidates. */
export interface RankingWords {
  rankingOf(settings: { ranking?: Ranking | undefined }): Ranking;
  /** What becomes of the candidates without a rank. */
  hint: Words;
  /** The title above them where not all need a rank, and a sentence about them on the review page. */
  unranked: Words;
  about(several: boolean): Words;
}

/** The pages of a ballot that ranks candidates. */
export const rankedBallot = (
  words: RankingWords,
): Pick<BallotView<'RANKED_CONDORCET'>, 'asked' | 'preview' | 'ballotPage' | 'choiceInWords'> => ({
  asked({ settings, candidates = [] }) {
    return words.rankingOf(settings) === 'partial'
      ? t('voting.ranked_ballot.rank_more', { candidates: candidates.length })
      : t('voting.ranked_ballot.rank', { candidates: candidates.length });
  },
  preview: (names, settings) => ({
    asked: rankingQuestion(words.rankingOf(settings), names.length),
    ...(words.rankingOf(settings) === 'partial' && { hint: words.hint }),
    choices: html`<ul class="rank-list" role="list">${names.map(
      (name) =>
        html`<li class="rank-row"><select class="input" aria-label="${t('voting.ranked_ballot.rank_of_name', { name })}"><option>–</option></select>
<div class="rank-body"><span class="rank-name">${name}</span></div></li>`,
    )}</ul>`,
  }),
  ballotPage: (props) => rankedBallotPage(props, words),
  choiceInWords: ({
    ranking,
    unranked,
  }) => html`<h2>${t('voting.ranked_ballot.order_first_choice_first')}</h2>
      <ol class="placing" role="list">${ranking.map(
        (one, index) =>
          html`<li><span class="placing-rank">${index + 1}<span class="visually-hidden">.</span></span><span>${nameText(shownName(one))}</span></li>`,
      )}</ol>
${
  unranked.length > 0 &&
  html`<h2>${words.unranked}</h2><p>${allOf(unranked.map((one) => nameText(shownName(one))))}.</p>
<p class="small soft">${words.about(unranked.length > 1)}</p>`
}`,
});

/** The page of a ranked ballot: a rank to pick for each candidate, and rows to move where script runs. */
function rankedBallotPage(props: RankedBallotProps, words: RankingWords): Html {
  const { options: candidates, entry: ranks, errors = [], completed = false } = props;
  const ranking = words.rankingOf(props.election.settings);
  const choices = html`<div class="ranking" id="ranking" role="group" aria-labelledby="ranking-heading"${
    ranking === 'partial' && html` data-unranked="${words.unranked}"`
  }>
${ranking === 'complete' && restOffer(props)}
<ul class="rank-list" role="list" data-rank-rows>${candidates.map((candidate) =>
    rankRow(candidate, candidates.length, ranks[candidate.id] ?? '', errorAt(errors, `rank_${candidate.id}`)),
  )}</ul></div>`;
  const filledIn = notice(
    'info',
    t('voting.ranked_ballot.candidates_without_rank_got_next'),
    t('voting.ranked_ballot.ballot_filled'),
  );
  return ballotFrame(props, {
    ask: html`${completed && filledIn}${askOf(props, words)}`,
    choices,
    idOf: (path) =>
      errorAt(errors, path) !== undefined && path.startsWith('rank_')
        ? path
        : `rank_${candidates[0]?.id ?? ''}`,
    scripts: ['voting/ranking.js'],
    ranking,
    progress: html`<p class="rank-progress" data-with-script hidden><strong data-rank-count></strong>
<span role="status" data-rank-status></span></p>`,
  });
}

/** The question of a ranked ballot, in a line. */
function rankingQuestion(ranking: Ranking, candidates: number): Words {
  if (ranking === 'partial') return t('voting.ranked_ballot.rank_more_candidates', { candidates });
  return t('voting.ranked_ballot.rank_all_candidates', { candidates });
}

function askOf({ options: candidates, election }: RankedBallotProps, words: RankingWords): Html {
  const ranking = words.rankingOf(election.settings);
  const partial = ranking === 'partial';
  const hasNone = candidates.some((candidate) => candidate.is_none_of_the_above);
  return html`<h2 class="ballot-ask" id="ranking-heading">${rankingQuestion(ranking, candidates.length)}</h2>
${partial && html`<p class="hint">${words.hint}</p>`}
<p class="hint" data-without-script>${partial ? t('voting.ranked_ballot.give_each_candidate_rank_different') : t('voting.ranked_ballot.give_every_candidate_different_rank')}</p>
<p class="hint" data-with-script hidden>${t('voting.ranked_ballot.tap_name_add_first_choice')}</p>
${
  hasNone &&
  html`<p class="hint">${partial ? t('voting.ranked_ballot.none_above_or_not_ranked') : t('voting.ranked_ballot.none_above')}</p>`
}`;
}

/** Offers to rank the others as listed, where only some have a rank. Script shows it when it is needed. */
function restOffer({ options: candidates, entry: ranks, errors = [] }: RankedBallotProps): Html {
  const missing = candidates.filter(({ id }) => !ranks[id]).length;
  const offered = errors.length > 0 && missing > 0 && missing < candidates.length;
  return html`<div class="card rank-rest" data-rank-rest${!offered && html` hidden`}>
<p>${t('voting.ranked_ballot.election_every_candidate_needs_rank')}</p>
<button class="button button-quiet" name="rest" value="as_listed" data-rank-fill>${t('voting.ranked_ballot.rank_other_listed', { missing })}</button></div>`;
}

function rankRow(option: OptionJson, places: number, value: string, error: Words | undefined): Html {
  const { id } = option;
  const field = `rank_${id}`;
  const label = html`<label for="${field}">${nameText(shownName(option))}</label>${errorText(field, error)}`;
  return html`<li class="rank-row" data-rank-row><select class="input" id="${field}" name="${field}"${
    error && html` aria-invalid="true" aria-describedby="${field}-error"`
  }>
<option value="">–</option>${Array.from({ length: places }, (_, index) =>
    rankOption(String(index + 1), value),
  )}</select>${optionInRow(option, label)}</li>
`;
}

function rankOption(rank: string, value: string): Html {
  return html`<option value="${rank}"${rank === value && html` selected`}>${rank}</option>`;
}
