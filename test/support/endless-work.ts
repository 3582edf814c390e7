import { MINUTE, SECOND } from '#kernel/clock.ts';

/** Work that never ends, and lets nothing else run in its thread. */
export function endless(): Promise<never> {
  for (;;);
}

const work = { url: import.meta.url, name: 'endless', work: endless };
export const ENDLESS = { ...work, limit: MINUTE, alone: 'endless' };
export const LIMITED = { ...work, limit: SECOND / 10 };
