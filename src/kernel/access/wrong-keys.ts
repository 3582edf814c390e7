import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { forbidden, tooManyRequests } from '#kernel/http/errors.ts';
import { bearerToken, header } from '#kernel/http/http.ts';
import { sameSecret } from '#kernel/secrets.ts';
import { isToken, SENDERS, type Sender } from './sender-tokens.ts';

/** Wrong keys per minute and client that are answered with 401; further ones get 429. */
const TRIES = 5;
/** Audit entries per minute about wrong keys, for all clients together: many addresses must not fill the log. */
const ENTRIES = 20;

type KeyName = 'ADMIN_API_KEY' | 'PUB_ADMIN_TOKEN' | 'NOW_PLAYING_INGEST_TOKEN';

interface OwnKey {
  name: KeyName;
  /** What a request with it may do, in words. */
  opens: string;
  isRight: (ctx: Context, given: string) => boolean;
}

const fixedKey =
  (name: KeyName) =>
  ({ config }: Context, given: string): boolean =>
    config[name] !== undefined && sameSecret(given, config[name]);

/** Every key of a program. */
const KEYS: readonly OwnKey[] = [
  {
    name: 'ADMIN_API_KEY',
    opens: 'elections, ballot papers and meetings',
    isRight: fixedKey('ADMIN_API_KEY'),
  },
  {
    name: 'PUB_ADMIN_TOKEN',
    opens: 'the pub and the calendar, but no people, content or settings',
    isRight: fixedKey('PUB_ADMIN_TOKEN'),
  },
  {
    name: 'NOW_PLAYING_INGEST_TOKEN',
    opens: 'the routes of music players and of the capture device',
    isRight: fixedKey('NOW_PLAYING_INGEST_TOKEN'),
  },
];

/** Tokens that an owner made, by who sends them. */
const MADE: Record<Sender, string> = {
  player: 'the routes of music players',
  device: 'the routes of the capture device',
};

/** The keys that a request carries, by whichever header. */
function sentKeys(request: FastifyRequest): string[] {
  const authorization = header(request, 'authorization');
  const [, token] = /^token +(.+?) *$/i.exec(authorization ?? '') ?? [];
  const sent = [authorization, bearerToken(request), token, header(request, 'x-admin-token')];
  return sent.filter((given) => given !== undefined);
}

/**
 * Refuses a right key of other routes, which is not a wrong one.
 * @param own the key that the routes take, or who sends it: one that was sent in another way than they read it is not
 * refused here
 * @throws 403 that names what the key opens
 */
export function refuseOtherKey(ctx: Context, request: FastifyRequest, own: KeyName | Sender): void {
  const sent = sentKeys(request);
  const variable = SENDERS.some((sender) => sender === own) ? 'NOW_PLAYING_INGEST_TOKEN' : own;
  const right = KEYS.find(({ isRight }) => sent.some((given) => isRight(ctx, given)));
  if (right?.name === variable) return;
  const made = SENDERS.find((sender) => sender !== own && sent.some((given) => isToken(ctx, sender, given)));
  const opens = right?.opens ?? (made && MADE[made]);
  if (opens !== undefined) throw forbidden('key_for_other_routes', { opens });
}

/**
 * Counts a refused request that carried a key. The first per client and minute is audited as `access.refused`, without
 * the key. The limit applies to wrong keys only: otherwise anybody behind the same address could lock out the holder of
 * the right key. The length of the keys is what prevents guessing.
 * @throws AppError 429 with `retryAfter` in seconds once a client sent more than 5 in a minute
 */
export async function countWrongKey(ctx: Context, request: FastifyRequest, key: KeyName): Promise<void> {
  const { allowed, remaining, resetAt } = ctx.limiter.hit('wrong keys', request.client, TRIES);
  const isFirst = remaining === TRIES - 1;
  if (isFirst && ctx.limiter.hit('wrong keys in the audit log', 'all', ENTRIES).allowed) {
    const metadata = { key, route: `${request.method} ${request.routeOptions.url ?? 'unknown'}` };
    await ctx.write((tx) =>
      recordAudit(tx, actorOf(request, ctx.now), { action: 'access.refused', metadata }),
    );
  }
  if (allowed) return;
  throw tooManyRequests('rate_limit_exceeded', resetAt - ctx.now());
}
