/** The longest that the work of the queue takes in one turn of the event loop. */
const TURN_MS = 5;

/** For how long the work of the queue gives way to connections that come one after the other. */
const GIVE_WAY_MS = 20;

/** @param waited milliseconds since it was entered */
type Work = (waited: number) => void;

interface Piece {
  since: number;
  work: Work;
}

/** Work by client, each client's in order; the client that is next comes first. */
type Lines = Map<string, Piece[]>;

/**
 * Work that may wait. In each turn of the event loop it gets as much time as all else took, and one piece of each
 * client is run in turn. So what does not wait, as ballots, is never kept for long, and the work of one client does not
 * delay that of others. Work that voting depends on has lines of its own, from which every second piece is taken.
 */
export class WorkQueue {
  readonly #now: () => number;
  readonly #voting: Lines = new Map();
  readonly #rest: Lines = new Map();
  #isVotingNext = true;
  /** A piece has run in this turn, or waits for the next. */
  #busy = false;
  #drainedAt = 0;
  #givesWay = false;

  /** @param now milliseconds of a clock that is never set */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Runs `work` at once when it is the first of this turn, else later. */
  enter(client: string, work: Work, { voting = false } = {}): void {
    if (!this.#busy) {
      this.#busy = true;
      setImmediate(() => this.#drain());
      work(0);
      return;
    }
    const lines = voting ? this.#voting : this.#rest;
    lines.getOrInsertComputed(client, () => []).push({ since: this.#now(), work });
  }

  /** Called for each new connection: the system hands over one in a turn, and the next one may be that of a voter. */
  giveWay(): void {
    this.#givesWay = true;
  }

  /** Waits for a turn: counting ballots does that every millisecond. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.enter('', () => resolve(), { voting: true }));
  }

  /** Runs work that yields about every millisecond, each piece in a turn of its own. @returns what it returns */
  async inTurns<T>(work: Iterator<void, T>): Promise<T> {
    for (;;) {
      await this.turn();
      const { done, value } = work.next();
      if (done) return value;
    }
  }

  async #drain(): Promise<void> {
    let now = this.#now();
    const held = this.#givesWay && now - this.#drainedAt < GIVE_WAY_MS;
    this.#givesWay = false;
    if (held) {
      setImmediate(() => this.#drain());
      return;
    }
    const until = now + Math.min(now - this.#drainedAt, TURN_MS);
    do {
      const next = this.#take();
      if (!next) {
        this.#busy = false;
        return;
      }
      next.work(now - next.since);
      await promisesSettled();
      now = this.#now();
    } while (now < until);
    this.#drainedAt = now;
    setImmediate(() => this.#drain());
  }

  #take(): Piece | undefined {
    const [lines, others] = this.#isVotingNext ? [this.#voting, this.#rest] : [this.#rest, this.#voting];
    this.#isVotingNext = !this.#isVotingNext;
    return takeFrom(lines) ?? takeFrom(others);
  }
}

/** The next piece of the client that is next, who goes to the end. */
function takeFrom(lines: Lines): Piece | undefined {
  const [client, line] = lines.entries().next().value ?? [];
  if (client === undefined || !line) return undefined;
  const piece = line.shift();
  if (lines.size > 1 || line.length === 0) {
    lines.delete(client);
    if (line.length > 0) lines.set(client, line);
  }
  return piece;
}

/**
 * Resolves when everything has run that follows from promises alone: most handlers read the database and answer in
 * it, and it counts as their time. A tick that a microtask asks for comes after all microtasks.
 */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
