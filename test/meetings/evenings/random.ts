/** Random numbers that depend on a seed alone. */
export interface Random {
  /** A whole number from 0, below `end`. */
  below(end: number): number;
  /** From 0, below 1. */
  share(): number;
  /** True in this share of cases. */
  chance(share: number): boolean;
  /** One of these; undefined of none. */
  pick<One>(all: readonly One[]): One | undefined;
}

/** @param parts whole numbers; the same ones give the same numbers */
export function randomOf(...parts: number[]): Random {
  let state = 0x9e3779b9;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (const part of parts) {
    state = Math.imul(state ^ part, 0x85ebca6b);
    next();
  }
  const below = (end: number): number => Math.floor(next() * end);
  return { share: next, below, chance: (share) => next() < share, pick: (all) => all[below(all.length)] };
}
