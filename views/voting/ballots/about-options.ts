import { type Html, html } from '#kernel/html.ts';
import { nameText } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import type { OptionJson } from '#voting/elections/elections.ts';

/** Picture and text of a candidate or an option, the text collapsed; null where it has neither. */
export function aboutOption({ name, text, picture }: OptionJson): Html | null {
  if (text === null && picture === null) return null;
  return html`<div class="about">${
    picture &&
    html`<img class="about-picture" src="${picture.url}" alt="${name}" width="64" height="64" loading="lazy"
    decoding="async">`
  }${
    text !== null &&
    html`<details class="about-text"><summary>About<span class="visually-hidden"> ${name}</span></summary>
    <p>${lines(text)}</p></details>`
  }</div>`;
}

/** Says which candidates or options were withdrawn after the opening; null for none. */
export function withdrawnNotice(options: readonly OptionJson[]): Html | null {
  const gone = options.filter(({ withdrawn }) => withdrawn);
  if (gone.length === 0) return null;
  const lines = gone.map(
    ({ name, withdrawn }) => html`<p><strong>${nameText(name)}</strong>: “${withdrawn?.note ?? ''}”</p>`,
  );
  return notice(
    'attention',
    html`${lines}<p>Withdrawn names are taken off all ballots before the count.</p>`,
    'Withdrawn',
  );
}

/** Keeps line breaks as they were typed. */
const lines = (text: string) =>
  text.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`));
