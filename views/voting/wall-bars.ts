import type { ResultsJson } from '#voting/counting/results.ts';

/** A row of the result on the wall. */
export interface WallBar {
  label: string;
  votes: number;
  /** Whether it has won, or leads. */
  leads: boolean;
}

/** The bars of a result; with a title where the numbers are not the outcome itself. */
export interface WallBars {
  title: string | null;
  bars: WallBar[];
  /** The value of a full bar. */
  whole: number;
}

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
  switch (tally.method) {
    case 'majority': {
      const bars = [
        { label: 'Yes', votes: tally.yes, leads: tally.outcome === 'passed' },
        { label: 'No', votes: tally.no, leads: tally.outcome === 'failed' },
        { label: 'Abstain', votes: tally.abstain, leads: false },
      ];
      return { title: null, bars, whole };
    }
    case 'plurality': {
      const bars = tally.options.map(({ id, name: label, count: votes }) => ({
        label,
        votes,
        leads: tally.winners.includes(id),
      }));
      return { title: null, bars: byVotes(bars), whole };
    }
    case 'Schulze': {
      const places = new Map(
        tally.ranking.flatMap(({ rank, candidates }) => candidates.map((id) => [id, rank])),
      );
      const inOrder = tally.candidates
        .map(({ id, name }, index) => ({ id, name, votes: tally.first_choices[index] ?? 0 }))
        .sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
      const bars = inOrder.map(({ id, name, votes }) => ({
        label: `${places.get(id)}. ${name}`,
        votes,
        leads: tally.winners.includes(id),
      }));
      return { title: 'The order, with first choices', bars, whole };
    }
  }
}

const byVotes = (bars: WallBar[]): WallBar[] => bars.toSorted((a, b) => b.votes - a.votes);
