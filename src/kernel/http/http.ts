import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import type { FieldError } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address for rate limits and the audit log, see `clientOf`. */
    client: string;
    /** The officer's API key, if it authenticated this request; pages pass it to their scripts. */
    apiKey?: string;
    /** The actor as named in the audit log; set by the guards if known. */
    actor?: string | undefined;
    /** The id of the person whose address `actor` is. */
    actorPerson?: string | undefined;
    /** The id of the second person, who has confirmed what this request asks for. */
    approvedBy?: string;
    /** The body of a request to a staff page as it was sent: a form's fields, or JSON. */
    sent?: unknown;
    /** The fields of a form as they were sent, to show them again when they are refused; set after the guards. */
    entered?: Record<string, unknown>;
  }
  interface FastifyContextConfig {
    /** The proof is in the body, not in a cookie: the form's page may hide its address (`Origin: null`). */
    proofInBody?: boolean;
    /** The address of the page contains a secret: it is sent with `Referrer-Policy: no-referrer`. */
    secretAddress?: boolean;
    /** Instead of `refused`: where a form refused with a 400 redirects to, unless the client accepts JSON. */
    refusedLocation?: (errors: readonly FieldError[]) => string;
    /** true: never answers with a page, whatever Accept says; `preferred`: only if Accept names text/html. */
    json?: true | 'preferred';
    /** Renders the page of a refused form again. If it throws, that error is answered instead. */
    refused?: (request: FastifyRequest, form: RefusedForm, reply: FastifyReply) => Html | Promise<Html>;
    /** The statuses that `refused` handles; by default only 400. Refusals by a guard are never shown this way. */
    refusedStatuses?: readonly number[];
  }
}

/** A refused form: its errors, and its fields as they were sent. */
export interface RefusedForm {
  /** For a page that cannot be shown: it throws this. */
  error: Error;
  status: number;
  /** For people. */
  message: Words;
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

/** Ends when the client leaves before it has its answer: for work that nobody waits for any more. */
export function untilLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
}

/**
 * The body limit of a route whose texts together have at most so many characters, in any encoding: a form takes up to 9
 * bytes for one, an escape of JSON 6.
 */
export const roomFor = (characters: number): number => 9 * characters + 8 * 1024;

/** An onRequest hook for pages and answers that no cache may keep. */
export const noStore: onRequestHookHandler = (_request, reply, done) => {
  reply.header('cache-control', 'no-store');
  done();
};

/** Whether this request wants a page. Requests under /api, and writes that no HTML form sent, get JSON. */
export function wantsHtml(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return isForm(request) && accepts(request, 'text/html');
  if (accepts(request, 'application/json') || request.url.startsWith('/api/')) return false;
  const { json } = request.routeOptions.config;
  return json === 'preferred' ? accepts(request, 'text/html') : !json;
}

/** Whether Accept names a media type, in any letter case. */
export function accepts({ headers }: FastifyRequest, type: 'application/json' | 'text/html'): boolean {
  return (headers.accept ?? '').toLowerCase().includes(type);
}

/** Whether a body is one that an HTML form can send. */
export function isForm({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(
    headers['content-type'] ?? '',
  );
}

/** Sends a file for the browser to save. `name` must not come from user input. */
export function sendFile(
  reply: FastifyReply,
  name: string,
  type: string,
  body: string | AsyncIterable<string>,
): FastifyReply {
  const whole = type.startsWith('text/csv') ? withMark(body) : body;
  reply.type(type).header('content-disposition', `attachment; filename="${name}"`);
  return reply.send(typeof whole === 'string' ? whole : Readable.from(whole));
}

const MARK = '\ufeff';

/** Without a byte order mark, spreadsheets on Windows read a CSV file as Windows-1252. */
function withMark(body: string | AsyncIterable<string>): string | AsyncIterable<string> {
  if (typeof body === 'string') return MARK + body;
  return (async function* () {
    yield MARK;
    yield* body;
  })();
}

/** One request header as a trimmed text; undefined when it is absent, empty or given twice. */
export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A header with text, which proxies send in UTF-8: Node reads its bytes as Latin-1, and leaves them so otherwise. */
export function textHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  if (typeof value !== 'string' || /[^\0-\xff]/.test(value)) return header(request, name);
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString().trim() || undefined : header(request, name);
}

/** The token of `Authorization: Bearer <token>`; the scheme in any letter case. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^bearer +(.+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
}

/** The query of this request with its question mark, as it was sent, for redirects that must keep it. */
export function queryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?');
  return start < 0 ? '' : request.url.slice(start);
}
