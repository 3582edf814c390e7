import { MENU_ITEM, type MenuItemBody } from '#content/kinds/menu-item.ts';
import { offersApply } from '#content/kinds/offer.ts';
import { listTwins } from '#content/menu/items.ts';
import { listPublished } from '#content/records/published.ts';
import { sizeText } from '#content/volumes.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { countryChecks, volumeUnit } from '#kernel/settings/menu.ts';
import type { Settings } from '#kernel/settings/settings.ts';
import { type MenuWarning, untappedSections } from './effects.ts';
import { type MenuFacts, readMenu } from './facts.ts';
import { offersOf, type TimedOffer } from './offers.ts';
import { stockAt } from './stock.ts';

const OUT_FOR = 14 * DAY;
const UNTOUCHED_FOR = 60 * DAY;

/** Lists what needs doing about the published list. @param open whether the pub is open now */
export function listMenuWarnings(ctx: Context, open: boolean): MenuWarning[] {
  const facts = readMenu(ctx);
  const { settings } = ctx.config;
  const lost = checkSections(listPublished(ctx, MENU_ITEM).length - facts.items.length);
  if (facts.items.length === 0) return [...lost, ...checkTaps(facts, false, ctx.now())];
  const today = localDate(ctx.now(), ctx.config.TIME_ZONE);
  const offers = facts.offers
    .filter(({ body: { until } }) => offersApply(settings) && (until === null || until >= today))
    .map(({ id, body }) => ({ id, body, windows: [] }));
  const list = { href: '/admin/content/menu_item', label: t('pub-staff.menu_check.to_list') };
  const inCountry = checkCountry(
    facts.items.map(({ id, body }) => ({
      ...body,
      kind: kindOf(facts, body),
      sizes: body.sizes.map((size) => ({ ...size, ...lowestOffer(offers, { id, body }, size) })),
    })),
    settings,
  );
  return [
    ...lost,
    ...untappedSections(facts),
    ...checkTaps(facts, open, ctx.now()),
    ...checkTwins(facts),
    ...checkStock(facts, ctx.now()),
    ...checkOffers(facts, offers),
    ...checkAge(facts, ctx.now()).map((text) => ({ ...list, text })),
    ...inCountry.map((text) => ({ ...list, text })),
  ];
}

/** @param lost how many are published in a section that is not */
const checkSections = (lost: number): MenuWarning[] =>
  lost === 0
    ? []
    : [
        {
          text: t('pub-staff.menu_check.lost', { lost }),
          href: '/admin/content/menu_section',
          label: t('pub-staff.menu_check.to_sections'),
        },
      ];

function checkTaps({ taps, items }: MenuFacts, open: boolean, now: number): MenuWarning[] {
  const listed = new Set(items.map(({ id }) => id));
  return taps.flatMap(({ tap, item_id, state, changed_at }) => {
    const isBare = item_id === null;
    const isLost = item_id !== null && !listed.has(item_id);
    const isLong = state === 'out' && changed_at <= now - OUT_FOR;
    if (!(isBare && open) && !isLost && !isLong) return [];
    const text = isBare
      ? t('pub-staff.menu_check.tap_bare', { tap })
      : isLost
        ? t('pub-staff.menu_check.tap_lost', { tap })
        : t('pub-staff.menu_check.tap_long', { tap });
    return [{ text, href: `/admin/pub/taps/${tap}`, label: t('pub-staff.menu_check.choose_one') }];
  });
}

const checkTwins = ({ items }: MenuFacts): MenuWarning[] =>
  listTwins(items).map(({ id, body: { name } }) => ({
    text: t('pub-staff.menu_check.twin', { name }),
    href: `/admin/content/menu_item/${id}`,
    label: t('pub-staff.menu_check.to_it'),
  }));

