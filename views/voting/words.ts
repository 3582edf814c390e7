const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** A share of 0 to 1 as a percentage. */
export function percent(share: number): string {
  return PERCENT.format(share);
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
