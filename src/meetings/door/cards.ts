import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { CardPacksTable, VotingCardsTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { flag, listOf, requiredText, wholeNumber } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { isSameName } from '#kernel/names.ts';
import { sha256 } from '#kernel/secrets.ts';
import { closeDueItems } from '#meetings/item-states.ts';
import { listItems, namedClasses } from '#meetings/items.ts';
import { classesOf, ensureNotClosed, getMeeting, type Meeting } from '#meetings/meetings.ts';
import { ensurePaper } from '#meetings/questions.ts';
import { hashToken, storeTokens, UNUSED } from '#voting/ballots/tokens.ts';
import { newShortCode, plainCode } from '#voting/ballots/voting-code.ts';
import { endUnused } from '#voting/ballots/withdrawn-codes.ts';
import { countPile, listOpen } from '#voting/elections/ways-to-vote.ts';
import { listAttendance } from './attendance-rows.ts';
import { keepClasses } from './classes.ts';
import { countCards } from './figures.ts';
import { noteLateCards } from './late-cards.ts';
import { findAnswered } from './links.ts';
import { mixDoor } from './mix.ts';

export type Pack = Selectable<CardPacksTable>;
type Card = Selectable<VotingCardsTable>;

export const CARDS_A_PACK = 10;
const PACKS_AT_ONCE = 50;

export const PacksInput = z.object({ class: requiredText(60), packs: wholeNumber(1, PACKS_AT_ONCE) });

/** Ids of packs; a form sends them as one text. */
export const DroppedPacks = z.object({
  packs: z.preprocess(
    (value) => (typeof value === 'string' ? value.split(/\s+/) : value),
    listOf(z.string().max(64), PACKS_AT_ONCE),
  ),
});

/** One code or several: those of a leaver, or the rest of the pile. */
export const ReturnInput = z.object({
  code: z.string().max(4_000).optional(),
  codes: listOf(z.string().max(4_000), 1_000).optional(),
});

/** The second press: it cannot be taken back. */
export const RenewInput = z.object({ confirm: flag });

export const StubInput = z.object({ stub: requiredText(200) });

/** New cards, whose codes exist only here. */
export interface NewPack {
  id: string;
  number: number;
  class: string;
  cards: { code: string; stub: string }[];
}

/** Whether voting on an item of a meeting is open. */
export const isAnyOpen = (reader: Reader, meetingId: string): boolean =>
  listItems(reader, meetingId).some(({ state }) => state === 'open');

/**
 * Prints packs of ten cards; none is valid until its pack is opened.
 * @param whileOpen whether the request may do so while voting is open @throws 400, 404, 409
 */
export function printPacks(
  ctx: Context,
  meetingId: string,
  { class: named, packs }: z.output<typeof PacksInput>,
  actor: Actor,
  { whileOpen }: { whileOpen: boolean },
): Promise<NewPack[]> {
  return ctx.write((tx) => {
    closeDueItems(tx, actor.at);
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const isOpen = isAnyOpen(tx, meetingId);
    // Voting was opened after the request was judged.
    if (isOpen && !whileOpen) throw conflict('cards_while_open');
    const known = classesOf(meeting);
    const own = known.find((name) => isSameName(name, named));
    if (own === undefined) throw badField('class', 'not_class', { names: known });
    const first = Math.max(0, ...listPacks(tx, meetingId).map(({ number }) => number)) + 1;
    const made = Array.from({ length: packs }, (_, at) => {
      const pack = { id: newId(actor.at), number: first + at, class: own };
      tx.run(
        build
          .insertInto('card_packs')
          .values({ ...pack, meeting_id: meetingId, cards: CARDS_A_PACK, state: 'printed' }),
      );
      const cards = Array.from({ length: CARDS_A_PACK }, () => ({
        code: newShortCode(),
        stub: newShortCode(),
      }));
      for (const { code, stub } of cards)
        tx.run(
          build.insertInto('voting_cards').values({
            code_hash: hashToken(code),
            pack_id: pack.id,
            stub_hash: hashStub(stub),
            state: 'valid',
          }),
        );
      return { ...pack, cards };
    });
    recordAudit(tx, actor, {
      action: 'meeting.cards_printed',
      metadata: {
        meeting: meetingId,
        class: own,
        cards: packs * CARDS_A_PACK,
        packs: made.map(({ number }) => number),
        ...(isOpen && { while: 'open' }),
      },
    });
    return made;
  });
}

export const listPacks = (reader: Reader, meetingId: string): Pack[] =>
  reader.all(
    build.selectFrom('card_packs').selectAll().where('meeting_id', '=', meetingId).orderBy('number'),
  );

/** Makes the cards of a pack valid. Opened again, nothing changes. @throws 404, 409 for one that is void */
export function openPack(ctx: Context, meetingId: string, packId: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    closeDueItems(tx, actor.at);
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const pack = listPacks(tx, meetingId).find(({ id }) => id === packId);
    if (!pack) throw notFound('pack_not_found');
    if (pack.state === 'open') return;
    if (pack.state === 'void') throw conflict('pack_void');
    noteLateCards(tx, pack);
    tx.run(build.updateTable('card_packs').set({ state: 'open' }).where('id', '=', packId));
    const { number, class: name, cards } = pack;
    const metadata = {
      meeting: meetingId,
      pack: number,
      class: name,
      cards,
      ...(isAnyOpen(tx, meetingId) && { while: 'open' }),
    };
    recordAudit(tx, actor, { action: 'meeting.pack_opened', metadata });
    const paper = ensurePaper(tx, meeting, actor);
    // The time of the meeting, not that of the opening, which would tell who came after it.
    const unused = { election_id: paper, batch_name: null, created_at: meeting.held_at, ...UNUSED };
    storeTokens(
      tx,
      paper,
      cardsOf(tx, packId).map(({ code_hash }) => ({ token_hash: code_hash, ...unused })),
    );
    for (const { election_id, classes } of listItems(tx, meetingId))
      if (election_id !== null && classes !== null)
        keepClasses(ctx, tx, meeting, election_id, namedClasses({ classes }) ?? []);
  });
}

