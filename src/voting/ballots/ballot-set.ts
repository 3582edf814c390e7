import { createHash } from 'node:crypto';

/**
 * SHA-256, lower-case hex, of an election's ballot set: the hash of the question and a salt, each followed by "\n",
 * see `ballotSetHead`, then every ballot's stored choice text followed by "\n",
 * sorted by bytes ascending, in UTF-8. It does not depend on the order in which ballots were cast or stored, so
 * anybody with an export can compute it again (with `sort` and `sha256sum`).
 * @param sorted pairs of choice text and number of such ballots, ascending by text, as
 *   `SELECT choice, count(*) ... GROUP BY choice ORDER BY choice` gives them; a text may come in several pairs.
 * @param head of the hashed text; absent for results of earlier versions, which hashed the ballots alone
 * @throws Error when the texts are not sorted: the hash would be that of another ballot set.
 */
export function ballotSetHash(
  sorted: Iterable<readonly [choiceText: string, count: number]>,
  head?: string,
): string {
  const hash = new BallotSetHash(head);
  for (const [text, count] of sorted) hash.add(text, count);
  return hash.digest();
}

/** Computes the same hash step by step. */
export class BallotSetHash {
  readonly #hash = createHash('sha256');
  #previous = '';

  constructor(head = '') {
    this.#hash.update(head);
  }

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
