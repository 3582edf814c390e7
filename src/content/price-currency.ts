import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import {
  currencyWith,
  dropPriceUnit,
  findPriceUnit,
  findSettings,
  storePriceUnit,
} from '#kernel/db/settings.ts';
import { type AppError, badField, badFields, fieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { compareNames } from '#kernel/locale.ts';
import {
  chosenCurrency,
  currency,
  formatPrice,
  hasCurrency,
  inDigits,
  PRICE_AT_MOST,
  type PriceUnit,
  unitOf,
} from '#kernel/money.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import type { GivenSettings } from '#kernel/settings/settings.ts';
import { MENU_ITEM } from './kinds/menu-item.ts';
import { OFFER } from './kinds/offer.ts';
import { type Body, type Kind, readBody, titleOf } from './records/kind.ts';
import { hasPrice } from './records/storing.ts';

const PRICED: Readonly<Record<string, Kind>> = {
  [MENU_ITEM.name]: MENU_ITEM as unknown as Kind,
  [OFFER.name]: OFFER as unknown as Kind,
};

/** A price that does not read as before in another currency. */
export interface RoundedPrice {
  /** Of the drink, the dish, the offer or the setting. */
  name: string;
  /** In words, with the currency. */
  before: string;
  after: string;
}

/** The question, and the name of its answer in `confirm`. */
const QUESTION = 'currency';
const NAMED_AT_MOST = 20;

/**
 * Moves all stored prices into the currency that a change of settings leads to: they are kept as they read, in every
 * version of everything that has a price. For the transaction that stores the settings.
 * @param path the setting that an error is about
 * @returns the settings to store, and whether prices have changed
 * @throws 409 with `confirm: ['currency']` and `prices` while somebody has to confirm it; 400 if a price would be too high
 */
export function movePrices(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  given: GivenSettings,
  confirmed: readonly string[],
  actor: Actor,
): { given: GivenSettings; moved: boolean } {
  const least = given.min_price_per_unit;
  const code = currencyWith(config, tx, given);
  const unit = findPriceUnit(tx);
  const isAsked = given.currency !== undefined || given.locale !== undefined;
  if (!unit) {
    if (typeof least !== 'number') return { given, moved: false };
    if (!hasCurrency(code)) throw badField('min_price_per_unit', 'currency_needed');
    storePriceUnit(tx, unitOf(code), actor.at);
    return { given, moved: false };
  }
  // A language alone takes no currency away.
  if (!isAsked || code === unit.currency || !hasCurrency(code)) return { given, moved: false };

  const to = unitOf(code);
  const path = given.currency === undefined ? 'locale' : 'currency';
  const before = least === undefined ? findSettings(tx).min_price_per_unit : least;
  const versions = listPriced(tx);
  const present = versions.filter(({ isPresent }) => isPresent);
  if (versions.length === 0 && typeof before !== 'number') {
    dropPriceUnit(tx);
    return { given, moved: false };
  }
  const figures = present.flatMap(figuresOf);
  if (typeof before === 'number') figures.push({ name: 'min_price_per_unit', minor: before });
  const after = (minor: number) => inDigits(minor, unit.digits, to.digits);
  const tooHigh = figures.filter(({ minor }) => after(minor) > PRICE_AT_MOST).map(({ name }) => name);
  if (tooHigh.length > 0) throw badField(path, 'prices_too_high', { names: tooHigh.slice(0, NAMED_AT_MOST) });
  if (figures.length > 0 && !confirmed.includes(QUESTION)) throw question(path, figures, unit, to);

  for (const { record_id, version, kind, body } of versions)
    tx.run(
      build
        .updateTable('content_revisions')
        .set({ body: JSON.stringify(kind.prices?.each(body, after)) })
        .where('record_id', '=', record_id)
        .where('version', '=', version),
    );
  storePriceUnit(tx, to, actor.at);
  recordAudit(tx, actor, {
    action: 'menu.currency_changed',
    metadata: { from: unit.currency, to: to.currency, digits: to.digits, prices: figures.length },
  });
  return {
    given: { ...given, ...(typeof before === 'number' && { min_price_per_unit: after(before) }) },
    moved: true,
  };
}

/** Says so where the environment has a country with another currency than the stored prices: nobody could be asked. */
export function checkPrices(): Check[] {
  const [now, other] = [currency(), chosenCurrency()];
  if (now === other || !hasCurrency(other)) return [];
  return [
    {
      name: 'prices',
      title: t('settings.check.prices'),
      state: 'attention',
      text: t('settings.check.prices_other_currency', { now, other }),
      remedy: t('settings.check.choose_currency'),
      link: { href: groupPath('menu'), label: t('settings.fields.drinks_food') },
    },
  ];
}

interface Priced {
  record_id: string;
  version: number;
  kind: Kind;
  body: Body;
  /** Whether it is the newest or the published version of what is not removed. */
  isPresent: boolean;
}

/** All versions with a price. */
function listPriced(tx: Tx): Priced[] {
  const rows = tx.all(
    build
      .selectFrom('content_revisions as revision')
      .innerJoin('content_records as record', 'record.id', 'revision.record_id')
      .where('record.kind', 'in', Object.keys(PRICED))
      .select([
        'revision.record_id',
        'revision.version',
        'revision.body',
        'record.kind',
        'record.version as newest',
        'record.published_version as published',
        'record.removed_at',
      ])
      .orderBy('revision.record_id')
      .orderBy('revision.version'),
  );
  return rows.flatMap(({ record_id, version, body: text, kind: name, newest, published, removed_at }) => {
    const kind = PRICED[name]!;
    const body = readBody(kind, text);
    const isPresent = removed_at === null && (version === newest || version === published);
    return hasPrice(kind, body) ? [{ record_id, version, kind, body, isPresent }] : [];
  });
}

function figuresOf({ kind, body }: Priced): { name: string; minor: number }[] {
  const figures: { name: string; minor: number }[] = [];
  kind.prices?.each(body, (minor) => {
    figures.push({ name: titleOf(kind, body), minor });
    return minor;
  });
  return figures;
}

function question(
  path: string,
  figures: readonly { name: string; minor: number }[],
  from: PriceUnit,
  to: PriceUnit,
): AppError {
  const rounded = figures.flatMap(({ name, minor }): RoundedPrice[] => {
    const changed = inDigits(minor, from.digits, to.digits);
    if (inDigits(changed, to.digits, from.digits) === minor) return [];
    const before = formatPrice(minor, from.currency, from.digits);
    return [{ name, before, after: formatPrice(changed, to.currency, to.digits) }];
  });
  const prices = [...new Map(rounded.map((price) => [JSON.stringify(price), price])).values()].sort((a, b) =>
    compareNames(a.name, b.name),
  );
  const said = prices
    .slice(0, NAMED_AT_MOST)
    .map((price) => t('errors-admin.confirm_currency_rounded.price', price));
  const codes = { from: from.currency, to: to.currency };
  const error =
    said.length === 0
      ? fieldError(path, 'confirm_currency', codes)
      : fieldError(path, 'confirm_currency_rounded', {
          ...codes,
          prices: said,
          more: prices.length > said.length ? ' …' : '',
        });
  return badFields([error], { status: 409, extra: { confirm: [QUESTION], prices } });
}
