import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Selectable } from 'kysely';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/db/queries.ts';
import type { SessionsTable } from '#kernel/db/schema.ts';
import { networkOf } from '#kernel/http/client.ts';
import { cookieName, readCookie, setCookie } from '#kernel/http/cookies.ts';
import { header } from '#kernel/http/http.ts';
import { sha256 } from '#kernel/secrets.ts';
import { findRoles } from './person-roles.ts';

export const SESSION_COOKIE = 'publichouse';

/** How long a session may be unused, and how long it lasts in all. Shorter for people with a role. */
const LIVES = {
  member: { idle: 30 * DAY, absolute: 180 * DAY },
  staff: { idle: 7 * DAY, absolute: 30 * DAY },
};
/** How long sessions without `stay` may be unused. */
const IDLE_WITHOUT_STAY = 12 * HOUR;
/** How long a proof allows dangerous acts (sudo). */
const SUDO_FOR = 10 * MINUTE;
/** How old `seen_at` may get before a request updates it, so that not every request writes. */
const SEEN_EVERY = 15 * MINUTE;
/** Most sessions of one person; past that the least recently used is deleted. */
const SESSIONS_AT_MOST = 20;

export type Session = Selectable<SessionsTable>;

/** What a session stores about the browser. */
export type Device = Pick<Session, 'browser' | 'network'>;

/** A signed-in person with their current roles. */
export interface SignedIn {
  session: Session;
  /** `language`: the one that they have chosen, offered or not; null if none. */
  person: { id: string; name: string; language: string | null };
  roles: string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The person of its session as `findSignedIn` last found them: for the language of the answer, never for rights. */
    sessionPerson?: SignedIn['person'];
  }
}

export interface NewSession extends Pick<Session, 'person_id' | 'method' | 'address_id' | 'credential_at'> {
  stay: boolean;
  browser: string;
  network: string;
  passkey_id?: string;
  oidc_link?: string | null;
}

/** Stores a session, in the transaction that accepts its proof. @returns the token for the cookie: 256 random bits */
export function createSession(tx: Tx, { stay, ...made }: NewSession, now: number): string {
  // The officer who made the link may open it themselves: without sudo it cannot change the sign-in methods.
  const sudo_until = made.method === 'officer' ? now : now + SUDO_FOR;
  const token = randomBytes(32).toString('base64url');
  tx.run(
    build.insertInto('sessions').values({
      ...made,
      token_hash: sha256(token),
      id: randomUUID(),
      stay: stay ? 1 : 0,
      created_at: now,
      seen_at: now,
      sudo_until,
    }),
  );
  const surplus = build
    .selectFrom('sessions')
    .select('token_hash')
    .where('person_id', '=', made.person_id)
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(-1)
    .offset(SESSIONS_AT_MOST);
  tx.run(build.deleteFrom('sessions').where('token_hash', 'in', surplus));
  return token;
}

/** Gives a session a new token after a fresh proof. @returns the token */
export function renewSession(tx: Tx, { token_hash }: Session, now: number): string {
  const token = randomBytes(32).toString('base64url');
  const renewed = { token_hash: sha256(token), sudo_until: now + SUDO_FOR, seen_at: now };
  tx.run(build.updateTable('sessions').set(renewed).where('token_hash', '=', token_hash));
  return token;
}

/** Sets the session cookie: for the longest life of a session, or until the browser is closed. */
export function setSessionCookie(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  stay: boolean,
): void {
  const maxAge = stay ? LIVES.member.absolute : undefined;
  setCookie(ctx, request, reply, { name: SESSION_COOKIE, value: token, maxAge });
}

const sessionByToken = prepare((p: { token_hash: string }) =>
  build.selectFrom('sessions').selectAll().where('token_hash', '=', p.token_hash),
);
const nameOf = prepare((p: { id: string }) =>
  build.selectFrom('persons').select(['id', 'name', 'language', 'erased_at']).where('id', '=', p.id),
);

/** The person of the request's session. Roles are read each time, so that a removed one ends at once. */
export function findSignedIn(ctx: Context, request: FastifyRequest): SignedIn | undefined {
  const signedIn = readSignedIn(ctx, request);
  if (signedIn && ctx.now() - signedIn.session.seen_at >= SEEN_EVERY) noteSeen(ctx, signedIn.session);
  return signedIn;
}

