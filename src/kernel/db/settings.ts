import type { Config } from '#kernel/config.ts';
import { build, type Reader, type Tx } from './queries.ts';

/** The settings that are stored in the database, with the variable that overrules each. */
const VARIABLE = { club_name: 'CLUB_NAME', time_zone: 'TIME_ZONE' } as const;

export type SettingName = keyof typeof VARIABLE;

/** Whether grave acts wait for a second person: the club's own decision, off by default. */
export const needsTwoPeople = (reader: Reader): boolean => reader.first(twoPeople)?.value === 'true';

const twoPeople = build.selectFrom('settings').select('value').where('name', '=', 'two_people').compile();

/** @see needsTwoPeople */
export function storeTwoPeople(tx: Tx, on: boolean, at: number): void {
  tx.run(build.replaceInto('settings').values({ name: 'two_people', value: JSON.stringify(on), set_at: at }));
}

/** How lists of people were read that were imported, as an earlier version may have left it; undefined: none was. */
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

/** Whether the environment decides, whatever is stored. */
export const isOverruled = ({ given }: Pick<Config, 'given'>, name: SettingName): boolean =>
  given.has(VARIABLE[name]);

/** Takes what is stored over into the configuration of a running service. */
export function applySettings(config: Config, reader: Reader): void {
  for (const { name, value } of reader.all(build.selectFrom('settings').select(['name', 'value']))) {
    const variable = VARIABLE[name as SettingName];
    if (variable && !config.given.has(variable)) config[variable] = JSON.parse(value);
  }
}

/** Stores a setting, see `applySettings`. The entry in the audit log is the caller's. */
export function storeSetting(tx: Tx, name: SettingName, value: string, at: number): void {
  tx.run(build.replaceInto('settings').values({ name, value: JSON.stringify(value), set_at: at }));
}
