import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, formatNumber as count } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { nameText, withNames } from '#views/components/names.ts';
import { shareOf } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';
import { bars } from '#views/voting/bars.ts';
import { matrix } from '#views/voting/matrix.ts';
import { seatsField } from '#views/voting/seat-fields.ts';
import { percent } from '#views/voting/words.ts';
import { shownName } from '#voting/option-names.ts';
import { type SeatsResult, seatsRuleIn } from '#voting/shared/seats.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import type { RankedResult } from '#voting/shared/tally.ts';
import { type BallotView, leaderBadge, type ResultParts, type ShownResult } from './ballot-view.ts';
import { lotsForSeats, rankedTables } from './figure-tables.ts';
import { type RankingWords, rankedBallot } from './ranked-ballot.ts';
import { electedSentence, openSeatsText, seatBadge, seatsRule } from './seats.ts';
import { whyWinner } from './why.ts';

const WORDS: RankingWords = {
  rankingOf: ({ ranking = 'complete' }) => ranking,
  hint: t('voting.ranked_condorcet.candidates_rank_share_last_place'),
  unranked: t('voting.ranked_condorcet.ranked_shared_last_place'),
  about: (several) =>
    several
      ? t('voting.ranked_condorcet.prefer_everyone_order_these_among')
      : t('voting.ranked_condorcet.prefer_everyone_order'),
};

export const rankedCondorcet: BallotView<'RANKED_CONDORCET'> = {
  name: t('voting-admin.ranked_condorcet.ranked'),
  how: t('voting-admin.ranked_condorcet.voters_rank_candidates_candidate_who'),
  when: t('voting-admin.ranked_condorcet.electing_person_plan_several_similar'),
  setting: {
    name: 'ranking',
    label: t('voting-admin.ranked_condorcet.rankings'),
    rows: [
      {
        value: 'complete',
        label: t('voting-admin.ranked_condorcet.each_voter_ranks_every_candidate'),
        note: t('voting-admin.ranked_condorcet.left_out_ballot'),
      },
      {
        value: 'partial',
        label: t('voting-admin.ranked_condorcet.each_voter_ranks_candidate_more'),
        note: t('voting-admin.ranked_condorcet.rank_strangers_candidates_voter_rank'),
      },
    ],
    said: ({ ranking }) =>
      ranking === 'partial'
        ? t('voting-admin.ballot_types.partial_ranking')
        : t('voting-admin.ballot_types.complete_ranking'),
  },
  fields: [seatsField],
  rules: seatRules,
  ...rankedBallot(WORDS),

  namesIn: ({ candidates }) => candidates.map(shownName),
  outcome(result, _ballots, final) {
    const { candidates, winners: ids, condorcet_winner } = result;
    if (isSeated(result)) return electedSentence(result, candidates, final);
    const winners = candidates.filter(({ id }) => ids.includes(id));
    const [first] = winners;
    if (first === undefined) return t('voting.ranked_condorcet.no_winner');
    if (winners.length > 1)
      return t('voting.ranked_condorcet.tied_between', { names: allOf(winners.map(shownName)) });
    const name = shownName(first);
    if (first.is_none_of_the_above)
      return final
        ? t('voting.ranked_condorcet.none_wins', { name })
        : t('voting.ranked_condorcet.none_leads', { name });
    if (condorcet_winner === first.id)
      return final
        ? t('voting.ranked_condorcet.wins', { name })
        : t('voting.ranked_condorcet.leads', { name });
    return final
      ? t('voting.ranked_condorcet.wins_by_chain', { name })
      : t('voting.ranked_condorcet.leads_by_chain', { name });
  },
  counts: ({ pairwise, first_choices }) => [...pairwise.flat(), ...first_choices],
  note: truncatedSentence,
  parts: rankedParts,
  wallBars(result, whole) {
    const bars = firstChoices(result).map(({ id, name, rank, votes }) => ({
      label: t('voting.ranked_condorcet.rank_and_name', { rank, name }),
      votes,
      leads: result.winners.includes(id),
    }));
    return { title: t('voting.ranked_condorcet.order_first_choices'), bars, whole };
  },
  lotTakes: () => t('voting.ranked_condorcet.first_ones_drawn_get_open'),
  figureTables: rankedTables,
  // Results of earlier versions keep the words that were signed with them.
  tiesInWords: (result) => lotsForSeats(result, result.candidates, result.seats_rule && 'tied'),
  earlierRule: (result) => (isSeated(result) && seatsRuleIn(result) === 'ranks' ? SEATS_METHOD.ranks : null),
  recounted: {
    winner: t('voting.ranked_condorcet.winner'),
    figures: t('voting.ranked_condorcet.every_pair_order'),
  },
  matrix: (tally, ballots, kind) => (tally.candidates.length === 0 ? null : MATRICES[kind](tally, ballots)),
};

