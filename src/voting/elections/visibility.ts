import { type Election, electionStatus } from './elections.ts';
import { readSettings } from './settings.ts';

/** Hidden until close, and not closed yet. Every surface asks here. */
export function areResultsHidden(election: Election, now: number): boolean {
  return (
    readSettings(election.settings).hide_results_until_close && electionStatus(election, now) !== 'closed'
  );
}

/**
 * Whether nobody is told who has voted: while an election shows live results, whoever knew that would learn the
 * choice of the person who voted last.
 */
export function areVotersHidden(election: Election, now: number): boolean {
  return !areResultsHidden(election, now) && electionStatus(election, now) !== 'closed';
}
