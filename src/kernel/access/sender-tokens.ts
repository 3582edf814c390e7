import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { header } from '#kernel/http/http.ts';
import { sameSecret, sha256 } from '#kernel/secrets.ts';

/** Who reports what is heard: a music player, by the ListenBrainz protocol, or the capture device. */
export const SENDERS = ['player', 'device'] as const;
export type Sender = (typeof SENDERS)[number];

type TokenContext = Pick<Context, 'config' | 'db'>;

/** Whether a token exists, made here or in the environment: without one, no request of a sender is let in any more. */
export const needsToken = ({ config, db }: TokenContext): boolean =>
  config.NOW_PLAYING_INGEST_TOKEN !== undefined || SENDERS.some((sender) => findHash(db, sender));

/** Whether this is the token of a sender. That of the environment is for both, and the only one while it is set. */
export function isToken({ config, db }: TokenContext, sender: Sender, given: string): boolean {
  const fixed = config.NOW_PLAYING_INGEST_TOKEN;
  if (fixed !== undefined) return sameSecret(given, fixed);
  const hash = findHash(db, sender);
  return hash !== undefined && sameSecret(sha256(given), hash);
}

/** The token that a sender gives; the scheme, of either protocol, in upper or lower case. */
export const senderToken = (request: FastifyRequest): string | undefined =>
  /^(?:token|bearer) +(.+?) *$/i.exec(header(request, 'authorization') ?? '')?.[1];

/** For each sender whether it has a token. */
export const listTokens = (ctx: TokenContext): Record<Sender, boolean> => ({
  player: hasToken(ctx, 'player'),
  device: hasToken(ctx, 'device'),
});

const hasToken = ({ config, db }: TokenContext, sender: Sender): boolean =>
  config.NOW_PLAYING_INGEST_TOKEN !== undefined || findHash(db, sender) !== undefined;

/** Makes a new token for a sender, and ends the former one. Only its hash is stored. */
export async function createToken(ctx: Context, sender: Sender, actor: Actor): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const value = JSON.stringify(sha256(token));
  await ctx.write((tx) => {
    tx.run(build.replaceInto('settings').values({ name: rowOf(sender), value, set_at: actor.at }));
    recordAudit(tx, actor, { action: 'sender_token.made', metadata: { sender } });
  });
  ctx.hub.publish('settings');
  return token;
}

/** Ends the token of a sender. @returns whether there was one */
export async function endToken(ctx: Context, sender: Sender, actor: Actor): Promise<boolean> {
  const ended = await ctx.write((tx) => {
    if (findHash(tx, sender) === undefined) return false;
    tx.run(build.deleteFrom('settings').where('name', '=', rowOf(sender)));
    recordAudit(tx, actor, { action: 'sender_token.ended', metadata: { sender } });
    return true;
  });
  ctx.hub.publish('settings');
  return ended;
}

const rowOf = (sender: Sender) => `token of the ${sender}`;

function findHash(db: Reader, sender: Sender): string | undefined {
  const row = db.first(QUERIES[sender]);
  return row && JSON.parse(row.value);
}

const hashOf = (sender: Sender) =>
  build.selectFrom('settings').select('value').where('name', '=', rowOf(sender)).compile();
const QUERIES = { player: hashOf('player'), device: hashOf('device') };