/**
 * As `findSignedIn`, and writes nothing: a page of a ballot must not note when its person was seen, which is when they
 * voted.
 */
export function readSignedIn(ctx: Context, request: FastifyRequest): SignedIn | undefined {
  const token = readCookie(request, cookieName(ctx, request, SESSION_COOKIE));
  if (token === undefined) return undefined;
  const session = ctx.db.first(sessionByToken({ token_hash: sha256(token) }));
  const person = session && ctx.db.first(nameOf({ id: session.person_id }));
  if (!session || !person || person.erased_at !== null) return undefined;
  const now = ctx.now();
  const roles = findRoles(ctx.db, person.id, now);
  if (!isAlive(session, roles.length > 0, now)) return undefined;
  const { id, name, language } = person;
  request.sessionPerson = { id, name, language };
  return { session, person: request.sessionPerson, roles };
}

/** Whether a session is valid. Computed on each read, so that a new role shortens a session at once. */
function isAlive({ created_at, seen_at, stay }: Session, isStaff: boolean, now: number): boolean {
  const { idle, absolute } = isStaff ? LIVES.staff : LIVES.member;
  const mayIdle = stay === 1 ? idle : Math.min(idle, IDLE_WITHOUT_STAY);
  return now - seen_at <= mayIdle && now - created_at <= absolute;
}

/** How long ended sessions are kept. */
const ENDED_KEPT = 30 * DAY;

/** Deletes the sessions that ended at least 30 days ago, see `isAlive`. */
export function deleteEndedSessions(tx: Tx, now: number): void {
  const before = now - ENDED_KEPT;
  const staff = build
    .selectFrom('person_roles')
    .select('person_id')
    .where((is) => is.or([is('until', 'is', null), is('until', '>', now)]));
  tx.run(
    build
      .deleteFrom('sessions')
      .where((is) =>
        is.or([
          is('seen_at', '<', before - LIVES.member.idle),
          is('created_at', '<', before - LIVES.member.absolute),
          is('stay', '=', 0).and('seen_at', '<', before - IDLE_WITHOUT_STAY),
          is('person_id', 'in', staff).and('seen_at', '<', before - LIVES.staff.idle),
          is('person_id', 'in', staff).and('created_at', '<', before - LIVES.staff.absolute),
        ]),
      ),
  );
}

function noteSeen(ctx: Context, { token_hash }: Session): void {
  const seen = build.updateTable('sessions').set({ seen_at: ctx.now() }).where('token_hash', '=', token_hash);
  ctx
    .write((tx) => tx.run(seen))
    .catch((err: unknown) => ctx.log.warn({ err }, 'a session was not noted as seen'));
}

/** Ends sessions of one person: one by its id, all but one, or all. @returns how many */
export function endSessions(
  tx: Tx,
  personId: string,
  { id, except }: { id?: string; except?: string },
): number {
  let ended = build.deleteFrom('sessions').where('person_id', '=', personId);
  if (id !== undefined) ended = ended.where('id', '=', id);
  if (except !== undefined) ended = ended.where('id', '<>', except);
  return tx.run(ended);
}

/** The valid sessions of a person, most recently used first. */
export function listSessions(ctx: Context, personId: string): Session[] {
  const now = ctx.now();
  const isStaff = findRoles(ctx.db, personId, now).length > 0;
  const own = build
    .selectFrom('sessions')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('seen_at', 'desc');
  return ctx.db.all(own).filter((session) => isAlive(session, isStaff, now));
}

/** Describes a request for a list of devices: the family of its browser and the network it came from. */
export function deviceOf(request: FastifyRequest): Device {
  return { browser: browserOf(header(request, 'user-agent') ?? ''), network: networkOf(request.client) };
}

/** What is stored of a browser that is not known. */
export const OTHER_BROWSER = 'another browser';

const BROWSERS: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS|Chromium/],
  ['Safari', /Safari/],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux/],
];

function browserOf(agent: string): string {
  const found = (list: [string, RegExp][]) => list.find(([, sign]) => sign.test(agent))?.[0];
  const parts = [found(BROWSERS), found(SYSTEMS)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(', ') : OTHER_BROWSER;
}
