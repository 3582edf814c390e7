import { readSettings } from '../election-settings.ts';
import { type Election, electionStatus } from './elections.ts';

/**
 * Whether the results are hidden: until the close by the settings or after a re-opening, and after the close while an
 * owner has not shown figures that only few ballots changed. Every surface uses this.
 */
export function areResultsHidden(election: Election, now: number): boolean {
  if (electionStatus(election, now) === 'closed') return election.figures_withheld === 1;
  return readSettings(election.settings).hide_results_until_close || election.reopened_at !== null;
}
