import { expect, test } from 'vitest';
import { csvText } from '#kernel/csv.ts';

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "hello"', '"say ""hello"""'],
  ['well-known = good', 'well-known = good'],
  ['=1+1', "'=1+1"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20SUM(1)', "'\uff20SUM(1)"],
  [' =1+1', "' =1+1"],
  ['"=1+1"', '"\'""=1+1"""'],
  ['\t=1+1', "'\t'=1+1"],
  ['hello;=1+1', '"hello;\'=1+1"'],
  ['hello; \uff1d1+1; @x', '"hello;\' \uff1d1+1;\' @x"'],
  ['hello\n-1+1', '"hello\n\'-1+1"'],
])('the text %j becomes the CSV cell %j', (text, cell) => {
  expect(csvText([['first', text]])).toBe(`first,${cell}\r\n`);
});
