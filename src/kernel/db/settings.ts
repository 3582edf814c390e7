import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { Environment } from '#kernel/environment/environment.ts';
import { setLocale } from '#kernel/locale.ts';
import {
  NO_CLUB_SETTINGS,
  SETTING_NAMES,
  type SettingName,
  type StoredSettings,
  VARIABLE,
} from '#kernel/settings/settings.ts';
import { type Actor, recordAudit } from './audit.ts';
import { build, type Reader, type Tx } from './queries.ts';

/** Whether sensitive acts need the approval of a second person: a setting of the club, off by default. */
export const needsTwoPeople = (reader: Reader): boolean => reader.first(twoPeople)?.value === 'true';

const twoPeople = build.selectFrom('settings').select('value').where('name', '=', 'two_people').compile();

/** @see needsTwoPeople */
export function storeTwoPeople(tx: Tx, on: boolean, at: number): void {
  tx.run(build.replaceInto('settings').values({ name: 'two_people', value: JSON.stringify(on), set_at: at }));
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
  tx.run(build.replaceInto('settings').values({ name: 'import_columns', value, set_at: at }));
}

/** Whether an environment variable overrules the stored setting. */
export const isOverruled = ({ given }: Pick<Config, 'given'>, name: SettingName): boolean =>
  given.has(VARIABLE[name as keyof typeof VARIABLE]);

/** The stored settings of the club; those that it has not decided are absent. */
export function findSettings(reader: Reader): StoredSettings {
  const rows = reader.all(build.selectFrom('settings').select(['name', 'value']));
  const known = rows.filter(({ name }) => (SETTING_NAMES as readonly string[]).includes(name));
  return Object.fromEntries(known.map(({ name, value }) => [name, JSON.parse(value)]));
}

/** Copies the stored settings into the configuration of a running service. */
export function applySettings(config: Config, reader: Reader): void {
  const { base_url, club_name, locale, time_zone, sports_leagues, ...club } = findSettings(reader);
  const usual = Environment.shape;
  const isOpen = (variable: string) => !config.given.has(variable);
  if (isOpen('BASE_URL')) config.BASE_URL = base_url ?? undefined;
  if (isOpen('CLUB_NAME')) config.CLUB_NAME = club_name ?? undefined;
  if (isOpen('LOCALE')) config.LOCALE = locale ?? usual.LOCALE.parse(undefined);
  if (isOpen('TIME_ZONE')) config.TIME_ZONE = time_zone ?? usual.TIME_ZONE.parse(undefined);
  if (isOpen('SPORTS_LEAGUES'))
    config.SPORTS_LEAGUES = sports_leagues ?? usual.SPORTS_LEAGUES.parse(undefined);
  setLocale(config.LOCALE);
  config.club = { ...NO_CLUB_SETTINGS, ...(club as Partial<Config['club']>) };
}

/**
 * Stores the given settings, null to delete one, and audits which of them changed. Call `announceSettings` after the
 * commit.
 */
export function storeSettings(tx: Tx, given: StoredSettings, actor: Actor): void {
  const before = findSettings(tx);
  const after = { ...given, ...(given.parts && { parts: mergeParts(before.parts, given.parts) }) };
  const isSame = (name: SettingName) =>
    JSON.stringify(after[name] ?? null) === JSON.stringify(before[name] ?? null);
  const changed = SETTING_NAMES.filter((name) => name in after && !isSame(name));
  if (changed.length === 0) return;
  for (const name of changed) storeSetting(tx, name, after[name] ?? null, actor.at);
  // The contact may name a person, and stays out of a log that is kept for ever.
  const values = changed.filter((name) => name !== 'contact').map((name) => [name, after[name] ?? null]);
  recordAudit(tx, actor, {
    action: 'settings.changed',
    metadata: { changed, ...Object.fromEntries(values) },
  });
}

/** Makes a change of settings take effect everywhere; called after its commit. */
export function announceSettings({ config, db, hub }: Pick<Context, 'config' | 'db' | 'hub'>): void {
  applySettings(config, db);
  hub.publish('settings');
}

function mergeParts(before: StoredSettings['parts'], given: NonNullable<StoredSettings['parts']>) {
  const all = Object.entries({ ...before, ...given }).filter(([, on]) => typeof on === 'boolean');
  return all.length === 0 ? null : Object.fromEntries(all.sort());
}

function storeSetting(tx: Tx, name: SettingName, value: unknown, at: number): void {
  if (value === null) tx.run(build.deleteFrom('settings').where('name', '=', name));
  else tx.run(build.replaceInto('settings').values({ name, value: JSON.stringify(value), set_at: at }));
}
