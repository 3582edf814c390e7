import { oncePerObject } from '#kernel/cache.ts';
import { Html, html } from '#kernel/html.ts';
import type { ShareNode, ShareSite } from '#kernel/images/share-image.ts';
import { SHARE_SIZE } from '#kernel/images/share-image.ts';
import { formatLocal, formatTime, momentInWords } from '#kernel/local-time.ts';
import { locale } from '#kernel/locale.ts';
import { fractionDigits } from '#kernel/money.ts';
import { nameKey } from '#kernel/names.ts';
import { MARK_WORDS, STATE_WORDS, sizeWords, strengthWords } from '#kernel/shared/menu-words.js';
import type { Site } from '#kernel/site.ts';
import type { Menu, MenuItem, MenuSection, MenuSize } from '#pub/menu/list.ts';
import { houseFacts } from '#views/components/club.ts';
import { shareTags } from '#views/components/head.ts';
import { empty } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { allergenLegend, allergenLetters } from './allergens.ts';
import { foldedPicture } from './pictures.ts';
import { box, column, PAINT, serif, sharePicture, words } from './share-picture.ts';

/** What a page of the list can be limited to. */
export const MENU_CHIPS = ['drinks', 'food', 'alcohol_free', 'vegan', 'vegetarian', 'gluten_free'] as const;
export type MenuChip = (typeof MENU_CHIPS)[number];

const CHIPS: Record<MenuChip, string> = {
  drinks: 'Drinks',
  food: 'Food',
  alcohol_free: 'Alcohol-free',
  vegan: 'Vegan',
  vegetarian: 'Vegetarian',
  gluten_free: 'Without gluten',
};

/** From so many rows on the page offers a search. */
const SEARCH_FROM = 12;

export interface MenuPageProps {
  menu: Menu;
  now: number;
  zone: string;
  /** Where links of other sites lead to; empty without a known address. */
  origin: string;
  only: MenuChip | undefined;
  /** What was searched for, for browsers without the script. */
  q: string;
}

/** Whether all of the list is new, which then says nothing. */
const isAllNew = ({ sections }: Menu) => sections.every(({ items }) => items.every(({ isNew }) => isNew));

/** The list on phones: one row a drink or dish, with its details in place. */
export function menuPage(props: MenuPageProps): Html {
  const { menu, now, zone, only, q } = props;
  const all = phoneSections(menu);
  const sections = all
    .map((section) => ({
      ...section,
      items: section.items.filter((item) => isWanted(item, section, only, q)),
    }))
    .filter(({ items }) => items.length > 0);
  const halves = inHalves(sections);
  const body = (site: Site) => html`${pageHeader({
    title: 'Drinks and food',
    lede: `As of ${formatTime(now, zone)}, ${formatLocal(now, zone, { weekday: 'long', month: 'long', day: 'numeric' })}.`,
  })}
${chipLinks(all, only)}${searchForm(all, only, q)}
<div id="menu-now" data-menu-now>${jumpLinks(sections)}
<div class="menu-halves">${halves.map(
    (half) => html`<div>${half.map((section) => sectionPart(section, props))}</div>`,
  )}</div>
${
  all.length === 0
    ? empty('There is nothing right now', 'Ask at the bar, or look again later.')
    : html`<div data-menu-none${sections.length > 0 && html` hidden`}>${empty(
        'Nothing like that is on the list',
        'Try fewer letters, or look at the whole list.',
        html`<p><a class="button button-quiet" href="/menu">The whole list</a></p>`,
      )}</div>`
}
${laterLine(props)}
${
  menu.next.length > 0 &&
  html`<section class="menu-next"><h2>Coming next</h2><ul role="list">${menu.next.map(
    ({ tap, name }) => html`<li>Tap ${tap}: <strong>${name}</strong></li>`,
  )}</ul></section>`
}
${legend(sections.flatMap(({ items }) => items))}
<p class="menu-allergens">${menu.allergenLine}</p></div>
<p class="small soft">Prices include tax and service.</p>
${houseFacts(site)}
<p class="toolbar"><a class="button button-quiet" href="/menu/print">Print</a></p>`;
  return page({
    title: 'Drinks and food',
    body,
    nav: '/menu',
    wide: halves.length > 1,
    styles: 'guests',
    head: (site) => html`${shareHead(site, props)}${jsonLd(site, props)}`,
    scripts: ['pub/menu.js'],
  });
}

