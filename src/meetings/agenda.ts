import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { differing } from '#kernel/http/record.ts';
import { listOf, newOrNamed, oneOf, requiredName, requiredText } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { isSameName } from '#kernel/names.ts';
import { changeWordingIn, type PlannedElection } from '#voting/elections/changes.ts';
import { removeElection } from '#voting/elections/deletion.ts';
import { TranslationsInput } from '#voting/elections/translations.ts';
import { coverAgain, keepClasses } from './door/classes.ts';
import { ensurePrepared } from './item-states.ts';
import {
  getItem,
  ITEM,
  type Item,
  type ItemPlace,
  insertItem,
  listItems,
  NO_MOTION,
  namedClasses,
  numberItems,
  storeOrder,
  type Written,
} from './items.ts';
import { classesOf, ensureNotClosed, getMeeting, type Meeting, reviseMeeting } from './meetings.ts';
import {
  addCandidate,
  insertItemQuestion,
  joinQuestion,
  kindOf,
  MeetingQuestion,
  planItemQuestion,
} from './questions.ts';

const ITEM_KINDS = ['text', 'motion', 'election'] as const;

/** The classes that vote on an item; all of them if it names none. */
const classes = listOf(requiredName(60), 20).nullable();

export const ItemInput = z.object({
  kind: oneOf(ITEM_KINDS),
  ...ITEM.input.shape,
  question: MeetingQuestion.optional(),
  classes: classes.optional(),
});

/** An election that was prepared already; its title and description are those of the item. */
const JoinedItem = z.object({
  election_id: requiredText(64),
  mover: ITEM.input.shape.mover,
  classes: classes.optional(),
});

export const AddedItem = newOrNamed(ItemInput, JoinedItem);

export const ItemPatch = ITEM.patch.extend({
  /** Takes the place of the present question, with those who were nominated. */
  question: MeetingQuestion.optional(),
  classes: classes.optional(),
  /** Texts of its question in other languages, as of an election. */
  translations: TranslationsInput.optional(),
});

export const OrderInput = z.object({ items: listOf(z.string(), 500) });

/**
 * Adds an item at the end of the agenda: a new one, or one for an election that was prepared.
 * @returns its id. @throws 400, 404, 409 once the meeting is closed, and for an election that has begun or has codes
 */
export async function addItem(
  ctx: Context,
  meetingId: string,
  added: z.output<typeof AddedItem>,
  actor: Actor,
): Promise<{ id: string; election_id?: string }> {
  if ('election_id' in added) return joinElection(ctx, meetingId, added, actor);
  const { question, ...input } = added;
  const planned = await planItemQuestion(ctx, getMeeting(ctx.db, meetingId), input, question, actor);
  const columns = ITEM.columns(input, ctx);
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const classes = storedClasses(meeting, input.classes ?? null);
    const written = { kind: input.kind, ...columns, classes };
    const { id, election_id } = addItemIn(ctx, tx, meeting, written, planned, actor);
    return { id, ...(election_id !== null && { election_id }) };
  });
}

/** Puts a new item on the agenda, and records it. */
export function addItemIn(
  ctx: Context,
  tx: Tx,
  meeting: Meeting,
  written: Written,
  planned: PlannedElection | undefined,
  actor: Actor,
): { id: string; election_id: string | null } {
  const added = putItem(ctx, tx, meeting, written, planned, actor);
  const { kind, title } = written;
  recordItem(tx, meeting, added.id, 'meeting.item_added', { kind, title }, actor);
  return added;
}

function joinElection(
  ctx: Context,
  meetingId: string,
  { election_id, mover, ...input }: z.output<typeof JoinedItem>,
  actor: Actor,
): Promise<{ id: string; election_id: string }> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const chosen = storedClasses(meeting, input.classes ?? null);
    const election = joinQuestion(ctx, tx, meeting, { election_id, classes: chosen }, actor);
    const { title, description: text } = election;
    const kind = kindOf(election);
    const item = {
      kind,
      title,
      text,
      ...NO_MOTION,
      mover: kind === 'motion' ? mover : null,
      classes: chosen,
    };
    const id = newId(actor.at);
    insertItem(tx, { id, meeting_id: meetingId, election_id, ...item });
    followAgenda(tx, meetingId);
    recordItem(tx, meeting, id, 'meeting.item_added', { kind, title, question: election_id }, actor);
    return { id, election_id };
  });
}

