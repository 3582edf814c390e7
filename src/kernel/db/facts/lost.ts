import { type SqlBool, sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { build, type Reader, raw } from '#kernel/db/queries.ts';
import { readStatements } from './statements.ts';

/** An election or a meeting that the log knows and the database has lost: nothing in the log has deleted it. */
export interface Lost {
  kind: 'election' | 'meeting';
  id: string;
  /** What the log says of it: its title and when it was made. */
  title: string;
  created_at: string;
  /** Of an election whose result was settled. */
  total_ballots?: number;
  ballot_set_sha256?: string;
}

interface Made {
  kind: Lost['kind'];
  id: string;
  at: number;
  metadata: string;
}

/** Elections and meetings that were made by the log, and are neither in the database nor deleted by the log. */
export function listLost(reader: Reader, id?: string): Lost[] {
  const meeting = sql<string>`metadata ->> 'meeting'`;
  const made = (kind: Lost['kind'], of: typeof meeting, table: 'elections' | 'meetings') => {
    const entries = build
      .selectFrom('audit_log')
      .select([sql<Lost['kind']>`${sql.lit(kind)}`.as('kind'), of.as('id'), 'timestamp as at', 'metadata'])
      .where('action', '=', `${kind}.created`)
      .where(sql<SqlBool>`${of} NOT IN (SELECT id FROM ${sql.table(table)})`)
      .where(
        sql<SqlBool>`${of} NOT IN (
          SELECT ${of} FROM audit_log WHERE action = ${sql.lit(`${kind}.deleted`)} AND ${of} IS NOT NULL)`,
      );
    return reader.all(id === undefined ? entries : entries.where(of, '=', id)) as Made[];
  };
  const election = sql<string>`+election_id`;
  const lost = [...made('election', election, 'elections'), ...made('meeting', meeting, 'meetings')];
  if (lost.length === 0) return [];
  // A meeting that is deleted takes its questions with it.
  const statements = readStatements(reader);
  return lost
    .filter((one) => !statements.get(one.id)?.isDeleted)
    .map(({ kind, id, at, metadata }) => ({
      kind,
      id,
      title: statements.get(id)?.title ?? JSON.parse(metadata).title ?? id,
      created_at: isoTime(at),
      ...(kind === 'election' && settledOf(reader, id)),
    }));
}

function settledOf(reader: Reader, id: string): Pick<Lost, 'total_ballots' | 'ballot_set_sha256'> {
  const last = reader.first(
    raw<{ metadata: string }>(
      `SELECT metadata FROM audit_log WHERE action = 'results.settled' AND +election_id = ? ORDER BY seq DESC LIMIT 1`,
      [id],
    ),
  );
  if (!last) return {};
  const { total_ballots, ballot_set_sha256 } = JSON.parse(last.metadata);
  return { total_ballots, ballot_set_sha256 };
}

/** A sentence of `audit:verify` and the health page. */
export const lostText = ({ kind, title, id, total_ballots }: Lost): string =>
  `the ${kind} “${title}” (${id}) is in the log${
    total_ballots === undefined ? '' : ` with a result of ${total_ballots} ballots`
  }, was not deleted, and is not in this database`;
