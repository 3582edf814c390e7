import { sql } from 'kysely';
import { build, type Reader } from '#kernel/db/queries.ts';

/**
 * What the door of a meeting comes to, as the log has it: numbers alone, so that no entry tells who came when, or whose
 * card is back.
 */
export interface DoorSums {
  /** People, by class (`guest` without one), state and whether they have their own card. */
  people: Record<string, number>;
  /** Proxies, by class and state. */
  proxies: Record<string, number>;
  elsewhere: number;
  /** Cards that are void, by why. They can be scanned after the end too: then there are more. */
  cards: { returned: number; lost: number; replaced: number };
}

export function doorSums(reader: Reader, meetingId: string): DoorSums {
  const people = reader.all(
    build
      .selectFrom('attendance')
      .select((of) => [
        sql<string>`coalesce(class, 'guest') || ' ' || state || ' ' || card`.as('sort'),
        of.fn.countAll<number>().as('count'),
      ])
      .where('meeting_id', '=', meetingId)
      .groupBy('sort')
      .orderBy('sort'),
  );
  const proxies = reader.all(
    build
      .selectFrom('proxies')
      .select((of) => [sql<string>`class || ' ' || state`.as('sort'), of.fn.countAll<number>().as('count')])
      .where('meeting_id', '=', meetingId)
      .groupBy('sort')
      .orderBy('sort'),
  );
  const cards = reader.first(
    build
      .selectFrom('voting_cards')
      .innerJoin('card_packs', 'card_packs.id', 'pack_id')
      .select([
        sql<number>`count(*) FILTER (WHERE voting_cards.state = 'returned')`.as('returned'),
        sql<number>`count(*) FILTER (WHERE voting_cards.state = 'lost')`.as('lost'),
        sql<number>`coalesce(sum(replaced), 0)`.as('replaced'),
      ])
      .where('meeting_id', '=', meetingId),
  )!;
  const elsewhere = reader.first(
    build
      .selectFrom('remote_presence')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('meeting_id', '=', meetingId),
  )!.count;
  const byName = (rows: typeof people) => Object.fromEntries(rows.map(({ sort, count }) => [sort, count]));
  return { people: byName(people), proxies: byName(proxies), elsewhere, cards };
}
