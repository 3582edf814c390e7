import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { createSession, type Device } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import type { Reader, Tx } from '#kernel/db/queries.ts';
import { forbidden } from '#kernel/http/errors.ts';
import { deleteFlow, type Flow, keepAccount } from './flows.ts';
import { findLink, type Link, linkAccount, listLinks } from './links.ts';
import type { Account } from './provider.ts';

/** The outcome: a session, a link between the account and the signed-in person, or an account not linked yet. */
export type Arrival =
  | { kind: 'session'; token: string; next: string | null; stay: boolean; linked?: string }
  | { kind: 'linked'; person: string; isNew: boolean }
  | { kind: 'unknown' };

export interface Arriving {
  /** The person signed in in this browser. */
  person: string | undefined;
  device: Device;
  actor: Actor;
}

/**
 * Signs in the person linked to an account, or links it to the person who asked for that. Never creates a person.
 * @throws 403 when another person is signed in than the one who began linking, 409 when it is linked to somebody else
 */
export function arrive(ctx: Context, flow: Flow, account: Account, arriving: Arriving): Promise<Arrival> {
  const { link_person_id: linkFor } = flow;
  return ctx.write((tx): Arrival => {
    const { actor } = arriving;
    if (linkFor !== null) {
      if (arriving.person !== linkFor) throw forbidden('another_signed_in');
      const { isNew } = linkAccount(tx, account, linkFor, actor);
      deleteFlow(tx, flow);
      return { kind: 'linked', person: linkFor, isNew };
    }
    const known = findLink(tx, account);
    const found = known ?? linkByEmail(ctx, tx, account, actor);
    if (!found) {
      keepAccount(tx, flow, account, actor.at);
      return { kind: 'unknown' };
    }
    const token = openSession(tx, flow, found, arriving);
    const session = { kind: 'session', token, next: flow.next, stay: flow.stay === 1 } as const;
    return known ? session : { ...session, linked: found.person_id };
  });
}

/** Links an account by its verified address, if `OIDC_TRUST_EMAIL` is set and exactly one person has the address. */
function linkByEmail({ config }: Context, tx: Tx, account: Account, actor: Actor): Link | undefined {
  const { email, emailVerified } = account;
  if (!config.OIDC_TRUST_EMAIL || !emailVerified || email === undefined) return undefined;
  const [only, ...others] = listPeopleOf(tx, email);
  if (!only || others.length > 0 || hasLinkAt(tx, only.id, account.issuer)) return undefined;
  return linkAccount(tx, account, only.id, actor).link;
}

const hasLinkAt = (reader: Reader, personId: string, issuer: string): boolean =>
  listLinks(reader, personId).some((link) => link.issuer === issuer);

function openSession(
  tx: Tx,
  flow: Flow,
  { id, person_id, created_at }: Link,
  { device, actor }: Arriving,
): string {
  deleteFlow(tx, flow);
  const by = { ...actor, by: `person:${person_id}` };
  recordAudit(tx, by, { action: 'session.opened', metadata: { method: 'oidc' } });
  const proof = { method: 'oidc', address_id: null, credential_at: created_at, oidc_link: id } as const;
  return createSession(tx, { person_id, ...proof, stay: flow.stay === 1, ...device }, actor.at);
}
