import { type Html, html } from '#kernel/html.ts';

/** A name of a person or an option: programs that translate pages leave it as it is. */
export const nameText = (name: string): Html => html`<span translate="no">${name}</span>`;

/** A sentence in which these names, wherever they occur, are left as they are by programs that translate pages. */
export function withNames(sentence: string, names: readonly string[]): Html {
  const known = names.filter((name) => name !== '').map((name) => RegExp.escape(name));
  if (known.length === 0) return html`${sentence}`;
  // Longer names first: one may contain another.
  const pattern = new RegExp(`(${known.sort((a, b) => b.length - a.length).join('|')})`);
  return html`${sentence.split(pattern).map((part, index) => (index % 2 === 1 ? nameText(part) : part))}`;
}
