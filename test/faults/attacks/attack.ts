import type { Answer } from './request.ts';
import type { Target } from './target.ts';

/** What came of an attack: what was seen, and what should not have happened. It held when that is nothing. */
export interface Outcome {
  saw: string;
  wrong: string[];
}

/** One that starts the service itself, or needs none. */
export type Alone = [name: string, run: () => Promise<Outcome>];

export type Attack = [name: string, run: (target: Target) => Promise<Outcome>];

/** How often each status came: `401 x 20, 429 x 4`. */
export function statuses(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} x ${count}`).join(', ');
}

/** A complaint unless `holds`. */
export function unless(holds: boolean, complaint: string): string[] {
  return holds ? [] : [complaint];
}

export const count = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
