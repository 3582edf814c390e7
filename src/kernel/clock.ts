export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns milliseconds since the epoch. All code reads the time from such a function, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** ISO 8601 in UTC, `2026-11-21T23:59:00.000Z`. */
export const isoTime = (at: number): string => dateOf(at).toISOString();

/** A Date for the libraries that need one. */
export const dateOf = (at: number): Date => new Date(at);

/** A change of more than this against the monotonic clock is a jump. */
const JUMP_MS = MINUTE;
/** How long the last jump is reported. */
const TOLD_FOR_MS = 10 * MINUTE;

/** Detects that the system clock was set while the service runs: elections open and close by it. */
export class ClockWatch {
  readonly #now: Clock;
  readonly #steady: Clock;
  #offset: number;
  #jumpedAt: number | undefined;

  /** @param steady milliseconds of a monotonic clock */
  constructor(now: Clock, steady: Clock = () => performance.now()) {
    this.#now = now;
    this.#steady = steady;
    this.#offset = now() - steady();
  }

  /** Compares the clocks. @returns by how many milliseconds the system clock jumped; 0 if it did not */
  look(): number {
    const steady = this.#steady();
    const jump = this.#now() - steady - this.#offset;
    this.#offset += jump;
    if (Math.abs(jump) <= JUMP_MS) return 0;
    this.#jumpedAt = steady;
    return jump;
  }

  /** Whether the system clock jumped in the last ten minutes. */
  get jumped(): boolean {
    return this.#jumpedAt !== undefined && this.#steady() - this.#jumpedAt < TOLD_FOR_MS;
  }
}
