/** Cuts a text to at most `longest` UTF-16 units, never inside a surrogate pair. */
export const truncate = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');

/** Shortens a text that is longer than `longest` UTF-16 units, and ends it with an ellipsis. */
export const shorten = (text: string, longest: number): string =>
  text.length <= longest ? text : `${truncate(text, longest - 1).trimEnd()}…`;
