import { randomBytes, randomUUID } from 'node:crypto';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { sameSecret, sha256 } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { codeMac, parseTypedCode } from './codes.ts';
import {
  CODE_LENGTH,
  CODE_LIVES,
  codeRefused,
  completeSignIn,
  live,
  openSession,
  type Proof,
  type Proved,
  PURPOSE,
  type SignIn,
  TRIES,
} from './sign-in.ts';

/** Finds the sign-in of a link while it is valid, without using it up. */
export function findByLink(ctx: Context, link: string): SignIn | undefined {
  return ctx.db.first(live(ctx.now()).where('link_hash', '=', hashOfLinkToken(link)));
}

/** Whether this browser requested the sign-in; there a link needs no code. */
export function isAsker({ browser_hash }: SignIn, browser: string | undefined): boolean {
  return browser !== undefined && sha256(browser) === browser_hash;
}

/**
 * Signs in by a link: without a code in the browser that requested it, elsewhere only with the code of the same mail,
 * because mail scanners open links and press buttons.
 * @throws 401 with the same message for every reason
 */
export async function signInByLink(
  ctx: Context,
  { t, code: text }: { t: string; code?: string | undefined },
  proof: Proof,
): Promise<Proved> {
  const code = text === undefined ? undefined : parseTypedCode(text, CODE_LENGTH);
  const proved = await ctx.write((tx) => {
    const row = tx.first(
      live(ctx.now()).where('link_hash', '=', hashOfLinkToken(t)).where('link_tries', '<', TRIES),
    );
    if (!row) return undefined;
    if (row.person_id !== null) {
      if (!findPerson(tx, row.person_id)) return undefined;
      return openSession(ctx, tx, row, { personId: row.person_id, method: 'officer' }, proof);
    }
    if (row.link_alone === 1) return completeSignIn(ctx, tx, row, 'shell', proof);
    if (isAsker(row, proof.browser)) return completeSignIn(ctx, tx, row, 'link', proof);
    if (code === undefined) return undefined;
    tx.run(
      build
        .updateTable('sign_ins')
        .set((of) => ({ link_tries: of('link_tries', '+', 1) }))
        .where('id', '=', row.id),
    );
    const fits = sameSecret(codeMac(ctx.secretKey, PURPOSE, row.id, code), row.code_mac);
    return fits ? completeSignIn(ctx, tx, row, 'code', proof) : undefined;
  });
  if (!proved) throw codeRefused();
  return proved;
}

/** Describes for the page who is signed in by a link: the address, or the name of the person it was made for. */
export function describeSignIn(reader: Reader, { email, person_id }: SignIn): string {
  return person_id === null ? email : (findPerson(reader, person_id)?.name ?? '');
}

/** Finds a person who was not erased. */
const findPerson = (reader: Reader, id: string) =>
  reader.first(
    build.selectFrom('persons').select('name').where('id', '=', id).where('erased_at', 'is', null),
  );

/**
 * Creates a sign-in link for somebody whose mail does not arrive: valid once, for 15 minutes, in any browser. Only for
 * the server's shell.
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
 * Creates such a link for a person, with or without an address, on behalf of an officer. Its session is marked
 * `officer`: it cannot open ballots, and does not count as a fresh proof for dangerous acts.
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
      id: randomUUID(),
      browser_hash: '',
      link_hash: sha256(link),
      code_mac: '',
      ...whose,
      next: null,
      stay: 0,
      link_alone: 1,
      ...times,
    }),
  );
  recordAudit(tx, actor, { action: 'sign_in.link_made', metadata: { person } });
  return `/sign-in/link?t=${link}`;
}
