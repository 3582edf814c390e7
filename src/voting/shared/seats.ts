// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import { drawFrom, type LotOrder } from './lots.ts';

/** Those whom a further vote can be about. */
export interface NextVote {
  /** For one seat: the two with the most votes; more where they are level. */
  two_best?: string[];
  /** For several seats: everybody who is not elected. */
  unelected?: string[];
  /** For several seats: everybody. */
  all?: string[];
}

/** The people who have the seats of an election, by id. */
export interface SeatsResult {
  seats: number;
  /** Most votes first. */
  elected: string[];
  /** Those who are level for the last seats: none of them is elected. */
  tied_for_last: string[];
  open_seats: number;
  /** Absent when all seats are filled. */
  next?: NextVote;
  /** The lot that was drawn between those who were level for the last seats. */
  ties?: { candidates: string[]; by: 'lot'; taken: string[] }[];
  /** Those who are level and wait for a lot that is to be drawn. */
  awaiting_lot?: string[];
  /** Those whom the votes alone elect, whatever the quorum, and whether some are level. */
  winners: string[];
  tied: boolean;
}

/**
 * How a ranking fills its seats: by who beats whom, or by its ranks alone, as earlier versions did. Ranks put some ahead
 * of others whom they do not beat.
 */
export type SeatsRule = 'beats' | 'ranks';

/** The rule by which a stored or published result filled its seats. Those of earlier versions name none. */
export const seatsRuleIn = (result: object): SeatsRule =>
  'seats_rule' in result && result.seats_rule === 'beats' ? 'beats' : 'ranks';

/** An election for seats that are to be filled. */
export interface Filling {
  seats: number;
  /** Everybody in display order. */
  ids: readonly string[];
  /** The same in groups of those who are level, best first. */
  order: readonly (readonly string[])[];
  /**
   * Whether the first beats the second, where the order is partial: transitive, and nobody beats themselves. By default
   * everybody beats those of later groups.
   */
  beats?: Beats | undefined;
  /** Whether somebody can have a seat at all. */
  passes(id: string): boolean;
  /** The lots that were drawn, see lots.ts: the first of those who are level take the seats that are left. */
  orders?: readonly LotOrder[] | undefined;
  /** Whether the rules say that a lot decides, so that the result waits for it. */
  byLot?: boolean | undefined;
}

type Beats = (one: string, other: string) => boolean;

/**
 * Fills the seats with those who pass. A seat is certain for somebody who beats all but fewer of the others than there
 * are seats, and out of reach for somebody whom as many beat as there are seats. All others are tied for the seats that
 * are left: none of them is elected, unless a lot decides. @param valid whether the quorum was met: else nobody is elected
 */
export function fillSeats(filling: Filling, valid: boolean): SeatsResult {
  const voted = fill(filling);
  const filled = valid ? voted : fill({ ...filling, passes: () => false });
  return { ...filled, winners: voted.elected, tied: voted.tied_for_last.length > 0 };
}

function fill({
  seats,
  ids,
  order,
  beats = beatsLater(order),
  passes,
  orders = [],
  byLot = false,
}: Filling): Omit<SeatsResult, 'winners' | 'tied'> {
  const standing = order.flat().filter(passes);
  const fewerThanSeats = (those: (other: string) => boolean) => standing.filter(those).length < seats;
  const certain = standing.filter((id) => fewerThanSeats((other) => other !== id && !beats(id, other)));
  const level = standing.filter((id) => !certain.includes(id) && fewerThanSeats((other) => beats(other, id)));
  const drawn = level.length > 0 ? drawFrom(orders, level) : undefined;
  const taken = drawn ? firstOf(drawn, seats - certain.length, beats) : [];
  const elected = [...certain, ...taken];
  const open_seats = seats - elected.length;
  return {
    seats,
    elected,
    tied_for_last: drawn ? [] : level,
    open_seats,
    ...(open_seats > 0 && { next: nextVote({ seats, ids, order }, elected) }),
    ...(drawn && { ties: [{ candidates: level, by: 'lot', taken }] }),
    ...(byLot && !drawn && level.length > 0 && { awaiting_lot: level }),
  };
}

/** Everybody beats those of later groups. */
function beatsLater(order: Filling['order']): Beats {
  const places = new Map(order.flatMap((group, at) => group.map((id) => [id, at])));
  return (one, other) => places.get(one)! < places.get(other)!;
}

/** The first of a lot, none of them before somebody who beats them. */
function firstOf(drawn: readonly string[], seats: number, beats: Beats): string[] {
  const taken: string[] = [];
  while (taken.length < seats) {
    const left = drawn.filter((id) => !taken.includes(id));
    taken.push(left.find((id) => !left.some((other) => beats(other, id)))!);
  }
  return taken;
}

/** Those whom a further vote can be about, while seats are open. */
export function nextVote(
  { seats, ids, order }: Pick<Filling, 'seats' | 'ids' | 'order'>,
  elected: readonly string[],
): NextVote {
  if (seats > 1) return { unelected: ids.filter((id) => !elected.includes(id)), all: [...ids] };
  const [first = [], second = []] = order;
  return { two_best: first.length > 1 ? [...first] : [...first, ...second] };
}

/** Ids in groups of equal votes, most votes first. Those of a group stay in the order given, which says nothing. */
export function groupByVotes(all: readonly { id: string; votes: number }[]): string[][] {
  const different = [...new Set(all.map(({ votes }) => votes))].sort((a, b) => b - a);
  return different.map((most) => all.filter(({ votes }) => votes === most).map(({ id }) => id));
}

/** The settings that say how many options of a poll a ballot may choose; null or absent: not set. */
export interface PollLimits {
  poll_response_type: 'single' | 'multiple';
  seats?: number | null;
  min_choices?: number | null;
  max_choices?: number | null;
}

/** How many options a ballot of a poll must and may choose; fewer once some were withdrawn. @param options how many there are */
export function choiceLimits(settings: PollLimits, options: number): { min: number; max: number } {
  if (settings.poll_response_type === 'single') return { min: 1, max: 1 };
  const atMost = (limit: number | null | undefined) => Math.min(limit ?? options, options);
  return { min: atMost(settings.min_choices ?? 1), max: atMost(settings.max_choices ?? settings.seats) };
}
