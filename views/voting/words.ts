import { formatNumber } from '#kernel/settings/locale.ts';
import type { BallotType, ElectionSettings } from '#voting/elections/elections.ts';
import { listedFrom } from '#voting/shared/ballot-file.ts';

/** A share of 0 to 1 as a percentage. */
export function percent(share: number): string {
  return formatNumber(share, { style: 'percent', maximumFractionDigits: 1 });
}

/** A choice of a yes-or-no election as a word. */
export const CHOICE_WORDS = { yes: 'Yes', no: 'No', abstain: 'Abstain' } as const;

/** The warning about live results, on the officers' form and on every ballot. */
export const LIVE_WORDS =
  'The figures are public while voting is open. Whoever sees them change when you vote can learn your vote.';

/** The warning about a vote of few people, on every ballot and the officers' page. */
export const FEW_WORDS =
  'Fewer than five people have a voting code. The result alone can show how each of them voted, or let it be guessed.';

/** What can give a vote away although nothing stored does, in sentences; empty for most elections. */
export function secrecyLimits({ settings, few }: LimitedElection): string[] {
  return [...(settings.hide_results_until_close ? [] : [LIVE_WORDS]), ...(few ? [FEW_WORDS] : [])];
}

/** An election as its voters are told about its secrecy. */
export interface LimitedElection {
  settings: Pick<ElectionSettings, 'hide_results_until_close'>;
  /** Whether fewer than five voting codes were made. */
  few: boolean;
}

/**
 * Explains the secrecy of the ballot. With codes, a ballot also holds a mark.
 * @param candidates of a ranked ballot
 */
export function secrecyWords(
  { receipts, publish_ballots }: SecrecySettings,
  candidates: readonly unknown[] = [],
): string {
  const recorded = 'We record that you voted, not how.';
  const bare = 'no name, no address and no time';
  const coded = `Your ballot holds your choice and a mark that fits a code which only you are shown: ${bare}. So nobody without your code can tell which ballot is yours.`;
  const holds = {
    off: `Your ballot holds your choice and nothing else: ${bare}. So nobody can look up how you voted.`,
    included: coded,
    content: `${coded} Whoever sees your code can find out how you voted.`,
  };
  const from = listedFrom(publish_ballots, candidates.length);
  const list = from
    ? ` If there are ${from === 100 ? 'a hundred' : 'ten'} ballots or more, all of them are listed after the close, so that everybody can count them. Their order says nothing about who voted when.`
    : '';
  return `${recorded} ${holds[receipts]}${list}`;
}

/** The settings of an election that its voters are told about secrecy. */
export type SecrecySettings = Pick<
  ElectionSettings,
  'receipts' | 'publish_ballots' | 'hide_results_until_close'
>;

/** The three types of ballot, in words for officers: the name, how it works, and when to choose it. */
export const BALLOT_TYPES: Record<BallotType, { name: string; how: string; when: string }> = {
  SIMPLE_TRIPLE: {
    name: 'Yes or no',
    how: 'Voters answer yes or no, or abstain. It passes with more yes than no.',
    when: 'For a motion, a budget, a change of the rules.',
  },
  RANKED_CONDORCET: {
    name: 'Ranked',
    how: 'Voters rank the candidates. Whoever is preferred to every other candidate wins.',
    when: 'For electing one person, or one plan of several: similar candidates do not take each other’s votes.',
  },
  POLL: {
    name: 'Poll',
    how: 'Voters choose one option, or several if you allow it. The option on the most ballots wins.',
    when: 'For a date, a dish, a quick look at what members want.',
  },
};

/** The address of an officer's page of an election, or of a page below it. */
export function adminElectionPath(id: string, under = ''): string {
  return `/admin/elections/${encodeURIComponent(id)}${under && `/${under}`}`;
}
