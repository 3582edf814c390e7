import { type Selectable, sql } from 'kysely';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { AttendanceTable, MeetingItemsTable, ProxiesTable } from '#kernel/db/schema.ts';

/**
 * The ways to vote in a meeting: cards, links, proxies and papers. Nobody has two of them, and while a question is open
 * nobody gets a second one, even after the first came back. Every route that gives, ends or replaces one asks here; the
 * rules are on one page in `src/meetings/DECISIONS.md`.
 */

/** The votes of a question, in parts that add up to the total. */
export interface Voters {
  total: number;
  /** People who are in the room and have a card. */
  here: number;
  /** Proxies whose card was handed out and not given back. */
  represented: number;
  /** Links of members elsewhere who are here or have voted. */
  elsewhere: number;
  /** People who left with their card, and cards that were given back and not scanned yet. */
  left_with_card: number;
  /** Cards and links that were given back or ended after they had answered. */
  voted_and_gone: number;
}

export type Item = Selectable<MeetingItemsTable>;
export type VotedItem = Pick<
  Item,
  'id' | 'meeting_id' | 'election_id' | 'classes' | 'voters' | 'electors' | 'counted_present'
>;

const namedOf = ({ classes }: Pick<Item, 'classes'>): string[] | null =>
  classes === null ? null : JSON.parse(classes);

/** Whether the cards of a class vote on an item. */
export const votesOn = (item: Pick<Item, 'classes'>, own: string): boolean =>
  namedOf(item)?.includes(own) ?? true;

const classCounts = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('attendance')
    .select((of) => [
      'class',
      'state',
      sql<'card' | 'proxy'>`'card'`.as('of'),
      of.fn.countAll<number>().as('count'),
    ])
    .where('meeting_id', '=', p.meeting_id)
    .where('card', '=', 'held')
    .groupBy(['class', 'state'])
    .unionAll(
      build
        .selectFrom('proxies')
        .select((of) => [
          'class',
          sql<'in' | 'out'>`'in'`.as('state'),
          sql<'card' | 'proxy'>`'proxy'`.as('of'),
          of.fn.countAll<number>().as('count'),
        ])
        .where('meeting_id', '=', p.meeting_id)
        .where('state', '=', 'used')
        .groupBy('class'),
    ),
);

/** Cards of a question that came back after they had answered it, by class; without a class the links that ended so. */
const goneCodes = prepare((p: { election_id: string; paper_id: string }) =>
  build
    .selectFrom('tokens')
    .leftJoin('voting_cards', 'code_hash', 'token_hash')
    .leftJoin('card_packs', 'card_packs.id', 'pack_id')
    .select((of) => ['class', of.fn.countAll<number>().as('count')])
    .where('election_id', '=', p.election_id)
    .where((is) => is.or([is('used_at', 'is not', null), is('on_paper', '=', 1)]))
    .where((is) =>
      is.or([
        is('voting_cards.state', '=', 'returned'),
        is.and([
          is('code_hash', 'is', null),
          is(
            'token_hash',
            'in',
            build.selectFrom('withdrawn_codes').select('token_hash').where('election_id', '=', p.paper_id),
          ),
        ]),
      ]),
    )
    .groupBy('class'),
);

/** The links of a question that vote, with whether their holder is present: by a row, or by an answer to it. */
const linkCounts = prepare((p: { election_id: string; paper_id: string; meeting_id: string }) =>
  build
    .selectFrom('tokens')
    .leftJoin('invites', (join) =>
      join.onRef('invites.token_hash', '=', 'tokens.token_hash').on('invites.election_id', '=', p.paper_id),
    )
    .leftJoin('remote_presence', (join) =>
      join.onRef('number', '=', 'room_number').on('meeting_id', '=', p.meeting_id),
    )
    .select((of) => [
      of.fn.countAll<number>().as('all'),
      sql<number>`count(*) FILTER (WHERE used_at IS NOT NULL OR on_paper = 1 OR number IS NOT NULL)`.as(
        'here',
      ),
    ])
    .where('tokens.election_id', '=', p.election_id)
    // By key for each: a list of all cards of all meetings would be made for each count.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('voting_cards').select('code_hash').whereRef('code_hash', '=', 'tokens.token_hash'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('withdrawn_codes')
            .select('token_hash')
            .where('election_id', 'in', [p.paper_id, p.election_id])
            .whereRef('withdrawn_codes.token_hash', '=', 'tokens.token_hash'),
        ),
      ),
    ),
);

