import fc from 'fast-check';

/** Any characters, also those that no font has. The unit `binary` of fast-check first makes a map of all of them. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));

/** What is read as one character and has several code points. */
const SEQUENCES = [
  'e\u0301',
  'n\u0303\u0323',
  '\u1112\u1161\u11ab',
  'क्षि',
  'กำ',
  '🇩🇪',
  '👍🏽',
  '👩‍👩‍👧',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '1️⃣',
];

const anyOf = (character: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(character, { maxLength }).map((characters) => characters.join(''));

/** Any well-formed text. */
export const anyTextUpTo = (maxLength: number): fc.Arbitrary<string> => anyOf(anyCharacter, maxLength);

/** Text with many sequences. The unit `grapheme` of fast-check first makes a map of all of them. */
export const anySequencesUpTo = (maxLength: number): fc.Arbitrary<string> =>
  anyOf(fc.oneof(anyCharacter, fc.constantFrom(...SEQUENCES)), maxLength);
