import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ElectionTally } from '#voting/shared/election-tally.ts';
import { type StvResult, StvTally } from '#voting/shared/stv-tally.ts';

interface SmallElection {
  n: number;
  seats: number;
  /** Rankings of candidates 0 to n - 1. */
  papers: number[][];
  /** The first of the tied is taken. */
  lot: number[];
}

const placesOf = (n: number) => Array.from({ length: n }, (_, place) => place);

/** Elections with more candidates than seats, and few papers, so that ties are frequent. */
const elections: fc.Arbitrary<SmallElection> = fc.integer({ min: 2, max: 6 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    seats: fc.integer({ min: 1, max: n - 1 }),
    papers: fc.array(fc.shuffledSubarray(placesOf(n), { minLength: 1 }), { minLength: 1, maxLength: 14 }),
    lot: fc.shuffledSubarray(placesOf(n), { minLength: n }),
  }),
);

/** @param order the candidates in display order */
function countedBy({ n, seats, papers, lot }: SmallElection, order = placesOf(n)) {
  const options = order.map((place, at) => ({
    id: String(place),
    number: at + 1,
    name: String(place),
    is_none_of_the_above: false,
  }));
  const settings = { poll_response_type: 'single', quorum: null } as const;
  const tally = new ElectionTally<StvResult>(new StvTally(options, { seats }), settings);
  for (const paper of papers) tally.add(JSON.stringify(paper.map((place) => order.indexOf(place) + 1)));
  return tally.result([lot.map(String)]);
}

/** The votes of a stage in the order of the candidates' ids. */
const votesOf = (n: number, votes: Record<string, string>) => placesOf(n).map((place) => votes[place]);

interface Paper {
  /** A fraction of one paper: its numerator, of 100,000. */
  worth: bigint;
  left: number[];
}

/**
 * The same rules in another form: every paper alone with its own worth, all votes added up anew from the papers at every
 * stage, and the state of an election as plain data that is replaced, not changed.
 */
function byHand({ n, seats, papers, lot }: SmallElection) {
  const quota = 100_000n * BigInt(Math.floor(papers.length / (seats + 1)) + 1);
  const history: bigint[][] = [];
  const stages: { candidate: string | null; votes: (string | undefined)[] }[] = [];
  const elected: number[] = [];
  const excluded: number[] = [];
  let boxes = new Map<number, Paper[]>(placesOf(n).map((place) => [place, []]));
  /** Votes that stay with an elected candidate whose papers are gone. */
  const kept = new Map<number, bigint>();
  const hopefuls = () => placesOf(n).filter((place) => !elected.includes(place) && !excluded.includes(place));
  const total = (place: number) =>
    kept.get(place) ?? boxes.get(place)!.reduce((sum, { worth }) => sum + worth, 0n);

  function deliver(all: readonly Paper[]) {
    const open = hopefuls();
    boxes = new Map(boxes);
    for (const { worth, left } of all) {
      const to = left.find((place) => open.includes(place));
      if (to !== undefined)
        boxes.set(to, [...boxes.get(to)!, { worth, left: left.slice(left.indexOf(to) + 1) }]);
    }
  }

  function finish(candidate: number | null) {
    const votes = placesOf(n).map(total);
    history.push(votes);
    const texts = votes.map((vote) => `${vote / 100_000n}.${String(vote % 100_000n).padStart(5, '0')}`);
    stages.push({ candidate: candidate === null ? null : String(candidate), votes: texts });
    const ordered = hopefuls().sort((a, b) => Number(votes[b]! - votes[a]!) || a - b);
    elected.push(...ordered.filter((place) => votes[place]! >= quota));
    const rest = ordered.filter((place) => !elected.includes(place));
    if (rest.length === seats - elected.length) elected.push(...rest);
  }

  /** The sign is 1 to find the highest, -1 to find the lowest. */
  function choose(among: readonly number[], sign: 1 | -1): number {
    let last = [...among];
    for (const votes of history.toReversed()) {
      const best = last.map((place) => votes[place]!).reduce((a, b) => (Number(a - b) * sign > 0 ? a : b));
      last = last.filter((place) => votes[place] === best);
    }
    return lot.find((place) => last.includes(place))!;
  }

  deliver(papers.map((left) => ({ worth: 100_000n, left })));
  finish(null);
  while (elected.length < seats) {
    const rich = elected.filter((place) => total(place) > quota);
    if (rich.length > 0) {
      const from = choose(rich, 1);
      const whole = total(from);
      const moved = boxes
        .get(from)!
        .map(({ worth, left }) => ({ worth: ((whole - quota) * worth) / whole, left }));
      kept.set(from, quota);
      deliver(moved);
      finish(from);
    } else {
      const from = choose(hopefuls(), -1);
      excluded.push(from);
      const moved = boxes.get(from)!;
      boxes = new Map([...boxes, [from, []]]);
      deliver(moved);
      finish(from);
    }
  }
  return { stages, elected: elected.map(String) };
}

