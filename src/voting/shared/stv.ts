// The single transferable vote by the rules of the Scottish Local Government Elections Order 2011 (SSI 2011/399),
// Schedule 1, rules 46 to 53. All votes are whole numbers of 1/100,000. Candidates are identified by their place.
// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import { indexNumbers, malformed, readNumbers } from './schulze.ts';

/** The value of a ballot paper at its first preference. */
const PAPER = 100_000;
/** Papers that are looked at in one turn. */
const PIECE = 5_000;
/** Ends the preferences of a paper. */
const END = 0xffff;

export interface StvStage {
  action: 'first' | 'surplus' | 'exclude';
  /** Whose votes are transferred; null in the first stage. */
  candidate: number | null;
  /** The votes of each candidate at the end of the stage, in 1/100,000. */
  votes: Float64Array;
  /** Those deemed elected at its end: most votes first. Equal ones in the order of their places, which means nothing. */
  elected: number[];
}

/** A choice between candidates with equal votes. */
export interface StvTie {
  /** The number of the stage that it decides; the first stage is 1. */
  stage: number;
  candidates: number[];
  /** Those of them who were equal at every earlier stage too; one if a stage decides. */
  equal: number[];
  taken: number;
}

export interface StvCount {
  quota: number;
  stages: StvStage[];
  elected: number[];
  ties: StvTie[];
  /** The candidates between whom a lot decides that is not drawn yet: the count stops there. */
  awaiting: number[] | undefined;
}

/**
 * Draws a lot between candidates: returns the one who is taken, that is, transferred or excluded first; undefined if
 * the lot is not drawn yet.
 * @param stage the number of the stage that it decides
 */
export type DrawLot = (candidates: readonly number[], stage: number) => number | undefined;

/** Collects ranked papers, which may leave candidates out, and counts them. */
export class StvCounter {
  readonly n: number;
  /** Papers added so far. */
  ballots = 0;
  readonly #places: Int32Array;
  readonly #order: Int32Array;
  readonly #lastSeen: Uint32Array;
  #serial = 0;
  #first = '';
  /** Whether all papers are the same. */
  unanimous = true;
  /** The preferences of all different papers one after the other, each list followed by `END`. */
  #preferences = new Uint16Array(1024);
  #used = 0;
  /** For each of these papers where its preferences begin, and how many there are of it. */
  readonly #starts: number[] = [];
  readonly #times: number[] = [];

  /** @param numbers the option numbers of the candidates */
  constructor(numbers: readonly number[]) {
    this.n = numbers.length;
    this.#places = indexNumbers(numbers);
    this.#order = new Int32Array(this.n);
    this.#lastSeen = new Uint32Array(this.n);
  }

