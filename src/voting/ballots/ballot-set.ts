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
  const hash = createHash('sha256');
  let previous = '';
  for (const [text, count] of sorted) {
    // Stored ballots are ASCII, where the order of code units is that of bytes.
    if (text < previous)
      throw new Error(`Ballots are not sorted: ${JSON.stringify(text)} after ${JSON.stringify(previous)}`);
    hash.update(`${text}\n`.repeat(count));
    previous = text;
  }
  return hash.digest('hex');
}
