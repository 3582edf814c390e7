// The texts of a page's modules: the page holds those that its modules use, in the language of its reader.
import { writeText } from '../../../src/kernel/shared/write-text.js';

/**
 * @typedef {import('#kernel/language/texts.ts').Texts} Texts
 * @typedef {string | readonly import('#kernel/shared/write-text.js').Element[]} Parsed
 */

/** @type {Record<string, Parsed> | undefined} */
let texts;
/** @type {Intl.NumberFormat | undefined} */
let numbers;

const root = () => globalThis.document?.documentElement;

/** Reads the texts from elsewhere: outside of a page. @param {Record<string, Parsed>} from */
export function useTexts(from) {
  texts = from;
}

/** Adds the texts of a page whose content is shown here. @param {Document} page */
export function addTexts(page) {
  texts = { ...read(document), ...texts, ...read(page) };
}

/** @param {Document} page @returns {Record<string, Parsed>} */
const read = (page) => JSON.parse(page.getElementById('texts')?.textContent ?? '{}');

/** Writes a number as the reader does. @param {number} value */
export function formatNumber(value) {
  numbers ??= new Intl.NumberFormat(root()?.dataset.locale ?? 'en-US');
  return numbers.format(value);
}

/**
 * Writes a text of the catalogues, as plain text.
 * @template {keyof Texts} Key
 * @param {Key} key in full: the page is given the texts whose keys its modules name
 * @param {import('#kernel/language/message.ts').PlainArguments<Key>} values
 * @returns {string}
 */
export function t(key, ...values) {
  return write(key, values[0], (_name, inside) => inside);
}

/**
 * Fills an element with a text whose tags are elements. What stands there already stays: a screen reader would read it
 * out again.
 * @template {keyof Texts} Key
 * @param {Element} element
 * @param {Record<string, Element>} tags
 * @param {Key} key
 * @param {import('#kernel/language/message.ts').PlainArguments<Key>} values
 */
export function fill(element, tags, key, ...values) {
  const text = write(key, values[0], (name, inside) => {
    const tag = tags[name];
    if (tag && tag.textContent !== inside) tag.textContent = inside;
    return `\0${name}\0`;
  });
  const parts = text
    .split('\0')
    .map((part, index) => (index % 2 ? tags[part] : part))
    .filter(Boolean);
  const { childNodes } = element;
  const stands = (/** @type {string | Element | undefined} */ part, /** @type {number} */ index) =>
    part === childNodes[index] || part === childNodes[index]?.nodeValue;
  if (childNodes.length !== parts.length || !parts.every(stands))
    element.replaceChildren(...parts.map((part) => part ?? ''));
}

/**
 * @param {string} key
 * @param {Readonly<Record<string, unknown>> | undefined} values
 * @param {(name: string, inside: string) => string} tag
 */
function write(key, values = {}, tag) {
  texts ??= read(document);
  return writeText(texts[key] ?? '', values, {
    language: root()?.lang || 'en',
    number: formatNumber,
    put: String,
    tag,
  });
}
