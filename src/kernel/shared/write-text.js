// This module also runs in browsers.

/**
 * A parsed text: the elements of ICU MessageFormat 1, as `@formatjs/icu-messageformat-parser` gives them, of the kinds
 * that catalogues use.
 * @typedef {{ type: 0, value: string }
 *   | { type: 1, value: string }
 *   | { type: 2, value: string }
 *   | { type: 5, value: string, options: Record<string, { value: Element[] }> }
 *   | { type: 6, value: string, options: Record<string, { value: Element[] }>, offset?: number, pluralType?: 'cardinal' | 'ordinal' }
 *   | { type: 7 }
 *   | { type: 8, value: string, children: Element[] }} Element
 */

/**
 * What a text is written with: for plain text or for markup, and for a language.
 * @typedef {object} Means
 * @property {string} language
 * @property {(value: number) => string} number writes a number as the reader does
 * @property {(value: unknown) => string} put writes a value, or a piece of the text itself
 * @property {(name: string, inside: string) => string} tag writes what a tag encloses
 */

/** A value that ends with a full stop, as `7:00 p.m.` and `29 nov.`, ends the sentence too. */
const ENDED = /\.(?:<\/\w+>)*$/;

/** @type {Map<string, Intl.PluralRules>} */
const rules = new Map();

/**
 * Which form of a word goes with a number.
 * @param {string} language
 * @param {'cardinal' | 'ordinal'} type
 * @param {number} count
 */
function pluralForm(language, type, count) {
  const key = `${type} ${language}`;
  let rule = rules.get(key);
  if (!rule) {
    rule = new Intl.PluralRules(language, { type });
    rules.set(key, rule);
  }
  return rule.select(count);
}

/**
 * Writes a parsed text. A value that is missing is a fault of the program.
 * @param {string | readonly Element[]} text a string has no values
 * @param {Readonly<Record<string, unknown>>} values
 * @param {Means} means
 * @param {number} [count] what `#` stands for
 * @returns {string}
 */
export function writeText(text, values, means, count) {
  if (typeof text === 'string') return means.put(text);
  let written = '';
  for (const element of text) {
    switch (element.type) {
      case 0:
        written += means.put(ENDED.test(written) ? element.value.replace(/^\.(?!\.)/, '') : element.value);
        break;
      case 1:
        written += means.put(namedValue(values, element.value));
        break;
      case 2:
        written += means.put(means.number(Number(namedValue(values, element.value))));
        break;
      case 5: {
        const chosen = String(namedValue(values, element.value));
        const option = own(element.options, chosen) ?? element.options.other;
        if (option) written += writeText(option.value, values, means, count);
        break;
      }
      case 6: {
        const number = Number(namedValue(values, element.value));
        const left = number - (element.offset ?? 0);
        const form = pluralForm(means.language, element.pluralType ?? 'cardinal', left);
        const option =
          own(element.options, `=${number}`) ?? own(element.options, form) ?? element.options.other;
        if (option) written += writeText(option.value, values, means, left);
        break;
      }
      case 7:
        written += means.put(means.number(count ?? 0));
        break;
      default:
        written += means.tag(element.value, writeText(element.children, values, means, count));
    }
  }
  return written;
}

/**
 * @param {Readonly<Record<string, unknown>>} values
 * @param {string} name
 */
function namedValue(values, name) {
  if (!(name in values)) throw new TypeError(`The text has no value for {${name}}`);
  return values[name];
}

/**
 * @template Value
 * @param {Record<string, Value>} of
 * @param {string} name
 */
const own = (of, name) => (Object.keys(of).includes(name) ? of[name] : undefined);
