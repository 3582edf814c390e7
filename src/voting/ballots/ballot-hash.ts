import { createHash } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import type { Election } from '#voting/elections/elections.ts';
import { readBallotRows, readBallots } from './ballot-store.ts';

/** Distinct ballots that are sorted, merged or hashed in one turn, which takes about a millisecond. */
const PIECE = 1_000;

/**
 * Returns the SHA-256 over the sorted ballots of an election, see `ballotSetHash`. Other requests can run between the
 * pieces of this work.
 * @param head of the hashed text; none for results of earlier versions
 */
export async function hashBallots(
  ctx: Pick<Context, 'db' | 'queue'>,
  election: Pick<Election, 'id' | 'ballot_type'>,
  head: string | undefined,
): Promise<string> {
  const counts = new Map<string, number>();
  await readBallots(ctx, election, (choice, times) => {
    counts.set(choice, (counts.get(choice) ?? 0) + times);
  });
  return ctx.queue.inTurns(hashCounts(counts, head));
}

/**
 * Returns the SHA-256 over the ids of the ballots of an election with their receipts, one a line, in the order of the
 * ids: the hashes by which voters find their ballots.
 */
export async function hashReceipts(ctx: Pick<Context, 'db' | 'queue'>, electionId: string): Promise<string> {
  const hash = createHash('sha256');
  await readBallotRows(ctx, electionId, ({ id, receipt }) => {
    hash.update(`${id} ${receipt ?? ''}\n`);
  });
  return hash.digest('hex');
}

function* hashCounts(counts: Map<string, number>, head: string | undefined): Generator<void, string> {
  const hash = new BallotSetHash(head);
  const choices = yield* sortTexts(counts.keys());
  for (const [at, choice] of choices.entries()) {
    hash.add(choice, counts.get(choice)!);
    if (at % PIECE === 0) yield;
  }
  return hash.digest();
}

/** Sorts by code units with a merge sort: sorts short runs, then merges pairs of runs. Yields between the steps. */
export function* sortTexts(texts: Iterable<string>): Generator<void, string[]> {
  let runs: string[][] = [];
  const rest = Iterator.from(texts);
  for (let run = take(rest); run.length > 0; run = take(rest)) {
    runs.push(run.sort());
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at]!, runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function take(texts: Iterator<string>): string[] {
  const some: string[] = [];
  while (some.length < PIECE) {
    const { done, value } = texts.next();
    if (done) break;
    some.push(value);
  }
  return some;
}

function* merge(some: string[], others: string[]): Generator<void, string[]> {
  const merged: string[] = [];
  let at = 0;
  for (const text of some) {
    while (at < others.length && others[at]! < text) merged.push(others[at++]!);
    merged.push(text);
    if (merged.length % PIECE === 0) yield;
  }
  while (at < others.length) {
    merged.push(others[at++]!);
    if (merged.length % PIECE === 0) yield;
  }
  return merged;
}

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
class BallotSetHash {
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
