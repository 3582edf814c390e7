import { expect, test } from 'vitest';
import { sha256 } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { parseTypedCode } from '#people/codes.ts';
import { parseCode } from '#voting/shared/receipts.ts';

const TOKEN = '3Dabc_-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

test.each([
  'K7P4\u20112MQX',
  'k7p4\u2212 2mqx\u200b',
  '“Ｋ７Ｐ４－２ＭＱＸ”',
  '<K7P4ー2MQX>',
  'K7P4\u00ad2MQX.',
])('a code typed as %j is read', (text) => {
  expect(parseTypedCode(text, 8)).toBe('K7P42MQX');
});

test('a code with another letter or length is not', () => {
  for (const text of ['K7P4-2MQU', 'K7P4-2MQ', 'K7P4-2MQX-9', 'Ä7P4-2MQX', ''])
    expect(parseTypedCode(text, 8)).toBeUndefined();
});

test.each(['“0123 4567‑89AB cdef − 0123 4567 89ab cdef”', '０１２３456789abcdef0123456789abcdef\u200b.'])(
  'an inclusion code typed as %j is read',
  (text) => {
    expect(parseCode(text)).toBe('0123456789abcdef0123456789abcdef');
  },
);

test.each(['', '.', ')', '>', '"', '%3E', '\u200b', '”'])(
  'a token in a link is read with %j behind it',
  (tail) => {
    for (const text of [TOKEN + tail, `3D${TOKEN}${tail}`, `<${TOKEN}${tail}`])
      expect(hashOfLinkToken(text)).toBe(sha256(TOKEN));
  },
);

test('a longer text is no token', () => {
  expect(hashOfLinkToken(`${TOKEN}A`)).not.toBe(sha256(TOKEN));
  expect(hashOfLinkToken(`x${TOKEN}`)).not.toBe(sha256(TOKEN));
});