describe('in any small election', () => {
  it('a count that moves every paper by hand gives the same stages and the same elected', () => {
    fc.assert(
      fc.property(elections, (election) => {
        const result = countedBy(election);
        const stages = result.stages.map(({ candidate, votes }) => ({
          candidate,
          votes: votesOf(election.n, votes),
        }));
        expect({ stages, elected: result.elected }).toEqual(byHand(election));
      }),
      { numRuns: 1_000 },
    );
  });

  it('nothing depends on the order of the papers or of the candidates', () => {
    const turned = elections.chain((election) =>
      fc.record({
        election: fc.constant(election),
        papers: fc.shuffledSubarray(election.papers, { minLength: election.papers.length }),
        order: fc.shuffledSubarray(placesOf(election.n), { minLength: election.n }),
      }),
    );
    fc.assert(
      fc.property(turned, ({ election, papers, order }) => {
        const comparable = ({ stages, elected, ties }: ReturnType<typeof countedBy>) => ({
          stages: stages.map((stage) => ({
            ...stage,
            votes: votesOf(election.n, stage.votes),
            elected: stage.elected.toSorted(),
          })),
          elected: elected.toSorted(),
          ties: ties.map(({ candidates, lot_among, ...tie }) => ({
            ...tie,
            candidates: candidates.toSorted(),
            lot_among: lot_among?.toSorted(),
          })),
        });
        const other = countedBy({ ...election, papers }, order);
        expect(comparable(other)).toEqual(comparable(countedBy(election)));
      }),
      { numRuns: 300 },
    );
  });

  it('another paper with a candidate first never lowers their first votes, and adds up', () => {
    fc.assert(
      fc.property(elections, (election) => {
        const { n, papers } = election;
        const [paper] = papers;
        const more = { ...election, papers: [...papers, paper!] };
        const firsts = (of: SmallElection) => countedBy(of).stages[0]!.votes;
        const before = firsts(election);
        const after = firsts(more);
        for (const place of placesOf(n))
          expect(Number(after[place])).toBe(Number(before[place]) + (place === paper![0] ? 1 : 0));
      }),
      { numRuns: 100 },
    );
  });

  it('fills every seat, never more, and loses no vote', () => {
    fc.assert(
      fc.property(elections, (election) => {
        const { seats, papers } = election;
        const { elected, stages } = countedBy(election);
        expect(new Set(elected).size).toBe(seats);
        for (const { votes, non_transferable } of stages) {
          const units = [...Object.values(votes), non_transferable].map((text) =>
            BigInt(text.replace('.', '')),
          );
          expect(units.every((unit) => unit >= 0n)).toBe(true);
          expect(units.reduce((a, b) => a + b)).toBe(BigInt(papers.length) * 100_000n);
        }
      }),
      { numRuns: 300 },
    );
  });
});