/** The sections in two columns of about the same length; in one if there is only one. */
function inHalves(sections: readonly MenuSection[]): MenuSection[][] {
  const rowsOf = (some: readonly MenuSection[]) => some.reduce((sum, { items }) => sum + items.length + 1, 0);
  const cuts = sections.slice(1).map((_, index) => [sections.slice(0, index + 1), sections.slice(index + 1)]);
  const longest = (halves: readonly MenuSection[][]) => Math.max(...halves.map(rowsOf));
  return cuts.toSorted((a, b) => longest(a) - longest(b))[0] ?? [[...sections]];
}

/** From so many sections on links lead to them. */
const JUMPS_FROM = 3;

/** Links to the sections, which stay in view. */
const jumpLinks = (sections: readonly MenuSection[]): Html | null =>
  sections.length < JUMPS_FROM
    ? null
    : html`<nav class="menu-jump" aria-label="Sections"><ul role="list">${sections.map(
        ({ id, title }) => html`<li><a href="#s-${id}">${title}</a></li>`,
      )}</ul></nav>`;

/** What the letters at the names mean; null where nothing is known of any item. */
function legend(items: readonly MenuItem[]): Html | null {
  const lines = allergenLegend(items);
  return lines.length === 0
    ? null
    : html`<section class="menu-legend"><h2>Allergens</h2><p>${lines.join(', ')}</p></section>`;
}

/** The sections that begin later: `Later: Kitchen from 18:00.` */
function laterLine({ menu: { laterSections = [] }, now, zone }: MenuPageProps): Html | null {
  const words = laterSections
    .filter(({ showOn }) => showOn.phones)
    .flatMap(({ title, windows = [] }) => {
      const next = windows.find(([start]) => start > now);
      return next ? [`${title} from ${momentInWords(next[0], now, zone)}`] : [];
    });
  return words.length === 0 ? null : html`<p class="soft">Later: ${words.join(', ')}.</p>`;
}

/** The sections for phones: what is on tap first, and what is new on top of each. */
function phoneSections({ sections }: Menu): MenuSection[] {
  return sections
    .filter(({ showOn }) => showOn.phones)
    .toSorted((a, b) => Number(b.onTap) - Number(a.onTap))
    .map((section) => ({
      ...section,
      items: section.items.toSorted((a, b) => Number(b.isNew) - Number(a.isNew)),
    }));
}

function isWanted(item: MenuItem, { kind }: MenuSection, only: MenuChip | undefined, q: string): boolean {
  const isOfChip = only === undefined || only === kind || (item.marks as readonly string[]).includes(only);
  return isOfChip && q.split(/\s+/).every((part) => searchText(item).includes(fold(part)));
}

/** The words of an item that a search looks at. */
const searchText = ({ name, maker, style }: MenuItem): string => fold(`${name} ${maker} ${style}`);

/** Without accents and capitals, as views/assets/pub/menu.js does. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Links to a part of the list; none that would change nothing. */
function chipLinks(sections: readonly MenuSection[], only: MenuChip | undefined): Html | null {
  const items = sections.flatMap((section) => section.items.map((item) => ({ item, section })));
  const shown = MENU_CHIPS.filter((chip) => {
    const count = items.filter(({ item, section }) => isWanted(item, section, chip, '')).length;
    return chip === only || (count > 0 && count < items.length);
  });
  if (shown.length === 0) return null;
  const link = (href: string, label: string, here: boolean) =>
    html`<li><a href="${href}"${here && html` aria-current="true"`}>${label}</a></li>`;
  return html`<nav class="filter-links" aria-label="Parts of the list"><ul role="list">${link(
    '/menu',
    'Everything',
    only === undefined,
  )}${shown.map((chip) => link(`/menu?only=${chip}`, CHIPS[chip], chip === only))}</ul></nav>`;
}

/** A search that works without the script; with it rows are hidden while somebody types. */
function searchForm(sections: readonly MenuSection[], only: MenuChip | undefined, q: string): Html | null {
  if (sections.flatMap(({ items }) => items).length < SEARCH_FROM && q === '') return null;
  return html`<form class="menu-search" action="/menu" role="search" data-menu-search>
${only && html`<input type="hidden" name="only" value="${only}">`}
<label class="label" for="menu-q">Search the list</label>
<div class="menu-search-row"><input class="input" type="search" id="menu-q" name="q" value="${q}" maxlength="60" autocomplete="off"
enterkeyhint="search"><button class="button button-quiet">Search</button></div>
<p class="visually-hidden" role="status" data-menu-count></p></form>`;
}

