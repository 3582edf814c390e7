export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Milliseconds since the epoch. Everything that needs the time takes one of these, so tests can move it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** ISO 8601 in UTC, `2026-11-21T23:59:00.000Z`. */
export const isoTime = (at: number): string => dateOf(at).toISOString();

/** A Date for the libraries that want one. */
export const dateOf = (at: number): Date => new Date(at);

/** A clock that differs by more from one that cannot be set has jumped. */
const JUMP_MS = MINUTE;
/** For how long a jump is told after the last one. */
const TOLD_FOR_MS = 10 * MINUTE;

/** Notices that the system's clock was set while the service runs: elections open and close by it. */
export class ClockWatch {
  readonly #now: Clock;
  readonly #steady: Clock;
  #offset: number;
  #jumpedAt: number | undefined;

  /** @param steady milliseconds of a clock that is never set */
  constructor(now: Clock, steady: Clock = () => performance.now()) {
    this.#now = now;
    this.#steady = steady;
    this.#offset = now() - steady();
  }

  /** Compares the clocks. @returns by how many milliseconds the system's was set; 0 where it was not */
  look(): number {
    const steady = this.#steady();
    const jump = this.#now() - steady - this.#offset;
    this.#offset += jump;
    if (Math.abs(jump) <= JUMP_MS) return 0;
    this.#jumpedAt = steady;
    return jump;
  }

  /** Whether it jumped in the last ten minutes. */
  get jumped(): boolean {
    return this.#jumpedAt !== undefined && this.#steady() - this.#jumpedAt < TOLD_FOR_MS;
  }
}
