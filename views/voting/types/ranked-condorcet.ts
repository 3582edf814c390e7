import { type Html, html } from '#kernel/html.ts';
import { errorAt } from '#views/components/entered.ts';
import { icon } from '#views/components/icons.ts';
import { nameText, withNames } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed, shareOf } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';
import { aboutOption } from '#views/voting/about-options.ts';
import { ballotFrame } from '#views/voting/ballot-frame.ts';
import { bars } from '#views/voting/bars.ts';
import { matrix } from '#views/voting/matrix.ts';
import { percent } from '#views/voting/words.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import type { Ranks } from '#voting/shared/choice.ts';
import type { RankedResult } from '#voting/shared/tally.ts';
import {
  type BallotPageProps,
  type BallotView,
  leaderBadge,
  type ResultParts,
  type ShownResult,
} from './ballot-view.ts';
import { whyWinner } from './why.ts';

type RankedBallotProps = BallotPageProps<Ranks>;

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
  asked({ settings, candidates = [] }) {
    const all = candidates.length === 0 ? 'the candidates' : counted(candidates.length, 'candidate');
    return settings.ranking === 'partial' ? `You rank one or more of ${all}.` : `You rank ${all}.`;
  },
  preview: (names, { ranking }) => ({
    asked: rankingQuestion(ranking, names.length),
    ...(ranking === 'partial' && { hint: EQUAL_LAST }),
    choices: html`<ul class="rank-list" role="list">${names.map(
      (name) =>
        html`<li class="rank-row"><span class="rank-name">${name}</span>
<span class="rank-tools"><select class="input" aria-label="Rank of ${name}"><option>–</option></select></span></li>`,
    )}</ul>`,
  }),
  ballotPage: rankedBallotPage,
  choiceInWords: ({ ranking, unranked }) => html`<h2>Your order, first choice first</h2>
      <ol class="placing" role="list" translate="no">${ranking.map(
        ({ name }, index) =>
          html`<li><span class="placing-rank">${index + 1}<span class="visually-hidden">.</span></span><span>${name}</span></li>`,
      )}</ol>
${
  unranked.length > 0 &&
  html`<h2>Not ranked (shared last place)</h2><p translate="no">${listed(unranked)}.</p>
<p class="small soft">You prefer everyone
in your order to ${unranked.length === 1 ? 'this one' : 'these. Among these you prefer nobody'}.</p>`
}`,

  namesIn: ({ candidates }) => candidates.map(({ name }) => name),
  outcome({ candidates, winners: ids, condorcet_winner }, _ballots, final) {
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
  wallBars({ candidates, ranking, winners, first_choices }, whole) {
    const places = new Map(ranking.flatMap(({ rank, candidates: tied }) => tied.map((id) => [id, rank])));
    const inOrder = candidates
      .map(({ id, name }, index) => ({ id, name, votes: first_choices[index] ?? 0 }))
      .sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
    const bars = inOrder.map(({ id, name, votes }) => ({
      label: `${places.get(id)}. ${name}`,
      votes,
      leads: winners.includes(id),
    }));
    return { title: 'The order, with first choices', bars, whole };
  },
  recounted: { winner: 'Winner', figures: 'Every pair and the order' },
  matrix: (tally, ballots, kind) => (tally.candidates.length === 0 ? null : MATRICES[kind](tally, ballots)),
};

