// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import type { BallotType } from '#kernel/db/schema/voting.ts';
import type { StvResult } from './stv-tally.ts';
import type { PollResult, RankedResult, SimpleResult } from './tally.ts';
import type { EachResult } from './yes-no-each.ts';

/** The result of each type of ballot. */
export interface Results {
  SIMPLE_TRIPLE: SimpleResult;
  POLL: PollResult;
  RANKED_CONDORCET: RankedResult;
  RANKED_STV: StvResult;
  YES_NO_EACH: EachResult;
}

export type TallyResult = Results[BallotType];
