import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import type { HouseNetwork } from '#kernel/house-network.ts';
import { readerOfClub } from '#kernel/language/readers.ts';
import { setClubReader } from '#kernel/locale.ts';
import { currencyOf, likelyCurrencyOf, type PriceUnit, setCurrency, unitOf } from '#kernel/money.ts';
import { open, seal } from '#kernel/secrets.ts';
import type { Variable } from '#kernel/settings/inputs.ts';
import { decidedBy, effectiveSettings, type GivenSettings } from '#kernel/settings/settings.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, settingOf } from '#kernel/settings/table.ts';
import { type Actor, recordAudit } from './audit.ts';
import { build, type Reader, type Tx } from './queries.ts';

/** Whether sensitive acts need the approval of a second person: a setting of the club, off by default. */
export const needsTwoPeople = (reader: Reader): boolean => reader.first(twoPeople)?.value === 'true';

const twoPeople = build.selectFrom('settings').select('value').where('name', '=', 'two_people').compile();

/** @see needsTwoPeople */
export function storeTwoPeople(tx: Tx, on: boolean, at: number): void {
  tx.run(
    build
      .replaceInto('settings')
      .values({ name: 'two_people', value: JSON.stringify(on), sealed: 0, set_at: at }),
  );
}

/** The columns of the last import of people, possibly stored by an earlier version; undefined before the first one. */
export function findImportColumns(reader: Reader): unknown {
  const row = reader.first(importColumns);
  return row && JSON.parse(row.value);
}

const importColumns = build
  .selectFrom('settings')
  .select('value')
  .where('name', '=', 'import_columns')
  .compile();

/** @see findImportColumns */
export function storeImportColumns(tx: Tx, columns: unknown, at: number): void {
  const value = JSON.stringify(columns);
  tx.run(build.replaceInto('settings').values({ name: 'import_columns', value, sealed: 0, set_at: at }));
}

/** What the stored prices are in; null while there was none. */
export const findPriceUnit = (reader: Reader): PriceUnit | null => {
  const row = reader.first(priceUnit);
  return row ? (JSON.parse(row.value) as PriceUnit | null) : null;
};

const priceUnit = build.selectFrom('settings').select('value').where('name', '=', 'price_unit').compile();

/** @see findPriceUnit */
export function storePriceUnit(tx: Tx, unit: PriceUnit, at: number): void {
  const value = JSON.stringify(unit);
  tx.run(build.replaceInto('settings').values({ name: 'price_unit', value, sealed: 0, set_at: at }));
}

/** Forgets it with the last price. */
export function dropPriceUnit(tx: Tx): void {
  tx.run(build.deleteFrom('settings').where('name', '=', 'price_unit'));
}

/**
 * Stores what the prices of an earlier version are in, which its migration marks with `null`: the currency that they had.
 * The settings must take effect before.
 */
export async function adoptPriceUnit(
  { config, db, write }: Pick<Context, 'config' | 'db' | 'write'>,
  at: number,
) {
  if (db.first(priceUnit)?.value !== 'null') return;
  const code = config.settings.currency ?? likelyCurrencyOf(config.LOCALE);
  await write((tx) => {
    if (tx.first(priceUnit)?.value === 'null') storePriceUnit(tx, unitOf(code), at);
  });
  setCurrency(config.settings.currency, findPriceUnit(db));
}

/** The currency in which prices would be with these settings, if none were stored. */
export function currencyWith(config: Config, reader: Reader, given: GivenSettings): string {
  const { currency, locale } = effectiveSettings(config, { ...findSettings(reader), ...given });
  return currency ?? currencyOf(locale);
}

/** The settings that the environment decides, each with the name of the variable. */
export function listOverruled(config: Config): Partial<Record<SettingName, Variable>> {
  const decided = SETTING_NAMES.map((name) => [name, decidedBy(config, name)?.variable] as const);
  return Object.fromEntries(decided.filter(([, variable]) => variable !== undefined));
}

