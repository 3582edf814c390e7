import { MARK_WORDS } from '#content/kinds/menu-item.ts';
import { formatVolume, sizeLabel } from '#content/volumes.ts';
import { oncePerObject } from '#kernel/cache.ts';
import { Html, html } from '#kernel/html.ts';
import type { ShareNode, ShareSite } from '#kernel/images/share-image.ts';
import { SHARE_SIZE } from '#kernel/images/share-image.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatLocal, formatTime, momentInWords } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { formatPrice, fractionDigits } from '#kernel/money.ts';
import { nameKey } from '#kernel/names.ts';
import type { VolumeUnit } from '#kernel/settings/menu.ts';
import { sizeWords, strengthWords } from '#kernel/shared/menu-words.js';
import type { Site } from '#kernel/site.ts';
import type { Menu, MenuItem, MenuSection, MenuSize } from '#pub/menu/list.ts';
import { houseFacts } from '#views/components/club.ts';
import { shareTags } from '#views/components/head.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { empty } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { allergenLegend, allergenLetters, allergenLine, allergenWord } from './allergens.ts';
import { foldedPicture } from './pictures.ts';
import { box, column, PAINT, serif, sharePicture, words } from './share-picture.ts';

/** What a page of the list can be limited to. */
export const MENU_CHIPS = ['drinks', 'food', 'alcohol_free', 'vegan', 'vegetarian', 'gluten_free'] as const;
export type MenuChip = (typeof MENU_CHIPS)[number];

const CHIPS: Record<MenuChip, Words> = {
  drinks: t('pub.menu.drinks'),
  food: t('pub.menu.food'),
  alcohol_free: t('pub.menu.alcohol_free'),
  vegan: t('pub.menu.vegan'),
  vegetarian: t('pub.menu.vegetarian'),
  gluten_free: t('pub.menu.without_gluten'),
};

/** From so many rows on the page offers a search. */
const SEARCH_FROM = 12;

export interface MenuPageProps {
  menu: Menu;
  now: number;
  zone: string;
  /** That of the club. */
  unit: VolumeUnit;
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
    title: t('pub.menu.drinks_food'),
    lede: t('pub.menu.as_of', {
      time: formatTime(now, zone),
      day: formatLocal(now, zone, { weekday: 'long', month: 'long', day: 'numeric' }),
    }),
  })}
${chipLinks(all, only)}${searchForm(all, only, q)}
<div id="menu-now" data-menu-now>${jumpLinks(sections)}
<div class="menu-halves">${halves.map(
    (half) => html`<div>${half.map((section) => sectionPart(section, props))}</div>`,
  )}</div>
