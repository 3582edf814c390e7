import { describe, expect, it } from 'vitest';
import { createTally } from '#voting/shared/ballot-types.ts';
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
      quorum: null,
      quorum_met: null,
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
      quorum: null,
      quorum_met: null,
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
