import { MINUTE } from '#kernel/clock.ts';

const COUNTED_AT_MOST = 1_000;
const GONE_AFTER = 5 * MINUTE;

/** Counts browsers that show a screen's page without a name. They are never listed and never raise an alarm. */
export class Visitors {
  readonly #lastSeen = new Map<string, number>();

  saw({ screen, page }: { screen: string; page: string }, now: number): void {
    const key = `${page} ${screen}`;
    this.#lastSeen.delete(key);
    if (this.#lastSeen.size >= COUNTED_AT_MOST) this.#forget(now);
    if (this.#lastSeen.size < COUNTED_AT_MOST) this.#lastSeen.set(key, now);
  }

  /** The number of browsers seen within the last five minutes. */
  count(now: number): number {
    this.#forget(now);
    return this.#lastSeen.size;
  }

  #forget(now: number): void {
    for (const [key, at] of this.#lastSeen) if (now - at >= GONE_AFTER) this.#lastSeen.delete(key);
  }
}
