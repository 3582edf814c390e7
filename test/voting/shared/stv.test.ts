import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256 } from '#kernel/secrets.ts';
import { ElectionTally } from '#voting/shared/election-tally.ts';
import { orderByHash } from '#voting/shared/lots.ts';
import { sha256Of } from '#voting/shared/sha256.ts';
import { type StvResult, StvTally } from '#voting/shared/stv-tally.ts';

/** An election whose stages were checked against OpenSTV, see `about` in stv-vectors.json. */
interface Vector {
  id: string;
  candidates: number;
  seats: number;
  lotOrder: number[];
  ballots: [papers: number, preferences: number[]][];
  validPapers: number;
  quota: number;
  stages: {
    action: 'first' | 'surplus' | 'exclusion';
    candidate?: number;
    votes: string[];
    nonTransferable: string;
    reachedQuota?: number[];
    lastVacancies?: number[];
  }[];
  ties: { stage: number; among: number[]; by: 'stage' | 'lot'; lotAmong?: number[]; chosen: number }[];
  elected: number[];
}

const { elections }: { elections: Vector[] } = JSON.parse(
  fs.readFileSync(new URL('./stv-vectors.json', import.meta.url), 'utf8'),
);

/** A tally of candidates `1` to n. */
function tallyOf(
  n: number,
  { quorum = null, ...settings }: { seats?: number; quorum?: number | null } = {},
): ElectionTally<StvResult> {
  const numbers = Array.from({ length: n }, (_, at) => at + 1);
  const options = numbers.map((number) => ({
    id: String(number),
    number,
    name: `Candidate ${number}`,
    is_none_of_the_above: false,
  }));
  return new ElectionTally(new StvTally(options, settings), { poll_response_type: 'single', quorum });
}

/** Counts ballots such as `5:123 2:31`: five papers that rank the candidates 1, 2, 3, and two others. */
function count(
  ballots: string,
  { n, orders = [], ...settings }: { n: number; seats?: number; quorum?: number | null; orders?: string[][] },
) {
  const tally = tallyOf(n, settings);
  for (const [, times, ranks] of ballots.matchAll(/(\d+):(\d+)/g))
    tally.add(JSON.stringify(Array.from(ranks!, Number)), Number(times));
  return tally.result(orders);
}

const stageOf = (result: ReturnType<typeof count>, stage: number) =>
  Object.values(result.stages[stage - 1]!.votes).join(' ');

describe('the single transferable vote', () => {
  it.each(elections.map((vector) => [vector.id, vector] as const))(
    'gives every stage and every vote of %s',
    (_id, { candidates, seats, lotOrder, ballots, ...expected }) => {
      const tally = tallyOf(candidates, { seats });
      for (const [papers, preferences] of ballots) tally.add(JSON.stringify(preferences), papers);
      const result = tally.result([lotOrder.map(String)]);

      const ids = (numbers: number[] = []) => numbers.map(String);
      expect(result).toMatchObject({
        method: 'STV',
        variant: 'Scottish',
        seats,
        uncontested: false,
        valid_papers: expected.validPapers,
        quota: expected.quota,
        elected: ids(expected.elected),
      });
      expect(result.stages).toEqual(
        expected.stages.map(({ action, candidate, votes, nonTransferable, reachedQuota, lastVacancies }) => ({
          action: action === 'exclusion' ? 'exclude' : action,
          candidate: candidate === undefined ? null : String(candidate),
          votes: Object.fromEntries(votes.map((each, at) => [String(at + 1), each])),
          non_transferable: nonTransferable,
          elected: [...ids(reachedQuota), ...ids(lastVacancies)],
          excluded: action === 'exclusion' ? [String(candidate)] : [],
        })),
      );
      expect(result.ties.map(({ same_elected: _, ...tie }) => tie)).toEqual(
        expected.ties.map(({ stage, among, by, lotAmong, chosen }) => ({
          stage,
          candidates: ids(among),
          by,
          taken: String(chosen),
          ...(lotAmong && { lot_among: ids(lotAmong) }),
        })),
      );
    },
  );

  it.each([
    ['one seat without a number of seats', '3:1 2:2 1:3', { n: 3 }, { seats: 1, quota: 4 }],
    ['no ballots', '', { n: 3, seats: 2 }, { elected: [], stages: [], quota: null, uncontested: false }],
    ['as many candidates as seats', '2:1', { n: 2, seats: 2 }, { elected: ['1', '2'], uncontested: true }],
    ['fewer candidates than seats', '2:1', { n: 2, seats: 5 }, { elected: ['1', '2'], stages: [] }],
    ['one candidate without ballots', '', { n: 1, seats: 1 }, { elected: [], uncontested: true }],
    ['a missed quorum', '3:1', { n: 2, quorum: 4 }, { elected: [], quorum_met: false, valid: false }],
  ])('knows %s', (_name, ballots, settings, expected) => {
    expect(count(ballots, settings)).toMatchObject(expected);
  });

  it('elects the last candidates without the quota, even with no votes', () => {
    const result = count('4:1', { n: 3, seats: 2, orders: [['2', '3', '1']] });
    expect(result.elected).toEqual(['1', '3']);
    expect(result.stages.at(-1)).toMatchObject({ action: 'exclude', candidate: '2', elected: ['3'] });
    expect(stageOf(result, result.stages.length)).toBe('2.00000 0.00000 0.00000');
  });

  it('is exact where products are larger than a number can hold', () => {
    // 3,000,007 papers: surplus x value is 1.5e11 x 1e5.
    const result = count('3000000:123 4:213 3:321', { n: 3, seats: 2, orders: [] });
    expect(result.quota).toBe(1_000_003);
    // floor((300000000000 - 100000300000) * 100000 / 300000000000) = 66666
    expect(stageOf(result, 2)).toBe('1000003.00000 1999984.00000 3.00000');
  });

  it.each(['[1,1]', '[4]', '[]', '1', '[0]', '[1,2,3,4]'])('refuses the stored ballot %s', (text) => {
    const tally = tallyOf(3);
    expect(() => tally.add(text)).toThrow('Malformed stored ballot');
    expect(tally.ballots).toBe(0);
  });
});

