import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer that was made before anybody asked for it. */
export interface Prepared {
  body: Buffer;
  /** The hash of the body, in its quotes. */
  etag: string;
  type: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function prepare(body: Buffer, type: string): Prepared {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`, type };
}

export const prepareJson = (json: unknown): Prepared => prepare(Buffer.from(JSON.stringify(json)), JSON_TYPE);

/** Sends it, or 304 to a client that has it already. */
export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, type }: Prepared,
  cacheControl: string,
): FastifyReply {
  reply.header('etag', etag).header('cache-control', cacheControl);
  const known = request.headers['if-none-match'];
  if (known !== undefined && knows(known, etag)) return reply.code(304).send();
  return reply.header('content-type', type).send(body);
}

/** Whether an If-None-Match names this tag. Weakly, as RFC 9110 has it: proxies that compress mark tags as weak. */
function knows(list: string, etag: string): boolean {
  if (list === etag || list.trim() === '*') return true;
  return list.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
