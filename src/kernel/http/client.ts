import { createHmac } from 'node:crypto';
import net from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { deriveKey } from '#kernel/secrets.ts';
import { header } from './http.ts';

/**
 * The address of the client: from the header of EDGE_CLIENT_HEADER, else X-Forwarded-For (both only from a trusted
 * peer), else the socket, else `unknown`.
 */
export function clientOf(
  request: FastifyRequest,
  trusted: (peer: string) => boolean,
  { EDGE_CLIENT_HEADER }: Pick<Config, 'EDGE_CLIENT_HEADER'>,
): string {
  const peer = peerOf(request);
  if (trusted(peer)) {
    const forwarded =
      nearestClient(header(request, EDGE_CLIENT_HEADER), trusted) ||
      nearestClient(header(request, 'x-forwarded-for'), trusted);
    // The header can hold anything: keep only printable characters, 64 at most.
    if (forwarded) return forwarded.replace(/[^\x21-\x7e]/g, '').slice(0, 64) || peer;
  }
  return peer || 'unknown';
}

/**
 * Returns the last address of a list that is not a trusted proxy: each proxy appends the peer it sees, and entries
 * before that may be forged by the client. If all are trusted, returns the first.
 */
function nearestClient(list: string | undefined, trusted: (peer: string) => boolean): string | undefined {
  const hops = list?.split(',').map(addressOf).filter(Boolean);
  return hops?.findLast((hop) => !trusted(hop)) ?? hops?.[0];
}

/** Removes the port, which some proxies add and which differs for each connection. */
function addressOf(hop: string): string {
  const text = hop.trim();
  if (!text.includes(':')) return text;
  const [, address] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  return withoutPrefix(address ?? text);
}

/** The address at the other end of the socket, without the IPv4-in-IPv6 prefix; empty when it is gone. */
export function peerOf(request: FastifyRequest): string {
  return withoutPrefix(request.raw.socket.remoteAddress ?? '');
}

const withoutPrefix = (address: string) => address.replace(/^::ffff:/i, '');

/** Returns the network of an address, /24 or /48: enough to count different places, too little to identify them. */
export function networkOf(address: string): string {
  const mapped = withoutPrefix(address);
  if (net.isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = groupsOf(address);
  return groups ? `${groups.slice(0, 3).join(':')}::/48` : 'unknown';
}

/**
 * Whom a limit counts: an IPv4 address, or the /64 of an IPv6 address, because one connection has all addresses of its
 * /64. Any other text is returned as it is.
 */
export function limitedClient(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = withoutPrefix(address);
  if (net.isIPv4(mapped)) return mapped;
  const groups = groupsOf(address);
  return groups ? `${groups.slice(0, 4).join(':')}::/64` : address;
}

/** The eight groups of an IPv6 address, without leading zeros; undefined for any other text. */
function groupsOf(address: string): string[] | undefined {
  const [plain = ''] = address.split('%');
  if (!net.isIPv6(plain)) return undefined;
  const [before = '', after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? [] : Array(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail];
}

/** The actor for the audit log. */
export function actorOf(request: FastifyRequest, now: Clock): Actor {
  const { client, actor, actorPerson: person } = request;
  return { ip: client, at: now(), ...(actor && { by: actor }), ...(actor && person && { person }) };
}

/** A client as it is stored: without the key it does not tell the address. Keys differ by what it is stored for. */
export function clientHash(
  { secretKey }: { secretKey: Parameters<typeof deriveKey>[0] },
  client: string,
  purpose: string,
): string {
  return createHmac('sha256', deriveKey(secretKey, purpose)).update(limitedClient(client)).digest('hex');
}
