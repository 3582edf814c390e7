import type { Item } from '#meetings/items.ts';
import { type Asked, type Outcome, outcomeOf } from '#voting/counting/outcome.ts';
import { electorateOf } from '#voting/counting/settled-result.ts';
import type { Electorate } from '#voting/shared/tally.ts';

/** What was counted of an item without ballots, with who could vote then. */
export type HandCount = Electorate &
  (
    | {
        way: 'hands';
        yes: number;
        no: number;
        abstain: number;
        invalid: number;
        /** Members who were present elsewhere, and could not raise a hand. */
        elsewhere?: number;
      }
    /** The ids of the elected; none of a motion. */
    | { way: 'unopposed'; elected: string[] }
  );

export const countedByHand = ({ counted }: Pick<Item, 'counted'>): HandCount | undefined =>
  counted === null ? undefined : JSON.parse(counted);

/** Who could vote by hand. No base is smaller than the hands that were counted. */
export function handElectorate(count: HandCount): Partial<Electorate> {
  const hands = count.way === 'hands' ? count.yes + count.no + count.abstain : 0;
  const { electors, present = 0 } = count;
  // Without a door nobody was counted, so there is no base of those present.
  if (present === 0 || hands <= present) return electorateOf(count);
  return { ...electorateOf(count), electors: Math.max(electors, hands), present: hands, door: present };
}

/** The outcome of what was counted without ballots, by the rules of its question. */
export const handOutcome = (election: Asked, count: HandCount): Outcome =>
  outcomeOf(election, handElectorate(count), count);
