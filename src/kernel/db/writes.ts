import Sqlite from 'better-sqlite3';
import { LOCK_LOST } from './database-error.ts';
import type { Insert, Query, Statements, Tx } from './queries.ts';

export interface WriteOptions {
  /** `work` uses only the database, so it may be rolled back and run again: many such share a commit at less cost. */
  repeatable?: boolean;
}

export interface WritesOptions {
  commitSize?: number | undefined;
  /** Throws while this process must not write, see `DatabaseLock.ensureHeld`. */
  ensureAllowed?: () => void;
}

interface Waiting {
  work: (tx: Tx) => unknown;
  repeatable: boolean;
  /** When it was asked for, by `performance.now()`. */
  since: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Most writes that share a commit; more wait for the next one. */
const COMMIT_SIZE = 256;

/** How long a commit waits for more writes to share it. */
const GATHER_MS = 2;

/** How long a write waits for a lock of another process. */
export const BUSY_MS = 2_000;

/** How often it looks whether that lock is gone. */
const BUSY_RETRY_MS = 20;

/**
 * The codes of SQLite for a disk that refuses writes: no space left, an I/O error, or read-only; and that of a lost
 * lock.
 */
const DISK_ERROR = new RegExp(`^(SQLITE_(FULL|IOERR|READONLY)|${LOCK_LOST})`);

/** Whether this error says that nothing can be written at the moment: the disk refuses it, or the lock is lost. */
export const isDiskError = (error: unknown): error is Error & { code: string } => {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && DISK_ERROR.test(code);
};

/** Whether this error says that another process held the lock for writing all the time: nothing was changed. */
export const isBusyError = (error: unknown): error is InstanceType<typeof Sqlite.SqliteError> =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** A piece without a savepoint has failed after a change; its `cause` is the error. */
class PartialWriteError extends Error {}

const unrepeatable = (piece: Waiting): Waiting => ({ ...piece, repeatable: false });

/**
 * Runs every write of the service: all waiting writes run in one immediate transaction, and are resolved after its
 * durable commit. A piece that throws is rolled back alone.
 */
export class Writes {
  readonly #sqlite: Sqlite.Database;
  readonly #commitSize: number;
  readonly #statements: Statements;
  readonly #ensureAllowed: () => void;
  #tx = this.#newTx();
  /** Runs at the end of each transaction; of each piece where pieces are rolled back alone. */
  beforeCommit: (tx: Tx) => void = () => {};
  /** Whether the running piece has changed anything yet. */
  #changed = false;
  /** Whether any piece of the running transaction has. */
  #transactionChanged = false;
  /** Rows that repeatable pieces insert together, by their insert; undefined in other transactions. */
  #together: Map<Insert<object>, object[]> | undefined;
  /** Why rows that waited could not be inserted: no piece of their transaction may be answered. */
  #lost: unknown;
  #diskError: string | undefined;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #holds = 0;
  /** Whether the connection has stopped waiting inside SQLite; opening and migrating it may wait. */
  #isImpatient = false;
  /** A commit was due while writes were held up. */
  #isDue = false;

  constructor(
    sqlite: Sqlite.Database,
    statements: Statements,
    { commitSize = COMMIT_SIZE, ensureAllowed = () => {} }: WritesOptions = {},
  ) {
    this.#sqlite = sqlite;
    this.#ensureAllowed = ensureAllowed;
    this.#statements = statements;
    this.#commitSize = commitSize;
  }

  /** Why the disk refused the last write, a code of `DISK_ERROR`; undefined after a write that changed something. */
  get diskError(): string | undefined {
    return this.#diskError;
  }

