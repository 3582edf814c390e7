import { type OfferBody, offersApply } from '#content/kinds/offer.ts';
import { sizeKey } from '#content/volumes.ts';
import type { Config } from '#kernel/config.ts';
import { startOfDate } from '#kernel/local-time.ts';
import { formatPrice, fractionDigits } from '#kernel/money.ts';
import { isSameName } from '#kernel/names.ts';
import { pubDayEnd } from '#pub/pub-day.ts';
import { beginsSoon, isWithin, type Window, windowsOf } from '#pub/windows.ts';
import type { MenuFacts } from './facts.ts';

/** A lower price of a size, always shown beside the normal one. */
export interface SizeOffer {
  title: string;
  price: number;
  priceText: string;
  /** Null in a list of one column. */
  memberPrice: number | null;
  memberPriceText: string;
  /** ISO 8601: when it ends. */
  until: string;
}

/** An offer with the times at which it applies. */
export interface TimedOffer {
  body: OfferBody;
  windows: Window[];
}

/** The offers that apply now or within three days; none where the club has none, or may have none. */
export function timedOffers(
  { offers }: Pick<MenuFacts, 'offers'>,
  settings: Config['settings'],
  now: number,
  zone: string,
): TimedOffer[] {
  if (!offersApply(settings)) return [];
  return offers.flatMap(({ body }) => {
    const { days, between, from, until } = body;
    if (between === null) return [];
    const showing = {
      days,
      between,
      from: from === null ? null : (startOfDate(from, zone) ?? null),
      // The evening of the last date ends after midnight.
      until: until === null ? null : pubDayEnd(until, zone),
    };
    const windows = (windowsOf(showing, now, zone) ?? []).filter(([start]) => isInDates(start, until, zone));
    const isShown = isWithin(windows, now) || beginsSoon(windows, now);
    return isShown ? [{ body, windows: windows.filter(([, end]) => end > now) }] : [];
  });
}

/** Whether a window begins on the last date or before. */
const isInDates = (start: number, until: string | null, zone: string): boolean =>
  until === null || start < (startOfDate(until, zone, 1) ?? 0);

/** A price in minor units less a percentage; rounded to tenths of the currency, but never to the normal price. */
function reducedPrice(from: number, percent: number, rounded = false): number {
  const exact = (from * (100 - percent)) / 100;
  const tenth = 10 ** Math.max(1, fractionDigits() - 1);
  const round = Math.round(exact / tenth) * tenth;
  return rounded && round < from && round > 0 ? round : Math.round(exact);
}

/** The offers for a size, the lowest price first. One that is not lower than the normal price is none. */
export function offersOf(
  offers: readonly TimedOffer[],
  size: {
    item: string;
    section: string;
    label: string;
    volume_ml: number | null;
    price: number | null;
    memberPrice: number | null;
  },
): (Omit<SizeOffer, 'until'> & { windows: Window[] })[] {
  const { item, section, label, price: normal, memberPrice: normalMember } = size;
  const isSize = (one: { label: string }) =>
    isSameName(one.label, label) || sizeKey({ ...one, volume_ml: null }) === sizeKey(size);
  if (normal === null) return [];
  return offers
    .filter(({ body }) => body.items.includes(item) || body.sections.includes(section))
    .flatMap(({ body, windows }) => {
      const reduced = (from: number) =>
        body.percent === null
          ? body.prices.find(isSize)?.price
          : reducedPrice(from, body.percent, body.rounded);
      const price = reduced(normal);
      if (price === undefined || price >= normal) return [];
      const memberPrice =
        normalMember === null ? null : Math.min(normalMember, reduced(normalMember) ?? normalMember);
      return [
        {
          title: body.title,
          price,
          priceText: formatPrice(price),
          memberPrice,
          memberPriceText: memberPrice === null ? '' : formatPrice(memberPrice),
          windows,
        },
      ];
    })
    .sort((a, b) => a.price - b.price);
}
