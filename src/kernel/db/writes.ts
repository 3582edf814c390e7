import type Sqlite from 'better-sqlite3';
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Database } from './schema.ts';

/** Builds queries for a write transaction. It has no connection, so it cannot run one by mistake. */
export const build = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

type Query<Row> = Compilable<Row> | CompiledQuery<Row>;

/**
 * A write transaction that is under way. Synchronous: nothing can be awaited inside, so it is always short. Each has
 * an object of its own, and another one from when a piece of it was undone: what is remembered for it stays true.
 */
export interface Tx {
  all<Row>(query: Query<Row>): Row[];
  first<Row>(query: Query<Row>): Row | undefined;
  /** Runs a change and tells how many rows it touched. */
  run(query: Query<unknown>): number;
}

/**
 * Compiles a query once, for a hot path. `values` lists its parameters in the order in which they stand in the SQL;
 * those of `query` itself only hold their places.
 */
export function prepare<Row, Args extends unknown[]>(
  query: Compilable<Row>,
  values: (...args: Args) => unknown[],
) {
  const { sql, query: node, queryId } = query.compile();
  return (...args: Args): CompiledQuery<Row> => ({ sql, query: node, queryId, parameters: values(...args) });
}

/** Rows that go into one statement of `prepareRows`. */
const ROWS_AT_ONCE = 32;

/**
 * Inserts as many rows as there are, most of them many to a statement: that takes two thirds of the time.
 * @param insert the query for a number of rows, their values only holding places
 * @param values those of one row, in the order in which they stand in the SQL
 */
export function prepareRows<Row>(
  insert: (rows: number) => Compilable<unknown>,
  values: (row: Row) => unknown[],
): (tx: Tx, rows: readonly Row[]) => void {
  const [one, many] = [insert(1), insert(ROWS_AT_ONCE)].map((query) =>
    prepare(query, (rows: readonly Row[]) => rows.flatMap(values)),
  );
  return (tx, rows) => {
    const whole = rows.length - (rows.length % ROWS_AT_ONCE);
    for (let at = 0; at < whole; at += ROWS_AT_ONCE) tx.run(many!(rows.slice(at, at + ROWS_AT_ONCE)));
    for (const row of rows.slice(whole)) tx.run(one!([row]));
  };
}

/** A limit of one row, spelled out: SQLite plans a statement anew whenever a value is bound to its limit. */
export const ONE = sql.lit(1);

interface Waiting {
  work: (tx: Tx) => unknown;
  repeatable: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Writes that share a commit at the most; more wait for the next one. */
const COMMIT_SIZE = 256;

/** How long a commit waits for more writes to share it. */
const GATHER_MS = 2;

/** A piece without a savepoint has failed; its cause says how. */
class HalfDone extends Error {}

const unrepeatable = (piece: Waiting): Waiting => ({ ...piece, repeatable: false });

/**
 * Every write of the service goes through here: what is waiting runs in one immediate transaction, and all are
 * answered after the one durable commit. A piece that throws is undone alone.
 */
export class Writes {
  readonly #sqlite: Sqlite.Database;
  readonly #commitSize: number;
  readonly #statements = new Map<string, Sqlite.Statement>();
  #tx = this.#newTx();
  /** Whether the piece that runs has changed anything yet. */
  #changed = false;
  #waiting: Waiting[] = [];
  #scheduled = false;

  constructor(sqlite: Sqlite.Database, commitSize = COMMIT_SIZE) {
    this.#sqlite = sqlite;
    this.#commitSize = commitSize;
  }

