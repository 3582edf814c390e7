import { type Child, type Html, html } from '#kernel/html.ts';
import type { ShownSize } from '#kernel/images/image.ts';
import { splitBoth } from '#kernel/language/in-both.ts';
import { t } from '#kernel/language/message.ts';
import { Words, type Writer } from '#kernel/language/words.ts';
import { WRITTEN } from './language.ts';
import { hidden } from './slots.ts';

/** A link of the breadcrumbs. */
export interface Crumb {
  href: string;
  label: Words | string;
}

/** The class of a title with a word that is longer than a line of a phone, such as Mitgliederversammlung. */
class LongWord extends Words {
  readonly #title: Html;

  constructor(title: Child) {
    super();
    this.#title = html`${title}`;
  }

  override write({ reader }: Writer): string {
    const text = this.#title.for(reader).replaceAll(/<[^>]*>/g, '');
    return /\p{L}{17}/u.test(text) ? ' class="long-word"' : '';
  }
}

/** The head of a page: breadcrumbs, title, a one-line introduction, and actions. */
export function pageHeader(props: {
  title: Child;
  /** Small words above the title: a status badge, a kind. */
  eyebrow?: Child;
  lede?: Child;
  crumbs?: readonly Crumb[] | undefined;
  /** A picture, above the title. */
  picture?: Child;
  actions?: Child;
}): Html {
  const { title, eyebrow, lede, crumbs, picture, actions } = props;
  return html`${crumbs && breadcrumbs(crumbs)}${picture}<div class="page-header"><div>
${eyebrow && html`<p class="eyebrow">${eyebrow}</p>`}<h1 tabindex="-1"${new LongWord(title)}>${title}</h1>
${lede && html`<p class="lede">${lede}</p>`}
</div>${actions && html`<div class="toolbar">${actions}</div>`}</div>`;
}

/**
 * The short head of a page about one of many things, whose content begins at once.
 * @param props.first the first page about it, to which the title of another one leads back
 */
export const subPageHeader = (props: {
  title: Child;
  state: Child;
  first?: string | undefined;
  crumbs?: readonly Crumb[] | undefined;
  actions?: Child;
}): Html => {
  const { title, state, first, crumbs, actions } = props;
  const name = first === undefined ? title : html`<a class="link-alone" href="${first}">${title}</a>`;
  return html`${crumbs && breadcrumbs(crumbs)}<div class="page-header sub-page-header"><h1 tabindex="-1"${new LongWord(title)}>${name}</h1>
<p class="eyebrow">${state}</p>${actions && html`<div class="toolbar">${actions}</div>`}</div>`;
};

/**
 * The content of a page that is `wide`: a wide window shows `first` and `side` in a column beside the main part and
 * `rest`, others show all in this order.
 */
export const withSide = ({
  first,
  main,
  side,
  rest,
}: {
  first?: Html | null | undefined;
  main: Html;
  side: Html | null;
  rest?: Html;
}): Html =>
  html`<div class="with-side">${first && html`<div class="side">${first}</div>`}<div>${main}</div>${
    side && html`<aside class="side">${side}</aside>`
  }${rest && html`<div>${rest}</div>`}</div>`;

/** The links to the parent pages. */
function breadcrumbs(crumbs: readonly Crumb[]): Html {
  return html`<nav class="crumbs" aria-label="${t('common.pages.here')}"><ol>${crumbs.map(
    ({ href, label }) => html`<li><a href="${href}">${label}</a></li>`,
  )}</ol></nav>`;
}

/** One of the pages about a thing, for which one would be too long. */
export interface SubPage {
  href: string;
  label: Child;
  /** The ids on that page to which addresses of another page of the thing may lead, such as `/admin/settings#mail`. */
  anchors: readonly string[];
}

/**
 * The pages about a thing as a list, beside the content of the current one where there is room. The links hold the ids
 * that are on other pages: `officers.js` follows such a link, and without script a browser scrolls to it.
 */
export function subPages(props: {
  /** What the list is, for those who cannot see it. */
  label: Words | string;
  pages: readonly SubPage[];
  /** The address of the page that is shown. */
  current: string;
  content: Child;
}): Html {
  const links = props.pages.map((page) => {
    const { href, label } = page;
    const isCurrent = href === props.current;
    return html`<li>${isCurrent ? html`<a href="${href}" aria-current="page">${label}</a>` : subPageLink(page)}</li>`;
  });
  return html`<div class="sub-pages"><nav class="filter-links" aria-label="${props.label}"><ul role="list">${links}</ul></nav>
<div>${props.content}</div></div>`;
}

/** The link to one of the pages about a thing, with the ids that are on it. */
export const subPageLink = ({ href, label, anchors }: SubPage): Html =>
  html`<a class="link-alone" href="${href}">${label}${anchors.map((id) => html`<span id="${id}"></span>`)}</a>`;

