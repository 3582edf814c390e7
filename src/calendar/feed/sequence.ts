import { SECOND } from '#kernel/clock.ts';

/** SEQUENCE counts seconds from here, so that it grows with every edit and fits 31 bits. */
const SEQUENCE_START = Date.UTC(2020, 0, 1);

/** SEQUENCE of what was last edited at `at`, if it was edited once a second at most. */
export const sequenceOf = (at: number): number => Math.max(0, Math.floor((at - SEQUENCE_START) / SECOND));
