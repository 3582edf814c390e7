import { expect, it } from 'vitest';
import type { AppError } from '#kernel/http/errors.ts';
import { keysOf, readKeys } from '#voting/ballots/paper-count-keys.ts';
import type { BallotType, OptionRow } from '#voting/elections/elections.ts';

const option = (id: string, number: number, withdrawn_at: number | null = null): OptionRow => ({
  id,
  number,
  election_id: 'e',
  name: id.toUpperCase(),
  display_order: number,
  is_none_of_the_above: 0,
  text: null,
  picture: null,
  withdrawn_at,
  withdrawn_note: null,
  translations: null,
});
const THREE = [option('a', 1), option('b', 2), option('c', 3)];
const WITHDRAWN = [option('a', 1), option('b', 2, 1), option('c', 3)];
const MANY = Array.from({ length: 12 }, (_, at) => option(`o${at + 1}`, at + 1));

const read = (ballot_type: BallotType, keys: string, options = THREE, settings: object = {}) => {
  try {
    return readKeys({ ballot_type, settings: JSON.stringify(settings) }, options, keys);
  } catch (error) {
    return (error as AppError).errors?.[0]?.code;
  }
};
const multiple = { poll_response_type: 'multiple' };

it.each([
  ['SIMPLE_TRIPLE', 'y', { choice: 'yes' }],
  ['SIMPLE_TRIPLE', ' N ', { choice: 'no' }],
  ['SIMPLE_TRIPLE', 'a', { choice: 'abstain' }],
  ['SIMPLE_TRIPLE', 'b', { blank: true }],
  ['SIMPLE_TRIPLE', 'x', { invalid: true }],
  ['SIMPLE_TRIPLE', 'yes', 'keys_of_answer'],
  ['RANKED_STV', '213', { ranking: ['b', 'a', 'c'] }],
  ['RANKED_STV', '2 1', { ranking: ['b', 'a'] }],
  ['RANKED_STV', '-1-', { ranking: ['b'] }],
  // It counts up to the first gap or repeated rank.
  ['RANKED_STV', '1 3', { ranking: ['a'] }],
  ['RANKED_STV', '122', { ranking: ['a'] }],
  ['RANKED_STV', '112', 'keys_no_first'],
  ['RANKED_STV', '23', 'keys_no_first'],
  ['RANKED_STV', '---', 'keys_no_first'],
  ['RANKED_STV', '1234', 'keys_of_ranks'],
  ['RANKED_STV', '1q', 'keys_of_ranks'],
  ['RANKED_CONDORCET', '1 3', { ranking: ['a', 'b'] }],
  ['RANKED_CONDORCET', '1 1', 'keys_rank_twice'],
  ['YES_NO_EACH', 'yna', { answers: { a: 'yes', b: 'no', c: 'abstain' } }],
  ['YES_NO_EACH', 'y - n', { answers: { a: 'yes', c: 'no' } }],
  ['YES_NO_EACH', 'ynay', 'keys_of_answers'],
  ['POLL', '2', { selected_option: 'b' }],
  ['POLL', '12', 'keys_one_cross'],
  ['POLL', '4', 'keys_of_crosses'],
] as const)('keys of %s: %s', (type, keys, fields) => {
  expect(read(type, keys)).toEqual(fields);
});

it('crosses need spaces from ten names on, and marks at withdrawn names do not count', () => {
  expect(read('POLL', '13', THREE, multiple)).toEqual({ selected_options: ['a', 'c'] });
  expect(read('POLL', '12', MANY, multiple)).toEqual({ selected_options: ['o12'] });
  expect(read('POLL', '1, 2', MANY, multiple)).toEqual({ selected_options: ['o1', 'o2'] });
  expect(read('POLL', '12', WITHDRAWN, multiple)).toEqual({ selected_options: ['a'] });
  expect(read('RANKED_STV', '213', WITHDRAWN)).toEqual({ ranking: ['a', 'c'] });
  expect(read('YES_NO_EACH', 'yny', WITHDRAWN)).toEqual({ answers: { a: 'yes', c: 'yes' } });
});

it.each([
  ['SIMPLE_TRIPLE', 'abstain', 'a'],
  ['SIMPLE_TRIPLE', 'blank', 'b'],
  ['RANKED_STV', '[2,1]', '2 1 -'],
  ['POLL', '[1,3]', '1 3'],
  ['YES_NO_EACH', '{"1":"yes","2":"abstain","3":"no"}', 'yan'],
] as const)('a stored ballot of %s is shown as it was typed: %s', (ballot_type, choice, keys) => {
  expect(keysOf({ ballot_type }, THREE, choice)).toBe(keys);
});
