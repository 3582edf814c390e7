import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beats,
  condorcetWinner,
  PairwiseCounter,
  rankCandidates,
  strongestPaths,
} from '#voting/shared/schulze.ts';

interface Vote {
  count: number;
  ranking: number[];
}

/** Elections with `least` to 7 candidates and strict, complete rankings of their indexes. */
function elections(least: number): fc.Arbitrary<{ n: number; votes: Vote[] }> {
  return fc.integer({ min: least, max: 7 }).chain((n) => {
    const ranking = fc.shuffledSubarray(placesFor(n), { minLength: n, maxLength: n });
    const vote = fc.record({ count: fc.integer({ min: 1, max: 5 }), ranking });
    return fc.record({ n: fc.constant(n), votes: fc.array(vote, { maxLength: 8 }) });
  });
}

function placesFor(n: number): number[] {
  return Array.from({ length: n }, (_, place) => place);
}

function resultOf(n: number, votes: readonly Vote[]) {
  const counter = new PairwiseCounter(placesFor(n).map((place) => place + 1));
  for (const { count, ranking } of votes)
    counter.add(JSON.stringify(ranking.map((place) => place + 1)), count);
  const { pairwise, ballots } = counter;
  const paths = strongestPaths(pairwise, n);
  const ranking = rankCandidates(paths, n);
  return {
    pairwise,
    ballots,
    paths,
    ranking,
    winners: ranking[0] ?? [],
    condorcet: condorcetWinner(pairwise, n),
  };
}

function holds(least: number, rule: (n: number, votes: Vote[]) => void): void {
  fc.assert(
    fc.property(elections(least), ({ n, votes }) => rule(n, votes)),
    { numRuns: 150 },
  );
}

describe('in any election', () => {
  it('a Condorcet winner wins alone', () => {
    holds(1, (n, votes) => {
      const { condorcet, winners } = resultOf(n, votes);
      if (condorcet !== null) expect(winners).toEqual([condorcet]);
    });
  });

  it('a Condorcet loser does not win', () => {
    holds(2, (n, votes) => {
      const { pairwise, winners } = resultOf(n, votes);
      const places = placesFor(n);
      const loses = (i: number) =>
        places.every((j) => i === j || pairwise[i * n + j]! < pairwise[j * n + i]!);
      expect(winners.filter(loses)).toEqual([]);
    });
  });

  it('a sole winner does not win when every ballot is reversed', () => {
    holds(2, (n, votes) => {
      const { winners } = resultOf(n, votes);
      const turned = resultOf(
        n,
        votes.map((vote) => ({ ...vote, ranking: vote.ranking.toReversed() })),
      );
      if (winners.length === 1) expect(turned.winners).not.toContain(winners[0]);
    });
  });

  it('the result depends neither on the order of the ballots nor on that of the candidates', () => {
    const shuffled = elections(1).chain(({ n, votes }) =>
      fc.record({
        n: fc.constant(n),
        votes: fc.constant(votes),
        mixed: fc.shuffledSubarray(votes, { minLength: votes.length }),
        renamed: fc.shuffledSubarray(placesFor(n), { minLength: n }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ n, votes, mixed, renamed }) => {
        const other = resultOf(
          n,
          mixed.map((vote) => ({ ...vote, ranking: vote.ranking.map((at) => renamed[at]!) })),
        );
        const { ranking } = resultOf(n, votes);
        const expected = ranking.map((group) => group.map((at) => renamed[at]!).sort((a, b) => a - b));
        expect(other.ranking).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('the Schulze relation is transitive, and the ranking agrees with it', () => {
    holds(1, (n, votes) => {
      const { paths, ranking } = resultOf(n, votes);
      const rank = new Map(ranking.flatMap((group, at) => group.map((place) => [place, at] as const)));
      expect([...rank.keys()].sort((a, b) => a - b)).toEqual(placesFor(n));
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          if (!beats(paths, n, i, j)) continue;
          expect(rank.get(i)!).toBeLessThan(rank.get(j)!);
          for (let k = 0; k < n; k++) if (beats(paths, n, j, k)) expect(beats(paths, n, i, k)).toBe(true);
        }
      }
      for (const [at, group] of ranking.entries()) {
        const before = ranking[at - 1];
        if (before) for (const j of group) expect(before.some((i) => beats(paths, n, i, j))).toBe(true);
      }
    });
  });

  it('the two sides of a pair add up to the ballots', () => {
    holds(1, (n, votes) => {
      const { pairwise, ballots } = resultOf(n, votes);
      for (let i = 0; i < n; i++) {
        expect(pairwise[i * n + i]).toBe(0);
        for (let j = 0; j < i; j++) expect(pairwise[i * n + j]! + pairwise[j * n + i]!).toBe(ballots);
      }
    });
  });

  it('equal ranks and unlisted candidates count for neither side', () => {
    const groups = fc
      .shuffledSubarray([1, 2, 3, 4, 5])
      .chain((listed) =>
        fc
          .array(fc.nat(2), { minLength: listed.length, maxLength: listed.length })
          .map((levels) =>
            [0, 1, 2]
              .map((level) => listed.filter((_, at) => levels[at] === level))
              .filter((group) => group.length > 0),
          ),
      );
    fc.assert(
      fc.property(groups, (ranking) => {
        const counter = new PairwiseCounter([1, 2, 3, 4, 5]);
        counter.addRanking(ranking, 3);
        const level = (number: number) => {
          const at = ranking.findIndex((group) => group.includes(number));
          return at < 0 ? ranking.length : at;
        };
        for (let i = 0; i < 5; i++) {
          for (let j = 0; j < 5; j++) {
            expect(counter.pairwise[i * 5 + j]).toBe(level(i + 1) < level(j + 1) ? 3 : 0);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
