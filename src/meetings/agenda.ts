import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { listOf, oneOf, optionalText, requiredName } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { isSameName } from '#kernel/names.ts';
import { ensurePrepared } from './item-states.ts';
import { getItem, type Item, insertItem, listItems, namedClasses, storeOrder } from './items.ts';
import { classesOf, ensureNotClosed, getMeeting, listMeetings, type Meeting } from './meetings.ts';

export const ITEM_KINDS = ['text', 'motion', 'election'] as const;

/** The classes that vote on an item; all of them if it names none. */
const classes = listOf(requiredName(60), 20).nullable();

export const ItemInput = z.object({
  kind: oneOf(ITEM_KINDS),
  title: requiredName(500),
  text: optionalText(20_000),
  mover: optionalText(300),
  classes: classes.optional(),
});

/** An absent key keeps the stored value. */
export const ItemPatch = z.object({
  title: requiredName(500).optional(),
  text: optionalText(20_000).optional(),
  mover: optionalText(300).optional(),
  classes: classes.optional(),
});

export const OrderInput = z.object({ items: listOf(z.string(), 500) });

/** Adds an item at the end of the agenda. @returns its id. @throws 400, 404, 409 once the meeting is closed */
export function addItem(
  ctx: Context,
  meetingId: string,
  input: z.output<typeof ItemInput>,
  actor: Actor,
): Promise<{ id: string; election_id?: string }> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const id = newId(actor.at);
    const { kind, title, text, mover } = input;
    insertItem(tx, {
      id,
      meeting_id: meetingId,
      kind,
      title,
      text,
      mover: kind === 'motion' ? mover : null,
      election_id: null,
      classes: storedClasses(meeting, input.classes ?? null),
    });
    recordItem(tx, meeting, id, 'meeting.item_added', { kind, title }, actor);
    return { id };
  });
}

/** @throws 400, 404, 409 once it was voted on or the meeting is closed */
export function updateItem(
  ctx: Context,
  meetingId: string,
  itemId: string,
  patch: z.output<typeof ItemPatch>,
  actor: Actor,
): Promise<void> {
  return ctx.write((tx) => {
    const { meeting, item } = getChangeable(tx, meetingId, itemId);
    const columns = {
      title: patch.title,
      text: patch.text,
      mover: item.kind === 'motion' ? patch.mover : undefined,
      classes: patch.classes === undefined ? undefined : storedClasses(meeting, patch.classes),
    };
    const different = Object.entries(columns).filter(
      ([name, value]) => value !== undefined && value !== item[name as keyof Item],
    );
    if (different.length === 0) return;
    const fields = Object.fromEntries(different) as Partial<Item>;
    tx.run(build.updateTable('meeting_items').set(fields).where('id', '=', itemId));
    const metadata = { fields: Object.keys(fields), ...(fields.title && { title: fields.title }) };
    recordItem(tx, meeting, itemId, 'meeting.item_changed', metadata, actor);
  });
}

/** @throws 404, 409 once it was voted on or the meeting is closed */
export function deleteItem(ctx: Context, meetingId: string, itemId: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    const { meeting, item } = getChangeable(tx, meetingId, itemId);
    tx.run(build.deleteFrom('meeting_items').where('id', '=', itemId));
    recordItem(tx, meeting, itemId, 'meeting.item_removed', { title: item.title }, actor);
  });
}

/** @throws 400 unless every item is listed once, 404, 409 once the meeting is closed */
export function orderItems(
  ctx: Context,
  meetingId: string,
  { items }: z.output<typeof OrderInput>,
  actor: Actor,
): Promise<void> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const present = listItems(tx, meetingId).map(({ id }) => id);
    if (items.length !== present.length || new Set(items).symmetricDifference(new Set(present)).size > 0)
      throw badField('items', 'not_items');
    if (items.join() === present.join()) return;
    storeOrder(tx, items);
    recordAudit(tx, actor, { action: 'meeting.agenda_ordered', metadata: { meeting: meetingId } });
  });
}

