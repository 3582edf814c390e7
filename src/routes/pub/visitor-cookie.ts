import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { limitedClient } from '#kernel/http/client.ts';
import { isSecure } from '#kernel/http/cookies.ts';
import { header } from '#kernel/http/http.ts';
import { newCode } from '#kernel/ids.ts';
import { deriveKey, sha256 } from '#kernel/secrets.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The value of the visitor's cookie that the response sets, if the browser sent none. */
    newVisitor?: string;
  }
}

/** Identifies a visitor for limits and votes, by hashes that identify no person. */
interface VisitorHashes {
  /** Hash of the browser's cookie. */
  browser: string;
  /** Hash of the address, keyed with a secret of this service. */
  client: string;
  /** Whether the browser sent the cookie; false when the response sets it. */
  known: boolean;
}

const COOKIE = 'house_browser';
const LIFETIME = 30 * DAY;

/** Identifies the visitor. A browser without the cookie is given a random one. */
export function identifyVisitor(ctx: Context, request: FastifyRequest, reply: FastifyReply): VisitorHashes {
  const given = readCookie(request);
  const token = given ?? request.newVisitor ?? newCode();
  // A refused form renders its page in the same request and calls this again: one response sets one cookie.
  if (given === undefined && request.newVisitor === undefined) {
    request.newVisitor = token;
    const secure = isSecure(ctx, request) ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${COOKIE}=${token}; Path=/; Max-Age=${LIFETIME / SECOND}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
  const key = deriveKey(ctx.secretKey, 'addresses of patrons');
  const client = createHmac('sha256', key).update(limitedClient(request.client)).digest('hex');
  return { browser: sha256(token), client, known: given !== undefined };
}

function readCookie(request: FastifyRequest): string | undefined {
  const pairs = (header(request, 'cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.flatMap((pair) => /^house_browser=([0-9a-f]{32})$/.exec(pair)?.[1] ?? [])[0];
}
