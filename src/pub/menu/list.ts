import { ALLERGEN_LINE, allergenWords } from '#content/allergens.ts';
import type { MenuItemBody, MenuSizeBody } from '#content/kinds/menu-item.ts';
import { priceNames } from '#content/menu-prices.ts';
import type { Published } from '#content/records/published.ts';
import { formatVolume, sizeLabel } from '#content/volumes.ts';
import { oncePerObject } from '#kernel/cache.ts';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { t } from '#kernel/language/message.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';
import { compareNames, forClub } from '#kernel/locale.ts';
import { currency, formatPrice } from '#kernel/money.ts';
import { boardAccent } from '#kernel/settings/colours.ts';
import { type BoardLook, volumeUnit } from '#kernel/settings/menu.ts';
import { imageUrl } from '#pub/page-ids.ts';
import { nextMorning } from '#pub/pub-day.ts';
import { beginsSoon, isWithin, type Window, windowsOf } from '#pub/windows.ts';
import type { MenuFacts } from './facts.ts';
import { offersOf, type SizeOffer, type TimedOffer, timedOffers } from './offers.ts';

/** Whether it can be had. `last`: a few are left; `cleaning`: its tap is being cleaned. */
export type MenuState = 'on' | 'last' | 'out' | 'cleaning';

/** The list as feeds carry it. Prices are whole minor units of `currency`, times ISO 8601, windows milliseconds. */
export interface Menu {
  currency: string;
  /** 2: each size has a price for members and one for guests. */
  columns: 1 | 2;
  /** The headings of the two columns. */
  columnNames: { members: string; guests: string };
  /** From then on a screen shows no prices. */
  validUntil: string;
  updatedAt: string;
  /** What is said about allergens below the list. */
  allergenLine: string;
  /** How screens show what is sold out; absent: struck. */
  soldOutShows?: 'hidden';
  /** How boards look, and the colour of their headings where the club has one; absent: dark, in the usual colours. */
  look?: { name: BoardLook; accent: string | null };
  /** The sections that are shown now. */
  sections: MenuSection[];
  /** Sections that begin within three days; absent if there are none. */
  laterSections?: MenuSection[];
  /** What comes next on a tap. */
  next: { tap: number; name: string }[];
}

export interface MenuSection {
  id: string;
  title: string;
  note: string;
  /** Its place among the others. */
  order: number;
  kind: 'drinks' | 'food';
  onTap: boolean;
  /** Lines of each item on screens. */
  rows: 1 | 2;
  showOn: { screens: boolean; phones: boolean; print: boolean };
  /** When it is shown; absent: always. */
  windows?: Window[];
  items: MenuItem[];
}

export interface MenuItem {
  id: string;
  name: string;
  maker: string;
  style: string;
  abv: number | null;
  ibu: number | null;
  colorEbc: number | null;
  description: string;
  /** Of several taps the lowest that has it in this state. */
  tap: number | null;
  /** All its taps, if there is more than one. */
  taps?: number[];
  state: MenuState;
  /** When it is on again by itself; null: not known. */
  stateUntil: string | null;
  isNew: boolean;
  sizes: MenuSize[];
  /** Null: not known. */
  allergens: { code: string; word: string; detail: string }[] | null;
  marks: MenuItemBody['marks'];
  url: string;
  imageUrl?: string;
  imageAlt?: string;
  imageFocus?: number;
}

export interface MenuSize {
  /** Empty for a size without a word, such as that of a dish. */
  label: string;
  volumeMl: number | null;
  /** In the unit of the club; empty if it is not known. */
  volumeText: string;
  /** Null: ask. */
  price: number | null;
  /** As the club writes it; `ask` in its language if none is known, empty if there is one for members alone. */
  priceText: string;
  /** Null in a list of one column. */
  memberPrice: number | null;
  memberPriceText: string;
  /** Units of alcohol; null unless the club shows them, and if they are not known. */
  units: number | null;
  /** The lower price of now. */
  offer: SizeOffer | null;
  /** Lower prices that begin within three days; absent if there are none. */
  laterOffers?: (SizeOffer & { windows: Window[] })[];
}

/** How long something counts as new. */
const NEW_FOR = 7 * DAY;
/** `validUntil` is counted from times a quarter of an hour apart, so that the feed does not change at each request. */
const SLICE = 15 * MINUTE;
/** What stands in the place of a price that is not known. */
const ASK = t('pub.menu.ask');

/** A time at which the clock changes the list, besides its windows. */
type Note = (at: number) => void;

interface About {
  facts: MenuFacts;
  settings: Config['settings'];
  now: number;
  zone: string;
  offers: readonly TimedOffer[];
  note: Note;
  /** Whether sections are listed whenever they are shown: paper lasts for more than three days. */
  always: boolean;
}

