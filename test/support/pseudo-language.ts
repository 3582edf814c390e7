import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { addMadeLanguage } from '#kernel/language/catalogues.ts';

/** The tag of the pseudo-language: English that is easily told from English, and as long as other languages are. */
export const PSEUDO = 'en-x-long';

/** Offers the pseudo-language in this process, complete, until the function that it returns is called. */
export const addPseudoLanguage = (): (() => void) => addMadeLanguage(PSEUDO, pseudoText);

/** Within ⟦ and ⟧, in accented letters, and some 40 % longer; values and tags stay. */
export function pseudoText(english: string): string {
  const literal = (value: string): MessageFormatElement => ({ type: TYPE.literal, value });
  return printAST([literal('⟦'), ...parse(english, { captureLocation: false }).map(long), literal('⟧')]);
}

function long(element: MessageFormatElement): MessageFormatElement {
  switch (element.type) {
    case TYPE.literal:
      return {
        ...element,
        value: element.value.replaceAll(/[A-Za-z]/g, (letter) => LETTERS[letter] ?? letter),
      };
    case TYPE.tag:
      return { ...element, children: element.children.map(long) };
    case TYPE.plural:
    case TYPE.select: {
      const options = Object.entries(element.options).map(([name, option]) => [
        name,
        { ...option, value: option.value.map(long) },
      ]);
      return { ...element, options: Object.fromEntries(options) };
    }
    default:
      return element;
  }
}

/** A vowel counts twice: a third of English letters are some. */
const LETTERS: Record<string, string> = {
  a: 'àà',
  e: 'éé',
  i: 'ïï',
  o: 'öö',
  u: 'üü',
  A: 'ÀÀ',
  E: 'ÉÉ',
  I: 'ÏÏ',
  O: 'ÖÖ',
  U: 'ÜÜ',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  y: 'ÿ',
  C: 'Ç',
  N: 'Ñ',
  S: 'Š',
  Y: 'Ÿ',
};
