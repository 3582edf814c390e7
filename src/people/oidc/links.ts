import type { Selectable } from 'kysely';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { OidcLinksTable } from '#kernel/db/schema.ts';
import { conflict, notFound } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';

export type Link = Selectable<OidcLinksTable>;

/** Finds the link of an account; undefined if it is not linked, or linked to a person who was erased. */
export function findLink(
  reader: Reader,
  { issuer, subject }: Pick<Link, 'issuer' | 'subject'>,
): Link | undefined {
  return reader.first(
    build
      .selectFrom('oidc_links')
      .innerJoin('persons', 'persons.id', 'person_id')
      .selectAll('oidc_links')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('erased_at', 'is', null),
  );
}

/** Returns the linked accounts of a person, the oldest first. */
export function listLinks(reader: Reader, personId: string): Link[] {
  return reader.all(
    build.selectFrom('oidc_links').selectAll().where('person_id', '=', personId).orderBy('created_at'),
  );
}

/**
 * Links an account to a person, in the transaction that proves both. An existing link to that person stays unchanged.
 * @returns the link, and whether it is new. @throws 409 when it belongs to somebody else
 */
export function linkAccount(
  tx: Tx,
  { issuer, subject }: Pick<Link, 'issuer' | 'subject'>,
  personId: string,
  actor: Actor,
): { link: Link; isNew: boolean } {
  const known = findLink(tx, { issuer, subject });
  if (known && known.person_id !== personId) throw conflict('account_of_another');
  if (known) return { link: known, isNew: false };
  // A remaining link belongs to a person who was erased.
  tx.run(build.deleteFrom('oidc_links').where('issuer', '=', issuer).where('subject', '=', subject));
  const link = { id: newId(actor.at), issuer, subject, person_id: personId, created_at: actor.at };
  tx.run(build.insertInto('oidc_links').values(link));
  const by = { ...actor, by: `person:${personId}` };
  recordAudit(tx, by, { action: 'oidc.linked', metadata: { person: personId } });
  return { link, isNew: true };
}

/** Removes a link, which also ends the sessions that it opened. @throws 404 */
export function unlinkAccount(tx: Tx, id: string, personId: string, actor: Actor): void {
  const own = build.deleteFrom('oidc_links').where('id', '=', id).where('person_id', '=', personId);
  if (tx.run(own) === 0) throw notFound('account_not_found');
  recordAudit(tx, actor, { action: 'oidc.unlinked', metadata: { person: personId } });
}
