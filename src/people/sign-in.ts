import { createHmac, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { createSession, type Device } from '#kernel/access/sessions.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { SignInsTable } from '#kernel/db/schema.ts';
import { AppError } from '#kernel/http/errors.ts';
import { deriveKey, sameSecret, sha256 } from '#kernel/secrets.ts';
import { codeMac, derivedCode, parseTypedCode } from './codes.ts';
import { linkAccount } from './oidc/links.ts';
import { tidy } from './short-lived.ts';

/** How long a code and its link work: mail may be delayed by greylisting. */
export const CODE_LIVES = 15 * MINUTE;
export const CODE_LENGTH = 8;
/** Tries per code: with 40 bits, five guesses succeed once in 200 billion. */
export const TRIES = 5;
/** Requests for a code at once for one browser; a typed code is compared with no others. */
const ASKS_AT_MOST = 5;
export const PURPOSE = 'sign-in codes';

export type SignIn = Selectable<SignInsTable>;

/** The contents of the mail; the service stores only hashes of the code and the link, and derives them from the id. */
export interface SignInMail {
  id: string;
  email: string;
  code: string;
  /** The path of the mailed link. */
  link: string;
  asked_at: number;
  expires_at: number;
}

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About a row of `sign_ins`. `account` names the provider whose account the code links. */
    'sign-in-code': { origin: string; hasLink: boolean; account?: string | undefined };
  }
}

export interface CodeAsk {
  email: string;
  next: string | null;
  stay: boolean;
  account?: { issuer: string; subject: string };
}

/**
 * Stores a request for a code, whether the address is known or not, so that the client cannot tell.
 * @param browser the value of the browser's ask cookie
 * @param account an account at the OpenID provider that the code links to the person
 */
export async function askForCode(
  ctx: Context,
  { email, next, stay, account }: CodeAsk,
  browser: string,
): Promise<SignInMail> {
  const now = ctx.now();
  const id = randomUUID();
  const { code, link } = secretsOf(ctx, id);
  const browser_hash = sha256(browser);
  const expires_at = now + CODE_LIVES;
  const own = build.selectFrom('sign_ins').where('browser_hash', '=', browser_hash);
  await ctx.write((tx) => {
    tx.run(
      build.insertInto('sign_ins').values({
        id,
        browser_hash,
        link_hash: sha256(link),
        email,
        next,
        stay: stay ? 1 : 0,
        code_mac: codeMac(ctx.secretKey, PURPOSE, id, code),
        created_at: now,
        expires_at,
        used_at: null,
        oidc_issuer: account?.issuer ?? null,
        oidc_subject: account?.subject ?? null,
      }),
    );
    const newest = own.select('id').orderBy('created_at', 'desc').orderBy('id');
    tx.run(build.deleteFrom('sign_ins').where('id', 'in', newest.limit(-1).offset(ASKS_AT_MOST)));
    tidy(tx, 'sign_ins', now);
  });
  return { id, email, code, link: `/sign-in/link?t=${link}`, asked_at: now, expires_at };
}

function secretsOf({ secretKey }: Context, id: string): { code: string; link: string } {
  const link = createHmac('sha256', deriveKey(secretKey, 'sign-in links')).update(id).digest('base64url');
  return { code: derivedCode(secretKey, PURPOSE, id, CODE_LENGTH), link };
}

/** The mail of a request; undefined once its code was used or has expired. */
export function findSignInMail(ctx: Context, id: string): SignInMail | undefined {
  const asked = ctx.db.first(live(ctx.now()).where('id', '=', id));
  if (!asked) return undefined;
  const { code, link } = secretsOf(ctx, id);
  const { email, created_at: asked_at, expires_at } = asked;
  return { id, email, code, link: `/sign-in/link?t=${link}`, asked_at, expires_at };
}

/** The same refusal for a wrong, an expired and a used code. */
export const codeRefused = () => new AppError(401, 'code_wrong');

/** The outcome of a valid proof: a session, or the people of a shared address to choose from. */
export type Proved =
  | {
      token: string;
      next: string | null;
      stay: boolean;
      /** The id of the person if an account at the OpenID provider was linked to them. */
      linked?: string;
    }
  | { choose: { id: string; name: string }[] };

type Method = 'code' | 'link' | 'shell' | 'officer';

/** The request with which a code or link was sent. */
export interface Proof {
  browser: string | undefined;
  stay: boolean;
  device: Device;
  actor: Actor;
}

/**
 * Signs in by a code in the browser that requested it. Input that is not a code of eight characters is not counted.
 * @throws 401 with the same message for every reason
 */
export async function signInByCode(ctx: Context, text: string, proof: Proof): Promise<Proved> {
  const proved = await useCode(ctx, text, proof.browser, (tx, row) =>
    completeSignIn(ctx, tx, row, 'code', proof),
  );
  if (!proved) throw codeRefused();
  return proved;
}

/** Counts a try, and runs `then` in the same transaction if the code is right. @returns undefined if it is wrong */
export async function useCode<T>(
  ctx: Context,
  text: string,
  browser: string | undefined,
  then: (tx: Tx, row: SignIn) => T,
): Promise<T | undefined> {
  const code = parseTypedCode(text, CODE_LENGTH);
  if (code === undefined || browser === undefined) return undefined;
  const open = () =>
    live(ctx.now())
      .where('browser_hash', '=', sha256(browser))
      .where('tries', '<', TRIES)
      .orderBy('created_at', 'desc')
      .limit(ASKS_AT_MOST);
  // Compared before the transaction, which other writes wait for; inside it only what is still open counts.
  const asked = ctx.db.all(open());
  const fits = asked.find((one) => sameSecret(codeMac(ctx.secretKey, PURPOSE, one.id, code), one.code_mac));
  if (asked.length === 0) return undefined;
  // A wrong code must not throw inside the transaction: that would roll back the count of tries.
  return ctx.write((tx) => {
    const rows = tx.all(open());
    const ids = rows.map(({ id }) => id);
    tx.run(
      build
        .updateTable('sign_ins')
        .set((of) => ({ tries: of('tries', '+', 1) }))
        .where('id', 'in', ids),
    );
    const row = rows.find(({ id }) => id === fits?.id);
    if (!row) return undefined;
    tx.run(build.updateTable('sign_ins').set({ used_at: ctx.now() }).where('id', '=', row.id));
    return then(tx, row);
  });
}

