import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatLocal } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { byOrder, sizeWords } from '#kernel/shared/menu-words.js';
import type { Site } from '#kernel/site.ts';
import type { Menu, MenuItem, MenuSection, MenuSize } from '#pub/menu/list.ts';
import { siteSign } from '#views/components/club.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { allergenLegend, allergenLetters, allergenLine } from './allergens.ts';
import { aboutItem, guestPriceOf, priceIn, strengthOf } from './menu.ts';

/** The forms of the printed list: for tables, for small stands, and the sixteen drinks beside an entrance. */
export const PRINT_FORMS = ['a4', 'a5', '16'] as const;
export type PrintForm = (typeof PRINT_FORMS)[number];

const FORMS: Record<PrintForm, Words | string> = {
  a4: 'A4',
  a5: 'A5',
  '16': t('pub.menu_print.sixteen_items'),
};
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
  ) => html`<nav class="filter-links" aria-label="${t('pub.menu_print.forms')}"><ul role="list">${PRINT_FORMS.map(
    (one) =>
      html`<li><a href="/menu/print?form=${one}"${one === form && html` aria-current="true"`}>${FORMS[one]}</a></li>`,
  )}</ul></nav><p class="screen-only small soft">${t('pub.menu_print.print_page_print_command_browser')}</p>
<article class="menu-paper menu-paper-${form}"><header class="menu-paper-head"><p class="menu-paper-club">${site.logo !== null && siteSign(site)}<span>${site.name}</span></p>
<h1>${t('pub.menu_print.drinks_food')}</h1><p>${menu.columns === 2 ? t('pub.menu_print.prices_of_members_and_guests', { date, members: menu.columnNames.members, guests: menu.columnNames.guests }) : t('pub.menu_print.prices', { date })}</p></header>
<div class="menu-paper-list">${sections.map(
    ({ title, note, items }) => html`<section>${
      form !== '16' && html`<h2>${title}</h2>${note && html`<p class="menu-paper-note">${note}</p>`}`
    }
${items.map((item) => paperItem(item, menu, { isShort: form === '16', isKnown }))}</section>`,
  )}</div>
<footer class="menu-paper-foot"><div>${isKnown && html`<h2>${t('pub.menu_print.allergens')}</h2><p>${allergenLegend(items)}</p>`}<p>${allergenLine(menu)}</p></div>
<p class="menu-paper-code"><img src="/api/image/link-qr/menu" alt="${t('pub.menu_print.qr_code_list_phones')}" width="98" height="98"><span>${t('pub.menu_print.list_phone')}</span></p></footer></article>`;
  return page({
    title: t('pub.menu_print.drinks_food_print'),
    body,
    readers: 'club',
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
  menu: Menu,
  { isShort, isKnown }: { isShort: boolean; isKnown: boolean },
): Html {
  const { name, maker, style, abv, marks, sizes, description } = item;
  const about = aboutItem(maker, style, marks);
  return html`<div class="menu-paper-item"><p class="menu-paper-words"><strong>${name}</strong>${
    abv !== null && html` ${strengthOf(abv)}`
  } <sup>${allergenLetters(item, isKnown)}</sup>${!isShort && about && html`<br>${about}`}${!isShort && description && html`<br><em>${description}</em>`}</p>
<p class="menu-paper-prices">${sizes.map(
    (size) => html`<span>${sizeWords(size) && `${sizeWords(size)} `}<b>${pricesOf(size, menu)}</b></span>`,
  )}</p></div>`;
}

function pricesOf(size: MenuSize, menu: Menu): Html {
  const { memberPrice } = size;
  const members = menu.columns === 2 && memberPrice !== null && priceIn(memberPrice, menu);
  const guests = guestPriceOf(size, menu);
  return html`${members}${members && guests && ' / '}${guests}`;
}
