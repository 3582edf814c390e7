import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { RankedResult } from '#voting/shared/tally.ts';

/**
 * Why the winner of a ranked election won, in plain sentences, below the outcome. That of seats only names the elected.
 */
export function whyWinner(tally: RankedResult): Words[] {
  const { candidates, winners, condorcet_winner } = tally;
  if (candidates.length === 1) return [t('voting.why.candidate')];
  if (winners.length > 1) return whyTied(tally);
  const winner = candidates.findIndex((candidate) => candidate.id === winners[0]);
  if (winner === -1) return [];
  return condorcet_winner === null ? whyCycle(tally, winner) : [whyCondorcet(tally, winner)];
}

function whyTied({ candidates, winners }: RankedResult): Words[] {
  const names = candidates.filter(({ id }) => winners.includes(id)).map(({ name }) => name);
  return [t('voting.why.ballots_put_level_further_count', { names: allOf(names) })];
}

function whyCondorcet(tally: RankedResult, winner: number): Words {
  const name = nameOf(tally, winner);
  const others = rivals(tally, winner);
  const closest = others.reduce((best, rival) =>
    margin(tally, winner, rival) < margin(tally, winner, best) ? rival : best,
  );
  const score = { ...headToHead(tally, winner, closest), rival: nameOf(tally, closest) };
  if (others.length === 1) return t('voting.why.more_ballots_prefer', { name, ...score });
  if (tally.seats === undefined) return t('voting.why.closest', score);
  return t('voting.why.preferred_over_each_other_candidate', { name, ...score });
}

function whyCycle(tally: RankedResult, winner: number): Words[] {
  const name = nameOf(tally, winner);
  const beatenBy = rivals(tally, winner).filter((rival) => margin(tally, rival, winner) > 0);
  const [rival] = beatenBy;
  if (rival === undefined) {
    const level = rivals(tally, winner).filter((other) => margin(tally, other, winner) === 0);
    return [
      t('voting.why.loses_head_head_but_level', {
        name,
        names: allOf(level.map((other) => nameOf(tally, other))),
      }),
      chains(tally, winner),
    ];
  }
  const round = [...strongestPath(tally, winner, rival), winner];
  const steps = round.slice(1).map((to, index) => {
    const from = round[index] as number;
    return t('voting.why.beats', {
      winner: nameOf(tally, from),
      loser: nameOf(tally, to),
      ...headToHead(tally, from, to),
    });
  });
  return [t('voting.why.candidate_beats_every_other_head', { steps: allOf(steps) }), chains(tally, winner)];
}

/** The sentence about chains; it names the rival that came closest. */
function chains(tally: RankedResult, winner: number): Words {
  const paths = tally.strongest_paths;
  const lead = (rival: number) => cell(paths, winner, rival) - cell(paths, rival, winner);
  const closest = rivals(tally, winner).reduce((best, rival) => (lead(rival) < lead(best) ? rival : best));
  return t('voting.why.chain_such_wins_strong_weakest', {
    name: nameOf(tally, winner),
    ours: cell(paths, winner, closest),
    theirs: cell(paths, closest, winner),
    rival: nameOf(tally, closest),
  });
}

/** The candidates along the strongest chain of wins between two of them, both ends included. */
function strongestPath(tally: RankedResult, from: number, to: number): number[] {
  const width = tally.candidates.map((_, index) => (index === from ? Number.POSITIVE_INFINITY : 0));
  const before = new Map<number, number>();
  const open = new Set(width.keys());
  while (open.size > 0) {
    const next = [...open].reduce((best, index) => ((width[index] ?? 0) > (width[best] ?? 0) ? index : best));
    open.delete(next);
    for (const index of open) {
      const link = margin(tally, next, index) > 0 ? cell(tally.pairwise, next, index) : 0;
      const reach = Math.min(width[next] ?? 0, link);
      if (reach > (width[index] ?? 0)) {
        width[index] = reach;
        before.set(index, next);
      }
    }
  }
  const path = [to];
  for (let at = before.get(to); at !== undefined; at = before.get(at)) path.unshift(at);
  return path;
}

function rivals({ candidates }: RankedResult, of: number): number[] {
  return [...candidates.keys()].filter((index) => index !== of);
}

/** The ballots that prefer the first to the second, and those that prefer the second. */
function headToHead({ pairwise }: RankedResult, one: number, other: number) {
  return { ours: cell(pairwise, one, other), theirs: cell(pairwise, other, one) };
}

function margin({ pairwise }: RankedResult, one: number, other: number): number {
  return cell(pairwise, one, other) - cell(pairwise, other, one);
}

function cell(matrix: readonly (readonly number[])[], row: number, column: number): number {
  return matrix[row]?.[column] ?? 0;
}

function nameOf({ candidates }: RankedResult, index: number): string {
  return candidates[index]?.name ?? '';
}
