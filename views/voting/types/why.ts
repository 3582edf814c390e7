import { count, listed } from '#views/components/numbers.ts';
import type { RankedResult } from '#voting/shared/tally.ts';

/**
 * Why the winner of a ranked election won, in plain sentences, below the outcome. That of seats only names the elected.
 */
export function whyWinner(tally: RankedResult): string[] {
  const { candidates, winners, condorcet_winner } = tally;
  if (candidates.length === 1) return ['There was one candidate.'];
  if (winners.length > 1) return whyTied(tally);
  const winner = candidates.findIndex((candidate) => candidate.id === winners[0]);
  if (winner === -1) return [];
  return condorcet_winner === null ? whyCycle(tally, winner) : [whyCondorcet(tally, winner)];
}

function whyTied({ candidates, winners }: RankedResult): string[] {
  const names = candidates.filter(({ id }) => winners.includes(id)).map(({ name }) => name);
  return [
    `The ballots put ${listed(names)} level, and no further count separates them. It is a tie. The club’s rules decide what happens next.`,
  ];
}

function whyCondorcet(tally: RankedResult, winner: number): string {
  const name = nameOf(tally, winner);
  const others = rivals(tally, winner);
  const closest = others.reduce((best, rival) =>
    margin(tally, winner, rival) < margin(tally, winner, best) ? rival : best,
  );
  const score = `${headToHead(tally, winner, closest)} against ${nameOf(tally, closest)}`;
  if (others.length === 1) return `More ballots prefer ${name}: ${score}.`;
  if (tally.seats === undefined) return `Closest: ${score}.`;
  return `${name} is preferred over each other candidate head to head; closest: ${score}.`;
}

function whyCycle(tally: RankedResult, winner: number): string[] {
  const name = nameOf(tally, winner);
  const beatenBy = rivals(tally, winner).filter((rival) => margin(tally, rival, winner) > 0);
  const [rival] = beatenBy;
  if (rival === undefined) {
    const level = rivals(tally, winner).filter((other) => margin(tally, other, winner) === 0);
    return [
      `${name} loses to nobody head to head, but is level with ${listed(level.map((other) => nameOf(tally, other)))}.`,
      chains(tally, winner),
    ];
  }
  const round = [...strongestPath(tally, winner, rival), winner];
  const steps = round.slice(1).map((to, index) => {
    const from = round[index] as number;
    return `${nameOf(tally, from)} beats ${nameOf(tally, to)} ${headToHead(tally, from, to)}`;
  });
  return [
    `No candidate beats every other head to head; the preferences run in a circle: ${listed(steps)}.`,
    chains(tally, winner),
  ];
}

/** The sentence about chains; it names the rival that came closest. */
function chains(tally: RankedResult, winner: number): string {
  const paths = tally.strongest_paths;
  const lead = (rival: number) => cell(paths, winner, rival) - cell(paths, rival, winner);
  const closest = rivals(tally, winner).reduce((best, rival) => (lead(rival) < lead(best) ? rival : best));
  return `A chain of such wins is as strong as its weakest link. From ${nameOf(tally, winner)} to every other candidate runs a stronger chain than any that leads back; closest: ${count(
    cell(paths, winner, closest),
  )} to ${count(cell(paths, closest, winner))} against ${nameOf(tally, closest)}.`;
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

function headToHead({ pairwise }: RankedResult, one: number, other: number): string {
  return `${count(cell(pairwise, one, other))} to ${count(cell(pairwise, other, one))}`;
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
