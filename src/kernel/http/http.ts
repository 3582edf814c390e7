import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Clock } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import type { Html } from '#kernel/html.ts';
import { type CachedResponse, cachedResponse, sendCached, sharedAnswer } from './cached-response.ts';
import type { FieldError } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the limits and the audit log mean: see `clientOf`. */
    client: string;
    /** The officer's API key, when it opened this request; pages hand it to their scripts. */
    apiKey?: string;
    /** Who acts, as the audit log names them; set by the guards where somebody is known. */
    actor?: string | undefined;
    /** The fields of a form as they were sent, to show them again when they are refused. */
    entered?: Record<string, unknown>;
  }
  interface FastifyContextConfig {
    /** The route never answers with a page, whatever Accept says. */
    json?: boolean;
    /** Shows the page of a form again that was refused with a 400. What it throws is answered instead. */
    refused?: (request: FastifyRequest, form: RefusedForm) => Html | Promise<Html>;
  }
}

/** A form that was refused: what is wrong with it, and its fields as they were sent. */
export interface RefusedForm {
  status: number;
  message: string;
  errors: readonly FieldError[];
  entered: Record<string, unknown>;
}

/** A Fastify instance whose routes are typed by their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/**
 * The client an address stands for: Edge-Connecting-IP, the first of X-Forwarded-For (both only from a trusted
 * peer), the socket's address, `unknown`.
 */
export function clientOf(request: FastifyRequest, trusted: (peer: string) => boolean): string {
  const peer = peerOf(request);
  if (trusted(peer)) {
    const forwarded =
      header(request, 'edge-connecting-ip') || header(request, 'x-forwarded-for')?.split(',')[0]?.trim();
    // A header can hold anything; what is kept of it is short and printable.
    if (forwarded) return forwarded.replace(/[^\x21-\x7e]/g, '').slice(0, 64) || peer;
  }
  return peer || 'unknown';
}

/** The address at the other end of the socket, without the IPv4-in-IPv6 prefix; empty when it is gone. */
export function peerOf(request: FastifyRequest): string {
  return (request.raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

/** An onRequest hook for pages and answers that no cache may keep. */
export const noStore: onRequestHookHandler = (_request, reply, done) => {
  reply.header('cache-control', 'no-store');
  done();
};

/** Whether this request wants a page. JSON is the answer under /api, and to writes that no HTML form made. */
export function wantsHtml(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return isForm(request) && accepts(request, 'text/html');
  if (accepts(request, 'application/json') || request.url.startsWith('/api/')) return false;
  return !request.routeOptions.config.json;
}

/** Whether Accept names a media type, in any letter case. */
export function accepts({ headers }: FastifyRequest, type: 'application/json' | 'text/html'): boolean {
  return (headers.accept ?? '').toLowerCase().includes(type);
}

export function isForm({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** Sends a page, with the headers that keep a browser from doing more with it than it should. */
export function sendHtml(reply: FastifyReply, page: Html, status = 200): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).send(page.toString());
}

/**
 * Sends a page that is the same for everybody, see `sharedAnswer`. No header of a hook goes along.
 * @param key the address, and what else the page depends on
 */
export async function sendSharedPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  key: readonly unknown[],
  render: () => Promise<Html>,
): Promise<FastifyReply> {
  return sendPreparedPage(
    request,
    reply,
    await sharedAnswer(ctx, key, async () => preparePage(await render())),
  );
}

export const preparePage = (page: Html): CachedResponse =>
  cachedResponse(Buffer.from(page.toString()), HTML_TYPE);

export function sendPreparedPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: CachedResponse,
): FastifyReply {
  return sendCached(request, reply, page, 'no-cache', PREPARED_PAGE_HEADERS);
}

/** Sends a page that holds one thing of another host, as the challenge on a form: its script and its frame. */
export function sendHtmlWith(reply: FastifyReply, page: Html, origin: string, status = 200): FastifyReply {
  const policy = OWN_ONLY.map((part) => (part.startsWith('script-src') ? `${part} ${origin}` : part));
  const whole = [...policy, `frame-src ${origin}`, NOT_FRAMED].join(';');
  return reply
    .code(status)
    .headers({ ...PAGE_HEADERS, 'content-security-policy': whole })
    .send(page.toString());
}

/** Sends a page for a TV: a signage player may frame it, and its service worker carries it through a network cut. */
export function sendTvPage(reply: FastifyReply, page: Html): FastifyReply {
  return reply.headers(TV_HEADERS).send(page.toString());
}

const OWN_ONLY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
];

const NOT_FRAMED = "frame-ancestors 'none'";

const HTML_TYPE = 'text/html; charset=utf-8';

const COMMON_HEADERS = {
  'content-type': HTML_TYPE,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
};

const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': [...OWN_ONLY, NOT_FRAMED].join(';'),
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

const PREPARED_PAGE_HEADERS = Object.entries(PAGE_HEADERS)
  .filter(([name]) => name !== 'content-type')
  .flat();

const TV_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': [...OWN_ONLY, "worker-src 'self'", 'frame-ancestors *'].join(';'),
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-cache',
};

/** A file for the browser to save. `name` is ours, never a user's text. */
export function sendFile(reply: FastifyReply, name: string, type: string, body: string): FastifyReply {
  return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(body);
}

/** Who acts, for the audit log. */
export function actorOf(request: FastifyRequest, now: Clock): Actor {
  const { client, actor } = request;
  return { ip: client, at: now(), ...(actor && { by: actor }) };
}

/** One request header as a trimmed text; undefined when it is absent, empty or given twice. */
export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The token of `Authorization: Bearer <token>`; the scheme in any letter case. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^bearer +(.+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
}

/** The end of a change: JSON for scripts, for a form the page that shows what was done. */
export function answerDone(request: FastifyRequest, reply: FastifyReply, json: unknown, location: string) {
  return wantsHtml(request) ? reply.redirect(location, 303) : json;
}

/**
 * Where this request thinks it is: for links when BASE_URL is not set. A client can send any Host, so no cache may keep
 * what it is in.
 */
export function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.headers.host ?? 'localhost'}`;
}

/** The query of this request with its question mark, as it was sent, for redirects that must keep it. */
export function queryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?');
  return start < 0 ? '' : request.url.slice(start);
}
