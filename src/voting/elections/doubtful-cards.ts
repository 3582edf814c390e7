import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import {
  countUnscanned,
  findUsedProxy,
  holds,
  type Item,
  isUndone,
  listHad,
  listOpen,
  mark,
  type Roomed,
  votesOn,
} from './ways-to-vote.ts';

/** Whoever has a card, or may have one that was said to be back: for openings of questions, and for links. */

const cardOfPerson = prepare((p: { meeting_id: string; person_id: string }) =>
  build
    .selectFrom('attendance')
    .select('card')
    .where('meeting_id', '=', p.meeting_id)
    .where('person_id', '=', p.person_id)
    .where('card', '=', 'held'),
);

/** Why nobody makes, replaces or sends a link of a meeting for somebody now. */
export type NoLink =
  | { why: 'has_card' }
  | { why: 'is_represented'; holder: string }
  | { why: 'card_unscanned' }
  | { why: 'had_card' | 'card_undone'; title: string };

/**
 * Why somebody gets no link of a meeting now; undefined if they do.
 * @param same the same link is sent again: what it has answered is no reason, since it does not vote twice
 */
export function findNoLink(
  reader: Reader,
  meeting: Roomed,
  personId: string,
  { same = false }: { same?: boolean } = {},
): NoLink | undefined {
  if (reader.first(cardOfPerson({ meeting_id: meeting.id, person_id: personId }))) return { why: 'has_card' };
  const proxy = findUsedProxy(reader, meeting.id, personId);
  if (proxy) return { why: 'is_represented', holder: proxy.holder_name };
  if (isDoubtful(reader, meeting.id, personId)) return { why: 'card_unscanned' };
  const had = same
    ? listOpen(reader, meeting.id).filter(({ id }) =>
        reader.first(holds({ item_id: id, person_id: personId })),
      )
    : listHad(reader, meeting, personId);
  const [first] = had;
  if (first) return { why: 'had_card', title: first.title };
  // Whoever had a card by mistake was never in, and may be anybody.
  if (same || reader.first(rowOfPerson({ meeting_id: meeting.id, person_id: personId }))) return undefined;
  const undone = listOpen(reader, meeting.id).find((item) => isUndone(reader, item));
  return undone && { why: 'card_undone', title: undone.title };
}

const rowOfPerson = prepare((p: { meeting_id: string; person_id: string }) =>
  build
    .selectFrom('attendance')
    .select('id')
    .where('meeting_id', '=', p.meeting_id)
    .where('person_id', '=', p.person_id)
    .where('card', '!=', 'none'),
);

/** Those who said that they gave a card back, or whose proxy did. */
const givers = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('attendance')
    .select(['person_id', 'class'])
    .where('meeting_id', '=', p.meeting_id)
    .where('card', '=', 'back')
    .unionAll(
      build
        .selectFrom('proxies')
        .innerJoin('attendance as holder', (join) =>
          join
            .onRef('holder.meeting_id', '=', 'proxies.meeting_id')
            .onRef('holder.person_id', '=', 'proxies.holder_id'),
        )
        .select(['giver_id as person_id', 'proxies.class'])
        .where('proxies.meeting_id', '=', p.meeting_id)
        .where('proxies.state', '=', 'given')
        .where('holder.card', '=', 'back'),
    ),
);

/** Those whose card is said to be back while one of their class is not scanned: they may have it still. */
function listDoubtful(
  reader: Reader,
  meetingId: string,
): { person_id: string | null; class: string | null }[] {
  const unscanned = countUnscanned(reader, meetingId);
  if (Object.keys(unscanned).length === 0) return [];
  return reader
    .all(givers({ meeting_id: meetingId }))
    .filter((row) => row.class !== null && row.class in unscanned);
}

export const isDoubtful = (reader: Reader, meetingId: string, personId: string): boolean =>
  listDoubtful(reader, meetingId).some(({ person_id }) => person_id === personId);

/** At the opening of an item: whoever has a card that votes on it, or may have one that was said to be back. */
export function noteHolders(tx: Tx, item: Pick<Item, 'id' | 'meeting_id' | 'classes'>): void {
  const cards = [
    ...tx.all(holdersNow({ meeting_id: item.meeting_id })),
    ...listDoubtful(tx, item.meeting_id),
  ];
  for (const { person_id, class: own } of cards)
    if (person_id !== null && own !== null && votesOn(item, own)) mark(tx, item.id, person_id);
}

const holdersNow = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('attendance')
    .select(['person_id', 'class'])
    .where('meeting_id', '=', p.meeting_id)
    .where('card', '=', 'held')
    .unionAll(
      build
        .selectFrom('proxies')
        .select(['giver_id as person_id', 'class'])
        .where('meeting_id', '=', p.meeting_id)
        .where('state', '=', 'used'),
    ),
);
