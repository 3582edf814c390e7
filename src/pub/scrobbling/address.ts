const PREFIX = '/api/listenbrainz/';

/**
 * The address that a player means. Players are given the base of the protocol, and add `/1/` or not, `/` or not: what
 * comes of a base with or without both is one address. Some keep the host of the base alone.
 */
export function normalizeListenAddress(url: string): string {
  if (!url.startsWith(PREFIX) && !url.startsWith('/1/')) return url;
  return url.replace(
    /^(?:\/api\/listenbrainz)?\/+(?:1\/+)*(submit-listens|validate-token)\/?(?=\?|$)/,
    `${PREFIX}1/$1`,
  );
}