const meetingById = prepare((p: { id: string }) =>
  build.selectFrom('meetings').select(['id', 'paper_id', 'given_back']).where('id', '=', p.id),
);

/** Links that count: of one question, or of the whole paper. */
export function countLinks(
  reader: Reader,
  meeting: { id: string; paper_id: string | null },
  electionId = meeting.paper_id,
): { all: number; here: number } {
  if (meeting.paper_id === null || electionId === null) return { all: 0, here: 0 };
  const of = { election_id: electionId, paper_id: meeting.paper_id, meeting_id: meeting.id };
  return reader.first(linkCounts(of)) ?? { all: 0, here: 0 };
}

/** Counts the votes of a question as they are now, and the cards and links that are out for it. */
export function countVoters(reader: Reader, item: VotedItem): { voters: Voters; electors: number } {
  const meeting = reader.first(meetingById({ id: item.meeting_id }))!;
  const rows = reader
    .all(classCounts({ meeting_id: item.meeting_id }))
    .filter((row) => row.class !== null && votesOn(item, row.class));
  const sum = (of: 'card' | 'proxy', state: 'in' | 'out') =>
    rows.filter((row) => row.of === of && row.state === state).reduce((all, { count }) => all + count, 0);
  const question = { election_id: item.election_id ?? '', paper_id: meeting.paper_id ?? '' };
  const links =
    item.election_id === null ? { all: 0, here: 0 } : countLinks(reader, meeting, item.election_id);
  const given_back: Record<string, number> = JSON.parse(meeting.given_back);
  const unscanned = Object.entries(countUnscanned(reader, item.meeting_id))
    .filter(([own]) => votesOn(item, own))
    .reduce((all, [, count]) => all + count, 0);
  const parts = {
    here: sum('card', 'in'),
    represented: sum('proxy', 'in'),
    elsewhere: links.here,
    left_with_card: sum('card', 'out') + unscanned,
    voted_and_gone: countGone(reader.all(goneCodes(question)), given_back),
  };
  const inRoom = parts.here + parts.represented + parts.left_with_card + parts.voted_and_gone;
  // Where the door checks nobody in, the chair has counted.
  parts.here += Math.max(0, (item.counted_present ?? 0) - inRoom);
  const total = Object.values(parts).reduce((all, part) => all + part, 0);
  return { voters: { total, ...parts }, electors: total + links.all - links.here };
}

/** Whoever scanned a card and was not pressed yet counts among those who have one. */
const countGone = (
  gone: readonly { class: string | null; count: number }[],
  given_back: Record<string, number>,
): number =>
  gone.reduce(
    (all, row) => all + (row.class === null ? row.count : Math.min(row.count, given_back[row.class] ?? 0)),
    0,
  );

/** The votes of a question: as stored at its close, else as they are now. */
export const votersOf = (reader: Reader, item: VotedItem): Voters =>
  item.voters === null ? countVoters(reader, item).voters : JSON.parse(item.voters);

/** Cards of each class that people said they gave back, and those that were scanned. */
export function countGivenBack(
  reader: Reader,
  meetingId: string,
): { given_back: Record<string, number>; scanned: Record<string, number> } {
  const { given_back } = reader.first(meetingById({ id: meetingId }))!;
  const scanned = reader.all(scannedCards({ meeting_id: meetingId }));
  return {
    given_back: JSON.parse(given_back),
    scanned: Object.fromEntries(scanned.map((row) => [row.class, row.count])),
  };
}

const scannedCards = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('voting_cards')
    .innerJoin('card_packs', 'card_packs.id', 'pack_id')
    .select((of) => ['class', of.fn.countAll<number>().as('count')])
    .where('meeting_id', '=', p.meeting_id)
    .where('card_packs.state', '=', 'open')
    .where('voting_cards.state', '=', 'returned')
    .groupBy('class'),
);

/** Cards of each class that were given back and not scanned: they can vote still. */
export function countUnscanned(reader: Reader, meetingId: string): Record<string, number> {
  const { given_back, scanned } = countGivenBack(reader, meetingId);
  const missing = Object.entries(given_back).map(
    ([own, count]) => [own, count - (scanned[own] ?? 0)] as const,
  );
  return Object.fromEntries(missing.filter(([, count]) => count > 0));
}

