import type { Words } from '#kernel/language/words.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { SharedProps } from '#views/voting/admin/sections/props.ts';
import type { Named } from '#views/voting/words.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import type { ShownTurnout } from '#voting/elections/shown-turnout.ts';
import type { HiddenBecause } from '#voting/elections/visibility.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';

/** The data of the officers' page of an election. */
export interface ElectionPageProps extends SharedProps {
  election: ElectionJson;
  turnout: ShownTurnout & { invited: number };
  /** The ballot paper that it is a question of: that has the codes and the invitations. */
  paper?: (Named & { place: number; of: number }) | undefined;
  /** The meeting on whose agenda it is: the chair opens, closes and announces it. */
  meeting?: { id: string; title: string; number: string; state: ItemJson['state'] } | undefined;
  /** Candidates or options in display order, on their sub-page. */
  options: readonly (OptionJson & { editable: boolean })[];
  /** The most characters that the text of one may have. */
  optionTextAtMost: number;
  /** Ballots cast. */
  ballots: number;
  publication: { published: boolean; results_visible: boolean };
  /** Seats that nobody was elected to. */
  openSeats?: number | undefined;
  /** Whether the count waits for a lot that is to be drawn. */
  awaitsLot?: boolean | undefined;
  /** Why the viewer sees no figures. */
  hidden?: HiddenBecause | undefined;
  /** The size of the certified results, where they replace the counted ones. */
  manual?: { contests: number; items: number } | null | undefined;
  /** Absent where no workspace is set up; `synced` is already formatted. */
  workspace?: { synced: Words | null; failure: Words | string | null | undefined } | undefined;
}

/** Whether voting is possible: somebody has a token, and there is something to choose from. */
export function isReady({ turnout, election }: ElectionPageProps): boolean {
  return (
    turnout.issued > 0 && (rulesOf(election.ballot_type).options === null || numberOfOptions(election) >= 2)
  );
}

/** How many candidates or options there are. */
export const numberOfOptions = ({ candidates, options }: ElectionJson): number =>
  (candidates ?? options ?? []).length;

/** Whether voting has closed and the result is not announced. */
export const isAwaited = ({
  election: { status, announced_at, void: isVoid },
  hidden,
}: ElectionPageProps): boolean =>
  status === 'closed' && !isVoid && announced_at === null && hidden !== 'results_withheld';
