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
import { adminPath, sectionPath } from '#views/voting/words.ts';
import type { Translations } from '#voting/shared/question.ts';
import { enteredLanguage, formOf, type Section } from './forms.ts';
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

/**
 * The texts of an election or a ballot paper in the other languages that voters are offered; null without one. One form is
 * shown at a time: a poll may have a hundred options.
 */
export function translationsSection(
  props: SharedProps,
  written: Written,
  { hasBallots, about = t('voting-admin.translations.about') }: { hasBallots: boolean; about?: Words },
): Section | null {
  const offered = offeredLanguages().filter((language) => language !== clubReader().language);
  const stored = Object.keys(written.translations ?? {});
  // What was typed stays, also where a ballot came in between.
  const typed = enteredLanguage(formOf(props, 'translations').entered ?? {});
  const shown = hasBallots ? stored : [...new Set([...offered, ...stored])];
  if (shown.length === 0 && typed === undefined) return null;
  const current = typed ?? (hasBallots ? undefined : props.translating);
  return {
    id: 'translations',
    title: t('voting-admin.translations.title'),
    about,
    work: html`${hasBallots && html`<p class="soft">${t('voting-admin.translations.fixed')}</p>`}${
      current !== undefined && props.doneAt === 'translations' && nextLink(props, written, offered, current)
    }${
      hasBallots
        ? stored.map((language) => {
            const parts = partsOf(written, language);
            return disclosure(countOf(parts, language), asStored(parts, language));
          })
        : languageLinks(props, written, shown, current)
    }${
      current !== undefined &&
      (offered.includes(current)
        ? lockedUnless(props, 'elections:write', formFor(props, partsOf(written, current), current))
        : stored.includes(current) && asStored(partsOf(written, current), current))
    }`,
  };
}

/** After one language the next one whose texts are not whole. */
function nextLink({ election }: SharedProps, written: Written, languages: readonly string[], saved: string) {
  const at = languages.indexOf(saved) + 1;
  const next = [...languages.slice(at), ...languages.slice(0, at)].find(
    (language) => language !== saved && partsOf(written, language).some(({ stored }) => stored === undefined),
  );
  return (
    next !== undefined &&
    html`<p><a class="button button-quiet" href="${translatingPath(election, next)}">${t('voting-admin.translations.next', { language: languageName(next) })}</a></p>`
  );
}

const translatingPath = (election: SharedProps['election'], language: string): string =>
  sectionPath(election, 'translations', `?language=${encodeURIComponent(language)}`);

const countOf = (parts: readonly Part[], language: string): Words =>
  t('voting-admin.translations.language', {
    language: languageName(language),
    given: parts.filter(({ stored }) => stored !== undefined).length,
    all: parts.length,
  });

const languageLinks = (
  { election }: SharedProps,
  written: Written,
  languages: readonly string[],
  current: string | undefined,
): Html =>
  html`<nav class="filter-links" aria-label="${t('voting-admin.translations.title')}"><ul role="list">${languages.map(
    (language) =>
      html`<li><a href="${translatingPath(election, language)}"${
        language === current && html` aria-current="true"`
      }>${countOf(partsOf(written, language), language)}</a></li>`,
  )}</ul></nav>`;

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
