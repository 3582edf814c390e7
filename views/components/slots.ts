import { Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
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

/** Markup that is printed, signed or hung up: in the club's language, whoever reads the page around it. */
export const inClubLanguage = (markup: Html): Html => new Html(markup.for(clubReader()));
