import type { BallotType } from '#kernel/db/schema/voting.ts';
import type { BallotView } from './types/ballot-view.ts';
import { poll } from './types/poll.ts';
import { rankedCondorcet } from './types/ranked-condorcet.ts';
import { rankedStv } from './types/ranked-stv.ts';
import { simpleTriple } from './types/simple-triple.ts';

const VIEWS: { readonly [Type in BallotType]: BallotView<Type> } = {
  SIMPLE_TRIPLE: simpleTriple,
  RANKED_CONDORCET: rankedCondorcet,
  POLL: poll,
  RANKED_STV: rankedStv,
};

/** The words and pages of a type of ballot. */
export const viewOf = <Type extends BallotType>(type: Type): BallotView<Type> => VIEWS[type];
