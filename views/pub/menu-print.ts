import { type Html, html } from '#kernel/html.ts';
import { formatLocal } from '#kernel/local-time.ts';
import { locale } from '#kernel/locale.ts';
import { byOrder, MARK_WORDS, sizeWords, strengthWords } from '#kernel/shared/menu-words.js';
import type { Site } from '#kernel/site.ts';
import type { Menu, MenuItem, MenuSection } from '#pub/menu/list.ts';
import { siteSign } from '#views/components/club.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { allergenLegend, allergenLetters } from './allergens.ts';

/** The forms of the printed list: for tables, for small stands, and the sixteen drinks beside an entrance. */
export const PRINT_FORMS = ['a4', 'a5', '16'] as const;
export type PrintForm = (typeof PRINT_FORMS)[number];

const FORMS: Record<PrintForm, string> = { a4: 'A4', a5: 'A5', '16': '16 items' };
const FEW = 16;

export interface MenuPrintProps {
  menu: Menu;
  form: PrintForm;
  now: number;
  zone: string;
}

/** The list on paper: the names of all items with their prices, and a legend of the allergens at the end. */
export function menuPrint({ menu, form, now, zone }: MenuPrintProps): Html {
  const sections = form === '16' ? firstDrinks(menu) : printed(menu);
  const items = sections.flatMap((section) => section.items);
  // Where nothing is known of any item, the line at the end says it for all.
  const isKnown = items.some(({ allergens }) => allergens !== null);
  const date = formatLocal(now, zone, { dateStyle: 'long' });
  const body = (
    site: Site,
  ) => html`<nav class="filter-links" aria-label="Forms"><ul role="list">${PRINT_FORMS.map(
    (one) =>
      html`<li><a href="/menu/print?form=${one}"${one === form && html` aria-current="true"`}>${FORMS[one]}</a></li>`,
  )}</ul></nav><p class="screen-only small soft">Print this page with the print command of the browser.</p>
<article class="menu-paper menu-paper-${form}"><header class="menu-paper-head"><p class="menu-paper-club">${site.logo !== null && siteSign(site)}<span>${site.name}</span></p>
<h1>Drinks and food</h1><p>Prices of ${date}, with tax and service${
    menu.columns === 2 ? `: ${menu.columnNames.members} / ${menu.columnNames.guests}` : ''
  }</p></header>
<div class="menu-paper-list">${sections.map(
    ({ title, note, items }) => html`<section>${
      form !== '16' && html`<h2>${title}</h2>${note && html`<p class="menu-paper-note">${note}</p>`}`
    }
${items.map((item) => paperItem(item, menu, { isShort: form === '16', isKnown }))}</section>`,
  )}</div>
<footer class="menu-paper-foot"><div>${isKnown && html`<h2>Allergens</h2><p>${allergenLegend(items).join(', ')}</p>`}<p>${menu.allergenLine}</p></div>
<p class="menu-paper-code"><img src="/api/image/link-qr/menu" alt="QR code of the list for phones" width="98" height="98"><span>The list on your phone</span></p></footer></article>`;
  return page({
    title: 'Drinks and food, to print',
    body,
    nav: '/menu',
    givesAddress: true,
    head: stylesheets('pub/menu-print.css'),
  });
}

const printed = ({ sections, laterSections = [] }: Menu): MenuSection[] =>
  [...sections, ...laterSections].filter(({ showOn }) => showOn.print).sort(byOrder);

/** The first sixteen drinks that have a price; without headings they have space on one page. */
function firstDrinks(menu: Menu): MenuSection[] {
  let left = FEW;
  return printed(menu).flatMap((section) => {
    if (section.kind !== 'drinks') return [];
    const items = section.items
      .filter(({ sizes }) => sizes.some(({ price }) => price !== null))
      .slice(0, left);
    left -= items.length;
    return items.length > 0 ? [{ ...section, items }] : [];
  });
}

/**
 * @param isShort without all that is no name, strength or price
 * @param isKnown whether anything is known of allergens in the list
 */
function paperItem(
  item: MenuItem,
  { columns }: Menu,
  { isShort, isKnown }: { isShort: boolean; isKnown: boolean },
): Html {
  const { name, maker, style, abv, marks, sizes, description } = item;
  const about = [maker, style, ...marks.map((mark) => MARK_WORDS[mark])].filter(Boolean).join(' · ');
  return html`<div class="menu-paper-item"><p class="menu-paper-words"><strong>${name}</strong>${
    abv !== null && html` ${strengthWords(abv, locale())}`
  } <sup>${allergenLetters(item, isKnown)}</sup>${!isShort && about && html`<br>${about}`}${!isShort && description && html`<br><em>${description}</em>`}</p>
<p class="menu-paper-prices">${sizes.map(
    (size) =>
      html`<span>${sizeWords(size) && `${sizeWords(size)} `}<b>${columns === 2 ? [size.memberPriceText, size.priceText].filter(Boolean).join(' / ') : size.priceText}</b></span>`,
  )}</p></div>`;
}