${
  all.length === 0
    ? empty(t('pub.menu.nothing_right_now'), t('pub.menu.ask_bar_look_again_later'))
    : html`<div data-menu-none${sections.length > 0 && html` hidden`}>${empty(
        t('pub.menu.nothing_like_list'),
        t('pub.menu.try_fewer_letters_look_whole'),
        html`<p><a class="button button-quiet" href="/menu">${t('pub.menu.whole_list')}</a></p>`,
      )}</div>`
}
${laterLine(props)}
${
  menu.next.length > 0 &&
  html`<section class="menu-next"><h2>${t('pub.menu.coming_next')}</h2><ul role="list">${menu.next.map(
    ({ tap, name }) => html`<li>${t('pub.menu.tap', { tap, name: html`<strong>${name}</strong>` })}</li>`,
  )}</ul></section>`
}
${legend(sections.flatMap(({ items }) => items))}
<p class="menu-allergens">${allergenLine(menu)}</p></div>
<p class="small soft">${t('pub.menu.prices_include_tax_service')}</p>
${houseFacts(site)}
<p class="toolbar"><a class="button button-quiet" href="/menu/print">${t('pub.menu.print')}</a></p>`;
  return page({
    title: t('pub.menu.drinks_food'),
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
    : html`<nav class="menu-jump" aria-label="${t('pub.menu.sections')}"><ul role="list">${sections.map(
        ({ id, title }) => html`<li><a href="#s-${id}"${WRITTEN}>${title}</a></li>`,
      )}</ul></nav>`;

/** What the letters at the names mean; null where nothing is known of any item. */
function legend(items: readonly MenuItem[]): Html | null {
  const lines = allergenLegend(items);
  return lines === undefined
    ? null
    : html`<section class="menu-legend"><h2>${t('pub.menu.allergens')}</h2><p>${lines}</p></section>`;
}

/** The sections that begin later: `Later: Kitchen from 18:00.` */
function laterLine({ menu: { laterSections = [] }, now, zone }: MenuPageProps): Html | null {
  const later = laterSections
    .filter(({ showOn }) => showOn.phones)
    .flatMap(({ title, windows = [] }) => {
      const next = windows.find(([start]) => start > now);
      return next ? [t('pub.menu.from', { title, time: momentInWords(next[0], now, zone) })] : [];
    });
  const sections = commas(later);
  return sections === undefined ? null : html`<p class="soft">${t('pub.menu.later', { sections })}</p>`;
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
  const link = (href: string, label: Words, here: boolean) =>
    html`<li><a href="${href}"${here && html` aria-current="true"`}>${label}</a></li>`;
  return html`<nav class="filter-links" aria-label="${t('pub.menu.parts_list')}"><ul role="list">${link(
    '/menu',
    t('pub.menu.everything'),
    only === undefined,
  )}${shown.map((chip) => link(`/menu?only=${chip}`, CHIPS[chip], chip === only))}</ul></nav>`;
}

/** A search that works without the script; with it rows are hidden while somebody types. */
function searchForm(sections: readonly MenuSection[], only: MenuChip | undefined, q: string): Html | null {
  if (sections.flatMap(({ items }) => items).length < SEARCH_FROM && q === '') return null;
  return html`<form class="menu-search" action="/menu" role="search" data-menu-search>
${only && html`<input type="hidden" name="only" value="${only}">`}
<label class="label" for="menu-q">${t('pub.menu.search_list')}</label>
<div class="menu-search-row"><input class="input" type="search" id="menu-q" name="q" value="${q}" maxlength="60" autocomplete="off"
enterkeyhint="search"><button class="button button-quiet">${t('pub.menu.search')}</button></div>
<p class="visually-hidden" role="status" data-menu-count></p></form>`;
}

function sectionPart(section: MenuSection, props: MenuPageProps): Html {
  const { id, title, note, items } = section;
  const { columns, columnNames } = props.menu;
  return html`<section class="menu-section" aria-labelledby="s-${id}" data-menu-section><div class="menu-heading"><h2 id="s-${id}"${WRITTEN}>${title}</h2>
${columns === 2 && html`<p class="small soft" aria-hidden="true">${columnNames.members} <span>${columnNames.guests}</span></p>`}</div>
${note && html`<p class="soft"${WRITTEN}>${note}</p>`}
<ul class="menu-list${columns === 2 && ' menu-two'}" role="list">${items.map((item) => itemRow(item, props))}</ul></section>`;
}

/** What guests read about what is not simply there. */
const STATES: Record<Exclude<MenuItem['state'], 'on'>, Words> = {
  last: t('pub.menu.last_few'),
  out: t('pub.menu.sold_out'),
  cleaning: t('pub.menu.cleaning'),
};

const hidden = (inside: Words): Html => html`<span class="visually-hidden">${inside}</span>`;

const TONES = { on: undefined, last: 'scheduled', out: 'danger', cleaning: undefined } as const;

function itemRow(item: MenuItem, props: MenuPageProps): Html {
  const { id, name, maker, style, abv, tap, taps = [tap], state, isNew, marks } = item;
  const about = aboutItem(maker, style, marks);
  const isGone = state === 'out';
  return html`<li class="menu-item${isGone && ' menu-gone'}" data-menu-item="${searchText(item)}"><details id="i-${id}"><summary>
