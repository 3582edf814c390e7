const PREFIX = '/api/listenbrainz/';

/**
 * Normalizes the address that a player requests. Players are configured with the base address of the protocol, and
 * differ in whether they add `/1/` and slashes; all variants become one address. Some keep only the host of the base.
 */
export function normalizeListenAddress(url: string): string {
  if (!url.startsWith(PREFIX) && !url.startsWith('/1/')) return url;
  return url.replace(
    /^(?:\/api\/listenbrainz)?\/+(?:1\/+)*(submit-listens|validate-token)\/?(?=\?|$)/,
    `${PREFIX}1/$1`,
  );
}
