import type Sqlite from 'better-sqlite3';
import {
  type Compilable,
  CompiledQuery,
  DummyDriver,
  type InsertQueryNode,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Database } from './schema.ts';

/**
 * Writes a parameter as `+?`. SQLite looks whether the value behind a bare `?` is a small number and plans a statement
 * again for each new value, which takes longer than running it: of `WHERE a = ? ORDER BY b`, and of a limit.
 */
class QueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** Builds queries. It has no connection: a query is run by a `Reader`, or by the `Tx` of `ctx.write`. */
export const build = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new QueryCompiler(),
  },
});

export type Query<Row> = Compilable<Row> | CompiledQuery<Row>;

/** A query whose text is made from the schema. */
export const raw = <Row>(text: string, parameters: readonly unknown[]): CompiledQuery<Row> =>
  CompiledQuery.raw(text, [...parameters]) as CompiledQuery<Row>;

/** Runs queries synchronously. Read long results in pages. */
export interface Reader {
  all<Row>(query: Query<Row>): Row[];
  first<Row>(query: Query<Row>): Row | undefined;
}

/**
 * A running write transaction. Synchronous: nothing can be awaited inside, so it is always short. Each has its own
 * object, and gets a new one when a piece of it is rolled back: values cached for the object stay correct.
 */
export interface Tx extends Reader {
  /** Runs a change and returns how many rows it touched. */
  run(query: Query<unknown>): number;
  /**
   * Inserts rows together with those of the other writes of the transaction where that is possible; at once elsewhere.
   * Statements that name the table come after them.
   */
  insertTogether<Row extends object>(insert: Insert<Row>, rows: readonly Row[]): void;
}

/** An insert of any number of rows into a table, see `prepareInsert`. */
export interface Insert<Row extends object> {
  (tx: Pick<Tx, 'run'>, rows: readonly Row[]): void;
  readonly table: string;
}

/** A limit of one row, as a literal: SQLite plans for one row where it knows the limit. */
export const ONE = sql.lit(1);

/** The placeholder of a value in a prepared query. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a query once. Its values are given by name each time it runs:
 *
 *     const voterById = prepare((p: { id: string }) => build.selectFrom('voters').selectAll().where('id', '=', p.id));
 *     reader.first(voterById({ id }));
 *
 * @param make builds the query; `p` holds a placeholder for each value, so it can only be passed on to the builder
 */
export function prepare<Values extends object, Row>(
  make: (p: Values) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  const { sql, query, queryId, parameters } = make(placeholders('')).compile();
  const names = parameters.map((value) =>
    value instanceof Parameter ? (value.name as keyof Values) : undefined,
  );
  return (values) => ({
    sql,
    query,
    queryId,
    parameters: names.map((name, at) => (name === undefined ? parameters[at] : values[name])),
  });
}

/** Rows in the statements of `prepareInsert`: inserting 32 at once takes two thirds of the time. */
const ROWS_AT_ONCE = [32, 16, 8, 4, 2, 1];

/**
 * Compiles an insert of any number of rows.
 * @param make builds the insert for the rows it is given, whose values are placeholders. It names every column: the
 *   keys of a placeholder row cannot be listed, so passing the rows on as they are inserts nothing.
 */
export function prepareInsert<Row extends object>(make: (rows: Row[]) => Compilable<unknown>): Insert<Row> {
  const inserts = ROWS_AT_ONCE.map((count) => {
    const rows = Array.from({ length: count }, (_, index) => placeholders<Row>(`${index}.`));
    const { sql, query, queryId, parameters } = make(rows).compile();
    const places = parameters.map((value) => {
      const [row, name] = value instanceof Parameter ? value.name.split('.') : [];
      return { value, row: Number(row), name: name as keyof Row | undefined };
    });
    const insert = (values: readonly Row[]): CompiledQuery => ({
      sql,
      query,
      queryId,
      parameters: places.map(({ value, row, name }) => (name === undefined ? value : values[row]?.[name])),
    });
    return { count, insert };
  });
  const insertRows = (tx: Pick<Tx, 'run'>, rows: readonly Row[]) => {
    let at = 0;
    for (const { count, insert } of inserts)
      for (; rows.length - at >= count; at += count) tx.run(insert(rows.slice(at, at + count)));
  };
  const { into } = inserts[0]!.insert([]).query as InsertQueryNode;
  return Object.assign(insertRows, { table: into!.table.identifier.name });
}

function placeholders<Values extends object>(prefix: string): Values {
  return new Proxy({} as Values, { get: (_target, name) => new Parameter(prefix + String(name)) });
}

const STATEMENTS_AT_MOST = 500;

/** The prepared statements of a connection, each prepared once. */
export class Statements {
  readonly #sqlite: Sqlite.Database;
  readonly #bySql = new Map<string, Sqlite.Statement>();
  readonly #named = new WeakMap<Sqlite.Statement, Map<string, boolean>>();

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
  }

  prepare(sql: string): Sqlite.Statement {
    let statement = this.#bySql.get(sql);
    if (!statement) {
      if (this.#bySql.size >= STATEMENTS_AT_MOST) this.#bySql.clear();
      statement = this.#sqlite.prepare(sql);
      this.#bySql.set(sql, statement);
    }
    return statement;
  }

  /** Whether the text of a statement has the name of a table. */
  names(statement: Sqlite.Statement, table: string): boolean {
    const named = this.#named.getOrInsertComputed(statement, () => new Map());
    return named.getOrInsertComputed(table, () => statement.source.includes(table));
  }

  /** The statement of a query, with the values to run it with. */
  of(query: Query<unknown>): [Sqlite.Statement, values: unknown[]] {
    const { sql, parameters } = 'compile' in query ? query.compile() : query;
    return [this.prepare(sql), parameters as unknown[]];
  }
}

/** Makes a reader of committed data: no transaction is ever open between two turns of the event loop. */
export function createReader(statements: Statements): Reader {
  return {
    all<Row>(query: Query<Row>) {
      const [statement, values] = statements.of(query);
      return statement.all(...values) as Row[];
    },
    first<Row>(query: Query<Row>) {
      const [statement, values] = statements.of(query);
      return statement.get(...values) as Row | undefined;
    },
  };
}
