import type { Selectable } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { MeetingItemsTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { nameField, record, textField } from '#kernel/http/record.ts';

export type Item = Selectable<MeetingItemsTable>;

/** What is written of an item. The words of its form are `ITEM_WORDS`. */
export const ITEM = record({
  title: nameField(500),
  text: textField(20_000, { rows: 4 }),
  /** The wording in force that a motion changes. */
  old_text: textField(20_000, { rows: 3 }),
  mover: textField(300),
});

/** An item of an agenda as the API returns it. */
export type ItemJson = ReturnType<typeof itemJson>;

export function itemJson(item: Item) {
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  const { id, kind, election_id, state } = item;
  return {
    id,
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

type NewItem = 'id' | 'meeting_id' | 'kind' | keyof typeof ITEM.fields | 'election_id' | 'classes';

/** Adds a row at the end of the agenda, or behind another item. */
export function insertItem(tx: Tx, item: Pick<Item, NewItem>, behind: string | null = null): void {
  const all = listItems(tx, item.meeting_id).map(({ id }) => id);
  const at = behind !== null && all.includes(behind) ? all.indexOf(behind) + 1 : all.length;
  tx.run(
    build.insertInto('meeting_items').values({
      id: item.id,
      meeting_id: item.meeting_id,
      position: at,
      kind: item.kind,
      title: item.title,
      text: item.text,
      old_text: item.old_text,
      mover: item.mover,
      election_id: item.election_id,
      classes: item.classes,
      opened_at: null,
      closed_at: null,
      declared_at: null,
    }),
  );
  storeOrder(tx, all.toSpliced(at, 0, item.id));
}

/** Numbers the items in a new order. */
export function storeOrder(tx: Tx, ids: readonly string[]): void {
  for (const [position, id] of ids.entries())
    tx.run(build.updateTable('meeting_items').set({ position }).where('id', '=', id));
}
