// Someone who sees only sizes, on the network or in the log of a proxy, must not learn the choice from them.
import { randomInt } from 'node:crypto';
import { Html, html } from '#kernel/html.ts';
import { formatted, type Reader } from '#kernel/language/words.ts';
import { Page, renderFor } from '#kernel/site.ts';
import { hiddenInputs } from '#views/components/forms.ts';

type Fields = Record<string, string | readonly string[]>;

/** The bytes of parts of a page, as a reader gets them. */
export const byteLength = (reader: Reader, ...parts: Html[]): number =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part.for(reader)), 0);

/** A part of a page, filled up with a comment. @param missing the bytes that it lacks, as a reader gets it */
export const filledUp = (part: Html, missing: (reader: Reader) => number): Html =>
  html`${part}<!--${formatted((reader) => filling(missing(reader)))}-->`;

/**
 * A page, filled up to the length of the longest of others. It is filled when it is sent: its head and menu depend on
 * the club, its texts on the reader.
 */
export const filledPage = (shown: Html, others: readonly Html[]): Page =>
  new Page((site, reader) => {
    const text = renderFor(site, shown, reader);
    const lengths = others.map((page) => Buffer.byteLength(renderFor(site, page, reader)));
    return html`${new Html(text)}<!--${filling(Math.max(...lengths) + SLACK - Buffer.byteLength(text))}-->`;
  }, 'visitors');

/** Room for what differs beside the entries and errors: the number of candidates without a rank. */
const SLACK = 64;

/** Hidden inputs that a browser sends in a form of `length` bytes, with a field that fills it up. */
export function equalInputs(length: number, fields: Fields, name = 'filling'): Html {
  return html`${hiddenInputs({ ...fields, [name]: filling(length - formLength(fields)) })}`;
}

/** How often a random filling holds what it hides, and its most bytes. */
const RANDOM = { times: 16, most: 32 * 1024 };

/**
 * A hidden input that lengthens what a form sends by a random number of bytes. Without script nothing else can hide that
 * a browser sends fewer fields where fewer are filled in. A comment makes up for it: the page has one length.
 * @param range the bytes by which what is sent may differ
 */
export function randomFilling(range = 0): Html {
  const most = Math.min(RANDOM.times * range, RANDOM.most);
  const length = randomInt(most + 1);
  return html`${hiddenInputs({ filling: filling(length) })}<!--${filling(most - length)}-->`;
}

/** How many bytes the fields take in the body of a form. */
export function formLength(fields: Fields): number {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs).toString().length;
}

/** A value of a form, filled with dots up to the length of the longest of its kind. Whoever reads the form removes them. */
export const filledValue = (value: string, longest: number): string =>
  value + filling(longest - value.length);

const filling = (length: number): string => '.'.repeat(Math.max(0, length));