/** The page of a ranked ballot: a rank to pick for each candidate, and rows to move where script runs. */
function rankedBallotPage(props: RankedBallotProps): Html {
  const { options: candidates, entry: ranks, errors = [], completed = false } = props;
  const { ranking = 'complete' } = props.election.settings;
  const choices = html`<div class="ranking" id="ranking" role="group" aria-labelledby="ranking-heading">
${ranking === 'complete' && restOffer(props)}
<ul class="rank-list" role="list" data-rank-rows>${candidates.map((candidate) =>
    rankRow(candidate, candidates.length, ranks[candidate.id] ?? '', errorAt(errors, `rank_${candidate.id}`)),
  )}</ul></div>`;
  const filledIn = notice(
    'info',
    'Candidates without a rank got the next free ones, in the order of this list. Check it, and change what you like.',
    'Your ballot is filled in',
  );
  return ballotFrame(props, {
    ask: html`${completed && filledIn}${askOf(props)}`,
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
function rankingQuestion(ranking: 'complete' | 'partial', candidates: number): string {
  if (ranking === 'partial') return `Rank one or more of ${counted(candidates, 'candidate')}`;
  return candidates === 1 ? 'Rank the candidate' : `Rank all ${candidates} candidates`;
}

/** The note about candidates without a rank, on a ballot that need not rank all. */
const EQUAL_LAST = 'The candidates that you do not rank share the last place.';

function askOf({ options: candidates, election }: RankedBallotProps): Html {
  const { ranking = 'complete' } = election.settings;
  const partial = ranking === 'partial';
  const hasNone = candidates.some((candidate) => candidate.is_none_of_the_above);
  return html`<h2 class="ballot-ask" id="ranking-heading">${rankingQuestion(ranking, candidates.length)}</h2>
${partial && html`<p class="hint">${EQUAL_LAST}</p>`}
<p class="hint" data-without-script>Give ${partial ? 'each candidate that you rank' : 'every candidate'} a different
rank; 1 is your first choice.</p>
<p class="hint" data-with-script hidden>Add them one by one, your first choice first. Move them by the handle, the
arrows or the rank.</p>
${
  hasNone &&
  html`<p class="hint">“None of the above” marks a line: you would rather repeat the election than
have anyone below it${partial && ', or anyone you did not rank'}.</p>`
}`;
}

/** Offers to rank the others as listed, where only some have a rank. Script shows it when it is needed. */
function restOffer({ options: candidates, entry: ranks, errors = [] }: RankedBallotProps): Html {
  const missing = candidates.filter(({ id }) => !ranks[id]).length;
  const offered = errors.length > 0 && missing > 0 && missing < candidates.length;
  return html`<div class="rank-rest" data-rank-rest${!offered && html` hidden`}>
<p>In this election every candidate needs a rank. If the order of the rest does not matter to you, they can
follow as they are listed here. Nothing is cast by that.</p>
<button class="button button-quiet" name="rest" value="as_listed" data-rank-fill>Rank the other ${missing} as listed</button></div>`;
}

function rankRow(option: OptionJson, places: number, value: string, error: string | undefined): Html {
  const { id, name } = option;
  const field = `rank_${id}`;
  return html`<li class="rank-row" data-rank-row>
<div class="rank-name"><label for="${field}" translate="no">${name}</label>${
    error &&
    html`
<p class="error-text" id="${field}-error">${icon('warning')}${error}</p>`
  }</div>
<div class="rank-tools"><select class="input" id="${field}" name="${field}"${
    error && html` aria-invalid="true" aria-describedby="${field}-error"`
  }>
<option value="">–</option>${Array.from({ length: places }, (_, index) =>
    rankOption(String(index + 1), value),
  )}</select></div>${aboutOption(option)}</li>
`;
}

function rankOption(rank: string, value: string): Html {
  return html`<option value="${rank}"${rank === value && html` selected`}>${rank}</option>`;
}

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
  const { candidates, ranking, winners, first_choices, not_acceptable, tied } = tally;
  const apart = candidates.length > INLINE_AT_MOST ? matrixPath : undefined;
  const names = candidates.map(({ name }) => name);
  if (ballots === 0 || candidates.length === 0) return { picture: html``, details: [] };
  const nameOf = new Map(candidates.map(({ id, name }) => [id, name]));
  const truncated = truncatedSentence(tally, ballots);
  const refused = not_acceptable.map((id) => nameOf.get(id) ?? '');
  const place = html`<h3>The order</h3><ol class="placing" role="list">${ranking.map((group) =>
    group.candidates.map((id) => {
      const mark =
        group.candidates.length > 1 ? badge('Tied') : winners.includes(id) && leaderBadge(tied, decided);
      const rank = html`<span class="placing-rank"><span class="visually-hidden">Rank </span>${group.rank}</span>`;
      return html`<li>${rank}<span>${nameText(nameOf.get(id) ?? '')} ${mark}</span></li>`;
    }),
  )}</ol>`;
  const firsts = bars({
    label: 'First choices',
    whole: ballots,
    bars: candidates.map(({ id, name }, index) => ({
      label: nameText(name),
      value: first_choices[index] ?? 0,
      strong: winners.includes(id),
    })),
  });
  const picture = html`${whyWinner(tally).map((sentence) => html`<p>${withNames(sentence, names)}</p>`)}
${truncated && html`<p>${truncated}</p>`}
${place}
${
  refused.length > 0 &&
  html`
<p>Below “none of the above”, and so not acceptable: ${withNames(listed(refused), refused)}.</p>`
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
      ['The counts', firstChoiceTable(names, first_choices, ballots)],
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

const methodText = ({ truncated_ballots }: RankedResult): Html =>
  html`<p>${
    truncated_ballots === undefined
      ? 'Every ballot ranks all candidates.'
      : 'Every ballot ranks one candidate or more. Those that it does not rank are equal last on it: it ' +
        'prefers all that it ranks to them, and none of them to another.'
  } They are compared two at a time: the one whom more ballots prefer wins that pair. A candidate who wins against
  each of the others wins the election.</p>
<p>Where the pairs run in a circle, the Schulze method (variant: winning votes) compares chains of wins. A chain
is as strong as its weakest link, counted in the ballots of the winning side, and of two candidates the one with the
stronger chain to the other is placed above. Equal strength is a tie, and stays one.</p>`;

function firstChoiceTable(names: readonly string[], first: readonly number[], ballots: number): Html {
  return table({
    caption: 'First choices of each candidate',
    quietCaption: true,
    columns: [
      { label: 'Candidate' },
      { label: 'First choices', number: true },
      { label: 'Share', number: true },
    ],
    rows: names.map((name, index) => [
      nameText(name),
      count(first[index] ?? 0),
      percent(shareOf(first[index] ?? 0, ballots)),
    ]),
  });
}