  /**
   * Adds `count` equal papers as stored, best first: "[3,1,2]".
   * @throws Error on a malformed or repeating ranking; nothing is counted then
   */
  add(text: string, count = 1): void {
    const order = this.#order;
    const ranked = readNumbers(text, this.#places, order);
    const serial = ++this.#serial;
    for (let at = 0; at < ranked; at++) {
      if (this.#lastSeen[order[at]!] === serial) throw malformed(text);
      this.#lastSeen[order[at]!] = serial;
    }
    if (this.#used + ranked >= this.#preferences.length) {
      const larger = new Uint16Array(2 * this.#preferences.length + ranked);
      larger.set(this.#preferences);
      this.#preferences = larger;
    }
    if (this.ballots === 0) this.#first = text;
    else if (text !== this.#first) this.unanimous = false;
    this.#starts.push(this.#used);
    this.#times.push(count);
    for (let at = 0; at < ranked; at++) this.#preferences[this.#used++] = order[at]!;
    this.#preferences[this.#used++] = END;
    this.ballots += count;
  }

  /** How many papers were added one by one; equal ones that came together are one. */
  get different(): number {
    return this.#starts.length;
  }

  /**
   * Counts the papers. There must be more candidates than seats, and at least one paper. It yields about every
   * millisecond.
   */
  *count(seats: number, draw: DrawLot): Generator<void, StvCount> {
    const piles = new Piles(this.n, this.#preferences, this.#times);
    yield* piles.dealFirst(Uint32Array.from(this.#starts));
    return yield* new Count(piles, quotaOf(this.ballots, seats), seats, draw).run();
  }
}

/** A whole number, which stays the same in all stages. */
const quotaOf = (ballots: number, seats: number): number => Math.floor(ballots / (seats + 1)) + 1;

/** The papers of each candidate, by their present value. */
class Piles {
  /** In 1/100,000. */
  readonly votes: Float64Array;
  /** Neither elected nor excluded. */
  readonly continuing: boolean[];
  readonly #papers: Map<number, number[]>[];
  readonly #preferences: Uint16Array;
  readonly #times: readonly number[];
  /** For each paper the place of its present preference in `preferences`. */
  #at: Uint32Array = new Uint32Array();

  constructor(n: number, preferences: Uint16Array, times: readonly number[]) {
    this.votes = new Float64Array(n);
    this.continuing = new Array<boolean>(n).fill(true);
    this.#papers = Array.from({ length: n }, () => new Map<number, number[]>());
    this.#preferences = preferences;
    this.#times = times;
  }

  /** @param starts where the preferences of each paper begin */
  *dealFirst(starts: Uint32Array): Generator<void, void> {
    this.#at = starts;
    const papers = this.#papers.map((pile) => {
      const first: number[] = [];
      pile.set(PAPER, first);
      return first;
    });
    for (let paper = 0; paper < starts.length; paper++) {
      const candidate = this.#preferences[starts[paper]!]!;
      papers[candidate]!.push(paper);
      this.votes[candidate]! += PAPER * this.#times[paper]!;
      if (paper % PIECE === 0) yield;
    }
  }

  /**
   * Gives each paper of a candidate to its next continuing candidate.
   * @param revalued the new value of papers that have this value
   */
  *passOn(from: number, revalued: (value: number) => number): Generator<void, void> {
    const pile = this.#papers[from]!;
    this.#papers[from] = new Map();
    for (const [value, papers] of pile) {
      for (let start = 0; start < papers.length; start += PIECE) {
        this.#transferEqual(papers.slice(start, start + PIECE), revalued(value));
        yield;
      }
    }
  }

  #transferEqual(papers: readonly number[], value: number): void {
    const preferences = this.#preferences;
    const at = this.#at;
    const { continuing, votes } = this;
    const targets = this.#papers.map((pile) => pile.get(value));
    for (const paper of papers) {
      let next = at[paper]!;
      do next += 1;
      while (preferences[next] !== END && !continuing[preferences[next]!]);
      at[paper] = next;
      const to = preferences[next]!;
      if (to === END) continue;
      let target = targets[to];
      if (target === undefined) {
        target = [];
        targets[to] = target;
        this.#papers[to]!.set(value, target);
      }
      target.push(paper);
      votes[to]! += value * this.#times[paper]!;
    }
  }
}

/** The state of a running count. */
class Count {
  readonly #piles: Piles;
  readonly #quota: number;
  readonly #seats: number;
  readonly #draw: DrawLot;
  readonly #stages: StvStage[] = [];
  readonly #elected: number[] = [];
  readonly #ties: StvTie[] = [];
  #awaiting: number[] | undefined;

  constructor(piles: Piles, quota: number, seats: number, draw: DrawLot) {
    this.#piles = piles;
    this.#quota = quota;
    this.#seats = seats;
    this.#draw = draw;
  }

  *run(): Generator<void, StvCount> {
    this.#endStage('first', null);
    while (this.#elected.length < this.#seats && (yield* this.#nextStage()));
    return {
      quota: this.#quota,
      stages: this.#stages,
      elected: this.#elected,
      ties: this.#ties,
      awaiting: this.#awaiting,
    };
  }

  /** Transfers the largest surplus, or without one excludes the lowest. @returns false if it waits for a lot */
  *#nextStage(): Generator<void, boolean> {
    const { votes, continuing } = this.#piles;
    const quota = this.#quota * PAPER;
    const over = this.#elected.filter((candidate) => votes[candidate]! > quota);
    const excludes = over.length === 0;
    const among = excludes ? places(continuing) : over.sort((a, b) => a - b);
    const extreme = (excludes ? Math.min : Math.max)(...among.map((candidate) => votes[candidate]!));
    const tied = among.filter((candidate) => votes[candidate] === extreme);
    const taken = tied.length > 1 ? this.#breakTie(tied, excludes) : tied[0]!;
    if (taken === undefined) return false;
    yield* excludes ? this.#exclude(taken) : this.#transferSurplus(taken, quota);
    this.#endStage(excludes ? 'exclude' : 'surplus', taken);
    return true;
  }

  #exclude(candidate: number): Generator<void, void> {
    this.#piles.continuing[candidate] = false;
    this.#piles.votes[candidate] = 0;
    return this.#piles.passOn(candidate, (value) => value);
  }

  /** All papers of the candidate are looked at, and the value of each is cut off once, after the multiplication. */
  #transferSurplus(candidate: number, quota: number): Generator<void, void> {
    const total = this.#piles.votes[candidate]!;
    this.#piles.votes[candidate] = quota;
    return this.#piles.passOn(candidate, (value) => multiplyAndDivide(total - quota, value, total));
  }

  /**
   * Takes the highest (of surpluses) or lowest (of exclusions) of the tied at the most recent stage at which they
   * differed. Of three or more, those who are not, are out of the tie, and the search goes on with the others. A lot
   * decides between those who never differed.
   */
  #breakTie(tied: number[], lowest: boolean): number | undefined {
    let equal = tied;
    for (const { votes } of this.#stages.slice(0, -1).reverse()) {
      const extreme = (lowest ? Math.min : Math.max)(...equal.map((candidate) => votes[candidate]!));
      equal = equal.filter((candidate) => votes[candidate] === extreme);
      if (equal.length === 1) break;
    }
    const stage = this.#stages.length + 1;
    const taken = equal.length === 1 ? equal[0] : this.#draw(equal, stage);
    if (taken === undefined) this.#awaiting = equal;
    else this.#ties.push({ stage, candidates: tied, equal, taken });
    return taken;
  }

  /** Elects those who have the quota, and everybody who is left once there are no more of them than vacancies. */
  #endStage(action: StvStage['action'], candidate: number | null): void {
    const { votes, continuing } = this.#piles;
    const quota = this.#quota * PAPER;
    const elected: number[] = [];
    const elect = (chosen: number[]) => {
      for (const one of chosen.sort((a, b) => votes[b]! - votes[a]! || a - b)) {
        continuing[one] = false;
        elected.push(one);
      }
    };
    elect(places(continuing).filter((one) => votes[one]! >= quota));
    const left = places(continuing);
    if (left.length <= this.#seats - this.#elected.length - elected.length) elect(left);
    this.#elected.push(...elected);
    this.#stages.push({ action, candidate, votes: votes.slice(), elected });
  }
}

const places = (flags: readonly boolean[]): number[] => flags.flatMap((flag, place) => (flag ? [place] : []));

/** floor(a * b / c) for whole numbers from 0 on; the product may be larger than a number can hold. */
function multiplyAndDivide(a: number, b: number, c: number): number {
  const product = a * b;
  if (product > Number.MAX_SAFE_INTEGER) return Number((BigInt(a) * BigInt(b)) / BigInt(c));
  return (product - (product % c)) / c;
}

/** Votes in 1/100,000 as they are published: "12.34567". */
export const formatVotes = (votes: number): string =>
  `${Math.floor(votes / PAPER)}.${String(votes % PAPER).padStart(5, '0')}`;

/** What is left of the papers: those without a next preference, and what was cut off. In 1/100,000. */
export const nonTransferable = (ballots: number, votes: Float64Array): number =>
  ballots * PAPER - votes.reduce((sum, each) => sum + each, 0);
