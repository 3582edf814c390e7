import dns from 'node:dns';
import net from 'node:net';
import type { Dispatcher } from 'undici';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Cache, kept } from './cache.ts';
import { SECOND } from './clock.ts';
import { inEnglish } from './language/kept-text.ts';

export interface UpstreamRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** For the whole request, including redirects and body. */
  timeoutMs?: number;
  /** A longer body is a failure; it is not truncated. */
  maxBytes?: number;
  /** How many redirects of a GET are followed, by default 3; with 0 the redirect itself is the answer. */
  redirects?: number;
  /** Allows only https to public addresses, checked on every hop and after DNS: for URLs that others may choose. */
  publicOnly?: boolean;
  /** Hosts, by name or address, that the operator has exempted from `publicOnly`. */
  privateHosts?: readonly string[] | undefined;
  /** Whether the body is left out of the answer. */
  headersOnly?: boolean;
  /** Aborts the request. */
  signal?: AbortSignal | undefined;
}

/** The answer, whatever its status, or why there is none. Network failures are returned, not thrown. */
export type UpstreamAnswer =
  | { ok: true; status: number; headers: Headers; body: Buffer }
  | {
      ok: false;
      /** In words that follow a colon. */
      reason: Words;
      /** Present only when there was no connection: the host has not seen the request. */
      isUnsent?: true;
    };

/**
 * Whether an answer to a read has the content: 200, or 203, with which some services announce that an address will be
 * retired (met.no). Without a body there is none.
 */
export const hasContent = ({ status, body }: { status: number; body: Buffer }): boolean =>
  (status === 200 || status === RETIRING) && body.byteLength > 0;

const RETIRING = 203;

/** Why an answer is not the content that was asked for, in words. */
export const statusInWords = ({ status, body }: { status: number; body: Buffer }): Words =>
  status >= 200 && status < 300 && body.byteLength === 0
    ? t('settings.upstream.empty', { status: String(status) })
    : t('settings.upstream.status', { status: String(status) });

/** By the title of the source in English: whether its last answer announced that the address will be retired. */
const RETIREMENTS = kept<Map<string, { title: Words | string; retires: boolean }>>();

/** Notes what an answer says about the future of its source. @param title of the source, for people */
export function noteRetirement(
  { cache }: { cache: Cache },
  title: Words | string,
  { status }: { status: number },
): void {
  // An answer without news says nothing.
  if (status !== 304)
    cache
      .get(RETIREMENTS, '', () => new Map())
      .set(inEnglish(title), { title, retires: status === RETIRING });
}

/** The sources whose last answer announced that their address will be retired. */
export const listRetiring = ({ cache }: { cache: Cache }): (Words | string)[] =>
  [...cache.get(RETIREMENTS, '', () => new Map()).values()].flatMap(({ title, retires }) =>
    retires ? [title] : [],
  );

/** The User-Agent of requests to other hosts: some refuse those of browsers and the defaults of HTTP clients. */
export const userAgent = (version: string, baseUrl: string | undefined): string =>
  `PublicHouse/${version} (${baseUrl ? `+${baseUrl}` : "a club's own server"})`;

/**
 * Sends one request to another host, with limits on time and size. Follows redirects of a GET. Tests pass a
 * `dispatcher` with their own network.
 */