/** Whether the environment decides a setting. */
export const isOverruled = (config: Config, name: SettingName): boolean =>
  decidedBy(config, name) !== undefined;

/** The stored settings of the club, without secrets; those that it has not decided are absent. */
export function findSettings(reader: Reader): GivenSettings {
  const known = storedRows(reader).filter(({ sealed }) => sealed === 0);
  return Object.fromEntries(known.map(({ name, value }) => [name, JSON.parse(value)]));
}

/** The stored secrets. One that was sealed with another key is lost, and counts as absent. */
function openSecrets(reader: Reader, secretKey: string): GivenSettings {
  const opened = storedRows(reader).flatMap(({ name, value, sealed }) => {
    const secret = sealed === 1 ? open(secretKey, purposeOf(name), JSON.parse(value)) : undefined;
    return secret === undefined ? [] : [[name, secret]];
  });
  return Object.fromEntries(opened);
}

function storedRows(reader: Reader): { name: SettingName; value: string; sealed: 0 | 1 }[] {
  const rows = reader.all(build.selectFrom('settings').select(['name', 'value', 'sealed']));
  return rows.flatMap(({ name, ...row }) => (isSetting(name) ? [{ name, ...row }] : []));
}

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);
const purposeOf = (name: SettingName) => `setting ${name}`;

type Stored = { config: Config; db: Reader; secretKey: string; house: HouseNetwork };

/** Lets the stored settings take effect in the configuration of a running service. */
export function applySettings({ config, db, secretKey, house }: Stored): void {
  config.settings = effectiveSettings(config, { ...findSettings(db), ...openSecrets(db, secretKey) });
  for (const name of SETTING_NAMES) {
    const { variable } = settingOf(name);
    // As it is where the environment has none.
    if (variable) Object.assign(config, { [variable]: config.settings[name] ?? undefined });
  }
  const base = house.baseUrl(config.BASE_URL);
  Object.assign(config, { BASE_URL: base });
  setClubReader(readerOfClub(config.settings.language, config.LOCALE), config.LOCALE);
  setCurrency(config.settings.currency, findPriceUnit(db));
}

/**
 * Stores the given settings, null to delete one, and audits which of them changed. Call `announceSettings` after the
 * commit.
 */
export function storeSettings(
  { secretKey }: Pick<Context, 'secretKey'>,
  tx: Tx,
  given: GivenSettings,
  actor: Actor,
): void {
  const before = { ...findSettings(tx), ...openSecrets(tx, secretKey) };
  const isSame = (name: SettingName) =>
    JSON.stringify(given[name] ?? null) === JSON.stringify(before[name] ?? null);
  const changed = SETTING_NAMES.filter((name) => given[name] !== undefined && !isSame(name));
  if (changed.length === 0) return;
  for (const name of changed) storeSetting(tx, name, given[name] ?? null, { secretKey, at: actor.at });
  const logged = changed.filter((name) => !settingOf(name).isSecret && !settingOf(name).isPersonal);
  const values = Object.fromEntries(logged.map((name) => [name, given[name] ?? null]));
  recordAudit(tx, actor, { action: 'settings.changed', metadata: { changed, ...values } });
}

/** Makes a change of settings take effect everywhere; called after its commit. */
export function announceSettings(ctx: Pick<Context, 'config' | 'db' | 'house' | 'hub' | 'secretKey'>): void {
  applySettings(ctx);
  ctx.hub.publish('settings');
}

function storeSetting(
  tx: Tx,
  name: SettingName,
  value: unknown,
  { secretKey, at }: { secretKey: string; at: number },
): void {
  if (value === null) return void tx.run(build.deleteFrom('settings').where('name', '=', name));
  const sealed = settingOf(name).isSecret ? 1 : 0;
  const stored = sealed ? seal(secretKey, purposeOf(name), String(value)) : value;
  tx.run(build.replaceInto('settings').values({ name, value: JSON.stringify(stored), sealed, set_at: at }));
}