  /**
   * Runs `work` in a durable transaction. It resolves after the commit; what `work` throws rejects it.
   */
  write<T>(work: (tx: Tx) => T, { repeatable = false }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      this.#waiting.push({ work, repeatable, since, resolve: resolve as (value: unknown) => void, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      this.#gatherLater(1, performance.now() + GATHER_MS);
    });
  }

  /** Begins no transaction before `work` is done: writes wait meanwhile. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0 && this.#isDue) {
        this.#isDue = false;
        this.#gatherLater(0, performance.now());
      }
    }
  }

  /**
   * Commits after a turn of the event loop without new writes, or at `until`: writes that arrive together share the
   * commit, and a single one waits for one empty turn, which takes microseconds. Under steady traffic no turn is empty.
   */
  #gatherLater(before: number, until: number): void {
    setImmediate(() => {
      const now = this.#waiting.length;
      if (now > before && now < this.#commitSize && performance.now() < until) this.#gatherLater(now, until);
      else this.#flush();
    });
  }

  #flush(): void {
    if (this.#holds > 0) {
      this.#isDue = true;
      return;
    }
    const batch = this.#waiting.splice(0, this.#commitSize);
    const busy = this.#begin();
    if (busy) {
      this.#postpone(batch, busy);
      return;
    }
    this.#scheduled = this.#waiting.length > 0;
    if (this.#scheduled) this.#gatherLater(0, performance.now() + GATHER_MS);
    for (const answer of this.#commit(batch)) answer();
  }

  /**
   * Begins a transaction without waiting for a lock: SQLite would sleep in the event loop, and nothing else would be
   * answered. @returns the error if another process holds the lock; other errors are met again by the commit
   */
  #begin(): unknown {
    // Closed meanwhile: the commit refuses each piece.
    if (!this.#sqlite.open) return undefined;
    try {
      if (!this.#isImpatient) this.#sqlite.pragma('busy_timeout = 0');
      this.#isImpatient = true;
      this.#exec('BEGIN IMMEDIATE');
      return undefined;
    } catch (error) {
      return isBusyError(error) ? error : undefined;
    }
  }

  /** Tries a batch again a little later, without those of it that have waited long enough. */
  #postpone(batch: Waiting[], busy: unknown): void {
    const earliest = performance.now() - BUSY_MS;
    this.#waiting.unshift(...batch.filter(({ since }) => since > earliest));
    this.#scheduled = this.#waiting.length > 0;
    if (this.#scheduled) setTimeout(() => this.#flush(), BUSY_RETRY_MS);
    for (const { since, reject } of batch) if (since <= earliest) reject(busy);
  }

  /** Runs a batch. Returns functions that settle its promises, so that none is resolved before the commit. */
  #commit(batch: Waiting[]): (() => void)[] {
    // Inside a savepoint SQLite copies every page before its first change: the cost of rolling back one piece alone.
    const plain = batch.length === 1 || batch.every(({ repeatable }) => repeatable);
    try {
      return this.#transact(batch, plain);
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#exec('ROLLBACK');
      if (error instanceof PartialWriteError && batch.length > 1)
        return this.#commit(batch.map(unrepeatable));
      const reason = error instanceof PartialWriteError ? error.cause : error;
      return batch.map((piece) => this.#rejection(piece, reason));
    }
  }

  #transact(batch: Waiting[], plain: boolean): (() => void)[] {
    if (!this.#sqlite.inTransaction) this.#exec('BEGIN IMMEDIATE');
    // Inside the transaction: a process that takes over now has to wait for it, and finds its changes.
    this.#ensureAllowed();
    this.#tx = this.#newTx();
    this.#transactionChanged = false;
    this.#together = batch.every(({ repeatable }) => repeatable) ? new Map() : undefined;
    this.#lost = undefined;
    const answers = batch.map((piece) => (plain ? this.#runPlain(piece) : this.#runOne(piece)));
    if (plain) this.#endPlain();
    this.#exec('COMMIT');
    if (this.#transactionChanged) this.#diskError = undefined;
    return answers;
  }

  /** Ends the transaction of a plain batch. @throws PartialWriteError when that fails, perhaps by one of its pieces */
  #endPlain(): void {
    try {
      this.beforeCommit(this.#tx);
      this.#insertWaiting();
    } catch (error) {
      throw new PartialWriteError('', { cause: error });
    }
    if (this.#lost !== undefined) throw new PartialWriteError('', { cause: this.#lost });
  }

  #insertWaiting(): void {
    const waiting = [...(this.#together ?? [])];
    this.#together?.clear();
    // What is inserted belongs to other pieces than the running one.
    const changed = this.#changed;
    try {
      for (const [insert, rows] of waiting) insert(this.#tx, rows);
    } catch (error) {
      this.#lost = error;
      throw error;
    }
    this.#changed = changed;
  }

  /** The statement of a query, after the rows that wait for a table that it names. */
  #statementOf(query: Query<unknown>): [Sqlite.Statement, values: unknown[]] {
    const found = this.#statements.of(query);
    for (const { table } of this.#together?.keys() ?? [])
      if (this.#statements.names(found[0], table)) {
        this.#insertWaiting();
        break;
      }
    return found;
  }

  /** @throws PartialWriteError when the piece fails after it has changed something. */
  #runPlain(piece: Waiting): () => void {
    const { work, resolve } = piece;
    this.#changed = false;
    try {
      const value = work(this.#tx);
      return () => resolve(value);
    } catch (error) {
      if (this.#changed || this.#lost !== undefined || !this.#sqlite.inTransaction)
        throw new PartialWriteError('', { cause: error });
      return this.#rejection(piece, error);
    }
  }

  #runOne(piece: Waiting): () => void {
    const { work, resolve } = piece;
    this.#exec('SAVEPOINT piece');
    try {
      const value = work(this.#tx);
      this.beforeCommit(this.#tx);
      this.#exec('RELEASE piece');
      return () => resolve(value);
    } catch (error) {
      // A full disk or an I/O error can end the whole transaction: then there is no savepoint left to return to.
      if (!this.#sqlite.inTransaction) throw error;
      this.#exec('ROLLBACK TO piece');
      this.#exec('RELEASE piece');
      this.#tx = this.#newTx();
      return this.#rejection(piece, error);
    }
  }

  #rejection({ reject }: Waiting, error: unknown): () => void {
    return () => {
      if (isDiskError(error)) this.#diskError = error.code;
      reject(error);
    };
  }

  #noteChange(changed: boolean): void {
    this.#changed ||= changed;
    this.#transactionChanged ||= changed;
  }

  #newTx(): Tx {
    return {
      all: <Row>(query: Query<Row>) => {
        const [statement, values] = this.#statementOf(query);
        this.#noteChange(!statement.readonly);
        return statement.all(...values) as Row[];
      },
      first: <Row>(query: Query<Row>) => {
        const [statement, values] = this.#statementOf(query);
        this.#noteChange(!statement.readonly);
        return statement.get(...values) as Row | undefined;
      },
      run: (query) => {
        const [statement, values] = this.#statementOf(query);
        const { changes } = statement.run(...values);
        this.#noteChange(changes > 0);
        return changes;
      },
      insertTogether: (insert, rows) => {
        if (!this.#together) return insert(this.#tx, rows);
        this.#together.getOrInsertComputed(insert as Insert<object>, () => []).push(...rows);
        this.#noteChange(rows.length > 0);
      },
    };
  }

  #exec(sql: string): void {
    this.#statements.prepare(sql).run();
  }
}
