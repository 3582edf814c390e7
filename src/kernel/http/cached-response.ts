import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
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

/**
 * Sends it, or 304 to a client that has it already. Of other headers only those of every answer and `more` (names and
 * values in turn) go along, and onSend hooks do not run.
 */
export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
  cacheControl: string,
  more?: readonly string[],
): FastifyReply {
  // Fastify's own way of sending costs as much as the rest of the request, and here there is nothing left for it to do.
  reply.hijack();
  writePrepared(request.raw, reply.raw, request.id, prepared, cacheControl, more);
  return reply;
}

/** The same where there is no reply of Fastify's. */
export function writePrepared(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  { body, etag, type }: Prepared,
  cacheControl: string,
  more: readonly string[] = [],
): void {
  const known = request.headers['if-none-match'];
  const unchanged = known !== undefined && knows(known, etag);
  const headers = [
    'etag',
    etag,
    'cache-control',
    cacheControl,
    ...Object.entries(houseHeaders(id)).flat(),
    ...more,
  ];
  if (!unchanged) headers.push('content-type', type, 'content-length', String(body.length));
  response.writeHead(unchanged ? 304 : 200, headers);
  response.end(unchanged ? undefined : body);
}

/** The headers of every answer of the house. */
export const houseHeaders = (id: string) => ({ 'x-request-id': id, 'x-content-type-options': 'nosniff' });

/** Whether an If-None-Match names this tag. Weakly, as RFC 9110 has it: proxies that compress mark tags as weak. */
function knows(list: string, etag: string): boolean {
  if (list === etag || list.trim() === '*') return true;
  return list.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
