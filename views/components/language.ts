import { type Html, html } from '#kernel/html.ts';
import { splitBoth } from '#kernel/language/in-both.ts';
import { t } from '#kernel/language/message.ts';
import { offeredLanguages, readerIn } from '#kernel/language/readers.ts';
import { formatted, type Reader, Words, type Writer } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';

/** Where a line begins, by language: asking for it takes longer than writing the rest of the tag. */
const directions = new Map<string, string>();
const directionOf = (language: string): string => new Intl.Locale(language).getTextInfo().direction ?? 'ltr';

/** The attributes of <html>: in which language its page is, and how scripts write numbers and times. */
export const PAGE_LANGUAGE: Html = html` lang="${formatted(({ language }) => language)}" dir="${formatted(
  ({ language }) => directions.getOrInsertComputed(language, directionOf),
)}" data-locale="${formatted(({ locale }) => locale)}"`;

// What people of the club wrote, such as a title, is in the language of the club: a screen reader reads it in that.

/** The attribute ` lang` of an element that holds what the club wrote; nothing for readers of that language. */
class WrittenLang extends Words {
  override write({ reader, isMarkup }: Writer): string {
    const { language } = clubReader();
    return reader.language === language || !isMarkup ? '' : ` lang="${language}"`;
  }
}

/** For an element that holds only such a text: `<h1${WRITTEN}>${title}</h1>`. */
export const WRITTEN: Words = new WrittenLang();

class Written extends Words {
  readonly #text: Words | string;

  constructor(text: Words | string) {
    super();
    this.#text = text;
  }

  override write(writer: Writer): string {
    const { put, reader } = writer;
    const text = typeof this.#text === 'string' ? this.#text : this.#text.for(reader);
    const lang = WRITTEN.write(writer);
    if (lang === '') return put(text);
    const { translated, written, between } = splitBoth(text);
    const marked = `<span${lang}>${put(written)}</span>`;
    return translated === undefined ? marked : put(translated + between) + marked;
  }
}

/**
 * Such a text as a value of another one, or beside others; also one with its translation before it. In attributes use the
 * string itself, or `plain`.
 */
export const asWritten = (text: Words | string): Words => new Written(text);

/** A text for an attribute, which holds no elements: without the markup of its values. */
export const plain = (text: Words): Words => formatted((reader) => text.for(reader));

/** The name of a language, in itself. */
export const languageName = (language: string): string => t('common.language.name').for(readerIn(language));

/** Each language in itself, the one of the page marked. @param address of the page, to which it leads back */
export function languageSwitch(address: string): Html | null {
  const offered = offeredLanguages();
  if (offered.length < 2) return null;
  const current = (language: string) =>
    formatted((reader: Reader) => (reader.language === language ? 'true' : 'false'));
  return html`<form class="languages" method="post" action="/language" aria-label="${t('common.language.choose')}">
<input type="hidden" name="back" value="${address}">${offered.map(
    (language) => html`
<button class="button button-quiet button-small" name="language" value="${language}" lang="${language}"
aria-pressed="${current(language)}">${languageName(language)}</button>`,
  )}
</form>`;
}
