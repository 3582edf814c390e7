import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { createTally } from '#voting/shared/ballot-types.ts';
import type { Results } from '#voting/shared/results.ts';
import type { SeatsResult } from '#voting/shared/seats.ts';
import type { RankedResult, TallyOption, TallySettings } from '#voting/shared/tally.ts';

const NONE = 'none';

/** Options with the letters as ids and names; `none` is “none of the above”. */
const optionsOf = (ids: readonly string[]): TallyOption[] =>
  ids.map((id, index) => ({ id, number: index + 1, name: id, is_none_of_the_above: id === NONE }));

const ABCD = optionsOf(['a', 'b', 'c', 'd']);
const RULES: TallySettings = { poll_response_type: 'multiple', quorum: null };

function count<Type extends BallotType>(
  type: Type,
  settings: Partial<TallySettings>,
  ballots: readonly (readonly [text: string, times: number])[],
  options = ABCD,
) {
  const tally = createTally(type, options, { ...RULES, ...settings });
  for (const [text, times] of ballots) tally.add(text, times);
  return tally.result() as Results[Type];
}

/** A ballot of YES_NO_EACH from letters: `y`, `n` or `-` for each option. */
const each = (answers: string): string => {
  const words = { y: 'yes', n: 'no', '-': 'abstain' } as const;
  const all = [...answers].map((letter, at) => [at + 1, words[letter as 'y']]);
  return JSON.stringify(Object.fromEntries(all));
};

describe('a poll with seats', () => {
  it.each<[string, Partial<TallySettings>, [string, number][], object]>([
    [
      'elects those with the most votes',
      { seats: 2 },
      [
        ['[1,2]', 5],
        ['[2,3]', 4],
      ],
      { elected: ['b', 'a'], tied_for_last: [], open_seats: 0, winners: ['b', 'a'], tied: false },
    ],
    [
      'elects nobody of those who are level for the last seat',
      { seats: 2 },
      [
        ['[1,2]', 5],
        ['[1,3]', 5],
      ],
      {
        elected: ['a'],
        tied_for_last: ['b', 'c'],
        open_seats: 1,
        next: { unelected: ['b', 'c', 'd'], all: ['a', 'b', 'c', 'd'] },
        tied: true,
      },
    ],
    [
      'has a threshold of the ballots with a choice',
      { seats: 2, threshold: { share: 'more_than_half', of: 'valid' } },
      [
        ['[1,2]', 5],
        ['[1]', 1],
        ['[3]', 4],
        ['blank', 9],
      ],
      { elected: ['a'], open_seats: 1, base: 10, needed: 6 },
    ],
    [
      'has a threshold of all ballots, blank ones too',
      { seats: 1, threshold: { share: 'more_than_half', of: 'ballots' } },
      [
        ['[1]', 6],
        ['blank', 6],
      ],
      { elected: [], open_seats: 1, next: { two_best: ['a', 'b', 'c', 'd'] }, base: 12, needed: 7 },
    ],
    [
      'has a threshold of the electors',
      { seats: 1, threshold: { share: { at_least: '1/3' }, of: 'electors' }, electors: 30 },
      [
        ['[1]', 10],
        ['[2]', 9],
      ],
      { elected: ['a'], base: 30, needed: 10 },
    ],
    [
      'has one seat where only a threshold is set',
      { threshold: { share: 'two_thirds', of: 'valid' } },
      [
        ['[1]', 5],
        ['[2]', 4],
        ['[3]', 4],
      ],
      { seats: 1, elected: [], next: { two_best: ['a', 'b', 'c'] } },
    ],
    [
      'elects nobody without its quorum',
      { seats: 2, quorum: 10 },
      [['[1,2]', 9]],
      { elected: [], tied_for_last: [], open_seats: 2, valid: false, winners: ['a', 'b'] },
    ],
    ['elects nobody without ballots', { seats: 2 }, [], { elected: [], tied_for_last: [], open_seats: 2 }],
  ])('%s', (_rule, settings, ballots, result) => {
    expect(count('POLL', settings, ballots)).toMatchObject(result);
  });

  it('has a lot between those who are level, where one was drawn', () => {
    const tally = createTally('POLL', ABCD, { ...RULES, seats: 2, lot: 'drawn' });
    tally.add('[1,2]', 5);
    tally.add('[1,3]', 5);

    expect(tally.result()).toMatchObject({ elected: ['a'], awaiting_lot: ['b', 'c'] });
    expect(tally.result([['c', 'b']])).toMatchObject({
      elected: ['a', 'c'],
      tied_for_last: [],
      ties: [{ candidates: ['b', 'c'], by: 'lot', taken: ['c'] }],
    });
  });

  it('counts no ballot with more choices than allowed', () => {
    expect(() => count('POLL', { seats: 2 }, [['[1,2,3]', 1]])).toThrow(/Malformed/);
    expect(() => count('POLL', { max_choices: 1, seats: 2 }, [['[1,2]', 1]])).toThrow(/Malformed/);
  });

  it('without seats and threshold says no more than before', () => {
    expect(Object.keys(count('POLL', {}, [['[1]', 1]]))).not.toContain('elected');
  });
});

