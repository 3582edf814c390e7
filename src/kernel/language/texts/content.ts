// Written by `npm run texts -- --write`.
import type { Value } from '#kernel/language/words.ts';

export interface Values {
  'content.volume.part_of_pint': { part: Value };
  'content.volume.pints': { n: number };
}
