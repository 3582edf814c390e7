// Lots decide between candidates that the rules of counting leave equal.
// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import { sha256Of } from './sha256.ts';

/** An order of candidates, by id: of the tied, the first one is taken. */
export type LotOrder = readonly string[];

/** A lot that was drawn by hand. */
export interface DrawnLot {
  order: LotOrder;
  /** Names, as they were entered. */
  drawn_by: string;
  witnesses: readonly string[];
  /** When it was entered. */
  at: string;
}

/** What is known of the lots of an election when its ballots are counted. */
export interface LotFacts {
  /** Absent while voting is open. */
  ballot_set_sha256?: string | null | undefined;
  /** The lots that were drawn by hand, in this order. */
  lots?: readonly Pick<DrawnLot, 'order'>[] | undefined;
}

/**
 * The order of a lot that anybody can repeat: ascending by the SHA-256, in hexadecimal digits, of the hash of the ballot
 * set, a colon and the id. Nobody knows it before the last ballot is in the box.
 */
export const orderByHash = (ids: readonly string[], ballotSetSha256: string): string[] =>
  ids
    .map((id) => ({ id, digest: sha256Of(`${ballotSetSha256}:${id}`) }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .map(({ id }) => id);

/**
 * Returns the first order that has all of the tied, reduced to them; undefined while there is none. So an order that was
 * drawn for three also decides between two of them later.
 */
export const drawFrom = (orders: readonly LotOrder[], tied: readonly string[]): string[] | undefined =>
  orders.find((order) => tied.every((id) => order.includes(id)))?.filter((id) => tied.includes(id));
