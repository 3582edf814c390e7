import fc from 'fast-check';

/** Any characters, also those that no font has. The unit `binary` of fast-check first makes a map of all of them. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));

/** Any well-formed text. */
export const anyTextUpTo = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(anyCharacter, { maxLength }).map((characters) => characters.join(''));
