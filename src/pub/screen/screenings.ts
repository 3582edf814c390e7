import { build, type Tx } from '#kernel/writes.ts';

/** The screening that is under way, if any: what is heard now belongs to its film, not to the music of the house. */
export function openScreeningId(tx: Tx): string | undefined {
  return tx.first(OPEN)?.id;
}

const OPEN = build.selectFrom('screenings').select('id').where('closed_at', 'is', null).compile();