describe('a ranked election with seats', () => {
  it.each<[string, Partial<TallySettings>, [string, number][], object]>([
    [
      'elects the first of the order',
      { seats: 2 },
      [
        ['[1,2,3,4]', 5],
        ['[2,1,3,4]', 4],
      ],
      { elected: ['a', 'b'], tied_for_last: [], open_seats: 0 },
    ],
    [
      'elects nobody of those who are level for the last place',
      { seats: 2 },
      [
        ['[1,2,3,4]', 5],
        ['[1,3,2,4]', 5],
      ],
      { elected: ['a'], tied_for_last: ['b', 'c'], open_seats: 1 },
    ],
    ['elects nobody without ballots', { seats: 2 }, [], { elected: [], tied_for_last: [], open_seats: 2 }],
  ])('%s', (_rule, settings, ballots, result) => {
    expect(count('RANKED_CONDORCET', settings, ballots)).toMatchObject(result);
  });

  it('leaves a seat open rather than give it to somebody below “none of the above”', () => {
    const options = optionsOf(['a', NONE, 'c', 'd']);
    expect(count('RANKED_CONDORCET', { seats: 2 }, [['[1,2,3,4]', 5]], options)).toMatchObject({
      elected: ['a'],
      open_seats: 1,
      next: { unelected: ['c', 'd'], all: ['a', 'c', 'd'] },
    });
  });
});

/** Two chains that no majority joins: a beats b, c beats d, and nothing else is decided. */
const TWO_CHAINS: [string, number][] = [
  ['[1,2,3,4]', 1],
  ['[3,4,1,2]', 1],
];

