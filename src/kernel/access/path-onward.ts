/** A path of this service to go on to; anything else leads to /me. */
export function pathOnward(next: unknown): string {
  if (typeof next !== 'string' || next.length > 500 || !/^\/(?![/\\])/.test(next)) return '/me';
  // The parser of addresses drops tabs and line breaks: what is left must still be a path here.
  const url = URL.parse(next, 'http://here.invalid');
  const own = url?.origin === 'http://here.invalid' && !/[\p{Cc}\\]/u.test(next);
  return own ? `${url.pathname}${url.search}` : '/me';
}
