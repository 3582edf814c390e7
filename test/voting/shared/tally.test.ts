import { describe, expect, it } from 'vitest';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { createTally } from '#voting/shared/ballot-types.ts';
import type { Majority, Share } from '#voting/shared/share.ts';
import type { PollResult, SimpleResult, TallyOption, TallySettings } from '#voting/shared/tally.ts';

const single: TallySettings = { poll_response_type: 'single', quorum: null };
const multiple: TallySettings = { poll_response_type: 'multiple', quorum: null };

/** Options with ids `a`, `b` ... and numbers from 1. */
function optionsOf(...names: string[]): TallyOption[] {
  return names.map((name, index) => ({
    id: name[0]!.toLowerCase(),
    number: index + 1,
    name,
    is_none_of_the_above: false,
  }));
}

const NO_QUORUM = { quorum: null, quorum_met: null, blank: 0, valid: true };

function simple(ballots: Record<string, number>, quorum: number | null = null): SimpleResult {
  const tally = createTally('SIMPLE_TRIPLE', [], { poll_response_type: 'single', quorum });
  for (const [choice, count] of Object.entries(ballots)) tally.add(choice, count);
  return tally.result() as SimpleResult;
}

function poll(settings: TallySettings, options: TallyOption[], ballots: Record<string, number>): PollResult {
  const tally = createTally('POLL', options, settings);
  for (const [choice, count] of Object.entries(ballots)) tally.add(choice, count);
  return tally.result() as PollResult;
}

describe('a simple vote', () => {
  it.each([
    [{ yes: 3, no: 2, abstain: 9 }, 'passed'],
    [{ yes: 2, no: 3 }, 'failed'],
    [{ yes: 2, no: 2, abstain: 1 }, 'tied'],
    [{ abstain: 4 }, 'tied'],
    [{}, 'tied'],
    [{ yes: 1 }, 'passed'],
    [{ no: 1 }, 'failed'],
  ])('with %j is %s', (ballots: Record<string, number>, outcome) => {
    expect(simple(ballots)).toEqual({
      method: 'majority',
      variant: 'yes against no',
      yes: ballots.yes ?? 0,
      no: ballots.no ?? 0,
      abstain: ballots.abstain ?? 0,
      outcome,
      tied: outcome === 'tied',
      majority: { share: 'more_than_half', of: 'yes_no' },
      base: (ballots.yes ?? 0) + (ballots.no ?? 0),
      needed: expect.any(Number),
      carried: outcome === 'passed',
      ...NO_QUORUM,
    });
  });

  it('counts abstentions towards the ballots and the quorum', () => {
    const tally = createTally('SIMPLE_TRIPLE', [], { poll_response_type: 'single', quorum: 3 });
    tally.add('yes');
    tally.add('abstain');
    expect(tally.ballots).toBe(2);
    expect(tally.result()).toMatchObject({ outcome: 'passed', quorum: 3, quorum_met: false });
    tally.add('abstain');
    expect(tally.result()).toMatchObject({ outcome: 'passed', quorum: 3, quorum_met: true });
  });

  it.each<[Majority, electors: number, SimpleResult['outcome'], Partial<SimpleResult>]>([
    // 60 yes, 47 no and 3 abstentions; 2 more ballots are blank.
    [{ share: 'two_thirds', of: 'yes_no' }, 200, 'failed', { base: 107, needed: 72, carried: false }],
    [{ share: { at_least: '1/2' }, of: 'yes_no' }, 200, 'passed', { base: 107, needed: 54, carried: true }],
    [{ share: 'more_than_half', of: 'ballots' }, 200, 'passed', { base: 112, needed: 57, carried: true }],
    [{ share: 'more_than_half', of: 'electors' }, 119, 'passed', { base: 119, needed: 60, carried: true }],
    [{ share: 'more_than_half', of: 'electors' }, 120, 'failed', { base: 120, needed: 61, carried: false }],
    [{ share: 'all', of: 'electors' }, 120, 'failed', { base: 120, needed: 120, carried: false }],
    [{ share: { more_than: '1/2' }, of: 'yes_no' }, 200, 'passed', { base: 107, needed: 54, carried: true }],
  ])('needs %j of %d electors: %s', (majority, electors, outcome, said) => {
    const tally = createTally('SIMPLE_TRIPLE', [], { ...single, majority, electors });
    for (const [choice, count] of Object.entries({ yes: 60, no: 47, abstain: 3, blank: 2 }))
      tally.add(choice, count);
    expect(tally.ballots).toBe(112);
    expect(tally.result()).toMatchObject({ outcome, majority, ...said, tied: false, abstain: 3, blank: 2 });
  });

  it('is never carried by a tie, with any spelling of the default rule and with others', () => {
    const outcomeOf = (majority: Majority | null) => {
      const tally = createTally('SIMPLE_TRIPLE', [], { ...single, majority });
      tally.add('yes', 3);
      tally.add('no', 3);
      const { outcome, tied, carried } = tally.result() as SimpleResult;
      return [outcome, tied, carried];
    };
    expect(outcomeOf(null)).toEqual(['tied', true, false]);
    expect(outcomeOf({ share: { more_than: '2/4' }, of: 'yes_no' })).toEqual(['tied', true, false]);
    expect(outcomeOf({ share: 'more_than_half', of: 'ballots' })).toEqual(['failed', false, false]);
  });

  it('is not carried by nobody, whatever is needed', () => {
    const majority: Majority = { share: { at_least: '1/100' }, of: 'electors' };
    const tally = createTally('SIMPLE_TRIPLE', [], { ...single, majority, electors: 0 });
    expect(tally.result()).toMatchObject({ outcome: 'failed', base: 0, needed: 1, carried: false });
  });

  it('without its quorum is not carried, though the outcome stays what the votes say', () => {
    const tally = createTally('SIMPLE_TRIPLE', [], { ...single, quorum: 3 });
    tally.add('yes', 2);
    expect(tally.result()).toMatchObject({ outcome: 'passed', valid: false, carried: false });
  });

  it.each(['YES', '', 'maybe', '[1]', 'toString'])('refuses the stored ballot %j', (text) => {
    const tally = createTally('SIMPLE_TRIPLE', [], single);
    expect(() => tally.add(text)).toThrow(/Malformed stored ballot/);
    expect(tally.ballots).toBe(0);
  });
});