describe('a ranked election with seats whose order is partial', () => {
  it.each<[string, Partial<TallySettings>, [string, number][], object]>([
    [
      'gives one seat to nobody where two are unbeaten',
      { seats: 1 },
      TWO_CHAINS,
      { elected: [], tied_for_last: ['a', 'c'], next: { two_best: ['a', 'c'] } },
    ],
    [
      'gives two seats to nobody where neither of two is ahead of all but one',
      { seats: 2 },
      TWO_CHAINS,
      { elected: [], tied_for_last: ['a', 'c', 'b', 'd'], open_seats: 2 },
    ],
    [
      'gives seats to those who are ahead of all but fewer than there are seats',
      { seats: 3 },
      TWO_CHAINS,
      { elected: ['a', 'c'], tied_for_last: ['b', 'd'], open_seats: 1 },
    ],
    [
      'fills all seats where there are as many as candidates',
      { seats: 4 },
      TWO_CHAINS,
      { elected: ['a', 'c', 'b', 'd'], tied_for_last: [], open_seats: 0 },
    ],
    [
      'counts by rank what an earlier version settled',
      { seats: 2, seats_rule: 'ranks' },
      TWO_CHAINS,
      { elected: ['a', 'c'], tied_for_last: [], open_seats: 0 },
    ],
  ])('%s', (_rule, settings, ballots, result) => {
    const counted = count('RANKED_CONDORCET', settings, ballots);
    expect(counted).toMatchObject(result);
    expect(counted.seats_rule).toBe(settings.seats_rule ? undefined : 'beats');
  });

  it('has a lot that takes nobody before somebody who beats them', () => {
    const tally = createTally('RANKED_CONDORCET', ABCD, { ...RULES, seats: 2 });
    for (const [text, times] of TWO_CHAINS) tally.add(text, times);
    expect(tally.result([['b', 'd', 'a', 'c']])).toMatchObject({
      elected: ['a', 'b'],
      tied_for_last: [],
      open_seats: 0,
      ties: [{ candidates: ['a', 'c', 'b', 'd'], by: 'lot', taken: ['a', 'b'] }],
    });
  });

  it('gives no seat to somebody who does not beat “none of the above”, on whichever rank', () => {
    const options = optionsOf(['a', NONE, 'c', 'd']);
    const ballots: [string, number][] = [
      ['[1,2,3,4]', 1],
      ['[3,4,1,2]', 1],
    ];
    const result = count('RANKED_CONDORCET', { seats: 2 }, ballots, options);
    expect(result.ranking[0]).toEqual({ rank: 1, candidates: ['a', 'c'] });
    expect(result).toMatchObject({ elected: ['a'], tied_for_last: [], open_seats: 1 });
  });

  it('elects those who are among the first in every full order that agrees with it, and no others', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const rankings = fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 }).map((all) => JSON.stringify(all));
    fc.assert(
      fc.property(
        fc.array(rankings, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.shuffledSubarray(ids, { minLength: 5 }),
        (texts, seats, lot) => {
          const tally = createTally('RANKED_CONDORCET', optionsOf(ids), { ...RULES, seats });
          for (const text of texts) tally.add(text);
          const result = tally.result() as RankedResult & SeatsResult;
          const paths = result.strongest_paths;
          const ahead = (one: string, other: string) =>
            paths[ids.indexOf(one)]![ids.indexOf(other)]! > paths[ids.indexOf(other)]![ids.indexOf(one)]!;
          const firsts = fullOrders(ids, ahead).map((order) => order.slice(0, seats));
          const always = ids.filter((id) => firsts.every((first) => first.includes(id)));
          const sometimes = ids.filter((id) => firsts.some((first) => first.includes(id)));
          const { elected, tied_for_last } = result;
          expect(elected.toSorted()).toEqual(always);
          expect([...elected, ...tied_for_last].toSorted()).toEqual(sometimes);
          // Nobody has a seat over somebody who can have none and is not beaten by them.
          const others = ids.filter((id) => ![...elected, ...tied_for_last].includes(id));
          for (const id of elected) expect(others.filter((other) => !ahead(id, other))).toEqual([]);
          const drawn = (tally.result([lot]) as RankedResult & SeatsResult).elected;
          expect(drawn).toHaveLength(seats);
          expect(firsts.map((first) => first.toSorted())).toContainEqual(drawn.toSorted());
        },
      ),
      { numRuns: 400 },
    );
  });
});

/** All full orders in which nobody stands before somebody who is ahead of them. */
function fullOrders(left: readonly string[], ahead: (one: string, other: string) => boolean): string[][] {
  if (left.length === 0) return [[]];
  const next = left.filter((id) => !left.some((other) => ahead(other, id)));
  return next.flatMap((id) =>
    fullOrders(
      left.filter((other) => other !== id),
      ahead,
    ).map((rest) => [id, ...rest]),
  );
}

