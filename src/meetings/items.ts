import type { Selectable } from 'kysely';
import { untilStored } from '#kernel/cache.ts';
import { isoTime } from '#kernel/clock.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { MeetingItemsTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { linesField, nameField, record, textField } from '#kernel/http/record.ts';
import { listOf, requiredName } from '#kernel/http/validation.ts';
import { LANGUAGES } from '#kernel/language/catalogues.ts';
import { t } from '#kernel/language/message.ts';
import { isSameName } from '#kernel/names.ts';

export type Item = Selectable<MeetingItemsTable>;

/** What is written of an item. The words of its form are `ITEM_WORDS`. */
export const ITEM = record({
  title: nameField(500),
  text: textField(20_000, { rows: 4 }),
  /** The wording in force that a motion changes. */
  old_text: textField(20_000, { rows: 3 }),
  /** Why a motion is proposed. */
  reason: textField(5_000, { rows: 3 }),
  mover: textField(300),
  /** The names of those who second it. */
  seconders: linesField(listOf(requiredName(300), 20), { rows: 2, usual: [] }),
});

/** What an item has if it is no motion. */
export const NO_MOTION = { old_text: null, reason: null, mover: null, seconders: '[]' } as const;

/** What is written of an item that is put on the agenda, as it is stored. */
export type Written = Pick<Item, 'kind' | keyof typeof ITEM.fields | 'classes'>;

/** The item with which an agenda usually ends. */
export const LAST_ITEM = t('meetings.usual_agenda.last');

/** Whether a title is that of it, in whatever language it was written. */
const isLastItem = (title: string): boolean =>
  LANGUAGES.some((language) => isSameName(title, LAST_ITEM.for({ language, locale: language })));

/** An item of an agenda as the API returns it. */
export type ItemJson = ReturnType<typeof itemJson>;

export function itemJson(item: Item) {
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  const { id, kind, election_id, state } = item;
  return {
    id,
    /** As everybody reads it: its place until the invitation goes out, and `8a` of what is added later. */
    number: item.number,
    kind,
    ...ITEM.json(item),
    election_id,
    /** The classes that vote on it; null: all. */
    classes: namedClasses(item),
    state,
    opened_at: time(item.opened_at),
    closed_at: time(item.closed_at),
    declared_at: time(item.declared_at),
  };
}

/** The classes that an item names; null: all vote on it. */
export const namedClasses = ({ classes }: Pick<Item, 'classes'>): string[] | null =>
  classes === null ? null : JSON.parse(classes);

const itemById = prepare((p: { id: string }) =>
  build.selectFrom('meeting_items').selectAll().where('id', '=', p.id),
);

/** @param meetingId the meeting that it has to be of, if it comes from an address. @throws 404 */
export function getItem(reader: Reader, id: string, meetingId?: string): Item {
  const item = reader.first(itemById({ id }));
  if (!item || (meetingId !== undefined && item.meeting_id !== meetingId)) throw notFound('item_not_found');
  return item;
}

const itemByElection = prepare((p: { election_id: string }) =>
  build.selectFrom('meeting_items').selectAll().where('election_id', '=', p.election_id),
);

/** The item of a question; undefined for an election of no meeting. */
export const findItemOf = (reader: Reader, election_id: string): Item | undefined =>
  reader.first(itemByElection({ election_id }));

const itemsByMeeting = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('meeting_items')
    .selectAll()
    .where('meeting_id', '=', p.meeting_id)
    .orderBy('position')
    .orderBy('id'),
);

/** The agenda, in its order. */
export function listItems(reader: Reader, meetingId: string): Item[] {
  return reader.all(itemsByMeeting({ meeting_id: meetingId }));
}

/** The same for pages, see `untilStored`. */
export const agendaNow = untilStored(listItems);

type NewItem = Written & Pick<Item, 'id' | 'meeting_id' | 'election_id'>;

/** Where a new item goes: behind another one, at the very end, or by default before the item that ends the agenda. */
export type ItemPlace = { behind: string } | 'end' | undefined;

/** Adds a row to the agenda. */
export function insertItem(tx: Tx, item: NewItem, place?: ItemPlace): void {
  const all = listItems(tx, item.meeting_id);
  const at = placeOf(tx, all, place);
  tx.run(
    build
      .insertInto('meeting_items')
      .values({ ...item, position: at, opened_at: null, closed_at: null, declared_at: null }),
  );
  storeOrder(tx, all.map(({ id }) => id).toSpliced(at, 0, item.id));
}

/**
 * What is added goes before the text with which the agenda ends. While the agenda is written, that is one of the usual
 * name alone: the next text may be meant to end it.
 */
function placeOf(reader: Reader, all: readonly Item[], place: ItemPlace): number {
  const last = all.at(-1);
  if (place === 'end' || last === undefined) return all.length;
  const isStanding =
    last.kind === 'text' && (isLastItem(last.title) || areNumbersFixed(reader, last.meeting_id));
  const end = isStanding ? all.length - 1 : all.length;
  const behind = place === undefined ? -1 : all.findIndex(({ id }) => id === place.behind) + 1;
  return behind > 0 ? Math.min(behind, end) : end;
}

/** Puts the items into a new order. Numbers that members know stay. */
export function storeOrder(tx: Tx, ids: readonly string[]): void {
  for (const [position, id] of ids.entries())
    tx.run(build.updateTable('meeting_items').set({ position }).where('id', '=', id));
  const [first] = ids;
  if (first !== undefined) numberItems(tx, getItem(tx, first).meeting_id);
}

/** Whether the numbers of an agenda stay: once it was mailed, printed for a letter, or the meeting has begun. */
export function areNumbersFixed(reader: Reader, meetingId: string): boolean {
  const of = reader.first(
    build.selectFrom('meetings').select(['state', 'invited_at']).where('id', '=', meetingId),
  );
  if (of === undefined || of.state !== 'prepared' || of.invited_at !== null) return true;
  const number = build.selectFrom('door_numbers').select('person_id').where('meeting_id', '=', meetingId);
  return reader.first(number) !== undefined;
}

/** Gives each item its number: its place; or, once numbers stay, `8a` where it stands behind 8 and has none. */
export function numberItems(tx: Tx, meetingId: string): void {
  const items = listItems(tx, meetingId);
  const isFixed = areNumbersFixed(tx, meetingId);
  const used = new Set(items.map(({ number }) => number));
  let before = '0';
  for (const [index, { id, number }] of items.entries()) {
    const own = !isFixed ? String(index + 1) : number === '' ? nextNumber(before, used) : number;
    if (own !== number) tx.run(build.updateTable('meeting_items').set({ number: own }).where('id', '=', id));
    used.add(own);
    before = own;
  }
}

/** `8a` behind 8, or the next letter that is free. */
function nextNumber(before: string, used: ReadonlySet<string>): string {
  const base = Number.parseInt(before, 10);
  for (let index = 0; ; index += 1) {
    const number = `${base}${lettersOf(index)}`;
    if (!used.has(number)) return number;
  }
}

/** a to z, aa to zz, and so on. */
const lettersOf = (index: number): string =>
  (index < 26 ? '' : lettersOf(Math.floor(index / 26) - 1)) + String.fromCharCode(97 + (index % 26));

/** Whether an item was added after the numbers were fixed. */
export const isAddedLater = ({ number }: Pick<Item, 'number'>): boolean => /[a-z]$/.test(number);
