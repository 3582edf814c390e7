/** One result of a bench, with its target. */
export interface Figure {
  name: string;
  value: number;
  /** Printed after the number: `of a bare route`, `ms`. */
  unit: string;
  target: { atLeast: number } | { atMost: number };
}

/** Prints a figure and sends it to `npm run bench` for its table; a missed target sets the exit code 1. */
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
