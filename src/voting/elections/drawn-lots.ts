import { type SqlBool, sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { DrawnLot } from '#voting/shared/lots.ts';

/** The lots of an election that were drawn by hand, in the order in which they were drawn. */
export const listLots = (reader: Reader, electionId: string): DrawnLot[] =>
  reader.all(lotsOf({ election_id: electionId })).map(({ drawn_order, witnesses, drawer, drawn_at }) => ({
    order: JSON.parse(drawn_order),
    drawn_by: drawer,
    witnesses: JSON.parse(witnesses),
    at: isoTime(drawn_at),
  }));

const lotsOf = prepare((p: { election_id: string }) =>
  build
    .selectFrom('drawn_lots')
    .select(['drawn_order', 'drawer', 'witnesses', 'drawn_at'])
    .where('election_id', '=', p.election_id)
    .orderBy('number'),
);

/** The closed elections whose results wait for a lot that is to be drawn. */
const awaitingLots = build
  .selectFrom('results')
  .select('election_id')
  .where(sql<SqlBool>`result ->> '$.results.awaiting_lot' IS NOT NULL`)
  .where(sql<SqlBool>`result ->> '$.results.valid' IS NOT 0`);

/** The same as a set. */
export const listAwaitingLots = (reader: Reader): Set<string> =>
  new Set(reader.all(awaitingLots).map(({ election_id }) => election_id));

/** Whether the result of a closed election waits for a lot that is to be drawn. */
export const isLotAwaited = (reader: Reader, electionId: string): boolean =>
  reader.first(awaitingLots.where('election_id', '=', electionId)) !== undefined;

/** Stores the next lot of an election. */
export function insertLot(
  tx: Tx,
  election_id: string,
  { order, drawn_by, witnesses }: Omit<DrawnLot, 'at'>,
  drawn_at: number,
): void {
  const number = listLots(tx, election_id).length + 1;
  const texts = { drawn_order: JSON.stringify(order), witnesses: JSON.stringify(witnesses) };
  tx.run(
    build.insertInto('drawn_lots').values({ election_id, number, drawer: drawn_by, ...texts, drawn_at }),
  );
}

/** Forgets the lots of an election that is opened again: they were drawn on other ballots. The log keeps them. */
export const deleteLots = (tx: Tx, electionId: string): void => {
  tx.run(build.deleteFrom('drawn_lots').where('election_id', '=', electionId));
};
