// The Schulze method with winning votes, after M. Schulze, "A new monotonic, clone-independent, reversal
// symmetric, and Condorcet-consistent single-winner election method" (Social Choice and Welfare 36, 2011) and
// "The Schulze Method of Voting" (arXiv:1804.02973, 2018). Candidates are identified by their place (index),
// 0 to n - 1. Matrices are flat, row by row: [i * n + j] compares candidate i with candidate j.

/**
 * Returns the table that maps the option numbers of stored ballots to their places in `numbers`; -1: unknown number.
 * @throws Error on a number that is repeated or not a whole number from 1 on.
 */
export function indexNumbers(numbers: readonly number[]): Int32Array {
  const places = new Int32Array(Math.max(0, ...numbers) + 1).fill(-1);
  for (const [place, number] of numbers.entries()) {
    if (!Number.isInteger(number) || number < 1 || places[number] !== -1) {
      throw new Error(`Option number ${number} is repeated or not a whole number from 1 on`);
    }
    places[number] = place;
  }
  return places;
}

/**
 * Reads a stored list of option numbers, "[3,1,2]", without allocating objects: writes `places[number]` of each to
 * `into` and returns how many there were (at least one). The caller has to check for repeated numbers.
 * @throws Error on any other text, on an unknown number, and on more numbers than `into` holds.
 */
export function readNumbers(text: string, places: Int32Array, into: Int32Array): number {
  const { length } = text;
  let found = 0;
  let at = text.startsWith('[') ? 1 : length;
  while (at < length) {
    let number = text.charCodeAt(at++) - 48;
    if (!(number >= 1 && number <= 9)) break;
    let code = text.charCodeAt(at++);
    while (code >= 48 && code <= 57) {
      number = number * 10 + code - 48;
      code = text.charCodeAt(at++);
    }
    const place = number < places.length ? places[number]! : -1;
    if (place < 0 || found === into.length) break;
    into[found++] = place;
    if (code === 93 && at === length) return found;
    if (code !== 44) break;
  }
  throw malformed(text);
}

/** The error for a stored ballot that no version of the server can have stored. */
export function malformed(text: string): Error {
  return new Error(`Malformed stored ballot: ${JSON.stringify(text.slice(0, 200))}`);
}

/** Counts rankings into the pairwise matrix. The candidates are given by their option numbers, in order. */
export class PairwiseCounter {
  readonly n: number;
  /** [i * n + j]: ballots that prefer candidate i to candidate j. */
  readonly pairwise: Uint32Array;
  /** [i]: ballots with candidate i alone in first place. */
  readonly firstChoices: Uint32Array;
  ballots = 0;
  /** Ballots that do not rank every candidate. */
  truncated = 0;
  readonly #places: Int32Array;
  readonly #order: Int32Array;
  readonly #lastSeen: Uint32Array;
  readonly #partial: boolean;
  #serial = 0;

  /** @param partial whether a stored ranking may leave candidates out, which then share its last place */
  constructor(numbers: readonly number[], partial = false) {
    this.n = numbers.length;
    this.#partial = partial;
    this.pairwise = new Uint32Array(this.n * this.n);
    this.firstChoices = new Uint32Array(this.n);
    this.#places = indexNumbers(numbers);
    this.#order = new Int32Array(this.n);
    this.#lastSeen = new Uint32Array(this.n);
  }

