import net from 'node:net';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';

/** What passkeys are bound to: a host, and the one origin whose pages may ask for them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Of BASE_URL. Undefined where browsers make no passkeys: without https, but for localhost, and for bare IP addresses. */
export function relyingParty({ BASE_URL }: Pick<Config, 'BASE_URL'>): RelyingParty | undefined {
  if (!BASE_URL) return undefined;
  const { protocol, hostname, origin } = new URL(BASE_URL);
  const isNumber = net.isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const offered = hostname === 'localhost' || (protocol === 'https:' && !isNumber);
  return offered ? { id: hostname, origin } : undefined;
}

/** Whether passkeys work here. */
export const offersPasskeys = ({ config }: Context): boolean => relyingParty(config) !== undefined;

/** Logs at the start that passkeys are stored that work no longer, as BASE_URL has another host. */
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
