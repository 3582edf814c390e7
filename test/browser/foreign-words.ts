// Finds words of a language that a reader did not ask for: those that stand in its catalogues, and not in the reader's.

import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Frame, Page } from 'playwright-core';
import { AREAS, type Area, readArea } from '#kernel/language/catalogues.ts';

const WORD = /\p{L}{2,}/gu;
const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** What the catalogues of a language say: its words, in small letters, and its texts without values. */
interface Vocabulary {
  words: ReadonlySet<string>;
  /** By key. */
  whole: ReadonlyMap<string, string>;
}

const vocabularies = new Map<string, Vocabulary>();

function vocabularyOf(language: string): Vocabulary {
  return vocabularies.getOrInsertComputed(language, () => {
    const words = new Set<string>();
    const whole = new Map<string, string>();
    for (const area of Object.keys(AREAS) as Area[])
      for (const [name, text] of Object.entries(readArea(language, area))) {
        const elements = parse(text, { captureLocation: false });
        for (const word of elements.flatMap(literals).flatMap(wordsOf)) words.add(word.toLowerCase());
        if (elements.every(({ type }) => type === TYPE.literal)) whole.set(`${area}.${name}`, oneLine(text));
      }
    return { words, whole };
  });
}

function literals(element: MessageFormatElement): string[] {
  switch (element.type) {
    case TYPE.literal:
      return [element.value];
    case TYPE.tag:
      return element.children.flatMap(literals);
    case TYPE.plural:
    case TYPE.select:
      return Object.values(element.options).flatMap(({ value }) => value.flatMap(literals));
    default:
      return [];
  }
}

/** In one line, without marks for hyphenation. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\u00ad\u200b]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What dates and sentences have beside the catalogues. */
const COMMON: Readonly<Record<string, string>> = {
  en:
    'the and of to is are with this that you your has have had from by for not be been will would can it its at on or ' +
    'january february march may june july october december mon tue wed thu sat sun oct dec am pm ' +
    'monday tuesday wednesday thursday friday saturday sunday',
  de:
    'der die das und ist sind mit dieser ihr ihre hat haben von für nicht ein eine wird werden kann oder bis ' +
    'mo di mi do fr sa so januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag uhr',
  fr: 'dim lun mar mer jeu ven sam',
  nl: 'zo ma di wo do vr za jan feb mrt apr mei jun jul aug sep okt nov dec',
};

/** What is the same for everybody. */
const FOR_EVERYBODY: Readonly<Record<string, string>> = {
  'a name of a language by itself': 'Deutsch English Français Español Nederlands Italiano',
  'the product': 'Public House',
  'methods of HTTP': 'GET POST',
  'formats, protocols and brands':
    'Wi Fi Passkey OpenID iCal Android Outlook Google Apple Windows Listenbrainz Markdown Word',
};

/** What a reader must not find: words of other languages, and their texts as they stand in the catalogues. */
interface Foreign {
  words: ReadonlySet<string>;
  texts: ReadonlySet<string>;
  marks: RegExp | undefined;
}

const foreign = new Map<string, Foreign>();

/** English for everybody but its readers; the club's language too, for those who read another one. */
export function foreignTo(reader: string, club: string): Foreign {
  return foreign.getOrInsertComputed(`${reader} ${club}`, () => {
    const own = vocabularyOf(reader);
    const ownTexts = new Set(own.whole.values());
    const usual = new Set(
      Object.values(FOR_EVERYBODY)
        .flatMap(wordsOf)
        .map((word) => word.toLowerCase()),
    );
    const words = new Set<string>();
    const texts = new Set<string>();
    for (const language of new Set(['en', club])) {
      if (language === reader) continue;
      const { words: theirs, whole } = vocabularyOf(language);
      for (const word of [...theirs, ...wordsOf(COMMON[language] ?? '')])
        if (!own.words.has(word) && !usual.has(word) && !wordsOf(COMMON[reader] ?? '').includes(word))
          words.add(word);
      for (const text of whole.values())
        if (wordsOf(text).some((word) => !usual.has(word.toLowerCase())) && !ownTexts.has(text))
          texts.add(text);
    }
    return { words, texts, marks: QUOTES[reader] };
  });
}