/** Stores an item with its question at its place on the agenda. */
export function putItem(
  ctx: Context,
  tx: Tx,
  meeting: Meeting,
  written: Written,
  planned: PlannedElection | undefined,
  actor: Actor,
  place?: ItemPlace,
): { id: string; election_id: string | null } {
  const id = newId(actor.at);
  const election_id = planned ? insertItemQuestion(ctx, tx, meeting, written, planned, actor) : null;
  const own = { ...written, ...(written.kind !== 'motion' && NO_MOTION) };
  insertItem(tx, { id, meeting_id: meeting.id, election_id, ...own }, place);
  followAgenda(tx, meeting.id);
  return { id, election_id };
}

/** @throws 400, 404, 409 once it was voted on or the meeting is closed */
export async function updateItem(
  ctx: Context,
  meetingId: string,
  itemId: string,
  { question, translations, ...patch }: z.output<typeof ItemPatch>,
  actor: Actor,
): Promise<void> {
  const { kind, title, text } = getItem(ctx.db, itemId, meetingId);
  const after = { kind, title: patch.title ?? title, text: patch.text === undefined ? text : patch.text };
  const planned =
    question && (await planItemQuestion(ctx, getMeeting(ctx.db, meetingId), after, question, actor));
  await ctx.write((tx) => {
    const { meeting, item } = getChangeable(tx, meetingId, itemId);
    const own = item.kind === 'motion' ? patch : { title: patch.title, text: patch.text };
    const classes = patch.classes === undefined ? undefined : storedClasses(meeting, patch.classes);
    const fields = { ...ITEM.changes(item, own, ctx), ...differing(item, { classes }) };
    if (translations && item.election_id === null) throw badField('translations', 'unknown_field');
    const changed = [
      ...Object.keys(fields),
      ...(planned ? ['question'] : []),
      ...(translations ? ['translations'] : []),
    ];
    if (Object.keys(fields).length > 0)
      tx.run(build.updateTable('meeting_items').set(fields).where('id', '=', itemId));
    if (planned) replaceQuestion(ctx, tx, meeting, getItem(tx, itemId), planned, actor);
    else if (item.election_id !== null) {
      changeWordingIn(tx, item.election_id, { ...wordingOf(fields), translations }, actor);
      if (fields.classes !== undefined) {
        coverAgain(tx, meeting, item.election_id);
        const named = namedClasses(getItem(tx, itemId));
        if (named) keepClasses(ctx, tx, meeting, item.election_id, named);
      }
    }
    if (changed.length === 0) return;
    const metadata = { fields: changed, ...(fields.title && { title: fields.title }) };
    recordItem(tx, meeting, itemId, 'meeting.item_changed', metadata, actor);
  });
}

/** The wording of a question follows that of its item. */
const wordingOf = ({ title, text }: Partial<Item>) => ({
  title,
  description: text === undefined ? undefined : (text?.slice(0, 5_000) ?? null),
});

function replaceQuestion(
  ctx: Context,
  tx: Tx,
  meeting: Meeting,
  item: Item,
  planned: PlannedElection,
  actor: Actor,
): void {
  if (item.election_id !== null)
    removeElection(tx, item.election_id, { reason: null, figures: undefined }, actor);
  const election_id = insertItemQuestion(ctx, tx, meeting, item, planned, actor);
  tx.run(build.updateTable('meeting_items').set({ election_id }).where('id', '=', item.id));
  const accepted = tx.all(
    build
      .selectFrom('nominations')
      .select(['id', 'name', 'text', 'picture'])
      .where('item_id', '=', item.id)
      .where('decision', '=', 'accepted')
      .where('withdrawn_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id'),
  );
  for (const { id, ...candidate } of accepted) {
    const option_id = addCandidate(tx, { election_id }, candidate, actor);
    tx.run(build.updateTable('nominations').set({ option_id }).where('id', '=', id));
  }
  followAgenda(tx, meeting.id);
}

/** @throws 404, 409 once it was voted on or the meeting is closed */
export function deleteItem(ctx: Context, meetingId: string, itemId: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    const { meeting, item } = getChangeable(tx, meetingId, itemId);
    removeItem(tx, meeting, item, actor);
  });
}