  /**
   * Runs `work` in a durable transaction. It resolves after the commit; what `work` throws rejects it.
   * @param repeatable `work` touches nothing but the database, so it may be undone and run once more: many such
   * pieces share a commit at less cost
   */
  write<T>(work: (tx: Tx) => T, { repeatable = false } = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, repeatable, resolve: resolve as (value: unknown) => void, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      this.#gatherLater(1, performance.now() + GATHER_MS);
    });
  }

  /** One row, read at once and past the queue: for the few reads whose waiting would cost more than they do. */
  look<Row>(query: Query<Row>): Row | undefined {
    return this.#tx.first(query);
  }

  /**
   * Commits once a turn of the event loop has brought nothing new, or at `until`: what arrives together shares the
   * commit, and what comes alone waits for one empty turn, which takes microseconds. Under steady traffic no turn is
   * empty.
   */
  #gatherLater(before: number, until: number): void {
    setImmediate(() => {
      const now = this.#waiting.length;
      if (now > before && now < this.#commitSize && performance.now() < until) this.#gatherLater(now, until);
      else this.#flush();
    });
  }

  #flush(): void {
    const batch = this.#waiting.splice(0, this.#commitSize);
    this.#scheduled = this.#waiting.length > 0;
    if (this.#scheduled) this.#gatherLater(0, performance.now() + GATHER_MS);
    for (const answer of this.#commit(batch)) answer();
  }

  /** Runs a batch and returns how to answer each of it, so that nobody hears of success before the commit. */
  #commit(batch: Waiting[]): (() => void)[] {
    // Inside a savepoint SQLite copies every page before its first change: the price of undoing one piece alone.
    const plain = batch.length === 1 || batch.every(({ repeatable }) => repeatable);
    try {
      return this.#transact(batch, plain ? (piece) => this.#runPlain(piece) : (piece) => this.#runOne(piece));
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#exec('ROLLBACK');
      if (error instanceof HalfDone && batch.length > 1) return this.#commit(batch.map(unrepeatable));
      const reason = error instanceof HalfDone ? error.cause : error;
      return batch.map(
        ({ reject }) =>
          () =>
            reject(reason),
      );
    }
  }

  #transact(batch: Waiting[], run: (piece: Waiting) => () => void): (() => void)[] {
    this.#exec('BEGIN IMMEDIATE');
    this.#tx = this.#newTx();
    const answers = batch.map(run);
    this.#exec('COMMIT');
    return answers;
  }

  /** @throws HalfDone when the piece fails after it has changed something. */
  #runPlain({ work, resolve, reject }: Waiting): () => void {
    this.#changed = false;
    try {
      const value = work(this.#tx);
      return () => resolve(value);
    } catch (error) {
      if (this.#changed || !this.#sqlite.inTransaction) throw new HalfDone('', { cause: error });
      return () => reject(error);
    }
  }

  #runOne({ work, resolve, reject }: Waiting): () => void {
    this.#exec('SAVEPOINT piece');
    try {
      const value = work(this.#tx);
      this.#exec('RELEASE piece');
      return () => resolve(value);
    } catch (error) {
      // A full disk or an I/O error can end the whole transaction: then there is no savepoint left to return to.
      if (!this.#sqlite.inTransaction) throw error;
      this.#exec('ROLLBACK TO piece');
      this.#exec('RELEASE piece');
      this.#tx = this.#newTx();
      return () => reject(error);
    }
  }

  #newTx(): Tx {
    return {
      all: <Row>(query: Query<Row>) => {
        const [statement, values] = this.#statementOf(query);
        this.#changed ||= !statement.readonly;
        return statement.all(...values) as Row[];
      },
      first: <Row>(query: Query<Row>) => {
        const [statement, values] = this.#statementOf(query);
        this.#changed ||= !statement.readonly;
        return statement.get(...values) as Row | undefined;
      },
      run: (query) => {
        const [statement, values] = this.#statementOf(query);
        const { changes } = statement.run(...values);
        this.#changed ||= changes > 0;
        return changes;
      },
    };
  }

  #exec(sql: string): void {
    this.#prepare(sql).run();
  }

  #statementOf(query: Query<unknown>): [Sqlite.Statement, values: unknown[]] {
    const { sql, parameters } = 'compile' in query ? query.compile() : query;
    return [this.#prepare(sql), parameters as unknown[]];
  }

  #prepare(sql: string): Sqlite.Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      if (this.#statements.size >= 500) this.#statements.clear();
      statement = this.#sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
