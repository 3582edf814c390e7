import { ANCHOR } from './anchor.ts';
import { BERLIN } from './berlin.ts';
import type { DemoClub } from './club.ts';

/** The clubs by the names of `--club`; the first is the usual one. */
export const CLUBS: Readonly<Record<string, DemoClub>> = { anchor: ANCHOR, berlin: BERLIN };
