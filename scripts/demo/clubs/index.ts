import { ANCHOR } from './anchor.ts';
import { BERLIN } from './berlin.ts';
import type { DemoClub } from './club.ts';

/** The clubs by their name for `--club`; the first is the default. */
export const CLUBS: Readonly<Record<string, DemoClub>> = { anchor: ANCHOR, berlin: BERLIN };
