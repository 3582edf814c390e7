// Samples of the service's resource usage, one per minute, and their trends.
import fs from 'node:fs';

export interface Sample {
  /** Resident memory of the process, in megabytes. */
  memory: number;
  /** Used heap in megabytes: the minimum of a minute, which is closest to a garbage collection. */
  heap: number;
  /** Event loop delay in milliseconds: the highest 99th percentile of a minute. */
  delay: number;
  /** Number of open files and sockets, and of Node's handles. */
  files: number;
  handles: number;
  /** Size of the database and of its write-ahead log, in megabytes. */
  database: number;
  log: number;
}

const MB = 1024 * 1024;

/** Collects values from `/metrics` during one minute. */
export class Minute {
  #heaps: number[] = [];
  #delays: number[] = [];
  #handles = 0;

  read(metrics: string): void {
    const value = (name: string) =>
      Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1] ?? Number.NaN);
    this.#heaps.push(value('nodejs_heap_size_used_bytes') / MB);
    this.#delays.push(value('nodejs_eventloop_lag_p99_seconds') * 1_000);
    const handles = [...metrics.matchAll(/^nodejs_active_handles\{.*\} (\d+)$/gm)];
    this.#handles = handles.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** @param pid process id of the service, whose database is in `folder` */
  end(pid: number, folder: string): Sample {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const sizeOf = (file: string) => (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) / MB;
    return {
      memory: Number(kilobytes) / 1_024,
      heap: Math.min(...this.#heaps),
      delay: Math.max(...this.#delays),
      files: fs.readdirSync(`/proc/${pid}/fd`).length,
      handles: this.#handles,
      database: sizeOf(`${folder}/service.db`),
      log: sizeOf(`${folder}/service.db-wal`),
    };
  }
}

/** The values that must not grow: how much the trend may rise over the counted minutes, as a share of the median. */
const TOLERANCES = { memory: 0.1, heap: 0.1, files: 0.05 } as const;

export interface Trend {
  name: string;
  median: number;
  /** Rise over all counted minutes, as a share of the median. */
  rise: number;
  tolerance: number;
}

/**
 * Computes the trend of each value: the median of the slopes between all pairs of minutes (Theil–Sen estimator), which
 * is robust against single outliers.
 */
export function trendsOf(samples: readonly Sample[]): Trend[] {
  return Object.entries(TOLERANCES).map(([name, tolerance]) => {
    const values = samples.map((sample) => sample[name as keyof typeof TOLERANCES]);
    const slopes = values.flatMap((from, at) =>
      values.slice(at + 1).map((to, next) => (to - from) / (next + 1)),
    );
    const median = middle(values);
    return { name, median, rise: (middle(slopes) * (values.length - 1)) / median, tolerance };
  });
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}