const NOT_PROPORTIONAL = t('voting.ranked_condorcet.seats_go_first_order_majority');

/** What is said where seats are filled. */
function seatRules({ seats }: Pick<ElectionSettings, 'seats'>): Words[] {
  if (seats === null) return [];
  return [seatsRule(seats), ...(seats > 1 ? [NOT_PROPORTIONAL] : [])];
}

const isSeated = (result: RankedResult): result is RankedResult & SeatsResult => result.seats !== undefined;

/** Whether the stronger chain runs from the first to the second; both are places in the lists of the result. */
const isAhead = ({ strongest_paths: paths }: RankedResult, one: number, other: number): boolean =>
  (paths[one]?.[other] ?? 0) > (paths[other]?.[one] ?? 0);

/** Says that those who are tied for the last seats have none, and why: `Neither Ann nor Bob beats the other, so …`. */
function whyTied(tally: RankedResult & SeatsResult, names: readonly string[]): Words {
  const { candidates, tied_for_last, seats_rule } = tally;
  const tied = candidates.flatMap(({ id }, place) => (tied_for_last.includes(id) ? [place] : []));
  const pairs = tied.flatMap((one, at) => tied.slice(at + 1).map((other): [number, number] => [one, other]));
  const apart = pairs.filter(([one, other]) => !isAhead(tally, one, other) && !isAhead(tally, other, one));
  const [example] = apart;
  if (!seats_rule || !example) return t('voting.seats.level', { names: allOf(names) });
  const [one = '', other = ''] = example.map((place) => candidates[place]?.name);
  if (names.length === 2) return t('voting.ranked_condorcet.neither_beats_other', { one, other });
  return apart.length === pairs.length
    ? t('voting.ranked_condorcet.none_beats_another', { names: allOf(names) })
    : t('voting.ranked_condorcet.order_is_partial', { names: allOf(names), one, other });
}

/** Those who are not below “none of the above” and do not beat it. */
const levelWithNone = (tally: RankedResult): string[] =>
  tally.candidates.flatMap(({ id, name, is_none_of_the_above }, place) =>
    !is_none_of_the_above &&
    !tally.not_acceptable.includes(id) &&
    tally.candidates.some((other, none) => other.is_none_of_the_above && !isAhead(tally, place, none))
      ? [name]
      : [],
  );

/** Says how many ballots rank only some candidates, and how that counts; null where that is not allowed. */
function truncatedSentence({ truncated_ballots: truncated }: RankedResult, ballots: number): Words | null {
  if (truncated === undefined || ballots === 0) return null;
  if (truncated === 0) return t('voting.ranked_condorcet.ballots_rank_some_candidates_only');
  return t('voting.ranked_condorcet.ballots_ranked_some_candidates_only', { truncated, ballots });
}

/** The most candidates whose matrices are part of the page; those of 100 candidates are 1.5 MB. */
const INLINE_AT_MOST = 20;

