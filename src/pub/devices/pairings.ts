import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PairingsTable } from '#kernel/db/schema.ts';
import { clientHash } from '#kernel/http/client.ts';
import { AppError, conflict, notFound, tooManyRequests } from '#kernel/http/errors.ts';
import { EVERYBODY, type Limit } from '#kernel/http/rate-limit.ts';
import { newCode, newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { newTypedCode, parseTypedCode } from '#people/codes.ts';
import type { ScreenPage } from './screen-record.ts';

export const CODE_LENGTH = 6;
export const CODE_LIVES = 10 * MINUTE;
/** How often a screen asks whether its code was used. */
export const POLL_EVERY = 5 * SECOND;
/** What is left for its next question if a code is used in its last seconds. */
const DELIVERED_WITHIN = MINUTE;
/** How long it is known that a code has ended. */
const KEPT_FOR = 10 * MINUTE;
const OF_A_CLIENT = 5;
const IN_ALL = 200;
/** Ended ones too: more than every client together may ask for. */
const ROWS_AT_MOST = 4_000;
const WRONG_CODES = 10;

type Pairing = Selectable<PairingsTable>;

/** What a screen gets to show and to ask with. */
export interface NewPairing {
  code: string;
  secret: string;
}

/** The same with its times in seconds: how long the code lives, and how often to ask. */
export type PairingJson = NewPairing & { expires_in: number; interval: number };

const alive = (now: number) =>
  build.selectFrom('pairings').selectAll().where('screen_id', 'is', null).where('expires_at', '>', now);

/** Makes a code for a screen. A client has five, and all together have 200: then the oldest of one ends. */
export async function startPairing(ctx: Context, client: string): Promise<NewPairing> {
  const now = ctx.now();
  const secret = newCode();
  const code = await ctx.write((tx) => {
    const of = clientHash(ctx, client, 'addresses of screens');
    deleteOld(tx, now);
    endSurplus(tx, of, now);
    return insertPairing(tx, { secret_hash: sha256(secret), client: of, screen_id: null }, now);
  });
  return { code, secret };
}

/**
 * Gives a screen the code that staff made for it (see `makeCodeFor`), so that its next question is answered with its
 * identity. Nobody has to be signed in for this, so wrong codes are counted for each client and for all.
 * @throws 404, 429
 */
export async function takePairing(ctx: Context, client: string, text: string): Promise<NewPairing> {
  const now = ctx.now();
  const window = CODE_LIVES;
  const limits: Limit[] = [
    { name: 'wrong codes of screens', client, limit: WRONG_CODES, window },
    { name: 'wrong codes of all screens', client: EVERYBODY, limit: 20 * WRONG_CODES, window },
  ];
  for (const limit of limits) {
    const { allowed, resetAt } = ctx.limiter.look(limit);
    if (!allowed) throw tooManyRequests('too_many_pairing_codes', resetAt - now);
  }
  const code = parseTypedCode(text, CODE_LENGTH);
  const secret = newCode();
  const taken = await ctx.write((tx) =>
    tx.run(
      build
        .updateTable('pairings')
        .set({ secret_hash: sha256(secret) })
        .where('code', '=', code ?? '')
        .where('secret_hash', 'is', null)
        .where('expires_at', '>', now),
    ),
  );
  if (taken === 0 || code === undefined) {
    for (const limit of limits) ctx.limiter.count(limit);
    throw notFound('pairing_code_unknown');
  }
  return { code, secret };
}

/** Ends what would be too many codes with one more. */
function endSurplus(tx: Tx, client: string, now: number): void {
  const live = tx.all(alive(now).where('client', 'is not', null).orderBy('made_at').orderBy('id'));
  const own = live.filter((one) => one.client === client);
  const [oldest] = own.length >= OF_A_CLIENT ? own : live.length >= IN_ALL ? ofTheGreediest(live) : [];
  if (oldest) tx.run(build.updateTable('pairings').set({ expires_at: now }).where('id', '=', oldest.id));
}

/** The codes of the client that has the most, so that nobody with many codes takes the only one of another. */
function ofTheGreediest(live: readonly Pairing[]): Pairing[] {
  const byClient = [...Map.groupBy(live, ({ client }) => client).values()];
  return byClient.reduce((most, some) => (some.length > most.length ? some : most), []);
}

/** Strangers make rows: what has ended is deleted with each new one. */
function deleteOld(tx: Tx, now: number): void {
  tx.run(build.deleteFrom('pairings').where('expires_at', '<=', now - KEPT_FOR));
  tx.run(
    sql`DELETE FROM pairings WHERE id IN (
    SELECT id FROM pairings WHERE expires_at <= ${now} ORDER BY expires_at DESC LIMIT -1 OFFSET ${ROWS_AT_MOST})`.compile(
      build,
    ),
  );
}

function insertPairing(
  tx: Tx,
  row: Pick<Pairing, 'secret_hash' | 'client' | 'screen_id'>,
  now: number,
): string {
  let code = newTypedCode(CODE_LENGTH);
  while (tx.first(build.selectFrom('pairings').select('id').where('code', '=', code)))
    code = newTypedCode(CODE_LENGTH);
  const pairing = { ...row, id: newRandomId(), code, made_at: now, expires_at: now + CODE_LIVES };
  tx.run(build.insertInto('pairings').values({ ...pairing, delivered_at: null }));
  return code;
}

/** A code for a screen that waits to be paired; former ones for it end. */
export function makeCodeFor(tx: Tx, screen: string, now: number): string {
  tx.run(build.deleteFrom('pairings').where('screen_id', '=', screen).where('delivered_at', 'is', null));
  return insertPairing(tx, { secret_hash: null, client: null, screen_id: screen }, now);
}

/** Uses the code that a screen shows. @throws 404 for one that no screen shows, 409 for a used one */
export function useCode(tx: Tx, code: string, screen: string, now: number): void {
  const row = findShown(tx, code, now);
  tx.run(build.deleteFrom('pairings').where('screen_id', '=', screen).where('delivered_at', 'is', null));
  const expires_at = Math.max(row.expires_at, now + DELIVERED_WITHIN);
  tx.run(build.updateTable('pairings').set({ screen_id: screen, expires_at }).where('id', '=', row.id));
}

/** @throws 404, 409 */
function findShown(reader: Reader, code: string, now: number): Pairing {
  const rows = reader.all(build.selectFrom('pairings').selectAll().where('code', '=', code));
  const live = rows.find(({ screen_id, expires_at }) => screen_id === null && expires_at > now);
  if (live) return live;
  if (rows.some(({ screen_id }) => screen_id !== null)) throw conflict('pairing_code_used');
  throw notFound('pairing_code_unknown');
}

/**
 * Reads a code that a person typed or scanned, and counts it against them if no screen shows it.
 * @throws 404, 409, 429 after ten wrong codes in ten minutes
 */
export function readCode(ctx: Context, text: string, { person, by, ip, at }: Actor): string {
  const of = {
    name: 'wrong pairing codes',
    client: person ?? by ?? ip,
    limit: WRONG_CODES,
    window: CODE_LIVES,
  };
  const { allowed, resetAt } = ctx.limiter.look(of);
  if (!allowed) throw tooManyRequests('too_many_pairing_codes', resetAt - at);
  const code = parseTypedCode(text, CODE_LENGTH) ?? '';
  try {
    findShown(ctx.db, code, at);
    return code;
  } catch (error) {
    if (error instanceof AppError && error.statusCode === 404)
      ctx.limiter.hit(of.name, of.client, of.limit, of.window);
    throw error;
  }
}

/** What a screen that asks is told: to wait, or once its identity and its page. */
export type Polled = 'waiting' | { secret: string; page: ScreenPage };

/** Fifteen questions a minute: three more than a screen sends. */
const POLLS_A_MINUTE = 15;

/** Answers a screen that asks whether its code was used. @throws 404, 410, 429 */
export async function pollPairing(ctx: Context, secret: string): Promise<Polled> {
  const now = ctx.now();
  const secret_hash = sha256(secret);
  const row = ctx.db.first(build.selectFrom('pairings').selectAll().where('secret_hash', '=', secret_hash));
  if (!row) throw notFound('pairing_unknown');
  if (row.delivered_at !== null || row.expires_at <= now) throw new AppError(410, 'pairing_expired');
  const { allowed, resetAt } = ctx.limiter.hit('pairing polls', row.id, POLLS_A_MINUTE);
  if (!allowed) throw tooManyRequests('rate_limit_exceeded', resetAt - now);
  if (row.screen_id === null) return 'waiting';
  const identity = randomBytes(32).toString('base64url');
  const page = await ctx.write((tx) => {
    const claim = build
      .updateTable('pairings')
      .set({ delivered_at: now })
      .where('id', '=', row.id)
      .where('delivered_at', 'is', null);
    if (tx.run(claim) === 0 || row.screen_id === null) return undefined;
    const screen = build
      .updateTable('screens')
      .set({ secret_hash: sha256(identity), last_seen_at: now })
      .where('id', '=', row.screen_id);
    tx.run(screen);
    return tx.first(build.selectFrom('screens').select('page').where('id', '=', row.screen_id))?.page;
  });
  if (page === undefined) throw new AppError(410, 'pairing_expired');
  return { secret: identity, page };
}
