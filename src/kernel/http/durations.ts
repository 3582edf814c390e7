/** Counts how long things took, by labels, as a histogram for Prometheus. Adding to it costs next to nothing. */
export class Durations {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  /** By their labels: what fell into each bucket, beyond the last one too, and the sum of all. */
  readonly #series = new Map<string, { counts: number[]; sum: number }>();

  /** `bounds` are the upper ends of the buckets in seconds, ascending. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
  }

  /** How to add to the series with these labels, in Prometheus' spelling and from a closed list: keep it, it is quick. */
  series(labels: string): (seconds: number) => void {
    const series = this.#series.getOrInsertComputed(labels, () => ({
      counts: Array<number>(this.#bounds.length + 1).fill(0),
      sum: 0,
    }));
    return (seconds) => {
      let bucket = 0;
      while (bucket < this.#bounds.length && seconds > this.#bounds[bucket]!) bucket += 1;
      series.counts[bucket]! += 1;
      series.sum += seconds;
    };
  }

  /** Everything in Prometheus' text format. */
  toString(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const [labels, { counts, sum }] of this.#series) {
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        lines.push(`${this.#name}_bucket{le="${this.#bounds[index] ?? '+Inf'}",${labels}} ${total}`);
      }
      lines.push(`${this.#name}_sum{${labels}} ${sum}`, `${this.#name}_count{${labels}} ${total}`);
    }
    return `${lines.join('\n')}\n`;
  }
}
