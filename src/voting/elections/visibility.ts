import { type Election, electionStatus } from './elections.ts';
import { readSettings } from './settings.ts';

/** Whether the results are hidden until the close, and the election is not closed. Every surface uses this. */
export function areResultsHidden(election: Election, now: number): boolean {
  return (
    readSettings(election.settings).hide_results_until_close && electionStatus(election, now) !== 'closed'
  );
}
