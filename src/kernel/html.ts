import { type Reader, Words, type Writer } from './language/words.ts';

/** Markup that is safe to send: created only by `html`. Its texts are written when its reader is known. */
export class Html extends Words {
  readonly parts: readonly Part[];

  /** @param parts safe markup, and what becomes it for a reader */
  constructor(parts: string | readonly Part[]) {
    super();
    this.parts = typeof parts === 'string' ? [parts] : parts;
  }

  override write(writer: Writer): string {
    let text = '';
    for (const part of this.parts) text += typeof part === 'string' ? part : part.write(writer);
    return text;
  }

  /** The markup for a reader. */
  override for(reader: Reader): string {
    return this.write(markupFor(reader));
  }

  /** The markup; what is written for a reader is left out of it, but for one character. */
  get outline(): string {
    return this.parts
      .map((part) => (typeof part === 'string' ? part : part instanceof Html ? part.outline : '·'))
      .join('');
  }

  /** @throws in tests, if something of it waits for a reader */
  override toString(): string {
    return this.parts.every((part) => typeof part === 'string') ? this.parts.join('') : super.toString();
  }
}

type Part = string | Words;

export type Child = Words | string | number | null | undefined | false | readonly Child[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Tagged template: every value is escaped unless it is Html; lists are joined, null and false render nothing; a text
 * waits for its reader.
 */
export function html(strings: TemplateStringsArray, ...children: Child[]): Html {
  const parts: Part[] = [];
  let text = strings[0]!;
  const put = (child: Child): void => {
    if (child instanceof Html && child.constructor === Html)
      for (const part of child.parts) {
        if (typeof part === 'string') text += part;
        else keep(part);
      }
    else if (child instanceof Words) keep(child);
    else if (Array.isArray(child)) for (const one of child) put(one);
    else if (child !== null && child !== undefined && child !== false) text += escaped(String(child));
  };
  const keep = (part: Words): void => {
    if (text !== '') parts.push(text);
    text = '';
    parts.push(part);
  };
  for (const [at, child] of children.entries()) {
    put(child);
    text += strings[at + 1]!;
  }
  if (text !== '') parts.push(text);
  return new Html(parts);
}

/** Markup that a function changes once it is written. */
class Changed extends Html {
  readonly #markup: Html;
  readonly #change: (markup: string) => string;

  constructor(markup: Html, change: (markup: string) => string) {
    super([markup]);
    this.#markup = markup;
    this.#change = change;
  }

  override write(writer: Writer): string {
    return this.#change(this.#markup.write(writer));
  }
}

/** Changes markup now where it waits for nobody, else once its reader is known. */
const changed = (markup: Html, change: (markup: string) => string): Html =>
  markup.parts.every((part) => typeof part === 'string')
    ? new Html(change(markup.parts.join('')))
    : new Changed(markup, change);

/**
 * Returns markup with other values of some attributes. Quotation marks in texts are escaped, so only attributes are
 * changed.
 * @param change gets the name and the escaped value; returns the new one, escaped too
 */
export function withAttributes(
  markup: Html,
  names: readonly string[],
  change: (name: string, value: string) => string,
): Html {
  const attribute = new RegExp(` (${names.join('|')})="([^"]*)"`, 'g');
  return changed(markup, (text) =>
    text.replace(attribute, (_all, name, value) => ` ${name}="${change(name, value)}"`),
  );
}

/** Returns markup whose forms are changed, each with its content. */
export const withForms = (markup: Html, change: (form: string) => string): Html =>
  changed(markup, (text) => text.replaceAll(/<form\b[\s\S]*?<\/form>/g, change));

/** Writes markup for a reader. */
function markupFor(reader: Reader): Writer {
  const writer: Writer = {
    reader,
    isMarkup: true,
    put: (value) =>
      value instanceof Words
        ? value.write(writer)
        : value === null || value === undefined
          ? ''
          : escaped(String(value)),
  };
  return writer;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