describe('yes or no to each', () => {
  it('counts each option, abstentions too', () => {
    const result = count('YES_NO_EACH', {}, [
      [each('yy-n'), 5],
      [each('ynn-'), 3],
    ]);
    expect(result).toMatchObject({
      method: 'majority',
      variant: 'yes or no to each',
      majority: { share: 'more_than_half', of: 'yes_no' },
      seats: 4,
      elected: ['a', 'b'],
      open_seats: 2,
      next: { unelected: ['c', 'd'], all: ['a', 'b', 'c', 'd'] },
    });
    expect(result.options).toEqual([
      { id: 'a', name: 'a', yes: 8, no: 0, abstain: 0 },
      { id: 'b', name: 'b', yes: 5, no: 3, abstain: 0 },
      { id: 'c', name: 'c', yes: 0, no: 3, abstain: 5 },
      { id: 'd', name: 'd', yes: 0, no: 5, abstain: 3 },
    ]);
  });

  it.each<[string, Partial<TallySettings>, [string, number][], object]>([
    [
      'with fewer seats elects the most Yes first',
      { seats: 2 },
      [
        [each('yyy-'), 4],
        [each('-yy-'), 2],
        [each('--y-'), 1],
      ],
      { elected: ['c', 'b'], open_seats: 0 },
    ],
    [
      'elects nobody of those who are level for the last seat',
      { seats: 2 },
      [[each('yyy-'), 4]],
      { elected: [], tied_for_last: ['a', 'b', 'c'], open_seats: 2 },
    ],
    [
      'a share of the ballots makes an abstention a No',
      { majority: { share: 'more_than_half', of: 'ballots' } },
      [
        [each('y---'), 4],
        ['blank', 4],
      ],
      { elected: [], base: 8, needed: 5 },
    ],
    [
      'more Yes does not help who lacks the majority',
      { seats: 1 },
      [
        [each('yn--'), 5],
        [each('ny--'), 6],
        [each('n-y-'), 4],
      ],
      { elected: ['b'], tied_for_last: [] },
    ],
    ['elects nobody without ballots', {}, [], { elected: [], tied_for_last: [], open_seats: 4 }],
    [
      'elects nobody without its quorum',
      { quorum: 5 },
      [[each('yyyy'), 4]],
      { elected: [], open_seats: 4, winners: ['a', 'b', 'c', 'd'], valid: false },
    ],
  ])('%s', (_rule, settings, ballots, result) => {
    expect(count('YES_NO_EACH', settings, ballots)).toMatchObject(result);
  });

  it.each([
    ['an option left out', '{"1":"yes","2":"no","3":"no"}'],
    ['an unknown one', '{"1":"yes","2":"no","3":"no","5":"no"}'],
    ['another order', '{"2":"yes","1":"no","3":"no","4":"no"}'],
    ['another answer', each('yyy-').replace('abstain', 'perhaps')],
    ['something behind it', `${each('yyy-')} `],
    ['more Yes than allowed', each('yyyn')],
  ])('counts no stored ballot with %s', (_what, text) => {
    expect(() => count('YES_NO_EACH', { max_yes: 2 }, [[text, 1]])).toThrow(/Malformed/);
  });
});

const TYPES: [BallotType, Partial<TallySettings>, fc.Arbitrary<string>][] = [
  [
    'POLL',
    { seats: 2, max_choices: 4, threshold: { share: { at_least: '1/4' }, of: 'valid' } },
    fc.subarray([1, 2, 3, 4], { minLength: 1 }).map((chosen) => JSON.stringify(chosen)),
  ],
  [
    'RANKED_CONDORCET',
    { seats: 2 },
    fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 }).map((order) => JSON.stringify(order)),
  ],
  [
    'YES_NO_EACH',
    { seats: 2 },
    fc
      .array(fc.constantFrom('y', 'n', '-'), { minLength: 4, maxLength: 4 })
      .map((answers) => each(answers.join(''))),
  ],
];

test.each(TYPES)('a result of %s depends on no order, of options or ballots', (type, settings, ballot) => {
  const outcome = (texts: readonly string[], options: TallyOption[]) => {
    const pairs = texts.map((text) => [text, 1] as const);
    const { elected = [], tied_for_last = [], open_seats } = count(type as 'POLL', settings, pairs, options);
    expect(elected.length + (open_seats ?? 0)).toBe(2);
    expect(elected.filter((id) => tied_for_last.includes(id))).toEqual([]);
    return { elected: elected.toSorted(), tied: tied_for_last.toSorted(), open_seats };
  };
  fc.assert(
    fc.property(fc.array(ballot, { maxLength: 12 }), (texts) => {
      expect(outcome(texts.toReversed(), ABCD.toReversed())).toEqual(outcome(texts, ABCD));
    }),
    { numRuns: 200 },
  );
});
