import { createHash } from 'node:crypto';

/**
 * SHA-256, lower-case hex, of an election's ballot set: every ballot's stored choice text followed by "\n",
 * sorted by bytes ascending, in UTF-8. Equal for equal ballots whatever order they were cast or kept in, so that
 * anybody with an export can compute it again (`sort` and `sha256sum` will do).
 * @param sorted pairs of choice text and number of such ballots, ascending by text, as
 *   `SELECT choice, count(*) ... GROUP BY choice ORDER BY choice` gives them; a text may come in several pairs.
 * @throws Error when a text comes before a smaller one: the hash would be of some other ballot set.
 */
export function ballotSetHash(sorted: Iterable<readonly [choiceText: string, count: number]>): string {
  const hash = new BallotSetHash();
  for (const [text, count] of sorted) hash.add(text, count);
  return hash.digest();
}

/** The same ballot by ballot. */
export class BallotSetHash {
  readonly #hash = createHash('sha256');
  #previous = '';

  /** @throws Error when the text comes before the one that was added last */
  add(text: string, count: number): void {
    // Stored ballots are ASCII, where the order of code units is that of bytes.
    if (text < this.#previous)
      throw new Error(
        `Ballots are not sorted: ${JSON.stringify(text)} after ${JSON.stringify(this.#previous)}`,
      );
    this.#hash.update(`${text}\n`.repeat(count));
    this.#previous = text;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