describe('a lot', () => {
  it('is waited for, and nobody is elected from then on', () => {
    const waiting = count('4:1 2:2 2:3 1:4', { n: 4, seats: 2 });
    expect(waiting).toMatchObject({ awaiting_lot: ['2', '3'], elected: ['1'], ties: [] });
    expect(waiting.stages.map(({ action }) => action)).toEqual(['first', 'exclude']);
  });

  it.each([
    [[['2', '3']], ['1', '3']],
    [[['3', '2']], ['1', '2']],
    // An order of others decides nothing, one of more decides too.
    [
      [
        ['1', '4'],
        ['4', '3', '1', '2'],
      ],
      ['1', '2'],
    ],
  ])('of %j elects %j', (orders, elected) => {
    const result = count('4:1 2:2 2:3 1:4', { n: 4, seats: 2, orders });
    expect(result.elected).toEqual(elected);
    expect(result.ties).toMatchObject([{ stage: 3, by: 'lot', same_elected: false }]);
    expect(result).not.toHaveProperty('awaiting_lot');
  });

  it('says where the other order gives the same persons', () => {
    const ballots = '5:12 2:2 1:3 1:4';
    const results = [
      ['3', '4'],
      ['4', '3'],
    ].map((order) => count(ballots, { n: 4, seats: 2, orders: [order] }));
    expect(results.map(({ ties }) => ties)).toMatchObject([
      [{ taken: '3', same_elected: true }],
      [{ taken: '4', same_elected: true }],
    ]);
  });

  it('is between those alone who are equal at every stage', () => {
    // The example of three tied candidates in the notes on rule 52: 7, 5, 6, 6, then 8, -, 8, 8.
    const result = count('7:1 1:21 2:23 2:24 6:3 6:4', { n: 4 });
    expect(result.awaiting_lot).toEqual(['3', '4']);
  });

  it('has an order that anybody can repeat with a tool for SHA-256', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const set = sha256('the ballots');
    const digests = new Map(ids.map((id) => [id, sha256(`${set}:${id}`)]));
    const order = ids.toSorted((a, b) => (digests.get(a)! < digests.get(b)! ? -1 : 1));
    expect(orderByHash(ids, set)).toEqual(order);
    expect(orderByHash(ids.toReversed(), set)).toEqual(order);
  });

  it('uses the SHA-256 of the standard for texts of every length', () => {
    for (let length = 0; length < 200; length++) {
      const text = 'aä€'.repeat(length).slice(0, length);
      expect(sha256Of(text)).toBe(sha256(text));
    }
  });
});