  /**
   * Adds `count` equal ballots that rank every candidate once, best first, as stored: "[3,1,2]". Partial rankings may
   * rank only some candidates: each ranked candidate is preferred to all unranked ones.
   * @throws Error on a malformed, incomplete or repeating ranking; nothing is counted then.
   */
  add(text: string, count = 1): void {
    const { n, pairwise } = this;
    const order = this.#order;
    const ranked = readNumbers(text, this.#places, order);
    if ((ranked !== n && !this.#partial) || this.#repeats(ranked)) throw malformed(text);
    if (ranked < n) this.#appendUnranked(ranked);
    // Writing the preferred side of each pair needs no comparison and measured faster than counting one
    // triangle of the matrix and completing it; for strict ballots both sides add up to the ballots anyway.
    for (let i = 0; i < ranked; i++) {
      const row = order[i]! * n;
      for (let j = i + 1; j < n; j++) pairwise[row + order[j]!]! += count;
    }
    this.firstChoices[order[0]!]! += count;
    this.ballots += count;
    if (ranked < n) this.truncated += count;
  }

  /**
   * Adds `count` equal ballots with equal ranks: groups of option numbers, best group first. Candidates that are
   * not listed are tied behind all others. A shared first place counts as no first choice.
   * @throws Error on an unknown or repeated number; nothing is counted then.
   */
  addRanking(groups: readonly (readonly number[])[], count = 1): void {
    const ranks = new Array<number>(this.n).fill(groups.length);
    for (const [rank, group] of groups.entries()) {
      for (const number of group) {
        const place = this.#places[number] ?? -1;
        if (place < 0 || ranks[place] !== groups.length) throw malformed(JSON.stringify(groups));
        ranks[place] = rank;
      }
    }
    for (const [i, mine] of ranks.entries()) {
      for (const [j, other] of ranks.entries()) if (mine < other) this.pairwise[i * this.n + j]! += count;
    }
    const [first] = groups;
    if (first?.length === 1) this.firstChoices[this.#places[first[0]!]!]! += count;
    this.ballots += count;
  }

  /** Completes the order with the candidates that the ballot just read does not rank. */
  #appendUnranked(ranked: number): void {
    let at = ranked;
    for (let place = 0; place < this.n; place++)
      if (this.#lastSeen[place] !== this.#serial) this.#order[at++] = place;
  }

  /** Whether the first `ranked` entries of the order contain a candidate twice. Marks each as seen. */
  #repeats(ranked: number): boolean {
    const lastSeen = this.#lastSeen;
    const serial = ++this.#serial;
    for (let at = 0; at < ranked; at++) {
      const place = this.#order[at]!;
      if (lastSeen[place] === serial) return true;
      lastSeen[place] = serial;
    }
    return false;
  }
}

/**
 * Returns the strengths of the strongest paths. A link from i to j exists where more ballots prefer i to j than j to
 * i; its strength is the number of ballots that prefer i (winning votes). A path is as strong as its weakest link; 0:
 * no path. Widest paths by Floyd and Warshall (Schulze 2018, section 2.3), O(n³). The diagonal is 0.
 */
export function strongestPaths(pairwise: Uint32Array, n: number): Uint32Array {
  const paths = new Uint32Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const wins = pairwise[i * n + j]!;
      if (wins > pairwise[j * n + i]!) paths[i * n + j] = wins;
    }
  }
  for (let via = 0; via < n; via++) {
    for (let i = 0; i < n; i++) {
      const toVia = paths[i * n + via]!;
      if (toVia === 0) continue;
      for (let j = 0; j < n; j++) {
        const detour = Math.min(toVia, paths[via * n + j]!);
        if (i !== j && detour > paths[i * n + j]!) paths[i * n + j] = detour;
      }
    }
  }
  return paths;
}

/** Whether candidate i beats candidate j, that is, has the stronger path to the other. This relation is transitive. */
export function beats(paths: Uint32Array, n: number, i: number, j: number): boolean {
  return paths[i * n + j]! > paths[j * n + i]!;
}

/**
 * Returns the full ranking as groups of places, best first, each group ascending. A group holds the candidates whom
 * no remaining candidate beats; the first group holds the winners. No member of a group beats another: they are tied.
 * Each later candidate is beaten by one of the group before, and no candidate is ranked above one who beats them.
 */
export function rankCandidates(paths: Uint32Array, n: number): number[][] {
  const groups: number[][] = [];
  let left = Array.from({ length: n }, (_, place) => place);
  while (left.length > 0) {
    const group = left.filter((mine) => !left.some((other) => beats(paths, n, other, mine)));
    const placed = new Set(group);
    left = left.filter((place) => !placed.has(place));
    groups.push(group);
  }
  return groups;
}

/** Returns the place of the Condorcet winner, who wins every pairwise comparison; else null. */
export function condorcetWinner(pairwise: Uint32Array, n: number): number | null {
  for (let i = 0; i < n; i++) {
    let wins = 0;
    for (let j = 0; j < n; j++) if (pairwise[i * n + j]! > pairwise[j * n + i]!) wins += 1;
    if (wins === n - 1) return i;
  }
  return null;
}
