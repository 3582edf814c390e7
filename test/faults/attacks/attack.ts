import type { Answer } from './request.ts';
import type { Target } from './target.ts';

/** The outcome of an attack: what was observed, and what went wrong. The service held if `wrong` is empty. */
export interface Outcome {
  saw: string;
  wrong: string[];
}

/** An attack that starts the service itself, or needs none. */
export type Alone = [name: string, run: () => Promise<Outcome>];

export type Attack = [name: string, run: (target: Target) => Promise<Outcome>];

/** Counts the answers by status: `401 x 20, 429 x 4`. */
export function statuses(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} x ${count}`).join(', ');
}

/** Returns a complaint unless `holds`. */
export function unless(holds: boolean, complaint: string): string[] {
  return holds ? [] : [complaint];
}

export const count = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
