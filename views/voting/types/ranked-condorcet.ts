import { type Html, html } from '#kernel/html.ts';
import { nameText, withNames } from '#views/components/names.ts';
import { count, counted, listed, shareOf } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';
import { bars } from '#views/voting/bars.ts';
import { matrix } from '#views/voting/matrix.ts';
import { seatsField } from '#views/voting/seat-fields.ts';
import { percent } from '#views/voting/words.ts';
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
  hint: 'The candidates that you do not rank share the last place.',
  unranked: 'Not ranked (shared last place)',
  about: (several) =>
    `You prefer everyone in your order to ${several ? 'these. Among these you prefer nobody' : 'this one'}.`,
};

export const rankedCondorcet: BallotView<'RANKED_CONDORCET'> = {
  name: 'Ranked',
  how: 'Voters rank the candidates. The candidate who is preferred to every other candidate wins.',
  when: 'For electing one person, or one plan of several: similar candidates do not take each other’s votes.',
  setting: {
    name: 'ranking',
    label: 'Rankings',
    rows: [
      {
        value: 'complete',
        label: 'Each voter ranks every candidate',
        note: 'Nobody is left out of a ballot.',
      },
      {
        value: 'partial',
        label: 'Each voter ranks one candidate or more',
        note:
          'Nobody has to rank strangers. The candidates that a voter does not rank share the last place on ' +
          'that ballot.',
      },
    ],
    said: ({ ranking }) =>
      `each voter ranks ${ranking === 'partial' ? 'one candidate or more' : 'every candidate'}`,
  },
  fields: [seatsField],
  rules: seatRules,
  ...rankedBallot(WORDS),

  namesIn: ({ candidates }) => candidates.map(({ name }) => name),
  outcome(result, _ballots, final) {
    const { candidates, winners: ids, condorcet_winner } = result;
    if (isSeated(result)) return electedSentence(result, candidates, final);
    const winners = candidates.filter(({ id }) => ids.includes(id));
    const [first] = winners;
    if (first === undefined) return 'there is no winner.';
    if (winners.length > 1) return `Tied between ${listed(winners.map(({ name }) => name))}.`;
    const wins = `${first.name} ${final ? 'wins' : 'leads'}`;
    if (first.is_none_of_the_above) return `${wins}: no candidate is preferred to it.`;
    return condorcet_winner === first.id
      ? `${wins}: preferred to every other candidate.`
      : `${wins}: by the strongest chain of preferences.`;
  },
  counts: ({ pairwise, first_choices }) => [...pairwise.flat(), ...first_choices],
  note: truncatedSentence,
  parts: rankedParts,
  wallBars(result, whole) {
    const bars = firstChoices(result).map(({ id, name, rank, votes }) => ({
      label: `${rank}. ${name}`,
      votes,
      leads: result.winners.includes(id),
    }));
    return { title: 'The order, with first choices', bars, whole };
  },
  lotTakes: () => 'The first ones drawn get the open seats, but nobody before somebody who beats them.',
  figureTables: rankedTables,
  // Results of earlier versions keep the words that were signed with them.
  tiesInWords: (result) =>
    lotsForSeats(result, result.candidates, result.seats_rule && 'were tied for the last seats'),
  earlierRule: (result) => (isSeated(result) && seatsRuleIn(result) === 'ranks' ? SEATS_METHOD.ranks : null),
  recounted: { winner: 'Winner', figures: 'Every pair and the order' },
  matrix: (tally, ballots, kind) => (tally.candidates.length === 0 ? null : MATRICES[kind](tally, ballots)),
};

const NOT_PROPORTIONAL =
  'The seats go to the first in the order of the majority, which is not proportional: the same majority can fill every seat.';

/** What is said where seats are filled. */
function seatRules({ seats }: Pick<ElectionSettings, 'seats'>): string[] {
  if (seats === null) return [];
  return [seatsRule(seats), ...(seats > 1 ? [NOT_PROPORTIONAL] : [])];
}

const isSeated = (result: RankedResult): result is RankedResult & SeatsResult => result.seats !== undefined;

/** Whether the stronger chain runs from the first to the second; both are places in the lists of the result. */
const isAhead = ({ strongest_paths: paths }: RankedResult, one: number, other: number): boolean =>
  (paths[one]?.[other] ?? 0) > (paths[other]?.[one] ?? 0);