/** Makes packs void that were never opened. @returns the number of their cards. @throws 404, 409 */
export function dropPacks(
  ctx: Context,
  meetingId: string,
  ids: readonly string[],
  actor: Actor,
): Promise<number> {
  return ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    const dropped = listPacks(tx, meetingId).filter(({ id }) => ids.includes(id));
    if (dropped.length < ids.length) throw notFound('pack_not_found');
    if (dropped.some(({ state }) => state === 'open')) throw conflict('pack_open');
    for (const { id } of dropped)
      tx.run(build.updateTable('card_packs').set({ state: 'void' }).where('id', '=', id));
    const cards = dropped.reduce((sum, pack) => sum + pack.cards, 0);
    recordAudit(tx, actor, { action: 'meeting.cards_dropped', metadata: { meeting: meetingId, cards } });
    return cards;
  });
}

const cardsOf = (reader: Reader, packId: string): Card[] =>
  reader.all(build.selectFrom('voting_cards').selectAll().where('pack_id', '=', packId));

/** The door closes: packs that were not opened die. @returns the number of their cards */
export async function voidPacks(ctx: Context, meetingId: string, actor: Actor): Promise<number> {
  const closed = await ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    const closed = listPacks(tx, meetingId).filter(({ state }) => state === 'printed');
    for (const { id } of closed)
      tx.run(build.updateTable('card_packs').set({ state: 'void' }).where('id', '=', id));
    const attendance = listAttendance(tx, meetingId);
    recordAudit(tx, actor, {
      action: 'door.closed',
      metadata: {
        meeting: meetingId,
        present: attendance.filter((one) => one.state === 'in' && one.class !== null).length,
        guests: attendance.filter((one) => one.class === null).length,
        cards: countCards(tx, getMeeting(tx, meetingId)),
      },
    });
    mixDoor(tx, meetingId);
    return closed.reduce((sum, { cards }) => sum + cards, 0);
  });
  await ctx.eraseLog();
  return closed;
}

const cardByCode = prepare((p: { meeting_id: string; code_hash: string }) =>
  build
    .selectFrom('voting_cards')
    .innerJoin('card_packs', 'card_packs.id', 'pack_id')
    .select(['code_hash', 'replaced', 'voting_cards.state', 'card_packs.state as pack_state'])
    .where('meeting_id', '=', p.meeting_id)
    .where('code_hash', '=', p.code_hash),
);

/**
 * Takes cards back, which are void from then on; what they voted stays. It names nobody and changes no count of people:
 * whoever gave a card back is pressed apart. A card that is void already changes nothing, but a lost one that was found
 * and not replaced is back too.
 */
export function returnCards(
  ctx: Context,
  meetingId: string,
  { code, codes = [] }: z.output<typeof ReturnInput>,
): Promise<{ returned: number; unknown: number }> {
  const all = new Set([...(code === undefined ? [] : [code]), ...codes].map((text) => hashToken(text)));
  if (all.size === 0) throw badField('code', 'required');
  return ctx.write((tx) => {
    closeDueItems(tx, ctx.now());
    const meeting = getMeeting(tx, meetingId);
    const found = [...all].flatMap(
      (code_hash) => tx.first(cardByCode({ meeting_id: meetingId, code_hash })) ?? [],
    );
    if (all.size === 1 && found.length === 0) throw notFound('card_not_found');
    const out = found.filter(
      ({ state, replaced, pack_state }) =>
        pack_state === 'open' && (state === 'valid' || (state === 'lost' && replaced === 0)),
    );
    for (const { code_hash } of out) endCard(tx, meeting, code_hash, 'returned');
    return { returned: out.length, unknown: all.size - found.length };
  });
}

