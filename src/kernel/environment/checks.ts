import net from 'node:net';

/** Normalizes a workspace id, with or without dashes, to 32 lower-case hex digits; undefined for any other text. */
export function workspaceId(text: string): string | undefined {
  const id = text.trim().replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined;
}

/** Whether this is an SMTP URL whose user and password can be decoded, or `file:` with a folder. */
export function isMailerUrl(address: string): boolean {
  if (/^file:.+/.test(address)) return true;
  const url = URL.parse(address);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return false;
  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}

/** Whether this is `any`, or a comma list of addresses and CIDR ranges. */
export function isProxyList(list: string): boolean {
  if (list === 'any') return true;
  return entries(list).every((entry) => {
    const [address = '', bits, rest] = entry.split('/');
    const widest = net.isIPv6(address) ? 128 : 32;
    if (rest !== undefined || net.isIP(address) === 0) return false;
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest);
  });
}

/** The parts of a comma list. */
export function entries(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** Whether the runtime knows this time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** A BCP 47 language tag in its canonical spelling; undefined if the runtime does not know its formats. */
export function knownLocale(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag.trim())[0];
  } catch {
    return undefined;
  }
}

/** Whether keys may be read from here: https, or http on this machine. Forged keys would let anybody sign in. */
export function isSafeKeySource(address: string): boolean {
  return URL.parse(address)?.protocol === 'https:' || isOnThisMachine(address);
}

/** The names by which a machine calls itself, as they stand in addresses. */
export const LOCAL_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether this address leads every device to itself: no other one can open it. */
export const isOnThisMachine = (address: string): boolean =>
  LOCAL_NAMES.includes(URL.parse(address)?.hostname ?? '');

/** Whether a path can be appended to this URL: it has no query, and no user, which would appear in logs. */
export function isPlainUrl(address: string): boolean {
  const { username, password, search, hash } = new URL(address);
  return username + password + search + hash === '';
}