<span class="menu-words"><span class="menu-name">${
    tap !== null &&
    html`<span class="menu-tap">${t('pub.menu.taps', { hidden, taps: taps.join(', ') })}</span> `
  }${isGone ? html`<s>${asWritten(name)}</s>` : asWritten(name)}</span>${
    abv !== null && html` <span class="menu-abv soft">${strengthOf(abv)}</span>`
  }${lettersAt(item, props.menu)}${about !== null && html`<span class="menu-about small soft">${about}</span>`}${
    state !== 'on'
      ? html`<span class="menu-state">${badge(STATES[state], TONES[state])}</span>`
      : isNew &&
        !isAllNew(props.menu) &&
        html`<span class="menu-state">${badge(t('pub.menu.new'), 'open')}</span>`
  }</span>
${item.sizes.length > 0 && html`<span class="menu-prices">${item.sizes.map((size) => priceLine(size, props))}</span>`}
</summary>${details(item, props)}</details></li>`;
}

/** The letters of the allergens at a name. */
function lettersAt(item: MenuItem, menu: Menu): Html | null {
  const letters = allergenLetters(item, isAnyKnown(menu));
  return letters === ''
    ? null
    : html` <span class="menu-letters small">${t('pub.menu.allergens_hidden', { hidden, letters })}</span>`;
}

const isAnyKnown = oncePerObject(({ sections }: Menu) =>
  sections.some(({ items }) => items.some(({ allergens }) => allergens !== null)),
);

/** One size with its price; an offer beside the normal price, with its end. */
function priceLine(size: MenuSize, { menu, zone, unit }: MenuPageProps): Html {
  const { price, memberPrice, offer } = size;
  const { members, guests } = menu.columnNames;
  const inWords = (minor: number) => priceIn(minor, menu);
  const line = (normal: Words, lower: Words | null, who: string) =>
    html`<span class="menu-price">${who && html`<span class="visually-hidden">${t('common.label', { label: who })} </span>`}${
      lower
        ? html`<s>${t('pub.menu.normally', { hidden, price: normal })}</s> <strong>${lower}</strong>`
        : normal
    }</span>`;
  const lowerThan = (normal: number | null, lower: number | null | undefined) =>
    lower === null || lower === undefined || lower === normal ? null : inWords(lower);
  const isTwo = menu.columns === 2;
  const said = sizeIn(size, unit);
  const empty = html`<span class="menu-price"></span>`;
  const guestPrice = guestPriceOf(size, menu);
  return html`<span class="menu-size">${said && html`<span class="soft">${said}</span> `}${
    isTwo &&
    html`${memberPrice === null ? empty : line(inWords(memberPrice), lowerThan(memberPrice, offer?.memberPrice), members)} `
  }${guestPrice ? line(guestPrice, lowerThan(price, offer?.price), isTwo ? guests : '') : empty}${
    offer &&
    html` <span class="menu-until small">${t('pub.menu.offer_until', { offer: offer.title, time: formatTime(Date.parse(offer.until), zone) })}</span>`
  }</span>`;
}

/** A size as its reader writes it, as the price beside it; empty for one without a word and a volume. */
function sizeIn(size: MenuSize, unit: VolumeUnit): Words | '' {
  const { label, volumeMl } = size;
  const said = sizeWords(size);
  if (said === '' || volumeMl === null) return said === '' ? '' : formatted(() => said);
  return formatted(() => {
    const own = sizeLabel(label, volumeMl, unit);
    return said === label ? own : sizeWords({ label: own, volumeText: formatVolume(volumeMl, unit) });
  });
}

/** A price as its reader writes it. */
export const priceIn = (minor: number, { currency }: Pick<Menu, 'currency'>): Words =>
  formatted(() => formatPrice(minor, currency));

/** The price for guests, or that it has to be asked for; undefined if there is one for members alone. */
export const guestPriceOf = ({ price, memberPrice }: MenuSize, menu: Menu): Words | undefined =>
  price !== null ? priceIn(price, menu) : memberPrice === null ? t('pub.menu.ask') : undefined;

/** A strength as its reader writes it. */
export const strengthOf = (abv: number): Words => formatted(({ locale }) => strengthWords(abv, locale));

/** Who made an item, its style and its marks, in one line; null where nothing of it is known. */
export function aboutItem(maker: string, style: string, marks: MenuItem['marks']): Html | null {
  const parts = [maker, style, ...marks.map((mark) => MARK_WORDS[mark])].filter((part) => part !== '');
  if (parts.length === 0) return null;
  return html`${parts.map((part, index) => html`${index > 0 && ' · '}${part}`)}`;
}

/** Description, allergens, strength and picture of an item. */
function details(
  { description, allergens, ibu, sizes, url, imageUrl, imageAlt }: MenuItem,
  { unit }: MenuPageProps,
): Html {
  const units = sizes.flatMap((size) => {
    if (size.units === null) return [];
    const words = sizeIn(size, unit);
    const of = t('pub.menu.units', { units: size.units });
    return [words === '' ? of : t('common.named', { name: words, value: of })];
  });
  return html`<div class="menu-details">${
    imageUrl && foldedPicture(imageUrl, imageAlt)
  }${description && html`<p${WRITTEN}>${description}</p>`}
