import type { World } from './world.ts';

/** Something that happens in an evening. */
export interface Act {
  /** How often it is tried, beside others. */
  weight: number;
  /** @returns what happened; undefined: it cannot happen now @throws Fault */
  run(world: World): Promise<string | undefined>;
}
