import { listTokens } from '#kernel/access/sender-tokens.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import type { Reader } from '#kernel/db/queries.ts';
import { announceSettings, isOverruled, listOverruled, storeSettings } from '#kernel/db/settings.ts';
import { SHORTEST_KEY } from '#kernel/environment/environment.ts';
import { findShortKey } from '#kernel/house-network.ts';
import { type AppError, badField, badFields, fieldError } from '#kernel/http/errors.ts';
import { readerOfClub } from '#kernel/language/readers.ts';
import { clubReader } from '#kernel/locale.ts';
import { clubName, shownMailSettings } from '#kernel/mail/message.ts';
import { withProvider } from '#kernel/mail/providers.ts';
import { currency, hasCurrency } from '#kernel/money.ts';
import { type Accent, accentOf } from '#kernel/settings/colours.ts';
import { chosenParts, PARTS, SOURCE_PARTS } from '#kernel/settings/parts.ts';
import {
  effectiveSettings,
  type GivenSettings,
  nest,
  SECRETS,
  type Settings,
  type SettingsChange,
} from '#kernel/settings/settings.ts';
import { NEEDS, SENT_TO, SETTING_NAMES, type SettingName } from '#kernel/settings/table.ts';
import { MENU_ITEM } from './kinds/menu-item.ts';
import { priceNames } from './menu-prices.ts';
import { findPicture } from './pictures/pictures.ts';
import { movePrices } from './price-currency.ts';
import { announcePublished } from './records/records.ts';

/** The settings as they take effect, by their dotted names. Of a secret only whether there is one. */
export type ShownSettings = Omit<Settings, keyof Accent> & Accent;

/** Returns the settings as they take effect, with what is used in place of those that nobody has decided. */
export function shownSettings(ctx: Context): ShownSettings {
  const { settings } = ctx.config;
  const prices = priceNames(settings);
  const parts = Object.entries(chosenParts(ctx)).map(([part, on]) => [`parts.${part}`, on]);
  return {
    ...settings,
    club_name: clubName(ctx.config),
    language: clubReader().language,
    currency: hasCurrency() ? currency() : null,
    'price_names.members': prices.members,
    'price_names.guests': prices.guests,
    ...accentOf(settings.accent),
    ...shownMailSettings(ctx.config),
    ...(Object.fromEntries(parts) as Pick<Settings, Extract<SettingName, `parts.${string}`>>),
  };
}

/** Returns the settings in the form of the API, and the names of those that the environment decides. */
export function readSettings(ctx: Context) {
  const values = Object.entries(shownSettings(ctx)).map(([name, value]): [string, unknown] =>
    SECRETS.includes(name as SettingName) ? [`${name}_set`, value !== null] : [name, value],
  );
  const tokens = Object.entries(listTokens(ctx)).map(
    ([sender, isSet]) => [`tokens.${sender}_set`, isSet] as const,
  );
  return { settings: nest([...values, ...tokens]), overruled: Object.keys(listOverruled(ctx.config)) };
}

/**
 * Returns the settings that a submitted form changes. Settings equal to the current ones are left out, so that they
 * keep following the environment and what is configured; not a secret, which is entered again for another server.
 */
export function changedSettings(ctx: Context, given: SettingsChange): SettingsChange {
  const shown = shownSettings(ctx);
  const differs = (name: SettingName) =>
    SECRETS.includes(name) || JSON.stringify(shown[name]) !== JSON.stringify(given[name]);
  const changed = SETTING_NAMES.filter((name) => given[name] !== undefined && differs(name));
  return {
    ...Object.fromEntries(changed.map((name) => [name, given[name]])),
    ...(given.confirm && { confirm: given.confirm }),
  };
}

/** What a change stores: with what belongs to a known provider, and without secrets of another address. */
function completeChange(ctx: Context, wanted: GivenSettings): GivenSettings {
  const changed = withSources(ctx, wanted);
  const complete = ctx.config.MAILER_URL === undefined ? withProvider(changed, ctx.config.settings) : changed;
  return withoutMovedSecrets(ctx, complete);
}

/**
 * Checks whether a change can be made, before anybody is asked to confirm it.
 * @throws 400 for a logo that is not a stored picture and for a setting without one that it needs, 409 for the tick of a
 * part or of the house network that the environment decides, and for the latter while a key is short
 */
