import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { Item } from '#meetings/items.ts';

/** Papers that are not counted: the figures of the cards alone are shown to nobody. */
export interface AwaitedPapers {
  /** In the box; until that is known, those that were handed out. */
  out: number;
  joined: number;
}

type OfPapers = Pick<Item, 'id' | 'state' | 'counted' | 'election_id'>;

/**
 * The papers that a question waits for, which is not announced: until the number in the box is known and as many have
 * joined, or the chair has noted that no more come. Undefined where it waits for none.
 */
export function findAwaited(reader: Reader, item: OfPapers): AwaitedPapers | undefined {
  const { id, state, counted, election_id } = item;
  if (election_id === null || counted !== null || (state !== 'open' && state !== 'closed')) return undefined;
  const sheet = reader.first(build.selectFrom('paper_sheets').selectAll().where('item_id', '=', id));
  const batches = reader.all(
    build.selectFrom('paper_batch_questions').select(['valid', 'blank', 'invalid']).where('item_id', '=', id),
  );
  const joined = batches.reduce((sum, { valid, blank, invalid }) => sum + valid + blank + invalid, 0);
  const { handed_out = 0, in_box = null, no_more = null } = sheet ?? {};
  const hasPapers = handed_out + (in_box ?? 0) > 0 || batches.length > 0;
  if (!hasPapers || no_more !== null || in_box === joined) return undefined;
  return { out: in_box ?? handed_out, joined };
}

/** Hides or shows the figures of a question after what happened to its papers. */
export function followPapers(tx: Tx, item: OfPapers): void {
  if (item.election_id === null) return;
  const papers_awaited = findAwaited(tx, item) ? 1 : 0;
  tx.run(build.updateTable('elections').set({ papers_awaited }).where('id', '=', item.election_id));
}

/** Why the chair does not wait for more papers. */
export const findNoMore = (reader: Reader, { id }: Pick<Item, 'id'>): string | null =>
  reader.first(build.selectFrom('paper_sheets').select('no_more').where('item_id', '=', id))?.no_more ?? null;

/** Notes why no more papers come; null: they came after all, and are waited for again. */
export function noteNoMore(tx: Tx, item: OfPapers, no_more: string | null): void {
  const row = { item_id: item.id, printed: null, returned: null, in_box: null, no_more };
  if (no_more !== null || findNoMore(tx, item) !== null)
    tx.run(
      build
        .insertInto('paper_sheets')
        .values(row)
        .onConflict((of) => of.column('item_id').doUpdateSet({ no_more })),
    );
  followPapers(tx, item);
}
