// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.

export const SHARE_WORDS = ['more_than_half', 'two_thirds', 'three_quarters', 'all'] as const;
type ShareWord = (typeof SHARE_WORDS)[number];

/** The part of a base that is needed: a word, or a fraction such as `3/5` that is to be reached or exceeded. */
export type Share = ShareWord | { at_least: string } | { more_than: string };

/** The greatest denominator of a fraction. */
export const DENOMINATOR_AT_MOST = 100;

interface Fraction {
  part: number;
  whole: number;
}

/** Reads `p/q` with 0 < p/q <= 1 and whole numbers, q at most 100; undefined for any other text. */
export function readFraction(text: string): Fraction | undefined {
  const [, part, whole] = /^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(text) ?? [];
  const fraction = { part: Number(part), whole: Number(whole) };
  return fraction.part <= fraction.whole && fraction.whole <= DENOMINATOR_AT_MOST ? fraction : undefined;
}

const WORDS: Record<ShareWord, Fraction & { exceeds: boolean }> = {
  more_than_half: { part: 1, whole: 2, exceeds: true },
  two_thirds: { part: 2, whole: 3, exceeds: false },
  three_quarters: { part: 3, whole: 4, exceeds: false },
  all: { part: 1, whole: 1, exceeds: false },
};

/** A share as numbers. @throws Error for a fraction that `readFraction` refuses */
function numbersOf(share: Share): Fraction & { exceeds: boolean } {
  if (typeof share === 'string') return WORDS[share];
  const exceeds = 'more_than' in share;
  const text = exceeds ? share.more_than : share.at_least;
  const fraction = readFraction(text);
  if (fraction === undefined) throw new Error(`${text} is not a share`);
  return { ...fraction, exceeds };
}

/** Whether `votes` are this share of `base`, in whole numbers; nothing is a share of an empty base. */
export function reaches(share: Share, votes: number, base: number): boolean {
  const { part, whole, exceeds } = numbersOf(share);
  return base > 0 && (exceeds ? whole * votes > part * base : whole * votes >= part * base);
}

/** The smallest number of votes that is this share of `base`; 1 of an empty base, which nothing reaches. */
export function needed(share: Share, base: number): number {
  const { part, whole, exceeds } = numbersOf(share);
  const rest = (part * base) % whole;
  const below = (part * base - rest) / whole;
  return Math.max(1, exceeds || rest > 0 ? below + 1 : below);
}

/** Whether two shares are the same number, in whatever spelling. */
export function isSameShare(one: Share, other: Share): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  return a.exceeds === b.exceeds && a.part * b.whole === b.part * a.whole;
}

/** What a share can be a part of; `valid` is the ballots with a choice. */
export type Base = 'yes_no' | 'valid' | 'ballots' | 'present' | 'electors';

/** The bases of a majority; `present` is known in meetings alone. */
export const MAJORITY_BASES = ['yes_no', 'ballots', 'present', 'electors'] as const;

/** What a motion needs to be carried. */
export interface Majority {
  share: Share;
  of: (typeof MAJORITY_BASES)[number];
}

/** The majority where none is set. */
export const DEFAULT_MAJORITY: Majority = { share: 'more_than_half', of: 'yes_no' };

export const isDefaultMajority = ({ share, of }: Majority): boolean =>
  of === DEFAULT_MAJORITY.of && isSameShare(share, DEFAULT_MAJORITY.share);

/** The bases of a threshold. */
export const THRESHOLD_BASES = ['valid', 'ballots', 'electors'] as const;

/** The votes that somebody needs for a seat. */
export interface Threshold {
  share: Share;
  /** `valid`: the ballots with a choice. */
  of: (typeof THRESHOLD_BASES)[number];
}
