import { Html, html } from '#kernel/html.ts';
import type { Reader, Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';

// What the tags of texts become that stand in many of them.

/** Words that stand out. */
export const strong = (inside: Words): Html => html`<strong>${inside}</strong>`;

/** Words for screen readers alone: what a short label is about. */
export const hidden = (inside: Words): Html => html`<span class="visually-hidden">${inside}</span>`;

/** Words that say more beside others. */
export const quiet = (inside: Words): Html => html`<span class="small soft">${inside}</span>`;

/** A link. */
export const linkTo =
  (href: string) =>
  (inside: Words): Html =>
    html`<a href="${href}">${inside}</a>`;

/** Markup for one reader, whoever reads the page around it. @param markup its element takes the attribute ` lang` */
export const inLanguageOf = (reader: Reader, markup: (lang: Html) => Html): Html =>
  new Html(markup(html` lang="${reader.language}"`).for(reader));

/** Markup that is printed, signed or hung up is in the club's language. */
export const inClubLanguage = (markup: (lang: Html) => Html): Html => inLanguageOf(clubReader(), markup);
