/** The person, or the screen, that a text is written for. */
export interface Reader {
  /** One of `LANGUAGES`: that of the texts. */
  language: string;
  /** The locale (BCP 47) of dates, times, numbers and lists. */
  locale: string;
}

/** Takes apart what a text consists of while it is written for a reader. */
export interface Writer {
  reader: Reader;
  /** A value of a text or of a page: escaped in markup. */
  put(value: unknown): string;
  /** Whether markup is written; else tags of a text leave only what is inside them. */
  isMarkup: boolean;
}

/** The reader of JSON, of logs, and of everything that is written before a language is known. */
export const ENGLISH: Reader = { language: 'en', locale: 'en-US' };

/** A text that is written once its reader is known. A kept answer holds it, in no language, until it is sent. */
export abstract class Words {
  abstract write(writer: Writer): string;

  /** The text for a subject, a file or JSON: without markup. */
  for(reader: Reader): string {
    const writer: Writer = { reader, isMarkup: false, put: (value) => textOf(value, writer) };
    return this.write(writer);
  }

  /** @throws in tests, where a text must not be written before its reader is known; else it is written in English */
  toString(): string {
    if (strict) throw new TypeError('A text was written before its reader was known.');
    return this.for(ENGLISH);
  }
}

/** A value of a text. A number that is not within a plural is written as it is: format it first. */
export type Value = Words | string | number;
/** What a tag of a text becomes, such as a link; plain text has only what is inside it. */
export type Tag = (inside: Words) => Words;

let strict = false;

/** Makes every text that is written without a reader an error, for tests. */
export function beStrict(): void {
  strict = true;
}

const textOf = (value: unknown, writer: Writer): string =>
  value instanceof Words ? value.write(writer) : value === null || value === undefined ? '' : String(value);

let reading: Reader | undefined;

/** The reader for whom a value is being written; undefined outside of that. */
export const readingNow = (): Reader | undefined => reading;

/** Words that a function writes: dates, lists, numbers. While it runs, `locale()` is that of the reader. */
class Formatted extends Words {
  readonly #format: (reader: Reader) => string;

  constructor(format: (reader: Reader) => string) {
    super();
    this.#format = format;
  }

  override write({ reader, put }: Writer): string {
    const before = reading;
    reading = reader;
    try {
      return put(this.#format(reader));
    } finally {
      reading = before;
    }
  }
}

/** A text that pages say to their reader, and JSON and the log of the service in a sentence of their own. */
export class Note extends Words {
  readonly #said: Words;
  /** The sentence of JSON. */
  readonly english: string;

  /** @param english if it differs from what an English reader reads */
  constructor(said: Words, english = said.for(ENGLISH)) {
    super();
    this.#said = said;
    this.english = english;
  }

  override write(writer: Writer): string {
    return this.#said.write(writer);
  }

  toJSON(): string {
    return this.english;
  }
}

/** A value that each reader reads in the way of their locale. @param format writes it as plain text */
export const formatted = (format: (reader: Reader) => string): Words => new Formatted(format);
