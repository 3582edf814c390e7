import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { classesOf, type Meeting } from '#meetings/meetings.ts';
import { countCardsOut, countGivenBack, countPile } from '#voting/elections/ways-to-vote.ts';

/** The cards of a class. Which card somebody has is not known: these are numbers. */
export interface CardCount {
  printed: number;
  /** Ever handed out, with those that were given back. */
  handed_out: number;
  returned: number;
  /** Of packs that were not opened or ended, and lost ones that their holders voided. */
  void: number;
  /** Valid cards that can be handed out; null where no pack was printed. */
  pile: number | null;
}

const cardsByState = prepare((meeting: { id: string }) =>
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

/** Counts the cards of each class. */
export function countCards(reader: Reader, meeting: Meeting): Record<string, CardCount> {
  const packs = reader.all(cardsByState({ id: meeting.id }));
  const { given_back } = countGivenBack(reader, meeting.id);
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, { count }) => all + count, 0);
  return Object.fromEntries(
    classesOf(meeting).map((name) => {
      const own = packs.filter((row) => row.class === name);
      return [
        name,
        {
          printed: sum(own),
          handed_out: countCardsOut(reader, meeting.id, name) + (given_back[name] ?? 0),
          returned: sum(own.filter(({ pack, state }) => pack !== 'void' && state === 'returned')),
          void: sum(own.filter(({ pack, state }) => pack === 'void' || state === 'lost')),
          pile: countPile(reader, meeting.id, name) ?? null,
        },
      ];
    }),
  );
}

/** Valid cards that nobody who is here was handed: the pile, and what leavers have kept. */
export function countSpare(reader: Reader, meeting: Meeting): number {
  const piles = classesOf(meeting).map((name) => countPile(reader, meeting.id, name) ?? 0);
  const kept = reader.first(
    build
      .selectFrom('attendance')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('meeting_id', '=', meeting.id)
      .where('state', '=', 'out')
      .where('card', '=', 'held'),
  )!.count;
  const hasCards = reader.first(
    build
      .selectFrom('card_packs')
      .select('id')
      .where('meeting_id', '=', meeting.id)
      .where('state', '=', 'open'),
  );
  return hasCards ? piles.reduce((all, count) => all + count, 0) + kept : 0;
}