/** Why those who are tied for the last seats are so: `Neither Ann nor Bob beats the other`. */
function whyTied(tally: RankedResult & SeatsResult, names: readonly string[]): string {
  const { candidates, tied_for_last, seats_rule } = tally;
  const tied = candidates.flatMap(({ id }, place) => (tied_for_last.includes(id) ? [place] : []));
  const pairs = tied.flatMap((one, at) => tied.slice(at + 1).map((other): [number, number] => [one, other]));
  const apart = pairs.filter(([one, other]) => !isAhead(tally, one, other) && !isAhead(tally, other, one));
  const [example] = apart;
  if (!seats_rule || !example) return `${listed(names)} are level`;
  const [one, other] = example.map((place) => candidates[place]?.name);
  const neither = `either ${one} nor ${other} beats the other`;
  if (names.length === 2) return `N${neither}`;
  return apart.length === pairs.length
    ? `None of ${listed(names)} beats another`
    : `The order of ${listed(names)} is partial (n${neither}, for example)`;
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
function truncatedSentence({ truncated_ballots: truncated }: RankedResult, ballots: number): string | null {
  if (truncated === undefined || ballots === 0) return null;
  if (truncated === 0) return 'Ballots could rank some candidates only; all of them ranked every one.';
  return `${count(truncated)} of ${counted(
    ballots,
    'ballot',
  )} ranked some candidates only; the others share the last place of such a ballot.`;
}

/** The most candidates whose matrices are part of the page; those of 100 candidates are 1.5 MB. */
const INLINE_AT_MOST = 20;

/** The order, why the winner won, first choices, and every pair. */
function rankedParts(tally: RankedResult, { ballots, decided, matrixPath }: ShownResult): ResultParts {
  const { candidates, ranking, winners, not_acceptable, tied } = tally;
  const apart = candidates.length > INLINE_AT_MOST ? matrixPath : undefined;
  const names = candidates.map(({ name }) => name);
  if (ballots === 0 || candidates.length === 0) return { picture: html``, details: [] };
  const nameOf = new Map(candidates.map(({ id, name }) => [id, name]));
  const truncated = truncatedSentence(tally, ballots);
  const refused = not_acceptable.map((id) => nameOf.get(id) ?? '');
  const level = tally.seats_rule ? levelWithNone(tally) : [];
  const place = html`<h3>The order</h3><ol class="placing" role="list">${ranking.map((group) =>
    group.candidates.map((id) => {
      const mark = isSeated(tally)
        ? seatBadge(tally, id, decided)
        : group.candidates.length > 1
          ? badge('Tied')
          : winners.includes(id) && leaderBadge(tied, decided);
      const rank = html`<span class="placing-rank"><span class="visually-hidden">Rank </span>${group.rank}</span>`;
      return html`<li>${rank}<span>${nameText(nameOf.get(id) ?? '')} ${mark}</span></li>`;
    }),
  )}</ol>`;
  const firsts = bars({
    label: 'First choices',
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
<p>Below “none of the above”, and so not acceptable: ${withNames(listed(refused), refused)}.</p>`
}
${
  level.length > 0 &&
  html`
<p>Level with “none of the above”, and so without a seat: ${withNames(listed(level), level)}.</p>`
}
<div class="keep-together"><h3>First choices</h3>
${firsts}
<p class="small soft">The order counts whole rankings, not first choices alone.</p></div>
<h3>Every pair</h3>
${
  apart === undefined
    ? pairsMatrix(tally, ballots)
    : html`
<p><a class="link-alone" href="${apart}">See all ${candidates.length} candidates, each against each</a></p>`
}`;
  return {
    picture,
    details: [
      ['The counts', firstChoiceTable(tally, ballots)],
      ['How it was counted', methodText(tally)],
      [
        'Strongest chains',
        apart === undefined
          ? chainsMatrix(tally, ballots)
          : html`<p><a class="link-alone" href="${apart}?of=chains">See the strongest chain of each candidate
          to each other</a></p>`,
      ],
    ],
  };
}

/** How many ballots prefer each candidate to each other one. */
function pairsMatrix({ candidates, pairwise }: RankedResult, ballots: number): Html {
  return matrix({
    caption: 'Head to head',
    explanation:
      'Each number says how many ballots prefer the candidate of its row to the candidate of its column. A ' +
      'triangle marks the winner of the pair.',
    names: candidates.map(({ name }) => name),
    cells: pairwise,
    whole: ballots,
  });
}

/** The strongest chain from each candidate to each other one. */
function chainsMatrix({ candidates, strongest_paths }: RankedResult, ballots: number): Html {
  return matrix({
    caption: 'Strongest chains',
    explanation:
      'The strength of the strongest chain of wins from the candidate of the row to the candidate of the ' +
      'column: its weakest link, in ballots. The candidate with the stronger chain is placed above.',
    names: candidates.map(({ name }) => name),
    cells: strongest_paths,
    whole: ballots,
  });
}

const MATRICES = { pairs: pairsMatrix, chains: chainsMatrix };

/** How the seats were filled. */
const SEATS_METHOD = {
  beats:
    'A candidate has a seat if fewer others than there are seats stay unbeaten by this candidate, and none if as many ' +
    'others beat this candidate as there are seats. All between are tied for the seats that are left. A lot between ' +
    'them takes nobody before somebody who beats them.',
  ranks:
    'An earlier version settled this result. It filled the seats by rank alone, also where neither of two candidates ' +
    'beats the other.',
} as const;

const methodText = (tally: RankedResult): Html =>
  html`<p>${
    tally.truncated_ballots === undefined
      ? 'Every ballot ranks all candidates.'
      : 'Every ballot ranks one candidate or more. Those that it does not rank are equal last on it: it ' +
        'prefers all that it ranks to them, and none of them to another.'
  } They are compared two at a time: the one whom more ballots prefer wins that pair. A candidate who wins against
  each of the others wins the election.</p>
<p>Where the pairs run in a circle, the Schulze method (variant: winning votes) compares chains of wins. A chain
is as strong as its weakest link, counted in the ballots of the winning side, and of two candidates the one with the
stronger chain to the other is placed above. Equal strength is a tie, and stays one.</p>
${isSeated(tally) && html`<p>${SEATS_METHOD[seatsRuleIn(tally)]}</p>`}`;

/** The first choices of each candidate, in the order of the result. */
const firstChoices = ({ candidates, ranking, first_choices }: RankedResult) =>
  ranking.flatMap(({ rank, candidates: tied }) =>
    tied.map((id) => {
      const at = candidates.findIndex((one) => one.id === id);
      return { id, rank, name: candidates[at]?.name ?? '', votes: first_choices[at] ?? 0 };
    }),
  );

function firstChoiceTable(tally: RankedResult, ballots: number): Html {
  return table({
    caption: 'First choices of each candidate',
    quietCaption: true,
    columns: [
      { label: 'Candidate' },
      { label: 'First choices', number: true },
      { label: 'Share', number: true },
    ],
    rows: firstChoices(tally).map(({ name, votes }) => [
      nameText(name),
      count(votes),
      percent(shareOf(votes, ballots)),
    ]),
  });
}
