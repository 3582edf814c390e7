import { type Html, html } from '#kernel/html.ts';
import { Words, type Writer } from '#kernel/language/words.ts';
import { asWritten } from './language.ts';

/** A name of a person or an option, in the language of the club: programs that translate pages leave it as it is. */
export const nameText = (name: Words | string): Html =>
  html`<span translate="no">${typeof name === 'string' ? asWritten(name) : name}</span>`;

/** A sentence in which these names, wherever they occur, are left as they are by programs that translate pages. */
export const withNames = (sentence: Words | string, names: readonly (Words | string)[]): Html =>
  html`${new Named(sentence, names)}`;

/** A sentence in which names are marked once it is written. */
class Named extends Words {
  readonly #sentence: Words | string;
  readonly #names: readonly (Words | string)[];

  constructor(sentence: Words | string, names: readonly (Words | string)[]) {
    super();
    this.#sentence = sentence;
    this.#names = names;
  }

  override write({ reader, put, isMarkup }: Writer): string {
    const textOf = (words: Words | string) => (words instanceof Words ? words.for(reader) : words);
    const text = textOf(this.#sentence);
    const known = new Map(this.#names.map((name) => [textOf(name), name]));
    known.delete('');
    if (!isMarkup || known.size === 0) return put(text);
    // Longer names first: one may contain another.
    const inOrder = [...known.keys()].sort((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
    const parts = text.split(new RegExp(`(${inOrder.join('|')})`));
    return parts
      .map((part, index) => put(index % 2 === 1 ? nameText(known.get(part) ?? part) : part))
      .join('');
  }
}
