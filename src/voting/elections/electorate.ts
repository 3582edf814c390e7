import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { Electorate } from '#voting/shared/tally.ts';
import { getTurnout } from './turnout.ts';

/**
 * Who can vote, for rules that need a share of them: each valid voting code is one elector; in a meeting each card that
 * was handed out and each link, never a card of the pile.
 */
export function readElectorate(reader: Reader, { id }: { id: string }): Electorate {
  const item = reader.first(itemOf({ election_id: id }));
  if (!item) return { electors: getTurnout(reader, id).issued };
  const { held } = countHeld(reader, item);
  return {
    electors: held,
    ...(item.present !== null && { present: item.present }),
    ...(item.quorate !== null && { quorate: item.quorate === 1 }),
  };
}

const itemOf = prepare((p: { election_id: string }) =>
  build
    .selectFrom('meeting_items')
    .select(['meeting_id', 'election_id', 'classes', 'present', 'quorate'])
    .where('election_id', '=', p.election_id),
);

/** The cards of an item's classes, and the links that answer its question. */
export interface HeldCards {
  /** Cards that were ever handed out, and links: there cannot be more ballots. */
  handed_out: number;
  /** Without the cards that those who left have returned. */
  held: number;
}

export function countHeld(
  reader: Reader,
  item: { meeting_id: string; election_id: string | null; classes: string | null },
): HeldCards {
  const named: string[] | null = item.classes === null ? null : JSON.parse(item.classes);
  const among = (
    rows: readonly { class: string | null; state: string; count: number }[],
    ...states: string[]
  ) =>
    rows
      .filter((row) => row.class !== null && (named === null || named.includes(row.class)))
      .filter(({ state }) => states.includes(state))
      .reduce((sum, { count }) => sum + count, 0);
  const people = reader.all(
    build
      .selectFrom('attendance')
      .select((of) => ['class', 'state', of.fn.countAll<number>().as('count')])
      .where('meeting_id', '=', item.meeting_id)
      .groupBy(['class', 'state']),
  );
  const proxies = reader.all(
    build
      .selectFrom('proxies')
      .select((of) => ['class', 'state', of.fn.countAll<number>().as('count')])
      .where('meeting_id', '=', item.meeting_id)
      .groupBy(['class', 'state']),
  );
  const cards = reader.all(
    build
      .selectFrom('voting_cards')
      .innerJoin('card_packs', 'card_packs.id', 'pack_id')
      .select((of) => ['class', 'voting_cards.state', of.fn.countAll<number>().as('count')])
      .where('meeting_id', '=', item.meeting_id)
      .groupBy(['class', 'voting_cards.state']),
  );
  const links = item.election_id === null ? 0 : countLinks(reader, item.election_id);
  const handed_out = among(people, 'in', 'out') + among(proxies, 'used', 'ended') + links;
  const given_back = Math.min(among(cards, 'returned'), among(people, 'out') + among(proxies, 'ended'));
  return { handed_out, held: handed_out - given_back };
}

/** Codes of a question that are no cards: the links of members elsewhere. */
const countLinks = (reader: Reader, election_id: string): number =>
  reader.first(
    build
      .selectFrom('tokens')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('election_id', '=', election_id)
      .where('token_hash', 'not in', build.selectFrom('voting_cards').select('code_hash')),
  )!.count;
