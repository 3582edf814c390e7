import type { Reader } from '#kernel/db/queries.ts';
import type { Electorate } from '#voting/shared/tally.ts';
import { countVotes, readElectorate } from './electorate.ts';
import { getTurnout, type Turnout } from './turnout.ts';

/** Turnout as it is shown: of a question of a meeting, of those who could vote, not of the cards of the pile. */
export type ShownTurnout = Turnout & {
  /** `unknown`: more have voted than the door has counted, and nobody has noted why; nothing is said of how many could. */
  of?: 'voters' | 'unknown';
  /** What the door counted, where more have voted. */
  door?: number;
};

/** The turnout in the JSON of an election: `tokens` are the codes that were handed out. */
export type TurnoutJson = Omit<ShownTurnout, 'issued'> & { tokens: number; invited: number };

/** The turnout of an election with what is known of its electors. */
export const shownTurnout = ({ present, door }: Partial<Electorate>, turnout: Turnout): ShownTurnout =>
  present === undefined
    ? turnout
    : {
        ...turnout,
        issued: Math.max(present, turnout.used),
        of: 'voters',
        ...(door !== undefined && { door }),
      };

/** The turnout of an election as officers see it at any moment; that of a question of a meeting is of its votes. */
export function officersTurnout(
  reader: Reader,
  { id }: { id: string },
  turnout = getTurnout(reader, id),
): ShownTurnout {
  const votes = countVotes(reader, id);
  return votes === undefined
    ? turnout
    : shownTurnout({ ...readElectorate(reader, { id }), present: votes }, turnout);
}
