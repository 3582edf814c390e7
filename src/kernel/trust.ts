import net from 'node:net';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { entries } from './environment.ts';

type PeerTest = (address: string) => boolean;

const NOBODY: PeerTest = () => false;

/** A test for "is this peer a trusted proxy?", made once from a list as in TRUSTED_PROXIES. */
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

/** The peers whose Edge-Connecting-IP and X-Forwarded-For name the client: nobody in production unless listed. */
export function forwardingPeers({ NODE_ENV, TRUSTED_PROXIES }: Config): PeerTest {
  const fallback = NODE_ENV === 'production' ? NOBODY : trustedPeers('any');
  return TRUSTED_PROXIES === undefined ? fallback : trustedPeers(TRUSTED_PROXIES);
}

/**
 * The peers whose edge headers count. A verified token proves itself, so any peer may carry it unless a list says
 * otherwise. Without verification production accepts edge headers only from a list that was declared to set them.
 */
export function edgePeers(config: Config): PeerTest {
  if (ignoresEdgeHeaders(config)) return NOBODY;
  return trustedPeers(config.TRUSTED_PROXIES ?? 'any');
}

function ignoresEdgeHeaders(config: Config): boolean {
  const { NODE_ENV, EDGE_ACCESS_CERTS_URL, EDGE_ACCESS_TRUST_HEADERS, TRUSTED_PROXIES = 'any' } = config;
  if (EDGE_ACCESS_CERTS_URL || NODE_ENV !== 'production') return false;
  return !EDGE_ACCESS_TRUST_HEADERS || TRUSTED_PROXIES === 'any';
}

/** Logs at start who is believed and what is ignored, one line each. */
export function logTrust({ config, log }: Context): void {
  const { NODE_ENV, EDGE_ACCESS_CERTS_URL, TRUSTED_PROXIES } = config;
  const production = NODE_ENV === 'production';
  if (ignoresEdgeHeaders(config)) {
    log.warn(
      'Edge-Access-JWT-Assertion and Edge-Access-Authenticated-User-Email are ignored: set EDGE_ACCESS_CERTS_URL, or EDGE_ACCESS_TRUST_HEADERS=on with a list in TRUSTED_PROXIES',
    );
  } else if (!EDGE_ACCESS_CERTS_URL) {
    log.warn(
      `Edge headers are accepted without verification from ${TRUSTED_PROXIES ?? 'any'}: EDGE_ACCESS_CERTS_URL is not set`,
    );
  }
  if (production && TRUSTED_PROXIES === undefined)
    log.info('Edge-Connecting-IP and X-Forwarded-For are ignored: TRUSTED_PROXIES is not set');
  if (production && TRUSTED_PROXIES === 'any')
    log.warn(
      'TRUSTED_PROXIES=any: whoever reaches this port can forge the client address of limits and audit entries',
    );
}
