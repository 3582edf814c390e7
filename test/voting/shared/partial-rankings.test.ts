import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTally } from '#voting/shared/ballot-types.ts';
import { PairwiseCounter } from '#voting/shared/schulze.ts';
import type { RankedResult, TallyOption } from '#voting/shared/tally.ts';

/** Stored ballots, which may leave candidates out, with the number of times each was cast. */
type Ballots = readonly (readonly [ranking: readonly number[], count: number])[];

const SETTINGS = { poll_response_type: 'single', quorum: null } as const;

/** Candidates 1 to n with their numbers as ids; `none` is the number of "none of the above". */
function candidates(n: number, none?: number): TallyOption[] {
  return Array.from({ length: n }, (_, at) => ({
    id: String(at + 1),
    number: at + 1,
    name: `Candidate ${at + 1}`,
    is_none_of_the_above: at + 1 === none,
  }));
}

function countPartial(options: TallyOption[], ballots: Ballots): RankedResult {
  const tally = createTally('RANKED_CONDORCET', options, { ...SETTINGS, ranking: 'partial' });
  for (const [ranking, count] of ballots) tally.add(JSON.stringify(ranking), count);
  return tally.result() as RankedResult;
}

/** The rank of a candidate on a ballot; all candidates left out share the last rank. */
function rankOf(ranking: readonly number[], candidate: number): number {
  const at = ranking.indexOf(candidate);
  return at === -1 ? ranking.length : at;
}

/** By the definition: the number of ballots on which one candidate has a better rank than the other. */
function pairwiseOf(n: number, ballots: Ballots): number[][] {
  return places(n).map((one) =>
    places(n).map((other) =>
      ballots.reduce(
        (sum, [ranking, count]) => sum + (rankOf(ranking, one) < rankOf(ranking, other) ? count : 0),
        0,
      ),
    ),
  );
}

/** The strength of the strongest path, found by trying all paths without a repeated candidate. */
function strongest(pairs: number[][], from: number, to: number, passed: readonly number[] = []): number {
  const link = (i: number, j: number) => (pairs[i]![j]! > pairs[j]![i]! ? pairs[i]![j]! : 0);
  const via = [...pairs.keys()].filter((at) => at !== from && at !== to && !passed.includes(at));
  return Math.max(
    link(from, to),
    ...via.map((at) => Math.min(link(from, at), strongest(pairs, at, to, [...passed, from]))),
  );
}

/** The ids of the candidates that nobody beats by a stronger path. */
function winnersOf(pairs: number[][]): string[] {
  const all = [...pairs.keys()];
  return all
    .filter((one) =>
      all.every((other) => one === other || strongest(pairs, one, other) >= strongest(pairs, other, one)),
    )
    .map((at) => String(at + 1));
}

function places(n: number): number[] {
  return Array.from({ length: n }, (_, at) => at + 1);
}

/** Elections of up to 5 candidates whose ballots rank at least one of them. */
const elections = fc.integer({ min: 1, max: 5 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    ballots: fc.array(
      fc.tuple(fc.shuffledSubarray(places(n), { minLength: 1 }), fc.integer({ min: 1, max: 4 })),
      { minLength: 1, maxLength: 9 },
    ),
  }),
);