/** Takes an item that nobody voted on off the agenda, with its question. */
export function removeItem(tx: Tx, meeting: Meeting, item: Item, actor: Actor): void {
  tx.run(build.deleteFrom('meeting_items').where('id', '=', item.id));
  numberItems(tx, meeting.id);
  if (item.election_id !== null)
    removeElection(tx, item.election_id, { reason: null, figures: undefined }, actor);
  recordItem(tx, meeting, item.id, 'meeting.item_removed', { title: item.title }, actor);
}

/** @throws 400 unless every item is listed once, 404, 409 once the meeting is closed */
export function orderItems(
  ctx: Context,
  meetingId: string,
  { items }: z.output<typeof OrderInput>,
  actor: Actor,
): Promise<void> {
  return ctx.write((tx) => orderItemsIn(tx, meetingId, items, actor));
}

function orderItemsIn(tx: Tx, meetingId: string, items: readonly string[], actor: Actor): void {
  const meeting = getMeeting(tx, meetingId);
  ensureNotClosed(meeting);
  const present = listItems(tx, meetingId).map(({ id }) => id);
  if (items.length !== present.length || new Set(items).symmetricDifference(new Set(present)).size > 0)
    throw badField('items', 'not_items');
  if (items.join() === present.join()) return;
  storeOrder(tx, items);
  followAgenda(tx, meetingId);
  reviseMeeting(tx, meetingId, actor.at);
  recordAudit(tx, actor, { action: 'meeting.agenda_ordered', metadata: { meeting: meetingId } });
}

/** The questions of the paper are in the order of the agenda. */
export function followAgenda(tx: Tx, meetingId: string): void {
  for (const [index, { election_id }] of listItems(tx, meetingId).entries())
    if (election_id !== null)
      tx.run(
        build
          .updateTable('elections')
          .set({ paper_position: index + 1 })
          .where('id', '=', election_id),
      );
}

/** Moves an item by one place; at the end of the agenda it stays where it is. */
export function moveItem(
  ctx: Context,
  meetingId: string,
  itemId: string,
  direction: 'up' | 'down',
  actor: Actor,
): Promise<void> {
  return ctx.write((tx) => {
    const items = listItems(tx, meetingId).map(({ id }) => id);
    const from = items.indexOf(itemId);
    const to = Math.min(items.length - 1, Math.max(0, from + (direction === 'up' ? -1 : 1)));
    if (from >= 0) items.splice(to, 0, ...items.splice(from, 1));
    orderItemsIn(tx, meetingId, items, actor);
  });
}

function getChangeable(tx: Tx, meetingId: string, itemId: string): { meeting: Meeting; item: Item } {
  const meeting = getMeeting(tx, meetingId);
  const item = getItem(tx, itemId, meetingId);
  ensureNotClosed(meeting);
  ensurePrepared(item);
  return { meeting, item };
}

/** The names of classes as the meeting spells them. @throws 400 for another one */
export function storedClasses(meeting: Meeting, names: readonly string[] | null): string | null {
  if (names === null || names.length === 0) return null;
  const known = classesOf(meeting);
  const chosen = names.map((name) => {
    const found = known.find((one) => isSameName(one, name));
    if (found === undefined) throw badField('classes', 'not_class', { names: known });
    return found;
  });
  return chosen.length === known.length ? null : JSON.stringify(known.filter((one) => chosen.includes(one)));
}

/** Whether an item, a person at the door, a proxy or a pack of cards has a class. */
export function isClassUsed(reader: Reader, meetingId: string, name: string): boolean {
  if (listItems(reader, meetingId).some((item) => namedClasses(item)?.includes(name))) return true;
  return (['attendance', 'proxies', 'card_packs'] as const).some(
    (table) =>
      reader.first(
        build.selectFrom(table).select('id').where('meeting_id', '=', meetingId).where('class', '=', name),
      ) !== undefined,
  );
}

function recordItem(
  tx: Tx,
  { id }: Meeting,
  item: string,
  action: string,
  metadata: Record<string, unknown>,
  actor: Actor,
): void {
  reviseMeeting(tx, id, actor.at);
  recordAudit(tx, actor, { action, metadata: { meeting: id, item, ...metadata } });
}
