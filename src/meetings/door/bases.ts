import { build, type Tx } from '#kernel/db/queries.ts';
import { namedClasses } from '../items.ts';

/**
 * Whoever comes while an item is open counts in its base `present`, if their class votes on it.
 * @param own the class of their card; null: a link, which votes on everything
 */
export function growBases(tx: Tx, meetingId: string, by: number, own: string | null): void {
  for (const { id, present, classes } of tx.all(
    build
      .selectFrom('meeting_items')
      .select(['id', 'present', 'classes'])
      .where('meeting_id', '=', meetingId)
      .where('state', '=', 'open')
      .where('present', 'is not', null),
  ))
    if (own === null || (namedClasses({ classes })?.includes(own) ?? true))
      tx.run(
        build
          .updateTable('meeting_items')
          .set({ present: Math.max(0, (present ?? 0) + by) })
          .where('id', '=', id),
      );
}
