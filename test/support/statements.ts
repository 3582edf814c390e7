import Sqlite from 'better-sqlite3';

/** One run of a statement. */
export interface Asked {
  sql: string;
  values: unknown[];
  /** Rows that it returned. */
  read: number;
  /** Rows that it inserted, changed or deleted, without those of triggers. */
  written: number;
}

interface Statement {
  source: string;
  reader: boolean;
}

type Method = (this: Statement, ...values: unknown[]) => unknown;

const prototype = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1')) as Record<string, Method>;
const METHODS = ['run', 'get', 'all', 'iterate'];

/** Notes what SQLite is asked in this thread while some work runs, by any service: BEGIN and COMMIT too. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const own = METHODS.map((name) => [name, prototype[name]!] as const);
  for (const [name, method] of own)
    prototype[name] = function (...values) {
      const result = method.apply(this, values);
      asked.push({
        sql: this.source,
        values,
        read: Array.isArray(result) ? result.length : Number(this.reader && result !== undefined),
        written: name === 'run' ? (result as Sqlite.RunResult).changes : 0,
      });
      return result;
    };
  try {
    await work();
  } finally {
    for (const [name, method] of own) prototype[name] = method;
  }
  return asked;
}