function checkStock({ items, stock }: MenuFacts, now: number): MenuWarning[] {
  return items.flatMap(({ id, body: { name } }) => {
    const row = stock.get(id);
    const isLong = row && stockAt(row, now).state === 'out' && row.changed_at <= now - OUT_FOR;
    return isLong
      ? [
          {
            text: t('pub-staff.menu_check.sold_out_long', { name }),
            href: `/admin/content/menu_item/${id}`,
            label: t('pub-staff.menu_check.to_it'),
          },
        ]
      : [];
  });
}

/** An offer that nobody would notice: of a size that nothing has, or not below the normal price. */
function checkOffers({ items }: MenuFacts, offers: readonly (TimedOffer & { id: string })[]): MenuWarning[] {
  const isIdle = (offer: TimedOffer) =>
    !items.some((item) => item.body.sizes.some((size) => 'offered' in lowestOffer([offer], item, size)));
  return offers.filter(isIdle).map(({ id, body: { title } }) => ({
    text: t('pub-staff.menu_check.nothing_less', { offer: title }),
    href: `/admin/content/offer/${id}`,
    label: t('pub-staff.menu_check.to_offer'),
  }));
}

function checkAge({ items, taps, stock }: MenuFacts, now: number): Words[] {
  const touched = [
    ...items.map(({ published_at }) => published_at),
    ...[...taps, ...stock.values()].map(({ changed_at }) => changed_at),
  ];
  return Math.max(...touched) <= now - UNTOUCHED_FOR ? [t('pub-staff.menu_check.old')] : [];
}

const kindOf = ({ sections }: MenuFacts, { section }: MenuItemBody) =>
  sections.find(({ id }) => id === section)?.body.kind ?? 'drinks';

/** The lowest price of a size in an offer. */
function lowestOffer(
  offers: readonly TimedOffer[],
  { id: item, body: { section } }: Pick<MenuFacts['items'][number], 'id' | 'body'>,
  { label, volume_ml, price, member_price: memberPrice }: MenuItemBody['sizes'][number],
): { offered?: number } {
  const [lowest] = offersOf(offers, { item, section, label, volume_ml, price, memberPrice });
  return lowest ? { offered: Math.min(lowest.price, lowest.memberPrice ?? lowest.price) } : {};
}

type CheckedItem = Pick<MenuItemBody, 'name' | 'abv' | 'marks' | 'style'> & {
  kind: 'drinks' | 'food';
  sizes: (MenuItemBody['sizes'][number] & { offered?: number })[];
};
/** @property named the item with its size, in words */
type CheckedSize = CheckedItem['sizes'][number] & { item: CheckedItem; named: string };

/** What the rules of the chosen country may ask for, in sentences. */
export function checkCountry(
  items: readonly CheckedItem[],
  settings: Pick<Settings, 'country_checks' | 'min_price_per_unit' | 'alcohol_free_below' | 'volume_unit'>,
): Words[] {
  const sizes = items
    .filter(({ kind }) => kind === 'drinks')
    .flatMap((item) =>
      item.sizes
        .filter(({ shown }) => shown)
        .map((size) => {
          const named = [item.name, sizeText(size, volumeUnit(settings))].filter(Boolean).join(', ');
          return { ...size, item, named };
        }),
    );
  const { min_price_per_unit: least, alcohol_free_below: limit } = settings;
  const country = countryChecks(settings);
  return [
    ...(least === null ? [] : checkUnits(sizes, least)),
    ...(country === 'DE' || country === 'AT' ? checkLitres(sizes, limit, country === 'AT' ? 2 : 1) : []),
    ...(country.startsWith('GB') ? checkMeasures(sizes) : []),
    ...(country === 'IE' ? checkSixteen(items) : []),
  ];
}

/** A price below the least price of its units; the product is rounded up: 0.65 × 37.5 × 0.7 is 17.07. */
function checkUnits(sizes: readonly CheckedSize[], least: number): Words[] {
  return sizes.flatMap(({ item, named, volume_ml, price, member_price, offered = null }) => {
    if (item.abv === null || volume_ml === null) return [];
    // In millionths, because 0.1 + 0.2 is not 0.3.
    const bound = Math.ceil(Math.round(least * item.abv * volume_ml * 1_000) / 1_000_000);
    const lowest = Math.min(...[price, member_price, offered].filter((one) => one !== null));
    return lowest < bound ? [t('pub-staff.menu_check.below_lowest', { drink: named })] : [];
  });
}

