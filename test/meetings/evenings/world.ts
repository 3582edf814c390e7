import type { House } from './house.ts';
import type { Random } from './random.ts';

/** A card of paper. */
export interface Card {
  code: string;
  stub: string;
  class: string;
  /** Whose vote it is; null: of the pile. */
  of: Person | null;
  /** Whether the service has ended it. */
  isDead: boolean;
  /** Whether its stub made it void, and nothing was handed out for it: found again, it comes back as others do. */
  isVoid: boolean;
  /** Whether it is of a pack that a renewal ended. */
  isOld: boolean;
  answered: Set<Question>;
}

/** The link of somebody elsewhere. */
export interface Link {
  code: string;
  isDead: boolean;
  isHere: boolean;
  answered: Set<Question>;
}

/** Somebody of the roll, as they are and not as the service believes. */
export interface Person {
  at: number;
  id: string;
  name: string;
  class: string;
  where: 'home' | 'room';
  pocket: Card[];
  link: Link | undefined;
  /** What was pressed of them at the door. */
  pressed: 'absent' | 'in' | 'out';
  /** The press that let them in last. */
  press: string | undefined;
  /** Told at the door that they have to wait for a card. */
  isWaiting: boolean;
  /** Took a live card that was not theirs: no anonymous card can stop that. */
  isThief: boolean;
  /** Whether a card was handed out for them that, as far as the door knows, is not back. */
  counts: boolean;
  /** Whether it was pressed that a card of theirs was given back. */
  hasGivenBack: boolean;
}

export interface GivenProxy {
  id: string;
  giver: Person;
  holder: Person;
  isUsed: boolean;
}

/** A paper that was handed out for a card. */
export interface Paper {
  of: Person;
  isInBox: boolean;
}

export interface Question {
  item: string;
  election: string;
  name: string;
  classes: readonly string[] | null;
  state: 'prepared' | 'open' | 'closed' | 'declared' | 'void';
  /** Whose card was out at some moment since the opening. */
  had: Set<Person>;
  /** Ballots by card and link, by whose vote they are. */
  votes: Person[];
  papers: Paper[];
  /** Papers that the tellers have joined. */
  counted: number;
  /** Whether somebody arrived since the opening. */
  isTouched: boolean;
  /** Of hands: how many were raised. */
  hands: number | undefined;
  /** Who counts in it at the close, as far as pockets tell. */
  atClose: Expected | undefined;
  /** Whether something happened in it that makes an alarm right, or its figures not those of the pockets. */
  isAlarming: boolean;
  isExact: boolean;
  /** Whether presses of a door without network came after its close: its parts are those of the close. */
  isLate: boolean;
}

/** `voters` by the pockets of the people. */
export interface Expected {
  here: number;
  represented: number;
  elsewhere: number;
  left_with_card: number;
  voted_and_gone: number;
  total: number;
}

/** A press that a door without network keeps. */
export interface KeptPress {
  person: Person;
  press: string;
  action: 'in' | 'out';
  at: number;
  gave_back?: boolean;
}

export interface Settings {
  classes: string[];
  remote: boolean;
  proxies_per_person: number;
  proxies_count: boolean;
  quorum: number | null;
  quorum_share: object | null;
}

/** An evening as it is, beside what the service knows of it. */
export interface World {
  house: House;
  settings: Settings;
  people: Person[];
  pile: Record<string, Card[]>;
  /** Packs that were printed and not opened. */
  closed: { id: string; class: string; cards: Card[] }[];
  /** Cards that lie on the table of the door, given back and not scanned yet. */
  basket: Card[];
  /** Dead cards that anybody can take. */
  heap: Card[];
  /** Cards that nobody has, with whoever has the stub. */
  lost: { card: Card; by: Person }[];
  proxies: GivenProxy[];
  questions: Question[];
  /** Cards that were given back by a press, and that were scanned, by class, since the last renewal. */
  givenBack: Record<string, number>;
  scanned: Record<string, number>;
  /** Whether a card of the pile was scanned: one that was given back may then seem to be scanned before it is. */
  hasStray: boolean;
  /** Cards of people who are in as far as the door knows, and that were scanned without a word. */
  dropped: Record<string, number>;
  /** Cards that an undo took back. */
  takenBack: Card[];
  /** What a door without network keeps; undefined while it has network. */
  kept: KeptPress[] | undefined;
  clock: { now: number };
  presses: number;
  /** A check-in of the wrong person that nobody has noticed yet: `other` stands there. */
  mistake:
    | { person: Person; other: Person; press: string; before: Person['pressed']; had: Question[] }
    | undefined;
  /** Whether nobody lied and no wrong name was tapped, so that no alarm may come. */
  isCalm: boolean;
  /** Whether `voters` is what the pockets say. */
  isExact: boolean;
  /** Whether packs that were not opened have died. */
  isDoorClosed: boolean;
  /** Whether a question was ever opened: the meeting is held from then on, also where that was taken back. */
  hasBegun: boolean;
  random: Random;
}

export const openQuestions = ({ questions }: World): Question[] =>
  questions.filter(({ state }) => state === 'open');

export const votesOn = ({ classes }: Pick<Question, 'classes'>, name: string): boolean =>
  classes === null || classes.includes(name);

/** One of these people; half of the time a restless one, so that much happens to the same few. */
export function someone(world: World, among: readonly Person[]): Person | undefined {
  const { random, people } = world;
  const restless = random.chance(0.6) ? among.filter((person) => people.indexOf(person) < RESTLESS) : [];
  return random.pick(restless.length > 0 ? restless : among);
}

const RESTLESS = 2;

/** The cards of anybody's pocket that are somebody's vote and work. */
export const liveCardsOf = ({ people }: World, person: Person): Card[] =>
  people.flatMap(({ pocket }) => pocket).filter((card) => card.of === person && !card.isDead);

/** Whose card is out, with the holder of a proxy: what the door has handed out and not got back. */
export const isRepresented = ({ proxies }: World, person: Person): boolean =>
  proxies.some(({ giver, isUsed }) => giver === person && isUsed);

/** How many cards of a class the door thinks that there are in the pile. */
export const countPile = ({ pile, dropped }: World, name: string): number =>
  Math.max(0, pile[name]!.length - (dropped[name] ?? 0));

export const newPress = (world: World, door: 'a' | 'b' = 'a'): string => `${door}${++world.presses}`;

/** A fault that the checks found. */
export class Fault extends Error {}

/** @throws Fault */
export function ensure(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Fault(what);
}