/** Moves an item by one place; at the end of the agenda it stays where it is. */
export function moveItem(
  ctx: Context,
  meetingId: string,
  itemId: string,
  direction: 'up' | 'down',
  actor: Actor,
): Promise<void> {
  const items = listItems(ctx.db, meetingId).map(({ id }) => id);
  const from = items.indexOf(itemId);
  const to = Math.min(items.length - 1, Math.max(0, from + (direction === 'up' ? -1 : 1)));
  if (from >= 0) items.splice(to, 0, ...items.splice(from, 1));
  return orderItems(ctx, meetingId, { items }, actor);
}

function getChangeable(tx: Tx, meetingId: string, itemId: string): { meeting: Meeting; item: Item } {
  const meeting = getMeeting(tx, meetingId);
  const item = getItem(tx, itemId, meetingId);
  ensureNotClosed(meeting);
  ensurePrepared(item);
  return { meeting, item };
}

/** The names of classes as the meeting spells them. @throws 400 for another one */
function storedClasses(meeting: Meeting, names: readonly string[] | null): string | null {
  if (names === null || names.length === 0) return null;
  const known = classesOf(meeting);
  const chosen = names.map((name) => {
    const found = known.find((one) => isSameName(one, name));
    if (found === undefined) throw badField('classes', 'not_class', { names: known });
    return found;
  });
  return chosen.length === known.length ? null : JSON.stringify(known.filter((one) => chosen.includes(one)));
}

/** Whether an item of a meeting names a class. */
export const isClassNamed = (reader: Reader, meetingId: string, name: string): boolean =>
  listItems(reader, meetingId).some((item) => namedClasses(item)?.includes(name));

/** The agenda of most annual meetings. */
const USUAL: readonly [kind: Item['kind'], title: string][] = [
  ['text', 'Opening, convening and quorum'],
  ['text', 'Minutes of the last meeting'],
  ['text', 'Report of the committee'],
  ['text', 'Accounts and report of the auditors'],
  ['motion', 'Discharge of the committee'],
  ['text', 'Motions of members'],
  ['text', 'Any other business'],
];

/** What a new meeting can begin with: the usual agenda, or that of an earlier meeting, the latest first. */
export function listAgendas(reader: Reader): { id: string; title: string }[] {
  return listMeetings(reader).map(({ id, title }) => ({ id, title }));
}

/** Fills the agenda of a new meeting. @param of the id of another meeting, or `usual`. @throws 400 */
export function fillAgenda(tx: Tx, meeting: Meeting, of: string | null, actor: Actor): void {
  if (of === null) return;
  for (const { kind, title, text, classes } of agendaOf(tx, of)) {
    const known = classesOf(meeting);
    const kept = classes?.filter((name) => known.includes(name)) ?? null;
    insertItem(tx, {
      id: newId(actor.at),
      meeting_id: meeting.id,
      kind,
      title,
      text,
      mover: null,
      election_id: null,
      classes: storedClasses(meeting, kept),
    });
  }
}

/** The texts of an earlier meeting say what was reported then, so they are not taken over; wordings of votes are. */
function agendaOf(
  reader: Reader,
  of: string,
): { kind: Item['kind']; title: string; text: string | null; classes: string[] | null }[] {
  if (of === 'usual') return USUAL.map(([kind, title]) => ({ kind, title, text: null, classes: null }));
  if (!listMeetings(reader).some(({ id }) => id === of)) throw badField('agenda_of', 'no_such_agenda');
  return listItems(reader, of).map((item) => ({
    kind: item.kind,
    title: item.title,
    text: item.kind === 'text' ? null : item.text,
    classes: namedClasses(item),
  }));
}

function recordItem(
  tx: Tx,
  { id }: Meeting,
  item: string,
  action: string,
  metadata: Record<string, unknown>,
  actor: Actor,
): void {
  recordAudit(tx, actor, { action, metadata: { meeting: id, item, ...metadata } });
}