/** Addresses, file names, codes and fingerprints: for programs, or the same for everybody. */
const NO_WORDS =
  /\b[a-z]+:\/\/\S+|\bmailto:\S+|[\w.+-]+@[\w.-]+|(?:\b[\w-]+)?(?:\/[\w.%:-]+)+\/?(?:\?\S*)?|\b[\w-]+(?:\.[a-z_]{2,})+\b|\b[\w-]*\d[\w-]*|\b[A-Z]{3,}(?:-[A-Z]{3,})+\b|\b\w+(?:_\w+)+\b/g;

/** Quotation marks of other languages. */
const QUOTES: Readonly<Record<string, RegExp>> = { de: /”|"(?=\p{L})/gu, fr: /[“”]|"(?=\p{L})/gu };

/** What no language writes: two full stops, or a value that is none. */
const BROKEN = /(?<!\.)\.\.(?!\.)|\bundefined\b|\[object \w+\]|\bNaN\b/g;

/**
 * @param texts pieces of a page, a mail or a file
 * @param known words that the club and its people wrote, in small letters
 * @returns the pieces that hold something foreign, and what that is
 */
export function foreignIn(
  texts: readonly string[],
  { words, texts: whole, marks }: Foreign,
  known: ReadonlySet<string>,
): string[] {
  return [...new Set(texts.map(oneLine))].flatMap((text) => {
    const found = wordsOf(text.replaceAll(NO_WORDS, ' ')).filter((word) => {
      const small = word.toLowerCase();
      return words.has(small) && !known.has(small);
    });
    if (whole.has(text) && !wordsOf(text).every((word) => known.has(word.toLowerCase())))
      found.push('the whole text');
    found.push(...(text.match(BROKEN) ?? []), ...((marks && text.match(marks)) ?? []));
    return found.length === 0 ? [] : [`${text.slice(0, 160)} [${[...new Set(found)].join(', ')}]`];
  });
}

/** What a page says, also to those who hear it and to programs that share it; not what is marked as another language. */
export function textsOf(page: Page | Frame): Promise<string[]> {
  return page.evaluate(() => {
    const own = document.documentElement.lang.split('-')[0];
    const found: string[] = [document.title];
    const METAS = ['description', 'og:title', 'og:description', 'og:image:alt', 'apple-mobile-web-app-title'];
    for (const meta of document.querySelectorAll('meta'))
      if (METAS.includes(meta.name || (meta.getAttribute('property') ?? ''))) found.push(meta.content);
    const isBlock = (element: Element) => !/^inline/.test(getComputedStyle(element).display);
    const isForeign = (element: Element) =>
      element.hasAttribute('lang') && element.getAttribute('lang')!.split('-')[0] !== own;
    const attributes = (element: Element) => {
      for (const name of [
        'aria-label',
        'aria-description',
        'aria-roledescription',
        'alt',
        'placeholder',
        'title',
      ])
        found.push(element.getAttribute(name) ?? '');
      if (element instanceof HTMLInputElement && ['submit', 'button'].includes(element.type))
        found.push(element.value);
    };
    /** Adds the text of a block; of the blocks in it each by itself. */
    const block = (element: Element | DocumentFragment) => {
      let text = '';
      const walk = (node: Node) => {
        for (const child of node.childNodes) {
          if (child.nodeType === Node.TEXT_NODE) text += child.textContent;
          if (
            !(child instanceof Element) ||
            child.matches('script, style, [translate=no]') ||
            isForeign(child)
          )
            continue;
          attributes(child);
          if (child instanceof HTMLTemplateElement) block(child.content);
          // With scripts its markup is text.
          else if (child.matches('noscript'))
            block(new DOMParser().parseFromString(child.textContent ?? '', 'text/html').body);
          // Names of countries, currencies and zones are the platform's.
          else if (child instanceof HTMLSelectElement && child.length > 40) text += ' ';
          else if (child.matches('code, textarea')) text += ' ';
          else if (isBlock(child)) {
            text += ' ';
            block(child);
          } else walk(child);
        }
      };
      walk(element);
      found.push(text);
    };
    block(document.body);
    return [...new Set(found.map((text) => text.trim()).filter(Boolean))];
  });
}

/** The pieces of a mail's or a file's HTML. */
export const textsOfHtml = (html: string): string[] =>
  html
    .replaceAll(/<(style|script)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<(?:\/?(?:p|h\d|div|td|tr|li|br|title)\b)[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
    .replaceAll(/&\w+;/g, ' ')
    .split('\n')
    .filter((line) => line.trim());