/** So many alcohol-free drinks must not cost more by the litre than the cheapest alcoholic one. */
function checkLitres(sizes: readonly CheckedSize[], limit: number, wanted: number): Words[] {
  const priced = sizes.flatMap(({ item, volume_ml, price }) =>
    volume_ml === null || price === null ? [] : [{ item, litre: price / volume_ml }],
  );
  const isFree = ({ item }: { item: CheckedItem }) =>
    item.marks.includes('alcohol_free') || (item.abv !== null && item.abv <= limit);
  const alcoholic = priced.filter(({ item }) => !isFree({ item }) && item.abv !== null);
  const cheapest = Math.min(...alcoholic.map(({ litre }) => litre));
  const fitting = new Set(
    priced.filter((one) => isFree(one) && one.litre <= cheapest).map(({ item }) => item.name),
  );
  if (alcoholic.length === 0 || fitting.size >= wanted) return [];
  return [wanted === 1 ? t('pub-staff.menu_check.litre_one') : t('pub-staff.menu_check.litre_two')];
}

const SPIRIT = /\b(gin|rum|vodka|whisk(e)?y|bourbon)\b/i;
const WINE = /\b(wine|red|white|ros[eé])\b/i;
/** Per cent by volume below which a red or white is no wine but a beer: Regulation (EU) 1308/2013, annex VII, part II. */
const WINE_FROM = 8.5;
const IMPERIAL_PINT = 568.261_25;

/** The measures of Great Britain: halves of draught, one measure of spirits, small glasses of wine. */
function checkMeasures(sizes: readonly CheckedSize[]): Words[] {
  const spirits = sizes.filter(({ item }) => SPIRIT.test(`${item.style} ${item.name}`));
  const has = (list: readonly CheckedSize[], ml: number) =>
    list.some(({ volume_ml }) => volume_ml !== null && Math.abs(volume_ml - ml) <= 1);
  const pints = sizes.filter(({ volume_ml, label }) => volume_ml === 568 || /\bpint\b/i.test(label));
  const odd = pints.filter(({ volume_ml }) => volume_ml !== null && !isPartOfPint(volume_ml));
  const wines = sizes.filter(
    ({ item: { style, abv } }) => WINE.test(style) && (abv ?? WINE_FROM) >= WINE_FROM,
  );
  return [
    ...(has(spirits, 25) && has(spirits, 35) ? [t('pub-staff.menu_check.spirits')] : []),
    ...(pints.length > 0 && !has(sizes, 284) ? [t('pub-staff.menu_check.half_pint')] : []),
    ...(wines.length > 0 && !has(wines, 125) ? [t('pub-staff.menu_check.small_wine')] : []),
    ...odd.map(({ named }) => t('pub-staff.menu_check.odd_pint', { drink: named })),
  ];
}

const isPartOfPint = (ml: number): boolean =>
  [1 / 3, 2 / 3].some((part) => Math.abs(ml - part * IMPERIAL_PINT) <= 1) ||
  Math.abs(ml / (IMPERIAL_PINT / 2) - Math.round(ml / (IMPERIAL_PINT / 2))) < 0.01;

const NAMED = 16;

/** The list at the entrance names sixteen drinks with their prices. */
function checkSixteen(items: readonly CheckedItem[]): Words[] {
  const priced = items.filter(
    ({ kind, sizes }) => kind === 'drinks' && sizes.some(({ shown, price }) => shown && price !== null),
  );
  return priced.length < NAMED
    ? [t('pub-staff.menu_check.sixteen', { named: NAMED, priced: priced.length })]
    : [];
}