/** Terms and their values. */
export function definitionList(rows: readonly (readonly [term: Child, value: Child])[]): Html {
  return html`<dl class="facts">${rows.map(
    ([term, value]) => html`<div><dt>${term}</dt>
  <dd>${value}</dd></div>`,
  )}</dl>`;
}

/** A few large figures side by side. */
export function statFigures(figures: readonly { label: Words | string; value: Child }[]): Html {
  return html`<dl class="stats">${figures.map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd>
  </div>`,
  )}</dl>`;
}

/** Names the time zone of all times on a page. @param zone in words, see `zoneName` */
export function zoneNote(zone: Words | string): Html {
  return html`<p class="small soft">${t('common.time.all_times', { zone })}</p>`;
}

/**
 * Details that stay collapsed unless `open` is set.
 * @param group of all details with this name on a page one is open at a time
 */
export function disclosure(summary: Child, content: Child, open = false, group?: string): Html {
  return html`<details${group !== undefined && html` name="${group}"`}${open && html` open`}><summary>${summary}</summary><div class="fold">${content}</div></details>`;
}

/** The part of a list that a page shows, in words. */
type Shown = (range: { from: number; to: number; total: number }) => Words;

/** The position in a long list, with links to the previous and the next page. */
export function pagination(props: {
  from: number;
  to: number;
  total: number;
  /** What is shown of what: `1 to 20 of 300 entries`. */
  of: Shown;
  previous?: string | undefined;
  next?: string | undefined;
  /** The links to pages by number, where there are any. */
  pages?: { current: number; last: number; href: (page: number) => string } | undefined;
}): Html {
  const { from, to, total, of, previous, next, pages } = props;
  return html`<nav class="pages" aria-label="${t('common.pages.list')}">
  <p class="numbers">${of({ from, to, total })}</p>
  ${pages && pageNumbers(pages)}<div class="toolbar">
${previous && html`<a class="button button-quiet" href="${previous}" rel="prev">${t('common.pages.previous')}</a>`}${
  next && html`<a class="button button-quiet" href="${next}" rel="next">${t('common.pages.next')}</a>`
}
</div></nav>`;
}

/** The pages of a long list; `page` counts from 1. */
export interface ListPages {
  page: number;
  pageSize: number;
  total: number;
  href: (page: number) => string;
}

/** The pagination of a list with page numbers. */
export function numberedPages(props: ListPages & { of: Shown }): Html {
  const { page, pageSize, total, of, href } = props;
  const last = Math.max(1, Math.ceil(total / pageSize));
  return pagination({
    from: total === 0 ? 0 : (page - 1) * pageSize + 1,
    to: Math.min(total, page * pageSize),
    total,
    of,
    previous: page > 1 ? href(page - 1) : undefined,
    next: page < last ? href(page + 1) : undefined,
    pages: last > 1 ? { current: page, last, href } : undefined,
  });
}

/** The first page, the last one and those near the current one; a gap is shown as “…”. */
function pageNumbers({
  current,
  last,
  href,
}: {
  current: number;
  last: number;
  href: (page: number) => string;
}) {
  const near = [1, current - 2, current - 1, current, current + 1, current + 2, last];
  const shown = [...new Set(near)].filter((page) => page >= 1 && page <= last).sort((a, b) => a - b);
  return html`<ol class="page-numbers" role="list">${shown.map(
    (page, index) =>
      html`${index > 0 && page - shown[index - 1]! > 1 && html`<li aria-hidden="true">…</li>`}
      <li><a class="page-link" href="${href(page)}"${
        page === current && html` aria-current="page"`
      }>${t('common.pages.page', { n: page, hidden })}</a></li>`,
  )}</ol>`;
}

/**
 * Plain text as it was typed, in the language of the club, also with its translation before it: line breaks are kept, an
 * empty line starts a paragraph.
 */
export function plainText(text: string): Html {
  const { translated, written } = splitBoth(text, 'text');
  return html`${translated !== undefined && prose(translated)}${prose(written, WRITTEN)}`;
}

function prose(text: string, lang?: Words): Html {
  const paragraphs = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/);
  return html`<div class="prose-plain"${lang}>${paragraphs.map(
    (paragraph) =>
      html`<p>${paragraph.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`))}</p>`,
  )}</div>`;
}

/** The address of a picture whose longest side is at most `size` pixels: about twice the size in which it is shown. */
export const sized = (address: string, size: ShownSize): string =>
  /^\/(api\/image|assets\/candidates)\//.test(address)
    ? `${address}${address.includes('?') ? '&' : '?'}size=${size}`
    : address;