/**
 * Ends all cards that were handed out and the rest of their packs: whoever is in waits for one of a new pack. Links
 * stay. @returns how many cards ended
 * @throws 400 without the second press; 409 while a question is open, or once the meeting is closed
 */
export async function renewCards(
  ctx: Context,
  meetingId: string,
  { confirm }: z.output<typeof RenewInput>,
  actor: Actor,
): Promise<number> {
  if (!confirm) throw badField('confirm', 'required');
  const ended = await ctx.write((tx) => {
    closeDueItems(tx, ctx.now());
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const [open] = listOpen(tx, meetingId);
    if (open) throw conflict('question_open', { title: open.title });
    const packs = listPacks(tx, meetingId).filter(({ state }) => state === 'open');
    if (packs.length === 0) return 0;
    for (const { id } of packs) {
      for (const { code_hash, state } of cardsOf(tx, id))
        if (state === 'valid' && meeting.paper_id !== null) endUnused(tx, meeting.paper_id, code_hash);
      tx.run(build.updateTable('card_packs').set({ state: 'void' }).where('id', '=', id));
    }
    const cards = packs.reduce((sum, pack) => sum + pack.cards, 0);
    const own = { meeting: meetingId, packs: packs.length, cards };
    tx.run(
      build
        .updateTable('attendance')
        .set({ card: 'none', last_entry: null })
        .where('meeting_id', '=', meetingId)
        .where('card', '!=', 'none'),
    );
    tx.run(
      build
        .updateTable('proxies')
        .set({ state: 'given' })
        .where('meeting_id', '=', meetingId)
        .where('state', '=', 'used'),
    );
    tx.run(build.updateTable('meetings').set({ given_back: '{}' }).where('id', '=', meetingId));
    recordAudit(tx, actor, { action: 'meeting.cards_renewed', metadata: own });
    mixDoor(tx, meetingId);
    return cards;
  });
  await ctx.eraseLog();
  return ended;
}

function endCard(tx: Tx, { paper_id }: Meeting, code_hash: string, state: 'returned' | 'lost'): void {
  tx.run(build.updateTable('voting_cards').set({ state }).where('code_hash', '=', code_hash));
  if (paper_id !== null) endUnused(tx, paper_id, code_hash);
}

const cardByStub = prepare((p: { meeting_id: string; stub_hash: string }) =>
  build
    .selectFrom('voting_cards')
    .innerJoin('card_packs', 'card_packs.id', 'pack_id')
    .select(['code_hash', 'class', 'replaced', 'voting_cards.state', 'card_packs.state as pack_state'])
    .where('meeting_id', '=', p.meeting_id)
    .where('stub_hash', '=', p.stub_hash),
);

/** @throws 404 */
function getCardByStub(tx: Tx, meetingId: string, stub: string) {
  const card = tx.first(cardByStub({ meeting_id: meetingId, stub_hash: hashStub(stub) }));
  if (!card) throw notFound('stub_not_found');
  return card;
}

/** Voids a lost card by its stub; what it voted stays. Repeated, it changes nothing. @throws 404 */
export function voidByStub(ctx: Context, meetingId: string, stub: string): Promise<void> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    const card = getCardByStub(tx, meetingId, stub);
    if (card.state === 'valid') endCard(tx, meeting, card.code_hash, 'lost');
  });
}

/**
 * Voids a lost card by its stub, for which the door hands out another one from the pile, once. What the lost card has
 * voted stays, so a question that is open waits: the other card would vote on it again.
 * @returns the class of the card to hand out
 * @throws 404; 409 for a card that was not handed out, was returned or replaced, or has voted on an open question, and
 * while no other card is left
 */
export function replaceCard(ctx: Context, meetingId: string, stub: string): Promise<string> {
  return ctx.write((tx) => {
    closeDueItems(tx, ctx.now());
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const { code_hash, class: own, replaced, state, pack_state } = getCardByStub(tx, meetingId, stub);
    if (pack_state !== 'open' || state === 'returned') throw conflict('card_not_out');
    if (replaced === 1) throw conflict('card_replaced');
    const answered = findAnswered(tx, meetingId, code_hash);
    if (answered !== undefined) throw conflict('lost_card_voted', { title: answered });
    if (countPile(tx, meetingId, own) === 0) throw conflict('no_card_left', { name: own });
    if (state === 'valid') endCard(tx, meeting, code_hash, 'lost');
    tx.run(build.updateTable('voting_cards').set({ replaced: 1 }).where('code_hash', '=', code_hash));
    return own;
  });
}

/** Stubs are typed as codes are. */
const hashStub = (text: string): string => sha256(`stub:${plainCode(text) ?? text}`);
