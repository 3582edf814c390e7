import { randomBytes, randomUUID } from 'node:crypto';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { sameSecret, sha256 } from '#kernel/secrets.ts';
import { codeMac, parseTypedCode } from './codes.ts';
import {
  CODE_LENGTH,
  CODE_LIVES,
  codeRefused,
  complete,
  live,
  openSession,
  type Proof,
  type Proved,
  PURPOSE,
  type SignIn,
  TRIES,
} from './sign-in.ts';

/** The ask behind a mailed link, while it works; nothing is changed. */
export function findByLink(ctx: Context, link: string): SignIn | undefined {
  return ctx.db.first(live(ctx.now()).where('link_hash', '=', sha256(link)));
}

/** Whether this browser is the one that asked: there a link signs in without its code. */
export function isAsker({ browser_hash }: SignIn, browser: string | undefined): boolean {
  return browser !== undefined && sha256(browser) === browser_hash;
}

/**
 * Signs in by a mailed link: alone in the browser that asked, elsewhere with the code of the same mail. Mail scanners
 * open links and press buttons.
 * @throws 401 in the same words for whatever does not fit
 */
export async function signInByLink(
  ctx: Context,
  { t, code: text }: { t: string; code?: string | undefined },
  proof: Proof,
): Promise<Proved> {
  const code = text === undefined ? undefined : parseTypedCode(text, CODE_LENGTH);
  const proved = await ctx.write((tx) => {
    const row = tx.first(live(ctx.now()).where('link_hash', '=', sha256(t)).where('link_tries', '<', TRIES));
    if (!row) return undefined;
    if (row.person_id !== null) {
      if (!findPerson(tx, row.person_id)) return undefined;
      return openSession(ctx, tx, row, { personId: row.person_id, method: 'officer' }, proof);
    }
    if (row.link_alone === 1) return complete(ctx, tx, row, 'shell', proof);
    if (isAsker(row, proof.browser)) return complete(ctx, tx, row, 'link', proof);
    if (code === undefined) return undefined;
    tx.run(
      build
        .updateTable('sign_ins')
        .set((of) => ({ link_tries: of('link_tries', '+', 1) }))
        .where('id', '=', row.id),
    );
    const fits = sameSecret(codeMac(ctx.secretKey, PURPOSE, row.id, code), row.code_mac);
    return fits ? complete(ctx, tx, row, 'code', proof) : undefined;
  });
  if (!proved) throw codeRefused();
  return proved;
}

/** Whom a link signs in, as its page says: an address, or the name of the person it was made for. */
export function signsIn(reader: Reader, { email, person_id }: SignIn): string {
  return person_id === null ? email : (findPerson(reader, person_id)?.name ?? '');
}

/** Somebody who was not erased. */
const findPerson = (reader: Reader, id: string) =>
  reader.first(
    build.selectFrom('persons').select('name').where('id', '=', id).where('erased_at', 'is', null),
  );

/**
 * Makes a link for somebody whose mail does not arrive: 15 minutes, once, in any browser. For the server's shell alone.
 * @returns its path. @throws Error when nobody has the address
 */
export async function makeSignInLink(
  { db, write }: Pick<Context, 'db' | 'write'>,
  email: string,
  actor: Actor,
): Promise<string> {
  const [person] = listPeopleOf(db, email);
  if (!person) throw new Error(`${email}: nobody has this address`);
  return write((tx) => storeLink(tx, { email, person_id: null }, person.id, actor));
}

/**
 * Makes such a link for a person, with or without an address, by an officer. The session that it opens counts as made by
 * an officer: it opens no ballot, and confirms no dangerous act.
 * @returns its path
 */
export function makeOfficerLink(ctx: Context, personId: string, actor: Actor): Promise<string> {
  return ctx.write((tx) => storeLink(tx, { email: '', person_id: personId }, personId, actor));
}

function storeLink(
  tx: Tx,
  whose: { email: string; person_id: string | null },
  person: string,
  actor: Actor,
): string {
  const link = randomBytes(32).toString('base64url');
  const times = { created_at: actor.at, expires_at: actor.at + CODE_LIVES, used_at: null };
  tx.run(
    build.insertInto('sign_ins').values({
      ...{ id: randomUUID(), browser_hash: '', link_hash: sha256(link), code_mac: '', ...whose },
      ...{ next: null, stay: 0, link_alone: 1, ...times },
    }),
  );
  recordAudit(tx, actor, { action: 'sign_in.link_made', metadata: { person } });
  return `/sign-in/link?t=${link}`;
}
