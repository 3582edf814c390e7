import { listLost } from '#kernel/db/facts/lost.ts';
import type { Reader } from '#kernel/db/queries.ts';
import { AppError } from './errors.ts';

/** The error for an election or a meeting that this database has lost; undefined for an id that the log does not know. */
export function findLost(reader: Reader, id: string): AppError | undefined {
  const [lost] = listLost(reader, id);
  if (!lost) return undefined;
  const { kind, title, created_at, total_ballots: ballots } = lost;
  const code = ballots === undefined ? (`${kind}_lost` as const) : 'settled_election_lost';
  const params = { title, at: created_at, ...(ballots !== undefined && { ballots }) };
  return AppError.of(410, { code, params }, { extra: { logged: lost } });
}
