import type { FastifyRequest } from 'fastify';
import { build, type Reader } from '#kernel/db/queries.ts';
import { electorOfInvite } from '#voting/electors/joins.ts';

/**
 * Whether a request may see names and addresses that come from the roll. API keys may not: they can invite people
 * from the roll, but see only counts.
 */
export const mayReadRoll = ({ granted }: Pick<FastifyRequest, 'granted'>): boolean =>
  granted?.has('people:read') ?? false;

/**
 * Returns the rows that a request may see. Without people:read these are the rows, without names, whose address the
 * request contains itself or that does not come from the roll.
 */
export function shownRows<Row extends { email: string; name?: string | undefined }>(
  reader: Reader,
  request: Pick<FastifyRequest, 'granted'>,
  electionIds: readonly string[],
  rows: readonly Row[],
  named: readonly string[] = [],
): Row[] {
  if (mayReadRoll(request)) return [...rows];
  const own = new Set(named);
  const fromRoll = new Set(
    reader
      .all(
        build
          .selectFrom('electors')
          .innerJoin('invites', electorOfInvite)
          .select('invites.email')
          .where('electors.election_id', 'in', electionIds)
          .where('as_of', 'is not', null),
      )
      .map(({ email }) => email),
  );
  return rows
    .filter(({ email }) => own.has(email) || !fromRoll.has(email))
    .map(({ name: _, ...row }) => row as Row);
}
