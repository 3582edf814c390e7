import { sql } from 'kysely';
import { build, type Reader } from '#kernel/db/queries.ts';
import { classesOf, type Meeting } from '../meetings.ts';
import { countPresent } from './attendance.ts';

/** The cards of a class. Which card somebody has is not known: these are numbers. */
export interface CardCount {
  printed: number;
  handed_out: number;
  returned: number;
  /** Of packs that were not opened, and lost ones that their holders voided. */
  void: number;
}

/** Counts the cards of each class. */
export function countCards(reader: Reader, meeting: Meeting): Record<string, CardCount> {
  const packs = reader.all(
    build
      .selectFrom('card_packs')
      .innerJoin('voting_cards', 'pack_id', 'card_packs.id')
      .select((of) => [
        'class',
        'card_packs.state as pack',
        'voting_cards.state',
        of.fn.countAll<number>().as('count'),
      ])
      .where('meeting_id', '=', meeting.id)
      .groupBy(['class', 'card_packs.state', 'voting_cards.state']),
  );
  const handed = reader.all(
    build
      .selectFrom('attendance')
      .select((of) => ['class', of.fn.countAll<number>().as('count')])
      .where('meeting_id', '=', meeting.id)
      .where('class', 'is not', null)
      .groupBy('class')
      .unionAll(
        build
          .selectFrom('proxies')
          .select((of) => ['class', of.fn.countAll<number>().as('count')])
          .where('meeting_id', '=', meeting.id)
          .where('state', 'in', ['used', 'ended'])
          .groupBy('class'),
      ),
  );
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, { count }) => all + count, 0);
  return Object.fromEntries(
    classesOf(meeting).map((name) => {
      const own = packs.filter((row) => row.class === name);
      return [
        name,
        {
          printed: sum(own),
          handed_out: sum(handed.filter((row) => row.class === name)),
          returned: sum(own.filter(({ state }) => state === 'returned')),
          void: sum(own.filter(({ pack, state }) => pack === 'void' || state === 'lost')),
        },
      ];
    }),
  );
}

/**
 * Cards that are valid and that nobody who is here was handed: the rest of the opened packs until it is scanned, and
 * what leavers have kept.
 */
export function countSpare(reader: Reader, meeting: Meeting): number {
  const opened = reader.first(
    build
      .selectFrom('card_packs')
      .innerJoin('voting_cards', 'pack_id', 'card_packs.id')
      .select([
        sql<number>`count(*) FILTER (WHERE voting_cards.state = 'valid')`.as('valid'),
        sql<number>`count(*) FILTER (WHERE voting_cards.state = 'lost' AND replaced = 0)`.as('lost'),
      ])
      .where('meeting_id', '=', meeting.id)
      .where('card_packs.state', '=', 'open'),
  )!;
  const represented = reader.first(
    build
      .selectFrom('proxies')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('meeting_id', '=', meeting.id)
      .where('state', '=', 'used'),
  )!.count;
  const held = countPresent(reader, meeting.id) + represented - opened.lost;
  return Math.max(0, opened.valid - Math.max(0, held));
}
