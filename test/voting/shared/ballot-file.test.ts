import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { ballotSetHash } from '#voting/ballots/ballot-hash.ts';
import { ballotSetText, listDifferences, spellBallots } from '#voting/shared/ballot-file.ts';
import { createTally } from '#voting/shared/ballot-types.ts';

const FOLDER = new URL('../../../src/voting/shared/', import.meta.url);

test('modules loaded by browsers import only each other, by relative paths', () => {
  const files = fs.readdirSync(FOLDER);
  expect(files).toContain('tally.ts');
  for (const file of files) {
    const source = fs.readFileSync(new URL(file, FOLDER), 'utf8');
    const imports = [...source.matchAll(/^import (?!type)[^;]*from '([^']+)'/gm)].map((match) => match[1]);
    expect(imports.filter((from) => !files.includes(from?.replace('./', '') ?? ''))).toEqual([]);
    expect(source).not.toMatch(/\bprocess\.|\bBuffer\b/);
  }
});

test('names and numbers of options are converted to the stored form of ballots', () => {
  const options = ['Tea', '2'].map((name, index) => ({
    id: name,
    name,
    number: index + 1,
    display_order: index,
    is_none_of_the_above: false,
  }));

  expect(spellBallots({ ballots: ['yes', ['2', 'Tea'], [2, 1]], options })).toEqual([
    'yes',
    '[2,1]',
    '[2,1]',
  ]);
  expect(() => spellBallots({ ballots: [['Tea'], ['Beer']], options })).toThrow('ballots.1 names no option');
});

test('the text of a ballot set hashes to its published hash, whatever the order of the ballots', () => {
  const texts = ['[2]', '[10]', '[2]', '[1,2]'];
  const hash = createHash('sha256').update(ballotSetText(texts, {})).digest('hex');

  expect(hash).toBe(ballotSetHash(texts.toSorted().map((text) => [text, 1])));
  expect(texts).toEqual(['[2]', '[10]', '[2]', '[1,2]']);
});

test('published results are compared by values, not by the order of keys', () => {
  const tally = createTally('SIMPLE_TRIPLE', [], { quorum: null, poll_response_type: 'single' });
  tally.add('yes', 3);
  const result = tally.result();
  const turned = Object.fromEntries(Object.entries(result).reverse());

  expect(listDifferences(result, turned)).toEqual([]);
  expect(listDifferences(result, { ...turned, no: 1, remark: 'won' })).toEqual(['no', 'remark']);
});
