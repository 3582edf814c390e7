import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTally } from '#voting/shared/ballot-types.ts';
import type { RankedResult, TallyOption, TallySettings } from '#voting/shared/tally.ts';

const settings: TallySettings = { poll_response_type: 'single', quorum: null };

/** Options with ids `a`, `b` ... and numbers from 1; `None` is "none of the above". */
function optionsOf(...names: string[]): TallyOption[] {
  return names.map((name, index) => ({
    id: name[0]!.toLowerCase(),
    number: index + 1,
    name,
    is_none_of_the_above: name === 'None',
  }));
}

function ranked(
  options: TallyOption[],
  ballots: Record<string, number>,
  quorum: number | null = null,
): RankedResult {
  const tally = createTally('RANKED_CONDORCET', options, { ...settings, quorum });
  for (const [choice, count] of Object.entries(ballots)) tally.add(choice, count);
  return tally.result() as RankedResult;
}

describe('a ranked election', () => {
  it('has all results for the example of Tennessee’s capital', () => {
    const cities = optionsOf('Memphis', 'Nashville', 'Knoxville', 'Chattanooga');
    const ballots = { '[1,2,4,3]': 42, '[2,4,3,1]': 26, '[4,3,2,1]': 15, '[3,4,2,1]': 17 };
    expect(ranked(cities, ballots, 101)).toEqual({
      method: 'Schulze',
      variant: 'winning votes',
      candidates: cities.map(({ id, name }) => ({ id, name, is_none_of_the_above: false })),
      winners: ['n'],
      condorcet_winner: 'n',
      ranking: [
        { rank: 1, candidates: ['n'] },
        { rank: 2, candidates: ['c'] },
        { rank: 3, candidates: ['k'] },
        { rank: 4, candidates: ['m'] },
      ],
      pairwise: [
        [0, 42, 42, 42],
        [58, 0, 68, 68],
        [58, 32, 0, 17],
        [58, 32, 83, 0],
      ],
      strongest_paths: [
        [0, 0, 0, 0],
        [58, 0, 68, 68],
        [58, 0, 0, 0],
        [58, 0, 83, 0],
      ],
      first_choices: [42, 26, 17, 15],
      not_acceptable: [],
      tied: false,
      quorum: 101,
      quorum_met: false,
      blank: 0,
      valid: false,
    });
  });

  it('lists all winners of a tie in the order of the candidates, and shared ranks as 1, 2, 2, 4', () => {
    const options = optionsOf('Ann', 'Bob', 'Cid', 'Dee');
    const lower = ranked(options, { '[1,2,3,4]': 1, '[1,3,2,4]': 1 });
    expect(lower.ranking).toEqual([
      { rank: 1, candidates: ['a'] },
      { rank: 2, candidates: ['b', 'c'] },
      { rank: 4, candidates: ['d'] },
    ]);
    expect(lower).toMatchObject({ winners: ['a'], condorcet_winner: 'a', tied: false });
    const first = ranked([options[3]!, options[1]!, options[0]!], { '[1,2,4]': 1, '[2,1,4]': 1 });
    expect(first.ranking).toEqual([
      { rank: 1, candidates: ['b', 'a'] },
      { rank: 3, candidates: ['d'] },
    ]);
    expect(first).toMatchObject({ winners: ['b', 'a'], condorcet_winner: null, tied: true });
  });

  it('with a perfect cycle has no Condorcet winner and ties all candidates', () => {
    const result = ranked(optionsOf('Ann', 'Bob', 'Cid'), { '[1,2,3]': 1, '[2,3,1]': 1, '[3,1,2]': 1 });
    expect(result).toMatchObject({ winners: ['a', 'b', 'c'], condorcet_winner: null, tied: true });
    expect(result.ranking).toEqual([{ rank: 1, candidates: ['a', 'b', 'c'] }]);
    expect(result.strongest_paths).toEqual([
      [0, 2, 2],
      [2, 0, 2],
      [2, 2, 0],
    ]);
  });

  it('without ballots ties all candidates', () => {
    const result = ranked(optionsOf('Ann', 'Bob'), {});
    expect(result).toMatchObject({ winners: ['a', 'b'], condorcet_winner: null, tied: true });
    expect(result.ranking).toEqual([{ rank: 1, candidates: ['a', 'b'] }]);
  });

  it('with one candidate has a Condorcet winner as soon as there is a ballot', () => {
    expect(ranked(optionsOf('Ann'), { '[1]': 3 })).toMatchObject({
      winners: ['a'],
      condorcet_winner: 'a',
      pairwise: [[0]],
      first_choices: [3],
      tied: false,
    });
    expect(ranked(optionsOf('Ann'), {})).toMatchObject({
      winners: [],
      condorcet_winner: null,
      tied: false,
    });
  });

  it('without candidates has an empty result', () => {
    expect(ranked([], {})).toMatchObject({
      winners: [],
      ranking: [],
      pairwise: [],
      condorcet_winner: null,
      tied: false,
    });
    expect(() => ranked([], { '[1]': 1 })).toThrow(/Malformed stored ballot/);
  });

  it('lists the candidates strictly below none of the above', () => {
    const options = optionsOf('Ann', 'None', 'Bob', 'Cid');
    const result = ranked(options, { '[1,2,3,4]': 2, '[1,2,4,3]': 2 });
    expect(result.ranking).toEqual([
      { rank: 1, candidates: ['a'] },
      { rank: 2, candidates: ['n'] },
      { rank: 3, candidates: ['b', 'c'] },
    ]);
    expect(result.not_acceptable).toEqual(['b', 'c']);
  });

  it('can be won by none of the above, and a tie with it counts as acceptable', () => {
    const options = optionsOf('Ann', 'None');
    expect(ranked(options, { '[2,1]': 2, '[1,2]': 1 })).toMatchObject({
      winners: ['n'],
      condorcet_winner: 'n',
      not_acceptable: ['a'],
    });
    expect(ranked(options, { '[2,1]': 1, '[1,2]': 1 })).toMatchObject({
      winners: ['a', 'n'],
      not_acceptable: [],
      tied: true,
    });
  });

  it.each(['[1,2]', '[1,2,2]', '[1,2,3,4]', '[1,2,5]', 'yes', ''])('refuses the stored ballot %j', (text) => {
    const tally = createTally('RANKED_CONDORCET', optionsOf('Ann', 'Bob', 'Cid'), settings);
    expect(() => tally.add(text)).toThrow(/Malformed stored ballot/);
    expect(tally.ballots).toBe(0);
  });

  it('has the same result whatever the display order and the order of ballots', () => {
    const options = optionsOf('Ann', 'Bob', 'Cid', 'Dee', 'None');
    const ballots = fc.array(fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(ballots, fc.shuffledSubarray(options, { minLength: 5 }), (rankings, shown) => {
        const texts = rankings.map((ranking) => JSON.stringify(ranking));
        expect(byId(shown, texts.toReversed())).toEqual(byId(options, texts));
      }),
      { numRuns: 100 },
    );
  });

  it('has the same result if equal ballots are counted together', () => {
    const options = optionsOf('Ann', 'Bob', 'Cid');
    const tally = createTally('RANKED_CONDORCET', options, settings);
    for (const text of ['[1,2,3]', '[3,2,1]', '[1,2,3]']) tally.add(text);
    expect(tally.ballots).toBe(3);
    expect(tally.result()).toEqual(ranked(options, { '[1,2,3]': 2, '[3,2,1]': 1 }));
  });
});

/** The content of a ranked result, by id instead of by index. */
function byId(options: TallyOption[], texts: string[]) {
  const tally = createTally('RANKED_CONDORCET', options, settings);
  for (const text of texts) tally.add(text);
  const result = tally.result() as RankedResult;
  const named = (matrix: number[][]) =>
    options.flatMap(({ id }, i) => options.map((other, j) => `${id} ${other.id} ${matrix[i]![j]}`)).sort();
  return {
    winners: result.winners.toSorted(),
    condorcet_winner: result.condorcet_winner,
    ranking: result.ranking.map(({ rank, candidates }) => [rank, candidates.toSorted()]),
    not_acceptable: result.not_acceptable.toSorted(),
    pairwise: named(result.pairwise),
    strongest_paths: named(result.strongest_paths),
    first_choices: options.map(({ id }, i) => `${id} ${result.first_choices[i]}`).sort(),
    tied: result.tied,
  };
}
