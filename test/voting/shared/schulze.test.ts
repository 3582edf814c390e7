import { describe, expect, it } from 'vitest';
import { condorcetWinner, PairwiseCounter, rankCandidates, strongestPaths } from '#voting/shared/schulze.ts';
import { type Matrix, more, published, type Vector } from './schulze-examples.ts';

function numbersOf(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

/** The vector's ballots as option numbers. */
function groupsIn(vector: Vector): { count: number; groups: number[][] }[] {
  return vector.ballots.map(({ count, ranking }) => ({
    count,
    groups: ranking.map((group) => group.map((name) => vector.candidates.indexOf(name) + 1)),
  }));
}

function countGroups(vector: Vector): PairwiseCounter {
  const counter = new PairwiseCounter(numbersOf(vector.candidates.length));
  for (const { count, groups } of groupsIn(vector)) counter.addRanking(groups, count);
  return counter;
}

/** The ballots as stored texts; null if any has equal ranks. A single missing candidate is the last one. */
function textsOf(vector: Vector): { count: number; text: string }[] | null {
  const all = numbersOf(vector.candidates.length);
  const texts = groupsIn(vector).map(({ count, groups }) => {
    const listed = groups.flat();
    const missing = all.filter((number) => !listed.includes(number));
    const strict = groups.every((group) => group.length === 1) && missing.length < 2;
    return strict ? { count, text: JSON.stringify([...listed, ...missing]) } : null;
  });
  return texts.every((text) => text !== null) ? texts : null;
}

function countTexts(n: number, texts: readonly { count: number; text: string }[]): PairwiseCounter {
  const counter = new PairwiseCounter(numbersOf(n));
  for (const { count, text } of texts) counter.add(text, count);
  return counter;
}

function matrixOf(candidates: string[], flat: Uint32Array): Matrix {
  const rows = candidates.map((name, i) => {
    const cells = candidates.map((other, j) => [other, flat[i * candidates.length + j]!] as const);
    return [name, Object.fromEntries(cells.filter(([other]) => other !== name))] as const;
  });
  return Object.fromEntries(rows);
}

function orderOf(vector: Vector, { pairwise, n }: PairwiseCounter): string[][] {
  const groups = rankCandidates(strongestPaths(pairwise, n), n);
  return groups.map((group) => group.map((place) => vector.candidates[place]!).sort());
}

const vectors = [...published, ...more];

describe.each(vectors)('$name', (vector) => {
  const { candidates, expected } = vector;
  const counter = countGroups(vector);
  const { pairwise, n } = counter;

  it('has the published order with its ties and its Condorcet winner', () => {
    expect(orderOf(vector, counter)).toEqual(expected.schulze_order.map((group) => group.toSorted()));
    const winner = condorcetWinner(pairwise, n);
    expect(winner === null ? null : candidates[winner]).toEqual(expected.condorcet_winner);
    expect(counter.ballots).toBe(vector.ballots.reduce((sum, ballot) => sum + ballot.count, 0));
  });

  if (expected.pairwise) {
    it('has the published pairwise matrix', () => {
      expect(matrixOf(candidates, pairwise)).toEqual(expected.pairwise);
    });
  }

  if (expected.schulze_path_strengths_wv) {
    it('has the published path strengths', () => {
      expect(matrixOf(candidates, strongestPaths(pairwise, n))).toEqual(expected.schulze_path_strengths_wv);
    });
  }

  const texts = textsOf(vector);
  if (texts) {
    it('gives the same result from stored ballots', () => {
      const stored = countTexts(n, texts);
      expect(stored.pairwise).toEqual(pairwise);
      expect(stored.firstChoices).toEqual(counter.firstChoices);
      expect(stored.ballots).toBe(counter.ballots);
    });
  }
});

describe('the collection of examples', () => {
  it('is complete, and is tested in the stored form if its ballots are strict', () => {
    expect(published).toHaveLength(10);
    expect(vectors.filter((vector) => textsOf(vector)).length).toBeGreaterThanOrEqual(14);
  });
});

describe('stored rankings', () => {
  it('are read by option number, whatever these numbers are', () => {
    const counter = new PairwiseCounter([12, 3, 104]);
    counter.add('[104,12,3]', 2);
    counter.add('[3,104,12]');
    expect([...counter.pairwise]).toEqual([0, 2, 0, 1, 0, 1, 3, 2, 0]);
    expect([...counter.firstChoices]).toEqual([0, 1, 2]);
    expect(counter.ballots).toBe(3);
  });

  it.each([
    '',
    '[]',
    '[1,2]',
    '[1,2,3',
    '1,2,3]',
    '[1,2,3,]',
    '[1,2,3]]',
    '[1,2,3,1]',
    '[1,2,2]',
    '[1,1,1]',
    '[1,2,4]',
    '[0,1,2]',
    '[01,2,3]',
    '[1, 2,3]',
    '[1;2,3]',
    '[1,2,-3]',
    '[1,,3]',
    '[1,2,3.0]',
    '[1,2,99999999999999999999]',
    'yes',
    '{"1":2}',
  ])('are refused when malformed, without counting any part: %j', (text) => {
    const counter = new PairwiseCounter([1, 2, 3]);
    expect(() => counter.add(text)).toThrow(/Malformed stored ballot/);
    expect(counter.ballots).toBe(0);
    expect(counter.pairwise.every((cell) => cell === 0)).toBe(true);
    counter.add('[1,2,3]');
    expect(counter.ballots).toBe(1);
  });

  it('cannot be counted for options that share a number or have none', () => {
    expect(() => new PairwiseCounter([1, 2, 1])).toThrow(/Option number 1/);
    expect(() => new PairwiseCounter([0, 1])).toThrow(/Option number 0/);
    expect(() => new PairwiseCounter([1.5])).toThrow(/Option number 1.5/);
  });
});

describe('rankings with equal ranks', () => {
  it('tie unlisted candidates behind all others', () => {
    const counter = new PairwiseCounter([1, 2, 3, 4]);
    counter.addRanking([[2]]);
    expect([...counter.pairwise]).toEqual([0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('do not count a shared first place as a first choice', () => {
    const counter = new PairwiseCounter([1, 2, 3]);
    counter.addRanking([[1, 2], [3]]);
    counter.addRanking([]);
    expect([...counter.firstChoices]).toEqual([0, 0, 0]);
    expect(counter.ballots).toBe(2);
  });

  it('are refused with an unknown or repeated number', () => {
    const counter = new PairwiseCounter([1, 2]);
    expect(() => counter.addRanking([[1], [3]])).toThrow(/Malformed/);
    expect(() => counter.addRanking([[1], [1]])).toThrow(/Malformed/);
    expect(counter.ballots).toBe(0);
  });
});
