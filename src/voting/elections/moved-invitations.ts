import { type SqlBool, sql } from 'kysely';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { Issuer } from './issuers.ts';

/** Invitations that wait for the opening wait for the new one. */
export function moveInvitations(tx: Tx, { id, open_at }: Pick<Issuer, 'id' | 'open_at'>): void {
  tx.run(
    build
      .updateTable('outbox')
      .set({ due_at: open_at })
      .where('ref', 'in', build.selectFrom('invites').select('id').where('election_id', '=', id))
      .where('kind', '=', 'invitation')
      .where('state', '=', 'WAITING')
      .where('put_off_at', 'is', null)
      .where(sql<SqlBool>`facts ->> 'waits' = 1`),
  );
}
