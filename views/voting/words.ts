import type { BallotType } from '#voting/elections/elections.ts';

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

/** The three types of ballot as officers read them: the name, how it works, and when to choose it. */
export const BALLOT_TYPES: Record<BallotType, { name: string; how: string; when: string }> = {
  SIMPLE_TRIPLE: {
    name: 'Yes or no',
    how: 'Voters answer yes or no, or abstain. It passes with more yes than no.',
    when: 'For a motion, a budget, a change of the rules.',
  },
  RANKED_CONDORCET: {
    name: 'Ranked',
    how: 'Voters put all candidates in their order. Whoever is preferred to each other one wins.',
    when: 'For electing one person, or one plan of several: similar candidates do not take each other’s votes.',
  },
  POLL: {
    name: 'Poll',
    how: 'Voters choose one option, or several if you allow it. The option on the most ballots wins.',
    when: 'For a date, a dish, a quick look at what members want.',
  },
};

/** The address of an officer's page of an election, or of something under it. */
export function adminElectionPath(id: string, under = ''): string {
  return `/admin/elections/${encodeURIComponent(id)}${under && `/${under}`}`;
}