export async function fetchUpstream(
  address: string,
  request: UpstreamRequest = {},
  dispatcher?: Dispatcher,
): Promise<UpstreamAnswer> {
  const { timeoutMs = 8 * SECOND, maxBytes = 1024 * 1024, publicOnly = false } = request;
  const { method = 'GET', body, redirects = 3, privateHosts = [], headersOnly = false } = request;
  let { headers = {} } = request;
  const inTime = AbortSignal.timeout(timeoutMs);
  const signal = request.signal ? AbortSignal.any([inTime, request.signal]) : inTime;
  try {
    library ??= await openLibrary();
    const { fetch, plainAgent, publicAgent } = library;
    let url = new URL(address);
    for (let hop = 0; hop <= redirects; hop += 1) {
      const guarded = publicOnly && !privateHosts.includes(url.hostname);
      const refused = guarded ? refusalOf(url) : undefined;
      if (refused) return { ok: false, reason: refused };
      const response = await fetch(url, {
        method,
        headers,
        signal,
        redirect: 'manual',
        dispatcher: dispatcher ?? (guarded ? publicAgent : plainAgent),
        ...(body !== undefined && { body }),
      });
      const next = method === 'GET' && redirects > 0 && REDIRECT_STATUSES.has(response.status);
      const location = response.headers.get('location');
      if (next && location) {
        await response.body?.cancel();
        const from = url.origin;
        // The scheme of calendar programs: the same address on the web.
        url = new URL(location.replace(/^webcals?:/i, url.protocol), url);
        // A key for one host must not be sent to another.
        if (url.origin !== from) headers = harmless(headers);
        if (!['http:', 'https:'].includes(url.protocol))
          return { ok: false, reason: t('settings.upstream.elsewhere') };
        continue;
      }
      if (headersOnly) await response.body?.cancel();
      const bytes = headersOnly ? Buffer.alloc(0) : await readAtMost(response.body, maxBytes);
      if (!bytes) return { ok: false, reason: t('settings.upstream.too_large', { bytes: String(maxBytes) }) };
      return { ok: true, status: response.status, headers: response.headers as Headers, body: bytes };
    }
    return { ok: false, reason: t('settings.upstream.redirects') };
  } catch (error) {
    return { ok: false, reason: reasonOf(error), ...(isUnsent(error) && { isUnsent: true }) };
  }
}

/** Whether an address is reachable on the public internet: not this machine, not a private or reserved network. */
export function isPublicAddress(address: string): boolean {
  if (net.isIPv4(address)) return !reserved.check(address, 'ipv4');
  // All other IPv6 addresses are local or reserved, or contain an IPv4 address.
  return net.isIPv6(address) && global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** `Retry-After` in milliseconds: seconds or a date. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const harmless = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:accept|user-agent|if-)/i.test(name)));

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

class NotPublic extends Error {}

/** Loaded with the first request, so that the service starts faster. */
let library: Awaited<ReturnType<typeof openLibrary>> | undefined;

async function openLibrary() {
  const { Agent, fetch } = await import('undici');
  const timeout = 5 * SECOND;
  const plainAgent: Dispatcher = new Agent({ connect: { timeout } });
  return { fetch, plainAgent, publicAgent: new Agent({ connect: { timeout, lookup: lookUpPublic } }) };
}

/** Checks the address that is actually connected to: a second lookup could return another one (DNS rebinding). */
const lookUpPublic: net.LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const allowed = found.filter(({ address }) => isPublicAddress(address));
    if (allowed.length === 0) return callback(new NotPublic('not a public address'), []);
    return options.all ? callback(null, allowed) : callback(null, allowed[0]!.address, allowed[0]!.family);
  });
};

/** Why `publicOnly` refuses a URL, as far as the URL itself tells; undefined if it does not. */
export function refusalOf(url: URL): Words | undefined {
  if (url.protocol !== 'https:') return t('settings.upstream.not_https');
  if (url.username || url.password) return t('settings.upstream.user_name');
  // A connection to a literal IP address skips the DNS lookup.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  return net.isIP(literal) !== 0 && !isPublicAddress(literal) ? t('settings.upstream.not_public') : undefined;
}

async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether an error arose before there was a connection. */
function isUnsent(error: unknown): boolean {
  const code = error instanceof Error && (error.cause as { code?: unknown } | undefined)?.code;
  return ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'].includes(String(code));
}

function reasonOf(error: unknown): Words {
  if (error instanceof DOMException && error.name === 'TimeoutError') return t('settings.upstream.too_late');
  if (!(error instanceof Error)) return t('settings.upstream.failed');
  if (error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_URL')
    return t('settings.upstream.address');
  const cause = error.cause as { code?: unknown; message?: string } | undefined;
  if (cause instanceof NotPublic) return t('settings.upstream.not_public');
  if (cause?.code === 'ENOTFOUND' || cause?.code === 'EAI_AGAIN') return t('settings.upstream.no_host');
  if (cause?.code === 'ECONNREFUSED') return t('settings.upstream.refused');
  return typeof cause?.code === 'string'
    ? t('settings.upstream.failed_code', { code: cause.code })
    : t('settings.upstream.failed');
}

const reserved = new net.BlockList();
for (const [subnet, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  reserved.addSubnet(subnet, bits, 'ipv4');
}
for (const [subnet, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  reserved.addSubnet(subnet, bits, 'ipv6');
}
const global = new net.BlockList();
global.addSubnet('2000::', 3, 'ipv6');
