import net from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { isWithoutOwner } from '#kernel/db/owners.ts';
import { entries, LOCAL_NAMES } from '#kernel/environment/checks.ts';
import { servesOthers } from '#kernel/house-network.ts';
import { peerOf } from '#kernel/http/client.ts';

type PeerTest = (address: string) => boolean;

/** Makes a test for trusted proxies from a list as in TRUSTED_PROXIES. */
export function trustedPeers(list: string): PeerTest {
  if (list === 'any') return () => true;
  const block = new net.BlockList();
  for (const entry of entries(list)) {
    const [address = '', bits] = entry.split('/');
    const family = net.isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) block.addAddress(address, family);
    else block.addSubnet(address, Number(bits), family);
  }
  return (address) => net.isIP(address) !== 0 && block.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * The peers whose Edge-Connecting-IP and X-Forwarded-For name the client: nobody unless listed, once others are served.
 * Asked for each request, because an owner may let others in.
 */
export function forwardingPeers(config: Config): PeerTest {
  const { TRUSTED_PROXIES } = config;
  return TRUSTED_PROXIES === undefined ? () => !servesOthers(config) : trustedPeers(TRUSTED_PROXIES);
}

/**
 * The peers whose edge headers are trusted. A verified token proves itself, so any peer may send it unless a list is
 * set. Without verification, a service for others accepts edge headers only from a list that was declared to set them.
 */
export function edgePeers(config: Config): PeerTest {
  const listed = trustedPeers(config.TRUSTED_PROXIES ?? 'any');
  return (address) => !ignoresEdgeHeaders(config) && listed(address);
}

function ignoresEdgeHeaders(config: Config): boolean {
  if (config.EDGE_ACCESS_CERTS_URL || !servesOthers(config)) return false;
  return !areHeadersDeclared(config);
}

/** Whether the operator declares that the listed proxies set the edge headers, and clients cannot. */
const areHeadersDeclared = ({ EDGE_ACCESS_TRUST_HEADERS, TRUSTED_PROXIES = 'any' }: Config): boolean =>
  EDGE_ACCESS_TRUST_HEADERS && TRUSTED_PROXIES !== 'any';

/**
 * Whether an unverified e-mail header identifies a person: in development while nobody is an owner, and if the operator
 * declared who sets it. Otherwise any client that reaches the port could pose as anybody.
 */
export function namesPeople({ config, db, now }: Context): boolean {
  return areHeadersDeclared(config) || isWithoutOwner(db, now());
}

/**
 * Whether a request comes from a process on this machine: a loopback peer, and no header of a proxy, also not the one
 * in which a proxy names the client.
 */
function isFromThisMachine({ config }: Pick<Context, 'config'>, request: FastifyRequest): boolean {
  const ofProxies = [...FORWARDING_HEADERS, config.EDGE_CLIENT_HEADER];
  if (ofProxies.some((name) => request.headers[name] !== undefined)) return false;
  return isLoopback(peerOf(request));
}

/** Whether a request from this machine also names it in Host: a page of another site, under its own name, does not. */
export function isLocalRequest(ctx: Pick<Context, 'config'>, request: FastifyRequest): boolean {
  return isFromThisMachine(ctx, request) && namesThisMachine(request);
}

/**
 * Whether the edge headers of this request are trusted. In development, where any peer may send them, a request from
 * this machine must also name it: a page of another site whose name leads here could send them too.
 */
export function trustsEdgeOf(ctx: Context, request: FastifyRequest): boolean {
  const peer = peerOf(request);
  if (!ctx.trustedEdge(peer)) return false;
  return (
    Boolean(ctx.verifyEdge) ||
    areHeadersDeclared(ctx.config) ||
    !isLoopback(peer) ||
    namesThisMachine(request)
  );
}

/** Whether Host is a loopback name. */
export const namesThisMachine = (request: FastifyRequest): boolean => LOCAL_NAMES.includes(hostName(request));

const hostName = ({ headers }: FastifyRequest) => (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');

const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];
const isLoopback = trustedPeers('127.0.0.0/8, ::1');

/**
 * Whether the local bypass gives this request officer access: never once others are served, only from this machine and
 * under a local host name. Once BASE_URL is set or there is an owner, and for `.dev` names, only with LOCAL_BYPASS=on.
 */
export function passesLocally(ctx: Context, request: FastifyRequest): boolean {
  if (!isFromThisMachine(ctx, request) || !isBypassInForce(ctx)) return false;
  if (isLocalRequest(ctx, request)) return true;
  return ctx.config.LOCAL_BYPASS === true && hostName(request).endsWith('.dev');
}

function isBypassInForce({ config, db, now }: Context): boolean {
  const { LOCAL_BYPASS, BASE_URL } = config;
  if (servesOthers(config)) return false;
  return LOCAL_BYPASS ?? (BASE_URL === undefined && isWithoutOwner(db, now()));
}

const EDGE_HEADERS = 'Edge-Access-JWT-Assertion and Edge-Access-Authenticated-User-Email';

/** Logs at the start which peers and headers are trusted or ignored, one line each. */
export function logTrust(ctx: Context): void {
  const { config, log } = ctx;
  const { EDGE_ACCESS_CERTS_URL, TRUSTED_PROXIES } = config;
  const others = servesOthers(config);
  if (isBypassInForce(ctx)) {
    log.warn(
      'The local bypass is in force: requests from this machine have officer access. LOCAL_BYPASS=off or ' +
        'NODE_ENV=production ends it',
    );
  }
  if (ignoresEdgeHeaders(config)) {
    log.warn(
      `${EDGE_HEADERS} are ignored: set EDGE_ACCESS_CERTS_URL, or EDGE_ACCESS_TRUST_HEADERS=on with a list in TRUSTED_PROXIES`,
    );
  } else if (!EDGE_ACCESS_CERTS_URL) {
    log.warn(
      `${EDGE_HEADERS} are accepted without verification from ${TRUSTED_PROXIES ?? 'any'}: EDGE_ACCESS_CERTS_URL is not set`,
    );
  }
  if (others && TRUSTED_PROXIES === undefined)
    log.info('Edge-Connecting-IP and X-Forwarded-For are ignored: TRUSTED_PROXIES is not set');
  if (others && TRUSTED_PROXIES === 'any')
    log.warn(
      'TRUSTED_PROXIES=any: anyone who reaches this port can forge the client address of limits and audit entries',
    );
}
