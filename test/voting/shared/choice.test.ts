import { describe, expect, test } from 'vitest';
import { checkRanking, checkSelection, readRanks, readSimpleChoice } from '#voting/shared/choice.ts';

const ABC = ['a', 'b', 'c'];

test.each([
  ['yes', 'yes'],
  [' No ', 'no'],
  ['ABSTAIN', 'abstain'],
  ['maybe', undefined],
  ['', undefined],
])('the word “%s” is read as %s', (text, choice) => {
  expect(readSimpleChoice(text)).toBe(choice);
});

describe('chosen options', () => {
  test.each([
    ['one', ['b'], 'single', undefined],
    ['several', ['b', 'a'], 'multiple', undefined],
    ['none', [], 'single', { code: 'none_chosen', ids: [] }],
    ['none of several', [], 'multiple', { code: 'none_chosen', ids: [] }],
    ['several in place of one', ['a', 'b'], 'single', { code: 'several_chosen', ids: ['a', 'b'] }],
    ['an unknown one', ['a', 'x'], 'multiple', { code: 'unknown', ids: ['x'] }],
    ['one twice', ['a', 'a'], 'multiple', { code: 'repeated', ids: ['a'] }],
    ['no list', undefined, 'multiple', { code: 'not_a_list', ids: [] }],
  ] as const)('%s', (_what, ids, answers, problem) => {
    expect(checkSelection(ids, ABC, { poll_response_type: answers })).toEqual(problem);
  });
});

describe('a ranking', () => {
  test.each([
    ['of all', ['c', 'a', 'b'], 'complete', undefined],
    ['of all where some would do', ['c', 'a', 'b'], 'partial', undefined],
    ['of some', ['c'], 'partial', undefined],
    ['of some where all are needed', ['c'], 'complete', { code: 'unranked', ids: ['a', 'b'] }],
    ['of none', [], 'partial', { code: 'none_ranked', ids: [] }],
    ['of none where all are needed', [], 'complete', { code: 'unranked', ids: ABC }],
    ['of somebody twice', ['a', 'b', 'a'], 'partial', { code: 'repeated', ids: ['a'] }],
    ['of a stranger', ['a', 'b', 'c', 'x'], 'complete', { code: 'unknown', ids: ['x'] }],
    ['that is no list', undefined, 'complete', { code: 'not_a_list', ids: [] }],
  ] as const)('%s', (_what, ids, ranking, problem) => {
    expect(checkRanking(ids, ABC, ranking)).toEqual(problem);
  });

  test('without candidates says so before anything else', () => {
    expect(checkRanking(undefined, [], 'complete')).toEqual({ code: 'no_candidates', ids: [] });
  });
});

test.each<[what: string, entered: Record<string, string>, ranking: string[], taken: [string, string][]]>([
  ['all ranks', { a: '2', b: '3', c: '1' }, ['c', 'a', 'b'], []],
  ['a gap', { a: '3', c: '1' }, ['c', 'a'], []],
  ['a rank given twice', { a: '2', b: '1', c: '2' }, ['b'], [['c', 'a']]],
  [
    'a rank given three times',
    { a: '1', b: '1', c: '1' },
    [],
    [
      ['b', 'a'],
      ['c', 'a'],
    ],
  ],
  ['what is no rank', { a: '0', b: '4', c: '1.5' }, [], []],
  ['words', { a: 'first', b: '', c: '2' }, ['c'], []],
])('ranks of a form: %s', (_what, entered, ranking, taken) => {
  const read = readRanks(ABC, entered);

  expect(read.ranking).toEqual(ranking);
  expect([...read.taken]).toEqual(taken);
});
