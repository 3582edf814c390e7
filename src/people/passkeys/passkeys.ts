import type { Selectable } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import type { PasskeysTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { relyingParty } from './relying-party.ts';

export type Passkey = Selectable<PasskeysTable>;

/** Returns the passkeys of a person, the oldest first, including those for another host. */
export function listPasskeys(reader: Reader, personId: string): Passkey[] {
  return reader.all(
    build.selectFrom('passkeys').selectAll().where('person_id', '=', personId).orderBy('created_at'),
  );
}

/** Whether a person has a passkey for this host. */
export function hasPasskey({ config, db }: Context, personId: string): boolean {
  const party = relyingParty(config);
  return party !== undefined && listPasskeys(db, personId).some(({ rp_id }) => rp_id === party.id);
}

/** Removes a passkey, and with it the sessions that it opened. @returns its name. @throws 404 */
export async function removePasskey(
  ctx: Context,
  personId: string,
  id: string,
  actor: Actor,
): Promise<string> {
  return ctx.write((tx) => {
    const passkey = listPasskeys(tx, personId).find((own) => own.id === id);
    if (!passkey) throw notFound('passkey_not_found');
    tx.run(build.deleteFrom('passkeys').where('id', '=', id));
    recordAudit(tx, actor, { action: 'passkey.removed' });
    return passkey.name;
  });
}
