import { describe, expect, test } from 'vitest';
import { outcomeOf, type Votes } from '#voting/counting/outcome.ts';
import { createTally } from '#voting/shared/ballot-types.ts';
import type { Electorate } from '#voting/shared/tally.ts';

const ELECTORATE: Electorate = { electors: 10, present: 6, quorate: true };
const OPTIONS = ['Ada', 'Bo'].map((name, at) => ({
  id: name,
  name,
  number: at + 1,
  is_none_of_the_above: false,
}));
const [MOTION, POLL] = ['SIMPLE_TRIPLE', 'POLL'] as const;

/** Every setting of a motion that decides: 3 yes, 1 no, 1 abstention of 10 electors, 6 of whom are present. */
const MOTIONS: [what: string, settings: object, electorate: Electorate, carried: boolean, valid: boolean][] =
  [
    ['nothing', {}, ELECTORATE, true, true],
    ['a quorum that is met', { quorum: 5 }, ELECTORATE, true, true],
    ['a quorum that is not met', { quorum: 7 }, ELECTORATE, false, false],
    ['a share of the electors that is met', { quorum_share: { at_least: '1/2' } }, ELECTORATE, true, true],
    ['a share of the electors that is not met', { quorum_share: 'two_thirds' }, ELECTORATE, false, false],
    ['a meeting without its quorum', {}, { ...ELECTORATE, quorate: false }, false, false],
    [
      'three quarters of yes and no',
      { majority: { share: 'three_quarters', of: 'yes_no' } },
      ELECTORATE,
      true,
      true,
    ],
    [
      'two thirds of the ballots',
      { majority: { share: 'two_thirds', of: 'ballots' } },
      ELECTORATE,
      false,
      true,
    ],
    [
      'more than half of those present',
      { majority: { share: 'more_than_half', of: 'present' } },
      ELECTORATE,
      false,
      true,
    ],
    [
      'half of those present',
      { majority: { share: { at_least: '1/2' }, of: 'present' } },
      ELECTORATE,
      true,
      true,
    ],
    [
      'more than half of the electors',
      { majority: { share: 'more_than_half', of: 'electors' } },
      ELECTORATE,
      false,
      true,
    ],
    ['all of yes and no', { majority: { share: 'all', of: 'yes_no' } }, ELECTORATE, false, true],
  ];

const tallied = (
  type: typeof MOTION | typeof POLL,
  settings: object,
  electorate: Electorate,
  choices: string[],
): Votes => {
  const rules = { poll_response_type: 'single', quorum: null, ...settings, ...electorate } as const;
  const tally = createTally(type, type === POLL ? OPTIONS : [], rules);
  for (const choice of choices) tally.add(choice);
  return { way: 'ballots', results: tally.result() };
};
const certified = (items: [label: string, votes: number][]): Votes => ({
  way: 'certified',
  results: { contests: [{ label: 'x', items: items.map(([label, votes]) => ({ label, votes })) }] },
  options: OPTIONS,
});

describe.each(MOTIONS)('a motion with %s', (_what, settings, electorate, carried, valid) => {
  const asked = { ballot_type: MOTION, settings: JSON.stringify(settings) };
  const ways: Votes[] = [
    tallied(MOTION, settings, electorate, ['yes', 'yes', 'yes', 'no', 'abstain']),
    { way: 'hands', yes: 3, no: 1, abstain: 1 },
    certified([
      ['Yes', 3],
      ['No', 1],
      ['Abstain', 1],
    ]),
  ];
  test.each(ways)('has one outcome, counted by $way', (votes) => {
    expect(outcomeOf(asked, electorate, votes)).toMatchObject({ carried, valid });
  });

  test('is carried without opposition only where those present are enough', () => {
    const outcome = outcomeOf(asked, electorate, { way: 'unopposed', elected: [] });
    const needsMore = JSON.stringify(settings).includes('"quorum":7') || 'quorum_share' in settings;
    const isEnough =
      electorate.quorate !== false && (!needsMore || 'at_least' in Object(Object(settings).quorum_share));
    expect(outcome).toMatchObject({ carried: isEnough, valid: isEnough });
  });
});

/** Every setting of an election that decides: Ada 3, Bo 1, one blank. */
const POLLS: [
  what: string,
  settings: object,
  electorate: Electorate,
  elected: string[],
  unopposed: boolean,
][] = [
  ['nothing', {}, ELECTORATE, ['Ada'], true],
  ['one seat', { seats: 1 }, ELECTORATE, ['Ada'], true],
  ['two seats', { seats: 2 }, ELECTORATE, ['Ada', 'Bo'], true],
  ['a quorum that is met, blanks included', { quorum: 5, allow_blank: true }, ELECTORATE, ['Ada'], true],
  ['a quorum that is not met', { quorum: 7, seats: 2 }, ELECTORATE, [], false],
  [
    'a share of the electors that is not met',
    { quorum_share: 'two_thirds', seats: 1 },
    ELECTORATE,
    [],
    false,
  ],
  ['a meeting without its quorum', { seats: 2 }, { ...ELECTORATE, quorate: false }, [], false],
  [
    'a threshold of the valid ballots',
    { threshold: { share: 'three_quarters', of: 'valid' } },
    ELECTORATE,
    ['Ada'],
    true,
  ],
  ['a threshold of the ballots', { threshold: { share: 'two_thirds', of: 'ballots' } }, ELECTORATE, [], true],
  [
    'a threshold of the electors',
    { threshold: { share: 'three_quarters', of: 'electors' } },
    ELECTORATE,
    [],
    false,
  ],
];

describe.each(POLLS)('an election with %s', (_what, settings, electorate, elected, unopposed) => {
  const asked = { ballot_type: POLL, settings: JSON.stringify(settings) };
  const ways: Votes[] = [
    tallied(POLL, settings, electorate, ['[1]', '[1]', '[1]', '[2]', 'blank']),
    certified([
      ['Bo', 1],
      ['Ada', 3],
      ['Blank', 1],
    ]),
  ];
  test.each(ways)('elects the same people, counted by $way', (votes) => {
    expect(outcomeOf(asked, electorate, votes).elected).toEqual(elected);
  });

  test('elects without opposition only where those present are enough', () => {
    const outcome = outcomeOf(asked, electorate, { way: 'unopposed', elected: ['Ada'] });
    expect(outcome).toMatchObject({ elected: unopposed ? ['Ada'] : [], valid: unopposed });
  });
});

test('certified figures that name no answer of the question decide no seat, but the quorum', () => {
  const asked = (settings: object) => ({ ballot_type: POLL, settings: JSON.stringify(settings) });
  const others = certified([
    ['Somebody', 4],
    ['Nobody', 2],
  ]);
  expect(outcomeOf(asked({}), { electors: 10 }, others)).toEqual({
    quorum: null,
    quorum_met: null,
    valid: true,
  });
  expect(outcomeOf(asked({ quorum: 5 }), { electors: 10 }, others)).toMatchObject({
    quorum: 5,
    valid: false,
  });
});
