import { type Html, html } from '#kernel/html.ts';
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

/** Keeps line breaks as they were typed. */
const lines = (text: string) =>
  text.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`));