<p>${allergenSentence(allergens)}</p>
${ibu !== null && html`<p>${t('pub.menu.bitterness_ibu', { ibu })}</p>`}${
  units.length > 0 && html`<p>${t('pub.menu.units_alcohol', { units: commas(units) ?? '' })}</p>`
}${url && html`<p><a href="${url}" rel="noopener">${t('pub.menu.more_about')}</a></p>`}</div>`;
}

/** What is known of the allergens, and nothing more. */
function allergenSentence(allergens: MenuItem['allergens']): Words {
  const strong = (inside: Words) => html`<strong>${inside}</strong>`;
  if (allergens === null) return t('pub.menu.allergens_ask', { strong });
  const known = commas(
    allergens.map((one) => (one.detail ? html`${allergenWord(one)} (${one.detail})` : allergenWord(one))),
  );
  return known === undefined
    ? t('pub.menu.allergens_none', { strong })
    : t('pub.menu.allergens_known', { strong, allergens: known });
}

function shareHead(site: Site, { menu, origin }: MenuPageProps): Html {
  const taps = menu.sections.filter(({ onTap }) => onTap).flatMap(({ items }) => items);
  const items = menu.sections.flatMap((section) => section.items);
  const names = taps
    .slice(0, SHARED)
    .map((item) => (isAmbiguous(item, taps) ? nameWithMaker(item) : item.name))
    .join(', ');
  const sentence =
    taps.length === 0
      ? t('pub.menu.things_drink_eat_prices_allergens', { items: items.length })
      : taps.length > SHARED
        ? t('pub.menu.tap_more', { names })
        : t('pub.menu.on_tap', { names });
  return shareTags(site, {
    title: t('pub.menu.drinks_food_at', { club: site.name }),
    sentence,
    url: `${origin}/menu`,
    picture: `${origin}/og/menu.png`,
    alt: sentence,
  });
}

/** How many taps a shared link names. */
const SHARED = 6;

const nameWithMaker = ({ name, maker }: MenuItem): string => (maker ? `${name}, ${maker}` : name);

/** Whether another one of the list has its name. */
const isAmbiguous = ({ id, name }: MenuItem, items: readonly MenuItem[]): boolean =>
  items.some((other) => other.id !== id && nameKey(other.name) === nameKey(name));

const AVAILABILITY = {
  on: 'InStock',
  last: 'LimitedAvailability',
  out: 'SoldOut',
  cleaning: 'SoldOut',
};
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
    name: forClub(t('pub.menu.drinks_food_at', { club: site.name })),
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
      title: first?.title ?? t('pub.menu.drinks_food'),
      label: t('pub.menu.drinks_food'),
      footer: rest > 0 ? t('pub.events.and_more', { more: rest }) : '',
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