export function ensureChangeable(ctx: Context, wanted: GivenSettings): void {
  const given = completeChange(ctx, wanted);
  const overruled = listOverruled(ctx.config);
  ensureComplete(ctx, given);
  for (const name of [...PARTS.map((part) => `parts.${part}` as const), 'house_network'] as const)
    if (given[name] !== undefined && overruled[name]) throw decidedElsewhere(name, overruled[name]);
  const shortKey = given.house_network ? findShortKey(ctx.config) : undefined;
  if (shortKey !== undefined)
    throw badFields(
      [fieldError('house_network', 'key_too_short_for_house', { name: shortKey, min: SHORTEST_KEY })],
      { status: 409 },
    );
  logoIn(ctx.db, given);
}

/** The id of the logo among these settings. @throws 400 if there is no such picture */
function logoIn(reader: Reader, { logo }: GivenSettings): string | undefined {
  if (!logo) return undefined;
  const found = findPicture(reader, logo)?.id;
  if (!found) throw badField('logo', 'no_such_picture');
  return found;
}

/**
 * Stores some of the settings and applies them. Settings that the environment decides are stored too, for when it no
 * longer does; ticks of parts are not. @throws as `ensureChangeable` and `movePrices`
 */
export async function changeSettings(
  ctx: Context,
  { confirm = [], ...wanted }: SettingsChange,
  actor: Actor,
): Promise<void> {
  ensureChangeable(ctx, wanted);
  const moved = await ctx.write((tx) => {
    const given = completeChange(ctx, wanted);
    const logo = logoIn(tx, given);
    const prices = movePrices(ctx, tx, given, confirm, actor);
    storeSettings(ctx, tx, { ...prices.given, ...(logo && { logo }) }, actor);
    return prices.moved;
  });
  announceSettings(ctx);
  if (moved) announcePublished(ctx, MENU_ITEM);
  await ctx.house.follow();
}

/** Ticking the part of a source that was switched off by an empty address brings its usual address back. */
function withSources({ config: { settings } }: Context, given: GivenSettings): GivenSettings {
  const back = SOURCE_PARTS.filter(
    (part) => given[`parts.${part}`] && given[`${part}.url`] === undefined && settings[`${part}.url`] === '',
  );
  return { ...given, ...Object.fromEntries(back.map((part) => [`${part}.url`, null])) };
}

/** Removes a secret that was entered for another address, see `SENT_TO`. */
function withoutMovedSecrets({ config: { settings } }: Context, given: GivenSettings): GivenSettings {
  const moved = (Object.entries(SENT_TO) as [SettingName, SettingName][]).filter(([secret, address]) => {
    const isMoved = given[address] !== undefined && given[address] !== settings[address];
    return isMoved && settings[address] !== null && given[secret] === undefined;
  });
  return { ...given, ...Object.fromEntries(moved.map(([secret]) => [secret, null])) };
}

/** @throws 400 for a setting that is missing beside the given ones, see `NEEDS` */
function ensureComplete({ config }: Context, given: GivenSettings): void {
  ensureOther(config, given);
  const after = (name: SettingName) =>
    given[name] === undefined || isOverruled(config, name) ? config.settings[name] : given[name];
  for (const [name, needed] of Object.entries(NEEDS) as [SettingName, SettingName[]][]) {
    if (after(name) === null || [name, ...needed].every((one) => given[one] === undefined)) continue;
    const missing = needed.filter((one) => after(one) === null);
    if (missing.length > 0)
      throw badFields(missing.map((one) => fieldError(one, 'needed_with_setting', { names: name })));
  }
}

/** @throws 400 if the second language of mails would be that of the club */
function ensureOther(config: Context['config'], given: GivenSettings): void {
  const {
    language,
    locale,
    second_language: second,
  } = effectiveSettings(config, {
    ...config.settings,
    ...given,
  });
  if (given.second_language && second === readerOfClub(language, locale).language)
    throw badField('second_language', 'same_language');
}

/** 409 for a setting that only the server's administrator can change. */
const decidedElsewhere = (path: string, variable: string): AppError =>
  badFields([fieldError(path, 'decided_by_environment', { variable })], { status: 409 });
