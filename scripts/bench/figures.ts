/** One result of a bench, beside what it should be. */
export interface Figure {
  name: string;
  value: number;
  /** Behind the number: `of a bare route`, `ms`. */
  unit: string;
  target: { atLeast: number } | { atMost: number };
}

/** Says a figure; a missed target makes the exit code 1. `npm run bench` collects them for its table. */
export function figure(one: Figure): void {
  const wanted = 'atLeast' in one.target ? `at least ${one.target.atLeast}` : `at most ${one.target.atMost}`;
  console.log(`${one.name}: ${shown(one.value)} ${one.unit} (target: ${wanted})`);
  if (!met(one)) process.exitCode = 1;
  process.send?.(one);
}

export function met({ value, target }: Figure): boolean {
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

export const shown = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 });
