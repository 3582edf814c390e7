/** A name behind ?, & or ; and the rest of its address, also where these are encoded once or more. */
const QUERY_VALUE = /((?:[?&;]|%(?:25)*(?:3f|26|3b))[\w.~%[\]-]{0,40}(?:=|%(?:25)*3d))[^\s"\\<>]*/gi;

/** A text without the values that addresses in it carry in their queries: they open a ballot, or name a person. */
export function withoutQueryValues(text: string): string {
  return text.replace(QUERY_VALUE, '$1…');
}

/**
 * The path of a URL for the log, without a part that holds more than plain letters: a query may be misspelled or
 * encoded (`/vote;t=`, `/vote%3Ft=`), and an e-mail address may stand in a path.
 */
export function loggedPath(url: string): string {
  const [path = ''] = /^[\w./~-]*/.exec(url) ?? [];
  if (path.length === url.length || url[path.length] === '?') return path;
  return `${path.slice(0, path.lastIndexOf('/') + 1)}…`;
}