/** The people to choose from in this browser, after the code of a shared address was entered. */
export function listChoices(ctx: Context, browser: string | undefined): { id: string; name: string }[] {
  const row = browser === undefined ? undefined : ctx.db.first(proven(ctx.now(), browser));
  return row ? listPeopleOf(ctx.db, row.email) : [];
}

/** Signs in one of the people of a shared address. @throws 401 without a proof, or for anybody else */
export async function choosePerson(ctx: Context, personId: string, proof: Proof): Promise<Proved> {
  const { browser } = proof;
  const proved = await ctx.write((tx) => {
    const row = browser === undefined ? undefined : tx.first(proven(ctx.now(), browser));
    if (!row || !listPeopleOf(tx, row.email).some(({ id }) => id === personId)) return undefined;
    // A link from the server's shell proves less than a mailed code, also at a shared address.
    const method = row.link_alone === 1 ? 'shell' : 'code';
    return openSession(ctx, tx, row, { personId, method }, proof);
  });
  if (!proved) throw codeRefused();
  return proved;
}

/** The address that was entered last in this browser, while its code is valid. */
export function findAskedAddress(ctx: Context, browser: string): string | undefined {
  const own = live(ctx.now()).where('browser_hash', '=', sha256(browser));
  return ctx.db.first(own.orderBy('created_at', 'desc'))?.email;
}

/** Selects valid sign-ins. Those from the future were stored before the clock was set back, and are excluded. */
export function live(now: number) {
  return build
    .selectFrom('sign_ins')
    .selectAll()
    .where('used_at', 'is', null)
    .where('created_at', '<=', now)
    .where('expires_at', '>', now);
}

/** Selects the sign-in whose code was entered in this browser, while the person still has to be chosen. */
function proven(now: number, browser: string) {
  return build
    .selectFrom('sign_ins')
    .selectAll()
    .where('browser_hash', '=', sha256(browser))
    .where('used_at', '<=', now)
    .where('expires_at', '>', now);
}

/** Uses up a proved sign-in, deletes the others of its browser and address, and opens a session or offers a choice. */
export function completeSignIn(
  ctx: Context,
  tx: Tx,
  row: SignIn,
  method: Method,
  proof: Proof,
): Proved | undefined {
  const people = listPeopleOf(tx, row.email);
  const [only] = people;
  if (!only) return undefined;
  tx.run(build.updateTable('sign_ins').set({ used_at: ctx.now() }).where('id', '=', row.id));
  // Only for the same address: a code entered elsewhere must not end the browser's requests for other addresses.
  const others = build.deleteFrom('sign_ins').where('browser_hash', '=', row.browser_hash);
  tx.run(others.where('id', '<>', row.id).where('email', '=', row.email));
  if (people.length === 1) return openSession(ctx, tx, row, { personId: only.id, method }, proof);
  // The choice is made in the browser in which the code was entered.
  const browser_hash = sha256(proof.browser ?? '');
  tx.run(build.updateTable('sign_ins').set({ browser_hash }).where('id', '=', row.id));
  return { choose: people };
}

/** Opens a session for the proved person, and deletes the sign-in. */
export function openSession(
  ctx: Context,
  tx: Tx,
  row: SignIn,
  { personId, method }: { personId: string; method: Method },
  { stay, device, actor }: Proof,
): Proved {
  const now = ctx.now();
  const own = tx.first(
    build
      .selectFrom('addresses')
      .select(['id', 'added_at'])
      .where('person_id', '=', personId)
      .where('email', '=', row.email),
  );
  tx.run(build.deleteFrom('sign_ins').where('id', '=', row.id));
  tx.run(
    build
      .updateTable('addresses')
      .set({ verified_at: now })
      .where('id', '=', own?.id ?? '')
      .where('verified_at', 'is', null),
  );
  const by = { ...actor, by: `person:${personId}` };
  const { oidc_issuer: issuer, oidc_subject: subject } = row;
  const made =
    issuer !== null && subject !== null ? linkAccount(tx, { issuer, subject }, personId, by) : undefined;
  // A link made by somebody else proves less than a code mailed to the person, so its credential counts as new.
  const since =
    made?.link.created_at ?? (method === 'shell' || method === 'officer' ? now : (own?.added_at ?? now));
  const stays = stay || row.stay === 1;
  const proof = {
    method: made ? ('oidc' as const) : method,
    address_id: own?.id ?? null,
    credential_at: since,
    oidc_link: made?.link.id ?? null,
  };
  const token = createSession(tx, { person_id: personId, ...proof, stay: stays, ...device }, now);
  recordAudit(tx, by, { action: 'session.opened', metadata: { method: proof.method } });
  return { token, next: row.next, stay: stays, ...(made?.isNew && { linked: personId }) };
}

/** Deletes expired sign-ins, passkey challenges and OpenID flows. */
export async function deleteExpiredSignIns(ctx: Context): Promise<void> {
  await ctx.write((tx) => {
    for (const table of ['sign_ins', 'passkey_challenges', 'oidc_flows'] as const)
      tx.run(build.deleteFrom(table).where('expires_at', '<=', ctx.now()));
  });
}