describe('a poll', () => {
  const options = optionsOf('Ale', 'Bitter', 'Cider');

  it('with a single choice is won by the option with the most votes', () => {
    expect(poll(single, options, { '[1]': 1, '[2]': 5, '[3]': 2 })).toEqual({
      method: 'plurality',
      variant: 'single choice',
      options: [
        { id: 'a', name: 'Ale', count: 1, share: 0.125 },
        { id: 'b', name: 'Bitter', count: 5, share: 0.625 },
        { id: 'c', name: 'Cider', count: 2, share: 0.25 },
      ],
      winners: ['b'],
      tied: false,
      ...NO_QUORUM,
    });
  });

  it('with several choices has shares of the ballots, not of the votes', () => {
    const result = poll(multiple, options, { '[1,2]': 3, '[1,2,3]': 1 });
    expect(result.variant).toBe('multiple choice');
    expect(result.options.map(({ count, share }) => [count, share])).toEqual([
      [4, 1],
      [4, 1],
      [1, 0.25],
    ]);
    expect(result).toMatchObject({ winners: ['a', 'b'], tied: true });
  });

  it('without ballots has shares of 0 and no winner', () => {
    const result = poll(single, options, {});
    expect(result.options.map(({ share }) => share)).toEqual([0, 0, 0]);
    expect(result).toMatchObject({ winners: [], tied: false });
  });

  it('lists options in the given order, while ballots refer to their numbers', () => {
    const shown = [options[2]!, options[0]!, options[1]!];
    const result = poll(multiple, shown, { '[1,3]': 2, '[3]': 1 });
    expect(result.options.map(({ id, count }) => [id, count])).toEqual([
      ['c', 3],
      ['a', 2],
      ['b', 0],
    ]);
  });

  it('checks the quorum against the number of ballots, not of votes', () => {
    const settings: TallySettings = { poll_response_type: 'multiple', quorum: 3 };
    expect(poll(settings, options, { '[1,2,3]': 2 }).quorum_met).toBe(false);
    expect(poll(settings, options, { '[1]': 3 }).quorum_met).toBe(true);
  });

  it.each(['[]', '[4]', '[0]', '[1,1]', '[2,1]', '1', 'yes', '[1', '[1,2,3,3]', ''])(
    'refuses the stored ballot %j',
    (text) => {
      const tally = createTally('POLL', options, multiple);
      expect(() => tally.add(text)).toThrow(/Malformed stored ballot/);
      expect(tally.ballots).toBe(0);
    },
  );

  it('refuses the number of an option that was removed', () => {
    const tally = createTally('POLL', [options[0]!, options[2]!], multiple);
    tally.add('[1,3]');
    expect(() => tally.add('[2]')).toThrow(/Malformed stored ballot/);
  });

  it('with a single choice refuses a stored ballot with two', () => {
    expect(() => createTally('POLL', options, single).add('[1,2]')).toThrow(/Malformed stored ballot/);
  });

  it('refuses options that share a number', () => {
    expect(() => createTally('POLL', [options[0]!, options[0]!], single)).toThrow(/Option number 1/);
  });
});

describe('every type', () => {
  it.each<[BallotType, valid: string]>([
    ['SIMPLE_TRIPLE', 'yes'],
    ['POLL', '[1]'],
    ['RANKED_CONDORCET', '[1,2]'],
  ])('of %s counts blank ballots for the quorum and for no option', (type, choice) => {
    const results = [0, 5].map((blank) => {
      const tally = createTally(type, optionsOf('Ann', 'Bob'), { ...single, quorum: 6 });
      tally.add(choice, 2);
      if (blank > 0) tally.add('blank', blank);
      expect(tally.ballots).toBe(2 + blank);
      return tally.result();
    });
    const [without, withBlank] = results.map(({ blank, valid, quorum_met, ...votes }) => ({
      ...votes,
      ...('carried' in votes && { carried: undefined }),
    }));
    expect(withBlank).toEqual(without);
    expect(results).toMatchObject([
      { blank: 0, quorum_met: false, valid: false },
      { blank: 5, quorum_met: true, valid: true },
    ]);
  });

  it.each<[Share, electors: number, quorum: number, ballots: number, met: boolean]>([
    [{ at_least: '1/3' }, 100, 34, 33, false],
    [{ at_least: '1/3' }, 100, 34, 34, true],
    [{ more_than: '1/2' }, 40, 21, 20, false],
    [{ more_than: '1/2' }, 40, 21, 21, true],
    ['all', 3, 3, 3, true],
    ['two_thirds', 0, 1, 0, false],
  ])(
    'with a quorum of %j of %d electors needs %d ballots: %d',
    (quorum_share, electors, quorum, ballots, met) => {
      const tally = createTally('POLL', optionsOf('Ann', 'Bob'), { ...single, quorum_share, electors });
      if (ballots > 0) tally.add('[1]', ballots);
      expect(tally.result()).toMatchObject({ quorum, quorum_share, quorum_met: met, valid: met });
    },
  );
});
