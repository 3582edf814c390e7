/** How voting speaks: numbers, lists and names as every page says them. */

const COUNT = new Intl.NumberFormat('en-US');
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** A whole number with its thousands apart. */
export function count(value: number): string {
  return COUNT.format(value);
}

/** `1 ballot`, `2 ballots`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A share of 0 to 1 as a percentage. */
export function percent(share: number): string {
  return PERCENT.format(share);
}

/** A share of a whole, 0 where there is no whole. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** A choice of a yes-or-no election as a word. */
export const CHOICE_WORDS = { yes: 'Yes', no: 'No', abstain: 'Abstain' } as const;

/** A choice of a yes-or-no election. */
export type SimpleChoice = keyof typeof CHOICE_WORDS;

/** The secrecy of the ballot in two plain sentences; a ballot with an inclusion code is a little less bare. */
export function secrecyWords(withCode: boolean): string {
  const apart = 'The service notes that your link was used, and keeps the ballot apart from it.';
  return withCode
    ? `${apart} A ballot holds the choice and the fingerprint of a code that only you are shown: no name, no address, no link and no time, so nobody without your code can tell which ballot is yours.`
    : `${apart} A ballot holds the choice and nothing else: no name, no address, no link and no time, so nobody can look up how you voted.`;
}
