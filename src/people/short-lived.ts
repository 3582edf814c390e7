import { sql } from 'kysely';
import { build, type Tx } from '#kernel/db/queries.ts';

/** Rows of each of these tables at most. Strangers fill them, and each row lives for minutes. */
export const ROWS_AT_MOST = 20_000;

/** Their keys, and which rows give way to newer ones: never those that an officer or the shell made. */
const TABLES = {
  sign_ins: { key: 'id', givesWay: sql`link_alone = 0` },
  passkey_challenges: { key: 'challenge', givesWay: sql`TRUE` },
  oidc_flows: { key: 'state_hash', givesWay: sql`TRUE` },
} as const;

export type ShortLived = keyof typeof TABLES;

/**
 * Deletes what has expired, and beyond the limit what expires first. Called with every new row, so that the tables do
 * not grow between two runs of a job.
 */
export function tidy(tx: Tx, name: ShortLived, now: number): void {
  const { key, givesWay } = TABLES[name];
  const [table, id] = [sql.table(name), sql.ref(key)];
  tx.run(sql`DELETE FROM ${table} WHERE expires_at <= ${now}`.compile(build));
  tx.run(
    sql`DELETE FROM ${table} WHERE ${id} IN (
    SELECT ${id} FROM ${table} WHERE ${givesWay} ORDER BY expires_at DESC LIMIT -1 OFFSET ${ROWS_AT_MOST})`.compile(
      build,
    ),
  );
}
