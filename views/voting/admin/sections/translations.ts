import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { field } from '#views/components/forms.ts';
import { languageName, WRITTEN } from '#views/components/language.ts';
import { definitionList, disclosure } from '#views/components/structure.ts';
import { lockedUnless } from '#views/voting/admin/frame.ts';
import { adminPath } from '#views/voting/words.ts';
import type { Translations } from '#voting/shared/question.ts';
import { formOf, type Section } from './forms.ts';
import type { SharedProps } from './props.ts';

/** What can be translated, as it was written and in other languages. */
interface Written {
  title: string;
  description: string | null;
  options?: readonly { id: string; name: string }[] | undefined;
  translations?: Translations | undefined;
}

/** A text with its path below its language, as JSON has it. */
interface Part {
  path: string;
  label: Words | string;
  written: string;
  stored: string | undefined;
  rows?: number;
  maxlength: number;
}

/** The texts of an election or a ballot paper in the other languages that voters are offered; null without one. */
export function translationsSection(
  props: SharedProps,
  written: Written,
  { hasBallots, about }: { hasBallots: boolean; about?: Words },
): Section | null {
  const { translations = {} } = written;
  const { entered } = formOf(props, 'translations');
  const offered = offeredLanguages().filter((language) => language !== clubReader().language);
  const stored = Object.keys(translations);
  // What was typed stays, also where a ballot came in between.
  const given = (language: string) => entered !== undefined && isEntered(entered, language);
  const shown = hasBallots && entered === undefined ? stored : [...new Set([...offered, ...stored])];
  if (shown.length === 0) return null;
  return {
    id: 'translations',
    title: t('voting-admin.translations.title'),
    about: about ?? t('voting-admin.translations.about'),
    work: html`${hasBallots && html`<p class="soft">${t('voting-admin.translations.fixed')}</p>`}${shown.map(
      (language) => {
        const parts = partsOf(written, language);
        const isFixed = (hasBallots && !given(language)) || !offered.includes(language);
        return disclosure(
          t('voting-admin.translations.language', {
            language: languageName(language),
            given: parts.filter(({ stored: text }) => text !== undefined).length,
            all: parts.length,
          }),
          isFixed
            ? asStored(parts, language)
            : lockedUnless(props, 'elections:write', formFor(props, parts, language)),
          given(language),
        );
      },
    )}`,
  };
}

const isEntered = (entered: Readonly<Record<string, unknown>>, language: string): boolean =>
  typeof entered.translations === 'object' &&
  entered.translations !== null &&
  language in entered.translations;

/** A description that nobody has written has no other one. */
function partsOf({ title, description, options = [], translations }: Written, language: string): Part[] {
  const own = translations?.[language] ?? {};
  return [
    {
      path: 'title',
      label: t('voting-admin.forms.title'),
      written: title,
      stored: own.title,
      maxlength: 500,
    },
    ...(description === null && own.description === undefined
      ? []
      : [
          {
            path: 'description',
            label: t('voting-admin.forms.description'),
            written: description ?? '',
            stored: own.description,
            rows: 4,
            maxlength: 5_000,
          },
        ]),
    ...options.map(({ id, name }) => ({
      path: `options.${id}`,
      label: html`<span${WRITTEN}>${name}</span>`,
      written: name,
      stored: own.options?.[id],
      maxlength: 300,
    })),
  ];
}

/** A form for each language: most clubs need one of them. */
function formFor(props: SharedProps, parts: readonly Part[], language: string): Html {
  const { entered = {}, errors, prefix } = formOf(props, 'translations');
  return html`<form method="post" action="${adminPath(props.election)}?_method=PATCH">
${parts.map(({ path, label, written, stored, ...size }) => {
  const name = `translations.${language}.${path}`;
  const isName = path.startsWith('options.');
  return html`${field({
    ...size,
    name,
    id: prefix + name,
    label,
    lang: language,
    hint: !isName && written !== '' && html`<span${WRITTEN}>${excerptOf(written)}</span>`,
    value: enteredText(entered, name, stored ?? ''),
    error: errorAt(errors, name),
    open: true,
    autocomplete: 'off',
  })}\n`;
})}<button class="button button-quiet">${t('voting-admin.translations.save', { language: languageName(language) })}</button></form>`;
}

/** As much of a written text as stands above the input for the other one. */
const SHOWN_OF_WRITTEN = 200;
const excerptOf = (text: string): string =>
  text.length > SHOWN_OF_WRITTEN ? `${text.slice(0, SHOWN_OF_WRITTEN).trimEnd()}…` : text;

const asStored = (parts: readonly Part[], language: string): Html =>
  definitionList(
    parts.flatMap(({ label, stored }) =>
      stored === undefined ? [] : [[label, html`<span lang="${language}">${stored}</span>`] as const],
    ),
  );