describe('partial rankings', () => {
  it('give the published pairs and winner of a real election in which many ballots name one candidate', () => {
    // Tideman's collection, A77: 213 ballots. Unranked candidates are in the last place.
    const result = countPartial(candidates(3), [
      [[3], 39],
      [[1, 3], 38],
      [[3, 1], 36],
      [[3, 2], 29],
      [[1, 2], 28],
      [[2, 1], 15],
      [[1], 14],
      [[2, 3], 9],
      [[2], 5],
    ]);
    expect(result).toMatchObject({
      winners: ['3'],
      condorcet_winner: '3',
      pairwise: [
        [0, 116, 95],
        [58, 0, 57],
        [113, 142, 0],
      ],
      ranking: [
        { rank: 1, candidates: ['3'] },
        { rank: 2, candidates: ['1'] },
        { rank: 3, candidates: ['2'] },
      ],
      first_choices: [80, 29, 104],
      truncated_ballots: 213,
    });
  });

  it('can make a cycle that complete ones would not', () => {
    const full = countPartial(candidates(3), [
      [[1, 2, 3], 49],
      [[2, 3, 1], 24],
      [[3, 2, 1], 27],
    ]);
    expect(full).toMatchObject({ winners: ['2'], condorcet_winner: '2', truncated_ballots: 0 });
    const truncated = countPartial(candidates(3), [
      [[1], 49],
      [[2], 24],
      [[3, 2], 27],
    ]);
    expect(truncated).toMatchObject({
      winners: ['2'],
      condorcet_winner: null,
      pairwise: [
        [0, 49, 49],
        [51, 0, 24],
        [27, 27, 0],
      ],
      strongest_paths: [
        [0, 27, 49],
        [51, 0, 49],
        [27, 27, 0],
      ],
      truncated_ballots: 100,
    });
  });

  it('are counted by the definition of equal last places', () => {
    fc.assert(
      fc.property(elections, ({ n, ballots }) => {
        const result = countPartial(candidates(n), ballots);
        const pairs = pairwiseOf(n, ballots);
        expect(result.pairwise).toEqual(pairs);
        expect(result.winners).toEqual(winnersOf(pairs));
        const short = ballots.filter(([ranking]) => ranking.length < n);
        expect(result.truncated_ballots).toBe(short.reduce((sum, [, count]) => sum + count, 0));
        expect(result.first_choices).toEqual(
          places(n).map((one) =>
            ballots.reduce((sum, [ranking, count]) => sum + (ranking[0] === one ? count : 0), 0),
          ),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('count the same as rankings that put the others into the last place explicitly', () => {
    fc.assert(
      fc.property(elections, ({ n, ballots }) => {
        const [stored, explicit] = [new PairwiseCounter(places(n), true), new PairwiseCounter(places(n))];
        for (const [ranking, count] of ballots) {
          stored.add(JSON.stringify(ranking), count);
          const last = places(n).filter((one) => !ranking.includes(one));
          explicit.addRanking([...ranking.map((one) => [one]), ...(last.length > 0 ? [last] : [])], count);
        }
        expect(stored.pairwise).toEqual(explicit.pairwise);
        expect(stored.firstChoices).toEqual(explicit.firstChoices);
        expect(stored.ballots).toBe(explicit.ballots);
      }),
      { numRuns: 200 },
    );
  });

  it('that leave out one candidate put that candidate last', () => {
    const { truncated_ballots, ...short } = countPartial(candidates(4), [[[2, 4, 1], 3]]);
    const tally = createTally('RANKED_CONDORCET', candidates(4), { ...SETTINGS, ranking: 'complete' });
    tally.add('[2,4,1,3]', 3);
    expect(short).toEqual(tally.result());
    expect(truncated_ballots).toBe(3);
  });

  it('of one candidate each tie if both are named equally often', () => {
    const options = candidates(4);
    const tie = countPartial(options, [
      [[1], 2],
      [[3], 2],
    ]);
    expect(tie).toMatchObject({ winners: ['1', '3'], condorcet_winner: null, tied: true });
    expect(tie.ranking).toEqual([
      { rank: 1, candidates: ['1', '3'] },
      { rank: 3, candidates: ['2', '4'] },
    ]);
    const won = countPartial(options, [
      [[1], 2],
      [[3], 3],
    ]);
    expect(won).toMatchObject({ winners: ['3'], condorcet_winner: '3', tied: false });
  });

  it('work with 100 candidates when ballots name one or three', () => {
    const { winners, pairwise, ranking, truncated_ballots } = countPartial(candidates(100), [
      [[100], 4],
      [[7, 50, 100], 3],
      [places(100), 2],
    ]);
    expect(winners).toEqual(['7']);
    expect([pairwise[99]![6], pairwise[6]![99], pairwise[49]![0], pairwise[0]![49]]).toEqual([4, 5, 3, 2]);
    expect(truncated_ballots).toBe(7);
    expect(ranking[0]).toEqual({ rank: 1, candidates: ['7'] });
  });

  it('put unranked candidates below “none of the above” if it is ranked, else level with it', () => {
    expect(countPartial(candidates(3, 2), [[[1, 2], 2]])).toMatchObject({
      winners: ['1'],
      not_acceptable: ['3'],
    });
    const unranked = countPartial(candidates(3, 2), [[[1], 2]]);
    expect(unranked.not_acceptable).toEqual([]);
    expect(unranked.ranking[1]).toEqual({ rank: 2, candidates: ['2', '3'] });
    expect(countPartial(candidates(3, 2), [[[2], 2]])).toMatchObject({
      winners: ['2'],
      not_acceptable: ['1', '3'],
    });
  });

  it.each(['', '[]', '[1,1]', '[4]', '[1,2,3,1]', '[1,2', '[0]', 'yes'])(
    'are refused when malformed, without counting any part: %j',
    (text) => {
      const tally = createTally('RANKED_CONDORCET', candidates(3), { ...SETTINGS, ranking: 'partial' });
      expect(() => tally.add(text)).toThrow(/Malformed stored ballot/);
      expect(tally.ballots).toBe(0);
    },
  );

  it('are refused in an election with complete rankings, whose result does not mention them', () => {
    for (const settings of [SETTINGS, { ...SETTINGS, ranking: 'complete' as const }]) {
      const tally = createTally('RANKED_CONDORCET', candidates(3), settings);
      expect(() => tally.add('[1,2]')).toThrow(/Malformed stored ballot/);
      expect(tally.result()).not.toHaveProperty('truncated_ballots');
    }
  });
});
