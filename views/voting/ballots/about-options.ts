import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { nameText } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { sized } from '#views/components/structure.ts';
import type { OptionJson } from '#voting/elections/elections.ts';

/** Picture and text of a candidate or an option, the text collapsed; null where it has neither. */
export function aboutOption(option: OptionJson): Html | null {
  if (option.text === null && option.picture === null) return null;
  return html`<div class="about">${pictureOf(option)}${textOf(option)}</div>`;
}

/** A candidate or an option as part of a row: the picture, and beside it the name above the collapsed text. */
export const optionInRow = (option: OptionJson, name: Html): Html =>
  html`${pictureOf(option)}<div class="rank-body${option.text !== null && ' rank-told'}"><div class="rank-name">${name}</div>
${textOf(option)}</div>`;

/** The picture; null without one. */
export const pictureOf = ({ name, picture }: OptionJson): Html | null =>
  picture &&
  html`<img class="about-picture" src="${sized(picture.url, 160)}" alt="${name}" width="56" height="56" loading="lazy"
    decoding="async">`;

const textOf = ({ name, text }: OptionJson): Html | null =>
  text === null
    ? null
    : html`<details class="about-text"><summary>${t('voting.about_options.about', { hidden, name: asWritten(name) })}</summary>
    <p${WRITTEN}>${lines(text)}</p></details>`;

/** Says which candidates or options were withdrawn after the opening; null for none. */
export function withdrawnNotice(options: readonly OptionJson[]): Html | null {
  const gone = options.filter(({ withdrawn }) => withdrawn);
  if (gone.length === 0) return null;
  const lines = gone.map(
    ({ name, withdrawn }) =>
      html`<p>${t('common.named', { name: html`<strong>${nameText(name)}</strong>`, value: t('common.quoted', { text: asWritten(withdrawn?.note ?? '') }) })}</p>`,
  );
  return notice(
    'attention',
    html`${lines}<p>${t('voting.about_options.withdrawn_names_taken_off_all')}</p>`,
    t('voting.about_options.withdrawn'),
  );
}

/** Keeps line breaks as they were typed. */
const lines = (text: string) =>
  text.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`));
