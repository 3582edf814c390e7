/** Longest time that queued work takes in one turn of the event loop. */
const TURN_MS = 5;

/** Longest time that queued work waits while new connections keep arriving. */
const YIELD_MS = 20;

/** @param waited milliseconds since it was entered */
type Work = (waited: number) => void;

interface Piece {
  since: number;
  work: Work;
}

/** Waiting work by client, each client's in order; the first client is served next. */
type Lines = Map<string, Piece[]>;

/**
 * A queue of work that may wait. In each turn of the event loop it gets as much time as everything else took, and
 * clients are served in turn, one piece each. So work outside the queue, such as ballots, is never delayed for long,
 * and one client does not delay others. Work that voting depends on has separate lines, which get every second piece.
 */
export class WorkQueue {
  readonly #now: () => number;
  readonly #voting: Lines = new Map();
  readonly #rest: Lines = new Map();
  #isVotingNext = true;
  /** Whether a piece has run in this turn, or waits for the next one. */
  #busy = false;
  #drainedAt = 0;
  #yields = false;

  /** @param now milliseconds of a monotonic clock */
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

  /** Called for each new connection: only one is accepted per turn, and the next one may be a voter's. */
  yieldToConnections(): void {
    this.#yields = true;
  }

  /** Waits for a turn: counting ballots does that every millisecond. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.enter('', () => resolve(), { voting: true }));
  }

  /** Runs work that yields about every millisecond, each piece in a separate turn. @returns the result of the work */
  async inTurns<T>(work: Iterator<void, T>): Promise<T> {
    for (;;) {
      await this.turn();
      const { done, value } = work.next();
      if (done) return value;
    }
  }

  async #drain(): Promise<void> {
    let now = this.#now();
    const held = this.#yields && now - this.#drainedAt < YIELD_MS;
    this.#yields = false;
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

/** Takes the next piece of the first client, and moves that client to the end. */
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
 * Resolves when all pending promise callbacks have run: most handlers read the database and answer within them, and
 * this must count as their time. A nextTick callback requested in a microtask runs after all microtasks.
 */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
