import { viewOf } from '#views/voting/ballot-types.ts';
import { byVotes, type WallBars } from '#views/voting/types/ballot-view.ts';
import type { ResultsJson } from '#voting/counting/results.ts';

/** The most rows that can be read from the back of the room. */
export const BARS_AT_MOST = 6;

/** The bars of a result; null without ballots, and for several certified contests, which have a sentence each. */
export function wallBars(results: ResultsJson): WallBars | null {
  if (results.results_mode === 'manual') {
    const [contest, ...others] = results.display.contests;
    if (!contest || others.length > 0) return null;
    const bars = contest.items.map(({ label, votes }) => ({ label, votes, leads: label === contest.winner }));
    return { title: null, bars: byVotes(bars), whole: contest.total_votes };
  }
  const { results: tally, total_ballots: whole } = results;
  if (whole === 0) return null;
  return viewOf(results.ballot_type).wallBars(tally, whole);
}
