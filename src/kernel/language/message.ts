import { writeText } from '#kernel/shared/write-text.js';
import { findText, type Parsed, parseText } from './catalogues.ts';
import type { Texts } from './texts.ts';
import { ENGLISH, type Reader, type Tag, type Value, Words, type Writer } from './words.ts';

/** The values of a text, as `t` takes them. */
export type Arguments<Key extends keyof Texts> = keyof Texts[Key] extends never
  ? []
  : [values: Readonly<Texts[Key]>];

/** The values of a text in a browser: written already, and without tags, of which plain text has only what is inside. */
export type PlainArguments<Key extends keyof Texts> = keyof Plain<Texts[Key]> extends never
  ? []
  : [values: Readonly<Plain<Texts[Key]>>];
type Plain<Values> = {
  [Name in keyof Values as Values[Name] extends Tag ? never : Name]: Exclude<Values[Name], Words>;
};

/** A text of the catalogues with its values. It has no language, and only data: a key and values. */
export class Message extends Words {
  readonly key: keyof Texts;
  readonly values: Readonly<Record<string, Value | Tag>>;

  constructor(key: keyof Texts, values: Readonly<Record<string, Value | Tag>>) {
    super();
    this.key = key;
    this.values = values;
  }

  override write(writer: Writer): string {
    const { reader, put, isMarkup } = writer;
    const text = findText(reader.language, this.key);
    // Most texts have no values: they are escaped once.
    if (typeof text === 'string') return isMarkup ? escaped.getOrInsertComputed(text, put) : text;
    return writeText(text, this.values, {
      language: reader.language,
      number: (value) => numberFor(reader, value),
      put,
      tag: (name, inside) => {
        const tag = this.values[name];
        if (typeof tag !== 'function') throw new TypeError(`${this.key} has no tag <${name}>`);
        return isMarkup ? put(tag(new Written(inside))) : inside;
      },
    });
  }
}

/** The markup of texts without values. */
const escaped = new Map<string, string>();

/** What is inside a tag: written already. */
class Written extends Words {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override write(): string {
    return this.#text;
  }
}

/** The texts without values, one of each key. */
const plain = new Map<keyof Texts, Message>();

/**
 * A text of the catalogues. Of a text without values there is one, so that what shares it can be grouped by it.
 * @param key `area.page.what` @param values those that the English text names
 */
export function t<Key extends keyof Texts>(key: Key, ...[values]: Arguments<Key>): Message {
  if (values === undefined) return plain.getOrInsertComputed(key, () => new Message(key, {}));
  return new Message(key, values as Readonly<Record<string, Value | Tag>>);
}

const sentences = new Map<string, Parsed>();

/** Writes a text that stands in no catalogue: a sentence of JSON answers. @param text ICU MessageFormat 1, without tags */
export function writeEnglish(text: string, values: Readonly<Record<string, Value>>): string {
  const put = (value: unknown) => (value instanceof Words ? value.for(ENGLISH) : String(value));
  return writeText(
    sentences.getOrInsertComputed(text, () => parseText(text)),
    values,
    { language: 'en', number: (value) => numberFor(ENGLISH, value), put, tag: (_name, inside) => inside },
  );
}

/** Writes texts as plain text, as browser modules do: for what both of them say. */
export const sayFor =
  (reader: Reader) =>
  <Key extends keyof Texts>(key: Key, ...[values]: PlainArguments<Key>): string =>
    new Message(key, (values ?? {}) as Readonly<Record<string, Value>>).for(reader);

const formats = new Map<string, Intl.NumberFormat>();

const numberFor = ({ locale }: Reader, value: number): string =>
  formats.getOrInsertComputed(locale, () => new Intl.NumberFormat(locale)).format(value);
