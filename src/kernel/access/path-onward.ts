const HERE = 'http://here.invalid';

/**
 * Returns the path of this service that `next` leads to, else another one (no open redirects). The check judges the address
 * after the parser resolved it: `/..//evil.example` begins like a path and becomes another host.
 */
export function pathOnward(next: unknown, otherwise = '/me'): string {
  if (typeof next !== 'string' || next.length > 500) return otherwise;
  const url = resolve(next);
  // A proxy in front may decode a path before it sends it on.
  return url && resolve(decoded(url.pathname)) ? url.pathname + url.search : otherwise;
}

/** Where a form leads after what it does, if it was opened from another page: its field `next`. */
export function formOnward(entered: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return entered?.next ? pathOnward(entered.next) : undefined;
}

/** The address of a path here; undefined if it is another's, or begins with more than one slash once resolved. */
function resolve(path: string): URL | undefined {
  // Browsers rewrite backslashes and leave out control characters.
  if (!path.startsWith('/') || /[\p{Cc}\\]/u.test(path)) return undefined;
  const url = URL.parse(path, HERE);
  return url?.origin === HERE && !url.pathname.startsWith('//') ? url : undefined;
}

/** Empty for an encoding that cannot be read. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
