/** Returns `next` if it is a path of this service, else /me (no open redirects). */
export function pathOnward(next: unknown): string {
  if (typeof next !== 'string' || next.length > 500 || !/^\/(?![/\\])/.test(next)) return '/me';
  // The URL parser drops tabs and line breaks: the result must still be a path of this service.
  const url = URL.parse(next, 'http://here.invalid');
  const own = url?.origin === 'http://here.invalid' && !/[\p{Cc}\\]/u.test(next);
  return own ? `${url.pathname}${url.search}` : '/me';
}
