import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Cache, kept } from '#kernel/cache.ts';
import { SECOND } from '#kernel/clock.ts';

/** A prepared answer. */
export interface CachedResponse {
  body: Buffer;
  /** The hash of the body, in quotes. */
  etag: string;
  type: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function cachedResponse(body: Buffer, type: string): CachedResponse {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`, type };
}

export const cachedJson = (json: unknown): CachedResponse =>
  cachedResponse(Buffer.from(JSON.stringify(json)), JSON_TYPE);

/** Of all addresses together: anybody can ask for many. */
const ANSWERS = kept<Promise<unknown>>({ age: SECOND, atMost: 200 });

/**
 * Returns an answer that is the same for everybody from the cache. It is made again after any stored change, and after
 * a second, because it may depend on the time.
 * @param key the address, and what else the answer depends on
 */
export function sharedAnswer<Answer extends CachedResponse | undefined>(
  { cache, changes }: { cache: Cache; changes(): number },
  key: readonly unknown[],
  make: () => Promise<Answer>,
): Promise<Answer> {
  return cache.get(ANSWERS, JSON.stringify(key), make, [changes()]) as Promise<Answer>;
}

/**
 * Sends the answer, or 304 if the client has it already. Adds only the common headers and `more` (names and values
 * alternating), and runs no onSend hooks: sending it through Fastify would cost as much as the rest of the request.
 */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, type }: CachedResponse,
  cacheControl: string,
  more: readonly string[] = [],
): FastifyReply {
  reply.hijack();
  const known = request.headers['if-none-match'];
  const unchanged = known !== undefined && knows(known, etag);
  const headers = ['etag', etag, 'cache-control', cacheControl, ...more];
  const common = commonHeaders(request.id);
  for (const name in common) headers.push(name, common[name as keyof typeof common]);
  if (!unchanged) headers.push('content-type', type, 'content-length', String(body.length));
  reply.raw.writeHead(unchanged ? 304 : 200, headers);
  reply.raw.end(unchanged ? undefined : body);
  return reply;
}

/** The headers of every answer. */
export const commonHeaders = (id: string) => ({ 'x-request-id': id, 'x-content-type-options': 'nosniff' });

/** Whether If-None-Match names this tag; a weak comparison (RFC 9110): compressing proxies mark tags as weak. */
function knows(list: string, etag: string): boolean {
  if (list === etag || list.trim() === '*') return true;
  return list.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
