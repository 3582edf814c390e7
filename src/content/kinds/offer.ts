import { z } from 'zod';
import { momentInList, timesInList } from '#content/records/columns.ts';
import {
  between,
  date,
  days,
  neededText,
  recordId,
  shortText,
  tick,
  whole,
} from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import type { Config } from '#kernel/config.ts';
import { type FieldError, fieldError } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { PRICE_AT_MOST } from '#kernel/money.ts';

const OFFERS_AT_MOST = 10;
const HOURS_AT_MOST = 6;

const records = (max: number) =>
  listOf(recordId, max)
    .transform((ids) => [...new Set(ids)])
    .default([]);

/** Lower prices at certain hours. */
export type OfferBody = z.output<typeof schema>;
const schema = z.strictObject({
  title: neededText(60),
  days,
  /** Required: without hours it would be another price. */
  between,
  from: date.nullable().default(null),
  /** The last date. */
  until: date.nullable().default(null),
  /** What it is for: items, and all items of sections. */
  items: records(100),
  sections: records(12),
  /** The price of each size, by its label, which a size without a word lacks; for others nothing changes. */
  prices: listOf(
    z.strictObject({
      label: shortText(20),
      price: z
        .int(coded('not_minor_units'))
        .min(0, coded('not_minor_units'))
        .max(PRICE_AT_MOST, coded('not_minor_units')),
    }),
    10,
  ).default([]),
  percent: whole(1, 50),
  /** Whether prices of `percent` are rounded to the next tenth: 3.12 to 3.10. Older offers lack it. */
  rounded: tick(false),
});

export const OFFER = defineKind({
  name: 'offer',
  schema,
  check: (body) => [...checkHours(body), ...checkPrices(body)],
  checkAmong: (_, { before, others, config }) => [
    ...checkAllowed(config),
    ...(before === undefined && others().length >= OFFERS_AT_MOST
      ? [fieldError('title', 'too_many_records', { max: OFFERS_AT_MOST })]
      : []),
  ],
  refersTo: { items: 'menu_item', sections: 'menu_section' },
  prices: {
    field: 'prices',
    each: (body, change) => ({
      ...body,
      prices: body.prices.map(({ label, price }) => ({ label, price: change(price) })),
    }),
  },
  isOnMenu: true,
  title: ({ title }) => title,
  dates: ({ from, until }) => (from === null && until === null ? null : { from: from ?? '', to: until }),
  soonest: ({ until }, { now, zone }) =>
    until === null ? '9999' : until < localDate(now, zone) ? undefined : until,
  columns: [
    { label: t('content-admin.kinds.offer'), words: ({ title }) => title, leads: true },
    { label: t('content-admin.kinds.when'), words: timesInList },
    {
      label: t('content-admin.kinds.until'),
      words: ({ until }, about) =>
        until === null ? t('content-admin.kinds.end') : momentInList(until, about),
    },
  ],
  labels: {
    title: t('content-admin.kinds.title'),
    days: t('content-admin.kinds.days'),
    between: t('content-admin.kinds.time_day'),
    from: t('content-admin.kinds.from'),
    until: t('content-admin.kinds.until'),
    items: t('content-admin.kinds.drinks_food'),
    sections: t('content-admin.kinds.sections'),
    prices: t('content-admin.kinds.prices'),
    percent: t('content-admin.kinds.per_cent_less'),
    rounded: t('content-admin.kinds.rounded_tenths'),
  },
});

/** The rules that forbid lower prices at certain hours, with the country: where the club has chosen them. */
const FORBIDDEN: Readonly<Record<string, Words>> = {
  'GB-SCT': t('content-admin.kinds.scotland'),
  IE: t('content-admin.kinds.ireland'),
};

/** Whether the club shows offers at all. */
export const offersApply = ({ offers_allowed, country_checks }: Config['settings']): boolean =>
  offers_allowed && FORBIDDEN[country_checks ?? ''] === undefined;

function checkAllowed({ settings }: Pick<Config, 'settings'>): FieldError[] {
  const country = FORBIDDEN[settings.country_checks ?? ''];
  if (country !== undefined) return [fieldError('title', 'offers_forbidden', { country })];
  return settings.offers_allowed ? [] : [fieldError('title', 'offers_off')];
}

function checkHours({ between: hours, from, until }: OfferBody): FieldError[] {
  if (from !== null && until !== null && until < from) return [fieldError('until', 'ends_before_start')];
  if (hours === null) return [fieldError('between', 'offer_without_hours')];
  const length = minutesOf(hours.to) - minutesOf(hours.from);
  const minutes = length > 0 ? length : length + 24 * 60;
  return minutes > HOURS_AT_MOST * 60
    ? [fieldError('between', 'offer_too_long', { max: HOURS_AT_MOST })]
    : [];
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function checkPrices({ items, sections, prices, percent }: OfferBody): FieldError[] {
  return [
    ...(items.length + sections.length === 0 ? [fieldError('items', 'offer_of_nothing')] : []),
    ...(prices.length > 0 === (percent !== null) ? [fieldError('percent', 'offer_without_price')] : []),
  ];
}
