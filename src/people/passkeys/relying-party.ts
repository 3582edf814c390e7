import net from 'node:net';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { isOnThisMachine } from '#kernel/environment/checks.ts';

/** What passkeys are bound to: a host, and the only origin whose pages may use them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * From BASE_URL, or from the address on this machine in whose place the house uses another one. Undefined where browsers
 * do not support passkeys: without https (except localhost), or for an IP.
 */
export function relyingParty({
  BASE_URL,
  settings,
}: Pick<Config, 'BASE_URL' | 'settings'>): RelyingParty | undefined {
  const own = settings.base_url && isOnThisMachine(settings.base_url) ? settings.base_url : BASE_URL;
  if (!own) return undefined;
  const { protocol, hostname, origin } = new URL(own);
  const isNumber = net.isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const offered = hostname === 'localhost' || (protocol === 'https:' && !isNumber);
  return offered ? { id: hostname, origin } : undefined;
}

/** Whether passkeys are offered. */
export const offersPasskeys = ({ config }: Context): boolean => relyingParty(config) !== undefined;

/** Logs at the start how many stored passkeys do not work, because they were made for another host than BASE_URL's. */
export function logForeignPasskeys({ config, db, log }: Context): void {
  const here = relyingParty(config)?.id ?? null;
  const foreign = build
    .selectFrom('passkeys')
    .select((of) => ['rp_id', of.fn.countAll<number>().as('passkeys')])
    .where('rp_id', 'is not', here)
    .groupBy('rp_id');
  for (const { rp_id, passkeys } of db.all(foreign))
    log.warn({ passkeys, host: rp_id }, 'passkeys made for another host than that of BASE_URL do not work');
}
