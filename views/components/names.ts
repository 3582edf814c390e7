import { type Html, html } from '#kernel/html.ts';
import { Words, type Writer } from '#kernel/language/words.ts';

/** A name of a person or an option: programs that translate pages leave it as it is. */
export const nameText = (name: string): Html => html`<span translate="no">${name}</span>`;

/** A sentence in which these names, wherever they occur, are left as they are by programs that translate pages. */
export function withNames(sentence: Words | string, names: readonly string[]): Html {
  const known = names.filter((name) => name !== '').map((name) => RegExp.escape(name));
  if (known.length === 0) return html`${sentence}`;
  // Longer names first: one may contain another.
  const pattern = new RegExp(`(${known.sort((a, b) => b.length - a.length).join('|')})`);
  return html`${new Named(sentence, pattern)}`;
}

/** A sentence in which names are marked once it is written. */
class Named extends Words {
  readonly #sentence: Words | string;
  readonly #names: RegExp;

  constructor(sentence: Words | string, names: RegExp) {
    super();
    this.#sentence = sentence;
    this.#names = names;
  }

  override write({ reader, put, isMarkup }: Writer): string {
    const text = this.#sentence instanceof Words ? this.#sentence.for(reader) : this.#sentence;
    if (!isMarkup) return put(text);
    const parts = text.split(this.#names);
    return parts.map((part, index) => put(index % 2 === 1 ? nameText(part) : part)).join('');
  }
}
