import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { header } from '#kernel/http/http.ts';
import { newCode } from '#kernel/ids.ts';
import { deriveKey, sha256 } from '#kernel/secrets.ts';

/** A patron as limits and votes know them: hashes, nothing that leads back to a person. */
interface VisitorHashes {
  /** Of the browser's cookie. */
  browser: string;
  /** Of the address, under a key of this house. */
  client: string;
  /** Whether the browser brought the cookie, and was not given it just now. */
  known: boolean;
}

const COOKIE = 'house_browser';
const KEPT = 30 * DAY;

/** Who sent this request. A browser without a cookie is given a random one, which says nothing but "the same again". */
export function identifyVisitor(ctx: Context, request: FastifyRequest, reply: FastifyReply): VisitorHashes {
  const given = readCookie(request);
  const token = given ?? newCode();
  if (given === undefined) {
    const secure = header(request, 'x-forwarded-proto') === 'https' ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${COOKIE}=${token}; Path=/; Max-Age=${KEPT / SECOND}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
  const key = deriveKey(ctx.secretKey, 'addresses of patrons');
  const client = createHmac('sha256', key).update(request.client).digest('hex');
  return { browser: sha256(token), client, known: given !== undefined };
}

function readCookie(request: FastifyRequest): string | undefined {
  const pairs = (header(request, 'cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.flatMap((pair) => /^house_browser=([0-9a-f]{32})$/.exec(pair)?.[1] ?? [])[0];
}