/**
 * The list at `now`: each item once, in the order of the list, without what is hidden.
 * @param always whether sections are listed whenever they are shown
 * @returns with `until`, the next time at which the clock changes it; undefined while nothing is published
 */
export function menuAt(
  facts: MenuFacts,
  { settings, TIME_ZONE: zone }: Pick<Config, 'settings' | 'TIME_ZONE'>,
  now: number,
  always = false,
): { menu: Menu; until: number } | undefined {
  if (facts.items.length === 0) return undefined;
  const made = now - (now % SLICE);
  let until = made + SLICE;
  const note = (at: number) => {
    if (at > now && at < until) until = at;
  };
  const offers = timedOffers(facts, settings, now, zone);
  const about: About = { facts, settings, now, zone, offers, note, always };
  const sections = facts.sections.flatMap((record) => sectionAt(record, about));
  for (const { windows } of [...sections, ...offers]) for (const at of (windows ?? []).flat()) note(at);
  // Windows are computed for some days ahead.
  if (offers.length > 0 || sections.some(({ windows }) => windows))
    note(startOfDate(localDate(now, zone), zone, 1) ?? until);
  const isNow = ({ windows }: MenuSection) => !windows || isWithin(windows, now);
  const later = sections.filter(({ windows }) => windows && !isWithin(windows, now));
  const menu: Menu = {
    currency: currency(),
    columns: settings.price_columns === 2 ? 2 : 1,
    columnNames: priceNames(settings),
    validUntil: isoTime(made + settings.prices_old_after_h * HOUR),
    updatedAt: isoTime(changedAt(facts)),
    allergenLine: settings.allergen_line ?? forClub(ALLERGEN_LINE),
    ...(settings.sold_out_shows === 'hidden' && { soldOutShows: 'hidden' }),
    ...lookOf(settings),
    sections: sections.filter(isNow),
    ...(later.length > 0 && { laterSections: later }),
    next: facts.taps.flatMap(({ tap, next_item_id }) => {
      const item = facts.items.find(({ id }) => id === next_item_id);
      return item ? [{ tap, name: item.body.name }] : [];
    }),
  };
  return { menu, until };
}

function lookOf({ board_look: name, accent: chosen }: Config['settings']): Pick<Menu, 'look'> {
  const accent = boardAccent(name, chosen);
  return name === 'dark' && accent === null ? {} : { look: { name, accent } };
}

/**
 * The list for pages that are opened anew. A screen hides what is sold out at its next turn; they do at once.
 */
export function withoutHidden(menu: Menu): Menu {
  const { soldOutShows, sections, laterSections } = menu;
  if (soldOutShows !== 'hidden') return menu;
  const left = (some: MenuSection[]) =>
    some
      .map((section) => ({ ...section, items: section.items.filter(({ state }) => state !== 'out') }))
      .filter(({ items }) => items.length > 0);
  return { ...menu, sections: left(sections), ...(laterSections && { laterSections: left(laterSections) }) };
}

function changedAt({ sections, items, offers, stock, taps }: MenuFacts): number {
  return Math.max(
    ...[...sections, ...items, ...offers].map(({ published_at }) => published_at),
    ...[...stock.values(), ...taps].map(({ changed_at }) => changed_at),
  );
}

/** A section with its items; none while it is not shown within three days, or has nothing to show. */
function sectionAt({ id, body }: MenuFacts['sections'][number], about: About): MenuSection[] {
  const { facts, now, zone, always } = about;
  const windows = windowsOf({ ...body, from: null, until: null }, now, zone);
  if (windows && !always && !isWithin(windows, now) && !beginsSoon(windows, now)) return [];
  const orders = ordersOf(facts);
  const items = facts.items
    .filter((item) => item.body.section === id)
    .flatMap((item) => {
      const state = stateAt(item.id, body.on_tap, about);
      return state ? [itemOf(item, state, body.kind, about)] : [];
    })
    .sort(
      (a, b) =>
        (orders.get(a.id) ?? 0) - (orders.get(b.id) ?? 0) ||
        (a.tap ?? 99) - (b.tap ?? 99) ||
        compareNames(a.name, b.name),
    );
  if (items.length === 0) return [];
  const { title, note, order, kind, on_tap: onTap, rows, show_on: showOn } = body;
  return [{ id, title, note, order, kind, onTap, rows, showOn, ...(windows && { windows }), items }];
}

const ordersOf = oncePerObject(
  ({ items }: MenuFacts) => new Map(items.map(({ id, body }) => [id, body.order ?? 0])),
);

type ItemState = Pick<MenuItem, 'tap' | 'taps' | 'state' | 'stateUntil' | 'isNew'>;

/** The best state of several taps is that of the drink. */
const BEST: readonly MenuState[] = ['on', 'last', 'cleaning', 'out'];