/** Notes that cards were given back, or with a negative number that they were not. */
export function noteGivenBack(tx: Tx, meetingId: string, classes: readonly string[], by = 1): void {
  const { given_back } = countGivenBack(tx, meetingId);
  for (const own of classes) given_back[own] = Math.max(0, (given_back[own] ?? 0) + by);
  tx.run(
    build
      .updateTable('meetings')
      .set({ given_back: JSON.stringify(given_back) })
      .where('id', '=', meetingId),
  );
}

/** Cards of a class that are out: in the hands of their people, and of those who represent somebody. */
export const countCardsOut = (reader: Reader, meetingId: string, own: string): number =>
  reader
    .all(classCounts({ meeting_id: meetingId }))
    .filter((row) => row.class === own)
    .reduce((all, { count }) => all + count, 0);

/** Cards of a class that lie in the pile: of opened packs, valid, and not handed out. Undefined without any pack. */
export function countPile(reader: Reader, meetingId: string, own: string): number | undefined {
  const cards = reader.first(pileOf({ meeting_id: meetingId, own }))!;
  if (cards.packs === 0) return undefined;
  const out = countCardsOut(reader, meetingId, own);
  const unscanned = countUnscanned(reader, meetingId)[own] ?? 0;
  return Math.max(0, cards.valid - (out - Math.min(out, cards.lost)) - unscanned);
}

const pileOf = prepare((p: { meeting_id: string; own: string }) =>
  build
    .selectFrom('card_packs')
    .leftJoin('voting_cards', 'pack_id', 'card_packs.id')
    .select([
      sql<number>`count(DISTINCT card_packs.id)`.as('packs'),
      sql<number>`count(*) FILTER (WHERE card_packs.state = 'open' AND voting_cards.state = 'valid')`.as(
        'valid',
      ),
      // Whoever lost a card and got no other one has none of these.
      sql<number>`count(*) FILTER (WHERE card_packs.state = 'open' AND voting_cards.state = 'lost' AND replaced = 0)`.as(
        'lost',
      ),
    ])
    .where('meeting_id', '=', p.meeting_id)
    .where('class', '=', p.own),
);

/** An open question of a meeting. */
type OpenItem = Pick<Item, 'id' | 'meeting_id' | 'title' | 'classes' | 'election_id' | 'undone'>;

const openItems = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('meeting_items')
    .select(['id', 'meeting_id', 'title', 'classes', 'election_id', 'undone'])
    .where('meeting_id', '=', p.meeting_id)
    .where('state', '=', 'open')
    .where('election_id', 'is not', null)
    .orderBy('position'),
);

export const listOpen = (reader: Reader, meetingId: string): OpenItem[] =>
  reader.all(openItems({ meeting_id: meetingId }));

export const holds = prepare((p: { item_id: string; person_id: string }) =>
  build
    .selectFrom('item_holders')
    .select('item_id')
    .where('item_id', '=', p.item_id)
    .where('person_id', '=', p.person_id),
);

const answeredByLink = prepare((p: { paper_id: string; election_id: string; person_id: string }) =>
  build
    .selectFrom('invites')
    .innerJoin('tokens', 'tokens.token_hash', 'invites.token_hash')
    .select('invites.id')
    .where('invites.election_id', '=', p.paper_id)
    .where('person_id', '=', p.person_id)
    .where('tokens.election_id', '=', p.election_id)
    .where((is) => is.or([is('used_at', 'is not', null), is('on_paper', '=', 1)])),
);

export interface Roomed {
  id: string;
  paper_id: string | null;
}

/**
 * The open questions on which somebody may not get a second way to vote: they had a card, or somebody had one for them,
 * since its opening, or their link has answered it.
 */
export const listHad = (reader: Reader, meeting: Roomed, personId: string): OpenItem[] =>
  listOpen(reader, meeting.id).filter(
    (item) =>
      reader.first(holds({ item_id: item.id, person_id: personId })) !== undefined ||
      (meeting.paper_id !== null &&
        reader.first(
          answeredByLink({
            paper_id: meeting.paper_id,
            election_id: item.election_id ?? '',
            person_id: personId,
          }),
        ) !== undefined),
  );

/** Why somebody who is in, or is represented by somebody who is, gets no card now. */
export interface Wait {
  /** The questions on which they had a way to vote; the card is handed out after the last of them. */
  questions: string[];
  /** The holder of the card that represents them, who has to give it back first. */
  holder?: string;
  /** Why else: cards that were given back have to be scanned first, or the pile is empty. */
  cards?: 'unscanned' | 'none_left';
}