function sectionPart(section: MenuSection, props: MenuPageProps): Html {
  const { id, title, note, items } = section;
  const { columns, columnNames } = props.menu;
  return html`<section class="menu-section" aria-labelledby="s-${id}" data-menu-section><div class="menu-heading"><h2 id="s-${id}">${title}</h2>
${columns === 2 && html`<p class="small soft" aria-hidden="true">${columnNames.members} <span>${columnNames.guests}</span></p>`}</div>
${note && html`<p class="soft">${note}</p>`}
<ul class="menu-list${columns === 2 && ' menu-two'}" role="list">${items.map((item) => itemRow(item, props))}</ul></section>`;
}

const TONES = { on: undefined, last: 'scheduled', out: 'danger', cleaning: undefined } as const;

function itemRow(item: MenuItem, props: MenuPageProps): Html {
  const { id, name, maker, style, abv, tap, taps = [tap], state, isNew, marks } = item;
  const about = [maker, style, ...marks.map((mark) => MARK_WORDS[mark])].filter(Boolean).join(' · ');
  const isGone = state === 'out';
  return html`<li class="menu-item${isGone && ' menu-gone'}" data-menu-item="${searchText(item)}"><details id="i-${id}"><summary>
<span class="menu-words"><span class="menu-name">${
    tap !== null &&
    html`<span class="menu-tap"><span class="visually-hidden">Tap </span>${taps.join(', ')}</span> `
  }${isGone ? html`<s>${name}</s>` : name}</span>${
    abv !== null && html` <span class="menu-abv soft">${strengthWords(abv, locale())}</span>`
  }${lettersAt(item, props.menu)}${about && html`<span class="menu-about small soft">${about}</span>`}${
    state !== 'on'
      ? html`<span class="menu-state">${badge(capital(STATE_WORDS[state]), TONES[state])}</span>`
      : isNew && !isAllNew(props.menu) && html`<span class="menu-state">${badge('New', 'open')}</span>`
  }</span>
${item.sizes.length > 0 && html`<span class="menu-prices">${item.sizes.map((size) => priceLine(size, props))}</span>`}
</summary>${details(item)}</details></li>`;
}

/** The letters of the allergens at a name. */
function lettersAt(item: MenuItem, menu: Menu): Html | null {
  const letters = allergenLetters(item, isAnyKnown(menu));
  return letters === ''
    ? null
    : html` <span class="menu-letters small"><span class="visually-hidden">Allergens: </span>${letters}</span>`;
}

const isAnyKnown = oncePerObject(({ sections }: Menu) =>
  sections.some(({ items }) => items.some(({ allergens }) => allergens !== null)),
);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** One size with its price; an offer beside the normal price, with its end. */
function priceLine(size: MenuSize, { menu, zone }: MenuPageProps): Html {
  const { priceText, memberPriceText, offer } = size;
  const { members, guests } = menu.columnNames;
  const price = (normal: string, lower: string | undefined, who: string) =>
    html`<span class="menu-price">${who && html`<span class="visually-hidden">${who}: </span>`}${
      lower && lower !== normal
        ? html`<s><span class="visually-hidden">normally </span>${normal}</s> <strong>${lower}</strong>`
        : normal
    }</span>`;
  const isTwo = menu.columns === 2;
  const said = sizeWords(size);
  const empty = html`<span class="menu-price"></span>`;
  return html`<span class="menu-size">${said && html`<span class="soft">${said}</span> `}${
    isTwo && html`${memberPriceText ? price(memberPriceText, offer?.memberPriceText, members) : empty} `
  }${priceText ? price(priceText, offer?.priceText, isTwo ? guests : '') : empty}${
    offer &&
    html` <span class="menu-until small">${offer.title}, until ${formatTime(Date.parse(offer.until), zone)}</span>`
  }</span>`;
}

/** Description, allergens, strength and picture of an item. */
function details({ description, allergens, ibu, sizes, url, imageUrl, imageAlt }: MenuItem): Html {
  const units = sizes.flatMap((size) =>
    size.units === null ? [] : [[sizeWords(size), counted(size.units, 'unit')].filter(Boolean).join(': ')],
  );
  return html`<div class="menu-details">${
    imageUrl && foldedPicture(imageUrl, imageAlt)
  }${description && html`<p>${description}</p>`}
<p><strong>Allergens:</strong> ${allergenSentence(allergens)}</p>
${ibu !== null && html`<p>Bitterness: ${ibu} IBU</p>`}${
  units.length > 0 && html`<p>Units of alcohol: ${units.join(', ')}</p>`
}${url && html`<p><a href="${url}" rel="noopener">More about it</a></p>`}</div>`;
}