/** @returns undefined while it is not shown */
function stateAt(item: string, onTap: boolean, about: About): ItemState | undefined {
  return onTap ? tapState(item, about) : stockState(item, about);
}

function tapState(item: string, about: About): ItemState | undefined {
  const { facts, now, note } = about;
  const taps = facts.taps.filter(({ item_id }) => item_id === item);
  const state = BEST.find((one) => taps.some((tap) => tap.state === one));
  const best = taps.find((tap) => tap.state === state);
  if (!state || !best) return undefined;
  if (state === 'out' && !isListed(Math.max(...taps.map(({ changed_at }) => changed_at)), about))
    return undefined;
  const tapped = Math.max(...taps.map(({ tapped_at }) => tapped_at ?? 0));
  note(tapped + NEW_FOR);
  return {
    tap: best.tap,
    ...(taps.length > 1 && { taps: taps.map(({ tap }) => tap) }),
    state,
    stateUntil: null,
    isNew: now < tapped + NEW_FOR,
  };
}

function stockState(item: string, about: About): ItemState | undefined {
  const { facts, now, note } = about;
  const first = facts.firstShown.get(item) ?? 0;
  note(first + NEW_FOR);
  const isNew = now < first + NEW_FOR;
  const row = facts.stock.get(item);
  const isOver = row === undefined || (row.until !== null && row.until <= now);
  if (isOver || row.state === 'on') return { tap: null, state: 'on', stateUntil: null, isNew };
  if (row.until !== null) note(row.until);
  if (row.state === 'out' && !isListed(row.changed_at, about)) return undefined;
  const stateUntil = row.until === null ? null : isoTime(row.until);
  return { tap: null, state: row.state, stateUntil, isNew };
}

/** Whether something that was sold out at `since` still has its row: until the day of the pub ends. */
function isListed(since: number, { now, zone, note }: About): boolean {
  const end = nextMorning(since, zone);
  note(end);
  return now < end;
}

function itemOf(
  { id, body }: Published<MenuItemBody>,
  state: ItemState,
  kind: MenuSection['kind'],
  about: About,
): MenuItem {
  const { facts, settings } = about;
  const { name, style, description, marks, url } = body;
  const { maker, abv, ibu, color_ebc: colorEbc } = kind === 'food' ? NOTHING_BREWED : body;
  const words = allergenWords(settings);
  const picture = body.picture === null ? undefined : facts.pictures.get(body.picture);
  return {
    id,
    name,
    maker,
    style,
    abv,
    ibu,
    colorEbc,
    description,
    ...state,
    sizes: body.sizes
      .filter(({ shown }) => shown)
      .map((size) => sizeOf(size, { item: id, section: body.section, abv }, about)),
    allergens:
      body.allergens_known === 'unknown'
        ? null
        : body.allergens.map(({ code, detail }) => ({ code, word: words[code], detail })),
    marks,
    url,
    ...(picture && {
      imageUrl: imageUrl('menu', id, body.picture ?? ''),
      imageAlt: picture.alt,
      imageFocus: picture.focus,
    }),
  };
}

/** What a dish has none of. */
const NOTHING_BREWED = { maker: '', abv: null, ibu: null, color_ebc: null };

function sizeOf(
  { label, volume_ml: volumeMl, price, member_price }: MenuSizeBody,
  of: { item: string; section: string; abv: number | null },
  { settings, offers, now }: About,
): MenuSize {
  const unit = volumeUnit(settings);
  const hasMembers = settings.price_columns === 2;
  const memberPrice = hasMembers ? member_price : null;
  const found = offersOf(offers, { ...of, label, volume_ml: volumeMl, price, memberPrice });
  const current = found.find(({ windows }) => isWithin(windows, now));
  const later = found.filter(({ windows }) => windows.some(([start]) => start > now));
  const hasUnits = settings.show_units && of.abv !== null && volumeMl !== null;
  return {
    label: sizeLabel(label, volumeMl, unit),
    volumeMl,
    volumeText: volumeMl === null ? '' : formatVolume(volumeMl, unit),
    price,
    priceText: price === null ? (memberPrice === null ? forClub(ASK) : '') : formatPrice(price),
    memberPrice,
    memberPriceText: memberPrice === null ? '' : formatPrice(memberPrice),
    units: hasUnits ? Math.round(of.abv! * volumeMl * 0.01) / 10 : null,
    offer: current ? offerAt(current, now) : null,
    ...(later.length > 0 && {
      laterOffers: later.map((offer) => ({ ...offerAt(offer, now), windows: offer.windows })),
    }),
  };
}

/** An offer with the end of the window that runs, or that comes next. */
function offerAt({ windows, ...offer }: ReturnType<typeof offersOf>[number], now: number): SizeOffer {
  return { ...offer, until: isoTime(windows.find(([, end]) => end > now)?.[1] ?? now) };
}