/** Somebody who is to get a card. */
export interface CardFor {
  personId: string;
  /** What happened to the last card that they had; none: they never had one. */
  before: Selectable<AttendanceTable>['card'];
  /** The class of the card, and that which is theirs by the roll. */
  classes: readonly [card: string, roll: string];
}

/** Why somebody gets no card now; undefined if they do. */
export function findWait(
  reader: Reader,
  meeting: Roomed,
  { personId, before, classes }: CardFor,
): Wait | undefined {
  const open = listHad(reader, meeting, personId).map(({ title }) => title);
  const proxy = findUsedProxy(reader, meeting.id, personId);
  const unscanned = countUnscanned(reader, meeting.id);
  // A check-in that was a mistake: whoever had that card may come as somebody else.
  const undone =
    before === 'none'
      ? listOpen(reader, meeting.id)
          .filter((item) => isUndone(reader, item, classes))
          .map(({ title }) => title)
      : [];
  const [card] = classes;
  const cards =
    before === 'back' && (unscanned[card] ?? 0) > 0
      ? ('unscanned' as const)
      : countPile(reader, meeting.id, card) === 0
        ? ('none_left' as const)
        : undefined;
  const questions = [...new Set([...open, ...undone])];
  if (questions.length === 0 && proxy === undefined && cards === undefined) return undefined;
  return { questions, ...(proxy && { holder: proxy.holder_name }), ...(cards && { cards }) };
}

export function isUndone(reader: Reader, item: OpenItem, classes?: readonly string[]): boolean {
  const undone: string[] = JSON.parse(item.undone);
  if (undone.length === 0) return false;
  const unscanned = countUnscanned(reader, item.meeting_id);
  return undone.some(
    (own) =>
      (classes?.includes(own) ?? true) &&
      ((unscanned[own] ?? 0) > 0 ||
        reader.first(answeredAndBack({ election_id: item.election_id ?? '', own })) !== undefined),
  );
}

const answeredAndBack = prepare((p: { election_id: string; own: string }) =>
  build
    .selectFrom('tokens')
    .innerJoin('voting_cards', 'code_hash', 'token_hash')
    .innerJoin('card_packs', 'card_packs.id', 'pack_id')
    .select('token_hash')
    .where('election_id', '=', p.election_id)
    .where('class', '=', p.own)
    .where('voting_cards.state', '=', 'returned')
    .where((is) => is.or([is('used_at', 'is not', null), is('on_paper', '=', 1)])),
);

const usedProxy = prepare((p: { meeting_id: string; giver_id: string }) =>
  build
    .selectFrom('proxies')
    .leftJoin('persons', 'persons.id', 'holder_id')
    .select(['proxies.id', 'class', 'holder_id', 'persons.name as holder_name'])
    .where('meeting_id', '=', p.meeting_id)
    .where('giver_id', '=', p.giver_id)
    .where('proxies.state', '=', 'used'),
);

export interface UsedProxy extends Pick<Selectable<ProxiesTable>, 'id' | 'class' | 'holder_id'> {
  holder_name: string;
}

/** The proxy of a giver whose card is out. */
export function findUsedProxy(reader: Reader, meetingId: string, giverId: string): UsedProxy | undefined {
  const row = reader.first(usedProxy({ meeting_id: meetingId, giver_id: giverId }));
  return row && { ...row, holder_name: row.holder_name ?? '' };
}

/** Notes whoever has a card, for the questions that are open: until their close they get no other one. */
export function noteHolder(tx: Tx, meetingId: string, personId: string, own: string): void {
  for (const item of listOpen(tx, meetingId)) if (votesOn(item, own)) mark(tx, item.id, personId);
}

export const mark = (tx: Tx, item_id: string, person_id: string): number =>
  tx.run(
    build
      .insertInto('item_holders')
      .values({ item_id, person_id })
      .onConflict((of) => of.doNothing()),
  );

/** Takes that back for a card that was never handed out, or gives it to whoever has the card. */
export function moveHolder(tx: Tx, meetingId: string, from: string, to: string | null): void {
  for (const item of listOpen(tx, meetingId)) {
    const own = build.deleteFrom('item_holders').where('item_id', '=', item.id).where('person_id', '=', from);
    if (tx.run(own) === 1 && to !== null) mark(tx, item.id, to);
  }
}

/** At the close of an item nothing says any more who had a card. */
export const forgetHolders = (tx: Tx, itemId: string): number =>
  tx.run(build.deleteFrom('item_holders').where('item_id', '=', itemId));