/** What is known of the allergens, and nothing more. */
const allergenSentence = (allergens: MenuItem['allergens']): string =>
  allergens === null
    ? 'ask us.'
    : allergens.length === 0
      ? 'none of the 14 that have to be named.'
      : `${allergens.map(({ word, detail }) => (detail ? `${word} (${detail})` : word)).join(', ')}.`;

function shareHead(site: Site, { menu, origin }: MenuPageProps): Html {
  const taps = menu.sections.filter(({ onTap }) => onTap).flatMap(({ items }) => items);
  const items = menu.sections.flatMap((section) => section.items);
  const sentence =
    taps.length > 0
      ? `On tap: ${taps
          .slice(0, 6)
          .map((item) => (isAmbiguous(item, taps) ? nameWithMaker(item) : item.name))
          .join(', ')}${taps.length > 6 ? ' and more' : ''}.`
      : `${counted(items.length, 'thing')} to drink and to eat, with prices and allergens.`;
  return shareTags(site, {
    title: `Drinks and food at ${site.name}`,
    sentence,
    url: `${origin}/menu`,
    picture: `${origin}/og/menu.png`,
    alt: sentence,
  });
}

const nameWithMaker = ({ name, maker }: MenuItem): string => (maker ? `${name}, ${maker}` : name);

/** Whether another one of the list has its name. */
const isAmbiguous = ({ id, name }: MenuItem, items: readonly MenuItem[]): boolean =>
  items.some((other) => other.id !== id && nameKey(other.name) === nameKey(name));

const AVAILABILITY = { on: 'InStock', last: 'LimitedAvailability', out: 'SoldOut', cleaning: 'SoldOut' };
const DIETS: Partial<Record<string, string>> = {
  vegan: 'VeganDiet',
  vegetarian: 'VegetarianDiet',
  gluten_free: 'GlutenFreeDiet',
};

/** The list for search engines, as schema.org describes one. */
function jsonLd(site: Site, { menu, origin }: MenuPageProps): Html {
  const price = (minor: number) =>
    (minor / 10 ** fractionDigits(menu.currency)).toFixed(fractionDigits(menu.currency));
  const list = {
    '@context': 'https://schema.org',
    '@type': 'Menu',
    name: `Drinks and food at ${site.name}`,
    url: `${origin}/menu`,
    dateModified: menu.updatedAt,
    hasMenuSection: phoneSections(menu).map(({ title, note, items }) => ({
      '@type': 'MenuSection',
      name: title,
      ...(note && { description: note }),
      hasMenuItem: items.map((item) => ({
        '@type': 'MenuItem',
        // schema.org knows no maker of a dish or drink on a menu: the name tells two of one name apart.
        name: nameWithMaker(item),
        ...(item.description && { description: item.description }),
        ...(item.marks.some((mark) => DIETS[mark]) && {
          suitableForDiet: item.marks.flatMap((mark) =>
            DIETS[mark] ? `https://schema.org/${DIETS[mark]}` : [],
          ),
        }),
        offers: item.sizes.flatMap((size) =>
          size.price === null
            ? []
            : {
                '@type': 'Offer',
                ...(sizeWords(size) && { name: sizeWords(size) }),
                price: price(size.price),
                priceCurrency: menu.currency,
                availability: `https://schema.org/${AVAILABILITY[item.state]}`,
              },
        ),
      })),
    })),
  };
  // `<` is written so that no text ends the element.
  return new Html(
    `<script type="application/ld+json">${JSON.stringify(list).replaceAll('<', '\\u003c')}</script>`,
  );
}

/** The picture of a shared link: the first names of the list, without prices, which a chat would keep for years. */
export function menuPicture(menu: Menu, site: ShareSite): ShareNode {
  const [first, ...others] = phoneSections(menu);
  const items = (first?.items ?? []).slice(0, 5);
  const rest = [first, ...others].flatMap((section) => section?.items ?? []).length - items.length;
  return sharePicture(
    site,
    {
      title: first?.title ?? 'Drinks and food',
      label: 'Drinks and food',
      footer: rest > 0 ? `and ${rest} more` : '',
    },
    column(
      { width: SHARE_SIZE.width - 140 },
      ...items.map(({ name, maker }) =>
        box(
          { justifyContent: 'space-between', alignItems: 'baseline', marginTop: 10 },
          words(name, { ...serif(36), maxWidth: 640 }),
          words(maker, { fontSize: 24, color: PAINT.soft, maxWidth: 380 }),
        ),
      ),
    ),
  );
}
