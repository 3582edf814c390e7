// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.

/** The first 32 bits of the fractional parts of the roots of the primes: constants of FIPS 180-4. */
const fractionsOf = (count: number, power: number): Uint32Array => {
  const primes: number[] = [];
  for (let next = 2; primes.length < count; next += 1)
    if (primes.every((prime) => next % prime !== 0)) primes.push(next);
  return Uint32Array.from(primes, (prime) => Math.floor((prime ** power % 1) * 2 ** 32));
};
const FIRST = fractionsOf(8, 1 / 2);
const ROUNDS = fractionsOf(64, 1 / 3);

/**
 * The SHA-256 (FIPS 180-4) of a short text, lower-case hex. Unlike that of browsers it also works on pages that did not
 * come over HTTPS, and at once.
 */
export function sha256Of(text: string): string {
  const state = FIRST.slice();
  const blocks = paddedWords(new TextEncoder().encode(text));
  for (let at = 0; at < blocks.length; at += 16) compress(state, blocks.subarray(at, at + 16));
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** The message with a 1 bit, zeros and its length in bits, as words. */
function paddedWords(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array((((bytes.length + 8) >> 6) + 1) * 16);
  const padded = [...bytes, 0x80];
  for (const [at, byte] of padded.entries()) words[at >> 2]! |= byte << (24 - 8 * (at % 4));
  words[words.length - 1] = bytes.length * 8;
  return words;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Uint32Array, block: Uint32Array): void {
  const schedule = new Uint32Array(64);
  schedule.set(block);
  for (let at = 16; at < 64; at++) {
    const early = schedule[at - 15]!;
    const late = schedule[at - 2]!;
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[at] = schedule[at - 16]! + mixedEarly + schedule[at - 7]! + mixedLate;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let at = 0; at < 64; at++) {
    const mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + mixedE + chosen + ROUNDS[at]! + schedule[at]!) | 0;
    const mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + mixedA + majority) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at]! += word;
}
