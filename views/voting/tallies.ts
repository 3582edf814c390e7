import { type Html, html } from '#kernel/html.ts';
import { nameText, withNames } from '#views/components/names.ts';
import { count, listed, shareOf } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { definitionList } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import type { PollResult, RankedResult, SimpleResult } from '#voting/shared/tally.ts';
import { bars } from './bars.ts';
import { matrix } from './matrix.ts';
import { truncatedSentence } from './outcome.ts';
import { whyWinner } from './why.ts';
import { percent } from './words.ts';

/** The chart of a result and its collapsed details. */
export interface ResultParts {
  picture: Html;
  /** Summary and content of each disclosure. */
  details: readonly (readonly [summary: string, content: Html])[];
}

/** The result of a yes-or-no election; abstentions count towards the turnout only. */
export function simpleParts({ yes, no, abstain, outcome }: SimpleResult, ballots: number): ResultParts {
  const picture = bars({
    label: 'Votes',
    whole: ballots,
    bars: [
      { label: 'Yes', value: yes, strong: outcome === 'passed' },
      { label: 'No', value: no, strong: outcome === 'failed' },
      { label: 'Abstain', value: abstain },
    ],
  });
  const counts = definitionList([
    ['Yes', count(yes)],
    ['No', count(no)],
    ['Abstain', count(abstain)],
    ['Ballots', count(ballots)],
  ]);
  const method = html`<p>It passes when more ballots say yes than no, and fails when more say no. Equal
  numbers are a tie. Abstentions count towards the turnout, not towards the outcome.</p>`;
  return {
    picture,
    details: [
      ['The counts', counts],
      ['How it was counted', method],
    ],
  };
}

/** Options with their counts, in the order of the ballot. */
export function pollParts(
  { options, winners, variant, tied }: PollResult,
  ballots: number,
  decided: boolean,
): ResultParts {
  const multiple = variant === 'multiple choice';
  const picture = html`${bars({
    label: 'Votes',
    whole: ballots,
    bars: options.map(({ id, name, count: value }) => ({
      label: nameText(name),
      value,
      strong: winners.includes(id),
      note: winners.includes(id) && leaderBadge(tied, decided),
    })),
  })}${tied && html`<p>It is a tie. The club’s rules decide what happens next.</p>`}`;
  const counts = table({
    caption: 'Count of each option',
    quietCaption: true,
    columns: [{ label: 'Option' }, { label: 'Ballots', number: true }, { label: 'Share', number: true }],
    rows: options.map(({ name, count: value, share }) => [nameText(name), count(value), percent(share)]),
  });
  const method = multiple
    ? html`<p>Each ballot could choose several options. The option on the most ballots wins; shares are of ballots,
    so they may add up to more than 100%.</p>`
    : html`<p>Each ballot chose one option. The option on the most ballots wins, also with less than half.</p>`;
  return {
    picture,
    details: [
      ['The counts', counts],
      ['How it was counted', method],
    ],
  };
}

/** The most candidates whose matrices are part of the page; those of 100 candidates are 1.5 MB. */
const INLINE_AT_MOST = 20;

/**
 * The order, why the winner won, first choices, and every pair.
 * @param matrixPath the page with the matrices of many candidates; without it they are shown here
 */
export function rankedParts(
  tally: RankedResult,
  ballots: number,
  decided: boolean,
  matrixPath?: string,
): ResultParts {
  const { candidates, ranking, winners, first_choices, not_acceptable, tied } = tally;
  const apart = candidates.length > INLINE_AT_MOST ? matrixPath : undefined;
  const names = candidates.map(({ name }) => name);
  if (ballots === 0 || candidates.length === 0) return { picture: html``, details: [] };
  const nameOf = new Map(candidates.map(({ id, name }) => [id, name]));
  const truncated = truncatedSentence(tally, ballots);
  const refused = not_acceptable.map((id) => nameOf.get(id) ?? '');
  const place = html`<h3>The order</h3><ol class="placing" role="list">${ranking.map((group) =>
    group.candidates.map(
      (id) =>
        html`<li><span class="placing-rank"><span class="visually-hidden">Rank </span>${group.rank}</span><span>${nameText(nameOf.get(id) ?? '')} ${group.candidates.length > 1 ? badge('Tied') : winners.includes(id) && leaderBadge(tied, decided)}</span></li>`,
    ),
  )}</ol>`;
  const picture = html`${whyWinner(tally).map((sentence) => html`<p>${withNames(sentence, names)}</p>`)}
${truncated && html`<p>${truncated}</p>`}
${place}
${
  refused.length > 0 &&
  html`
<p>Below “none of the above”, and so not acceptable: ${withNames(listed(refused), refused)}.</p>`
}
<div class="keep-together"><h3>First choices</h3>
${bars({ label: 'First choices', whole: ballots, bars: candidates.map(({ id, name }, index) => ({ label: nameText(name), value: first_choices[index] ?? 0, strong: winners.includes(id) })) })}
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
export function pairsMatrix({ candidates, pairwise }: RankedResult, ballots: number): Html {
  return matrix({
    caption: 'Head to head',
    explanation:
      'Each number says how many ballots prefer the candidate of its row to the candidate of its column. A triangle marks the winner of the pair.',
    names: candidates.map(({ name }) => name),
    cells: pairwise,
    whole: ballots,
  });
}

/** The strongest chain from each candidate to each other one. */
export function chainsMatrix({ candidates, strongest_paths }: RankedResult, ballots: number): Html {
  return matrix({
    caption: 'Strongest chains',
    explanation:
      'The strength of the strongest chain of wins from the candidate of the row to the candidate of the column: its weakest link, in ballots. Whoever has the stronger chain is placed above.',
    names: candidates.map(({ name }) => name),
    cells: strongest_paths,
    whole: ballots,
  });
}

const methodText = ({ truncated_ballots }: RankedResult): Html =>
  html`<p>${
    truncated_ballots === undefined
      ? 'Every ballot ranks all candidates.'
      : 'Every ballot ranks one candidate or more. Those that it does not rank are equal last on it: it prefers all that it ranks to them, and none of them to another.'
  } They are compared two at a time: whoever more ballots prefer wins that pair. A candidate who wins against
  each of the others wins the election.</p>
<p>Where the pairs run in a circle, the Schulze method (variant: winning votes) compares chains of wins. A chain
is as strong as its weakest link, counted in the ballots of the winning side, and of two candidates the one with the
stronger chain to the other is placed above. Equal strength is a tie, and stays one.</p>`;

/** The badge of the leader; only a valid result has a winner. */
function leaderBadge(tied: boolean, decided: boolean): Html {
  if (tied) return badge('Tied');
  return decided ? badge('Winner', 'open') : badge('Ahead');
}

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
