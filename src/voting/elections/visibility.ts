import { type Election, electionStatus } from './elections.ts';
import { readSettings } from './settings.ts';

/** Whether the results are hidden until the close, and the election is not closed. Every surface uses this. */
export function areResultsHidden(election: Election, now: number): boolean {
  return (
    readSettings(election.settings).hide_results_until_close && electionStatus(election, now) !== 'closed'
  );
}

/**
 * Whether it is hidden who has voted. While an election shows live results, somebody who knew that would learn the
 * choice of the person who voted last.
 */
export function areVotersHidden(election: Election, now: number): boolean {
  return !areResultsHidden(election, now) && electionStatus(election, now) !== 'closed';
}
