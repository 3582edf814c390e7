import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import type { Readers } from '#kernel/language/readers.ts';
import type { Reader } from '#kernel/language/words.ts';
import { type Banner, readersFor, renderFor, type Site, siteOf } from '#kernel/site.ts';
import { type CachedResponse, cachedResponse, sendCached, sharedAnswer } from './cached-response.ts';
import { withFieldNames } from './field-names.ts';
import { withOnce } from './once.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What pages show about the club. */
    site(): Site;
    /** What the page of a request shows above its content. */
    banner(request: FastifyRequest): Banner | undefined;
    /** The reader of a page, see `readersOf`. */
    readerOf(request: FastifyRequest, readers: Readers): Reader;
  }
}

/**
 * Sends a page with the security headers. A Referrer-Policy that the route has set stays.
 */
export function sendHtml(reply: FastifyReply, page: Html, status = 200): FastifyReply {
  const usual = carriesSecret(reply.request) ? 'no-referrer' : 'same-origin';
  const policy = reply.getHeader('referrer-policy') ?? usual;
  return reply
    .code(status)
    .headers({ ...PAGE_HEADERS, 'referrer-policy': policy })
    .send(render(reply, page));
}

function render(reply: FastifyReply, page: Html): string {
  const { server, request } = reply;
  const readers = readersFor(page);
  const reader = server.readerOf(request, readers);
  reply.header('content-language', reader.language);
  if (readers === 'visitors') addVary(reply, VARY);
  // The answer to a form has no address at which it could be read in another language; an address without a page is not
  // repeated on the page.
  const here = reply.statusCode === 404 ? '/' : request.url;
  const address = request.method === 'GET' ? here : undefined;
  const site = { ...server.site(), banner: server.banner(request), address };
  return withOnce(request, withFieldNames(renderFor(site, page, reader), request.url, reader));
}

/** The language in which a visitor reads. */
export const languageOf = (request: FastifyRequest): string =>
  request.server.readerOf(request, 'visitors').language;

/** What the language of a visitor depends on. */
const VARY = 'Accept-Language, Cookie';

function addVary(reply: FastifyReply, more: string): void {
  const before = String(reply.getHeader('vary') ?? '');
  const named = before.split(/ *, */).map((one) => one.toLowerCase());
  const added = more.split(', ').filter((one) => !named.includes(one.toLowerCase()));
  reply.header('vary', [before, ...added].filter(Boolean).join(', '));
}

/** Whether the address of a page contains a secret. */
function carriesSecret({ url, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.secretAddress === true || /[?&](t|token|v)=/.test(url);
}

/** A page as it is sent, its language, and in whose language it is. */
interface PreparedPage extends CachedResponse {
  language: string;
  readers: Readers;
}

/**
 * Sends a page that is the same for all who read one language, see `sharedAnswer`. Headers set by hooks are not sent.
 * @param key the address, and what else the page depends on
 */
export async function sendSharedPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  key: readonly unknown[],
  make: () => Promise<Html>,
): Promise<FastifyReply> {
  const page = await sharedPage(ctx, request, key, make);
  return sendPreparedPage(request, reply, page);
}

/** Such a page, undefined if it cannot be made yet; send it by `sendPreparedPage`. */
export function sharedPage<Made extends Html | undefined>(
  ctx: Context,
  request: FastifyRequest,
  key: readonly unknown[],
  make: () => Promise<Made>,
): Promise<Made extends Html ? PreparedPage : PreparedPage | undefined> {
  const visitor = request.server.readerOf(request, 'visitors');
  // Without the query, of which pages with one text have many.
  const [address] = request.url.split('?', 1);
  const prepare = async () => {
    const page = await make();
    if (page === undefined) return undefined;
    const readers = readersFor(page);
    const reader = readers === 'visitors' ? visitor : request.server.readerOf(request, readers);
    const text = renderFor({ ...siteOf(ctx), address }, page, reader);
    return { ...cachedResponse(Buffer.from(text), HTML_TYPE), language: reader.language, readers };
  };
  return sharedAnswer(ctx, [...key, visitor.language], prepare) as ReturnType<typeof sharedPage<Made>>;
}

export function sendPreparedPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PreparedPage,
): FastifyReply {
  const ofLanguage = [
    'content-language',
    page.language,
    ...(page.readers === 'visitors' ? ['vary', VARY] : []),
  ];
  return sendCached(request, reply, page, 'no-cache', [...PREPARED_PAGE_HEADERS, ...ofLanguage]);
}

/** Sends a page that may load a script and a frame of another host, such as the bot challenge on a form. */
export function sendHtmlWith(reply: FastifyReply, page: Html, origin: string, status = 200): FastifyReply {
  const policy = OWN_ONLY.map((part) => (part.startsWith('script-src') ? `${part} ${origin}` : part));
  const whole = [...policy, `frame-src ${origin}`, NOT_FRAMED].join(';');
  return reply
    .code(status)
    .headers({ ...PAGE_HEADERS, 'content-security-policy': whole })
    .send(render(reply, page));
}

/** Sends a page that frames another one of ours, see `sendFramed`. */
export function sendFraming(reply: FastifyReply, page: Html): FastifyReply {
  const policy = [...OWN_ONLY, "frame-src 'self'", NOT_FRAMED].join(';');
  return reply.headers({ ...PAGE_HEADERS, 'content-security-policy': policy }).send(render(reply, page));
}

/** Sends a page that our own pages may frame. */
export function sendFramed(reply: FastifyReply, page: Html): FastifyReply {
  const policy = [...OWN_ONLY, "frame-ancestors 'self'"].join(';');
  const framed = { 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' };
  return reply.headers({ ...PAGE_HEADERS, ...framed }).send(render(reply, page));
}

/**
 * Sends a page for a TV: a signage player may frame it, and its service worker shows it during a network outage.
 * @param framed the origins of other hosts whose pages it shows
 * @param namesAddress whether it names the address at which the service was asked for it: anybody can make that up, so no
 *   shared cache may keep it
 */
export function sendTvPage(
  reply: FastifyReply,
  page: Html,
  { framed = [], namesAddress = false }: { framed?: readonly string[]; namesAddress?: boolean } = {},
): FastifyReply {
  const answer = cachedResponse(Buffer.from(render(reply, page)), HTML_TYPE);
  const { language } = reply.server.readerOf(reply.request, readersFor(page));
  const headers = [...tvHeaders(framed), 'content-language', language];
  return sendCached(reply.request, reply, answer, namesAddress ? 'private, no-cache' : 'no-cache', headers);
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
  // Without it a browser that sends no Sec-Fetch-Site would post our own forms with `Origin: null`.
  'referrer-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
};

const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': [...OWN_ONLY, NOT_FRAMED].join(';'),
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Headers for `sendCached`; it sets the content type itself. */
const listed = (headers: Record<string, string>) =>
  Object.entries(headers)
    .filter(([name]) => name !== 'content-type')
    .flat();

const PREPARED_PAGE_HEADERS = listed(PAGE_HEADERS);

const tvHeaders = (framed: readonly string[]): string[] =>
  listed({
    ...COMMON_HEADERS,
    'content-security-policy': [
      ...OWN_ONLY,
      ["frame-src 'self'", ...framed].join(' '),
      "worker-src 'self'",
      'frame-ancestors *',
    ].join(';'),
    'cross-origin-resource-policy': 'cross-origin',
  });