/** The order, why the winner won, first choices, and every pair. */
function rankedParts(tally: RankedResult, { ballots, decided, matrixPath }: ShownResult): ResultParts {
  const { candidates, ranking, winners, not_acceptable, tied } = tally;
  const apart = candidates.length > INLINE_AT_MOST ? matrixPath : undefined;
  const names = candidates.map(shownName);
  if (ballots === 0 || candidates.length === 0) return { picture: html``, details: [] };
  const nameOf = new Map(candidates.map((one) => [one.id, shownName(one)]));
  const truncated = truncatedSentence(tally, ballots);
  const refused = not_acceptable.map((id) => nameOf.get(id) ?? '');
  const level = tally.seats_rule ? levelWithNone(tally) : [];
  const place = html`<h3>${t('voting.ranked_condorcet.order')}</h3><ol class="placing" role="list">${ranking.map(
    (group) =>
      group.candidates.map((id) => {
        const mark = isSeated(tally)
          ? seatBadge(tally, id, decided)
          : group.candidates.length > 1
            ? badge(t('voting.ranked_condorcet.tied'))
            : winners.includes(id) && leaderBadge(tied, decided);
        const rank = html`<span class="placing-rank"><span class="visually-hidden">${t('voting.ranked_condorcet.rank')} </span>${group.rank}</span>`;
        return html`<li>${rank}<span>${nameText(nameOf.get(id) ?? '')} ${mark}</span></li>`;
      }),
  )}</ol>`;
  const firsts = bars({
    label: t('voting.ranked_condorcet.first_choices'),
    whole: ballots,
    bars: firstChoices(tally).map(({ id, name, votes }) => ({
      label: nameText(name),
      value: votes,
      strong: winners.includes(id),
    })),
  });
  const first = { ...tally, winners: ranking[0]?.candidates ?? [] };
  const picture = html`${whyWinner(first).map((sentence) => html`<p>${withNames(sentence, names)}</p>`)}
${truncated && html`<p>${truncated}</p>`}
${place}
${isSeated(tally) && openSeatsText(tally, candidates, decided, (tied) => whyTied(tally, tied))}
${isSeated(tally) && tally.seats > 1 && html`<p>${NOT_PROPORTIONAL}</p>`}
${
  refused.length > 0 &&
  html`
<p>${t('voting.ranked_condorcet.below_none_above_acceptable', { refused: withNames(allOf(refused), refused) })}</p>`
}
${
  level.length > 0 &&
  html`
<p>${t('voting.ranked_condorcet.level_none_above_without_seat', { level: withNames(allOf(level), level) })}</p>`
}
<div class="keep-together"><h3>${t('voting.ranked_condorcet.first_choices')}</h3>
${firsts}
<p class="small soft">${t('voting.ranked_condorcet.order_counts_whole_rankings_first')}</p></div>
<h3>${t('voting.ranked_condorcet.every_pair')}</h3>
${
  apart === undefined
    ? pairsMatrix(tally, ballots)
    : html`
<p><a class="link-alone" href="${apart}">${t('voting.ranked_condorcet.see_all_candidates_each_against', { candidates: candidates.length })}</a></p>`
}`;
  return {
    picture,
    details: [
      [t('voting.ranked_condorcet.counts'), firstChoiceTable(tally, ballots)],
      [t('voting.ranked_condorcet.how_counted'), methodText(tally)],
      [
        t('voting.ranked_condorcet.strongest_chains'),
        apart === undefined
          ? chainsMatrix(tally, ballots)
          : html`<p><a class="link-alone" href="${apart}?of=chains">${t('voting.ranked_condorcet.see_strongest_chain_each_candidate')}</a></p>`,
      ],
    ],
  };
}

/** How many ballots prefer each candidate to each other one. */
function pairsMatrix({ candidates, pairwise }: RankedResult, ballots: number): Html {
  return matrix({
    caption: t('voting.ranked_condorcet.head_head'),
    explanation: t('voting.ranked_condorcet.each_number_says_how_many'),
    names: candidates.map(shownName),
    cells: pairwise,
    whole: ballots,
  });
}

/** The strongest chain from each candidate to each other one. */
function chainsMatrix({ candidates, strongest_paths }: RankedResult, ballots: number): Html {
  return matrix({
    caption: t('voting.ranked_condorcet.strongest_chains'),
    explanation: t('voting.ranked_condorcet.strength_strongest_chain_wins_candidate'),
    names: candidates.map(shownName),
    cells: strongest_paths,
    whole: ballots,
  });
}

const MATRICES = { pairs: pairsMatrix, chains: chainsMatrix };

/** How the seats were filled. */
const SEATS_METHOD = {
  beats: t('voting.ranked_condorcet.candidate_seat_fewer_others_seats'),
  ranks: t('voting.ranked_condorcet.earlier_version_settled_result_filled'),
} as const;

const methodText = (tally: RankedResult): Html =>
  html`<p>${
    tally.truncated_ballots === undefined
      ? t('voting.ranked_condorcet.every_ballot_ranks_all_candidates')
      : t('voting.ranked_condorcet.every_ballot_ranks_candidate_more')
  } ${t('voting.ranked_condorcet.compared_two_time_whom_more')}</p>
<p>${t('voting.ranked_condorcet.where_pairs_run_circle_schulze')}</p>
${isSeated(tally) && html`<p>${SEATS_METHOD[seatsRuleIn(tally)]}</p>`}`;

/** The first choices of each candidate, in the order of the result. */
const firstChoices = ({ candidates, ranking, first_choices }: RankedResult) =>
  ranking.flatMap(({ rank, candidates: tied }) =>
    tied.map((id) => {
      const at = candidates.findIndex((one) => one.id === id);
      const one = candidates[at];
      return { id, rank, name: one ? shownName(one) : '', votes: first_choices[at] ?? 0 };
    }),
  );

function firstChoiceTable(tally: RankedResult, ballots: number): Html {
  return table({
    caption: t('voting.ranked_condorcet.first_choices_each_candidate'),
    quietCaption: true,
    columns: [
      { label: t('voting.ranked_condorcet.candidate') },
      { label: t('voting.ranked_condorcet.first_choices'), number: true },
      { label: t('voting.ranked_condorcet.share'), number: true },
    ],
    rows: firstChoices(tally).map(({ name, votes }) => [
      nameText(name),
      count(votes),
      percent(shareOf(votes, ballots)),
    ]),
  });
}
