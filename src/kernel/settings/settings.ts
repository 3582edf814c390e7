import { z } from 'zod';
import type { Variable, Variables } from './inputs.ts';
import type { Decided } from './setting.ts';
import { SETTING_NAMES, type SETTINGS, type SettingName, settingOf } from './table.ts';

type Entries = typeof SETTINGS;
type Value<Name extends SettingName> = z.output<Entries[Name]['input']>;

/** Values of settings. Null restores the default; absent and undefined ones stay as they are. */
export type GivenSettings = { [Name in SettingName]?: Value<Name> };

/** The settings as they take effect: what the environment decides, else what the club has, else the default. */
export type Settings = { [Name in SettingName]: NonNullable<Value<Name>> | Entries[Name]['usual'] };

/** The names of the secrets: answers have `…_set` in place of each, which says whether there is one. */
export const SECRETS = SETTING_NAMES.filter((name) => settingOf(name).isSecret);

/** What the environment decides of a setting, if it does. */
export function decidedBy(
  config: Variables & { given: ReadonlySet<string> },
  name: SettingName,
): Decided<unknown> | undefined {
  const { variable, decided } = settingOf(name);
  const isSet = (one: Variable) => config.given.has(one);
  if (decided !== undefined) return decided(config, isSet);
  return variable !== undefined && isSet(variable) ? { variable, value: config[variable] } : undefined;
}

/** The settings as they take effect with these stored ones. */
export function effectiveSettings(
  config: Variables & { given: ReadonlySet<string> },
  stored: GivenSettings,
): Settings {
  const effective = SETTING_NAMES.map((name) => {
    const decided = decidedBy(config, name);
    return [name, decided ? decided.value : (stored[name] ?? settingOf(name).usual)];
  });
  return Object.fromEntries(effective);
}

/** Values that answers have and changes do not: a change may be an answer that is sent back. */
const COMPUTED = [
  ...['accent_light', 'accent_dark', 'tokens.player_set', 'tokens.device_set'],
  ...SECRETS.map((name) => `${name}_set`),
];

const shape = nest([
  ...SETTING_NAMES.map((name) => [name, settingOf(name).input.optional()] as const),
  ...COMPUTED.map((name) => [name, z.unknown().optional()] as const),
]);

/** A change of settings, with the names of the questions that are confirmed. */
export type SettingsChange = GivenSettings & { confirm?: readonly string[] };

/** Some of the settings, in the nested form of JSON bodies. Null for a group resets all of its settings. */
export const SettingsInput: z.ZodType<SettingsChange> = z
  .strictObject({
    ...(Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [
        name,
        field instanceof z.ZodType
          ? field
          : z
              .strictObject(field as z.ZodRawShape)
              .nullable()
              .optional(),
      ]),
    ) as Record<string, z.ZodType>),
    /** What is not a list of names confirms nothing. */
    confirm: z.preprocess((given) => [given].flat(), z.array(z.string()).catch([])).optional(),
  })
  .transform(({ confirm, ...nested }) => ({ ...flatten(nested), ...(confirm && { confirm }) }));

/** Turns values by dotted names into the nested form of JSON: `parts.music` into `{ parts: { music } }`. */
export function nest(values: Iterable<readonly [name: string, value: unknown]>): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const [group = '', key] = name.split('.');
    if (key === undefined) nested[group] = value;
    else nested[group] = { ...(nested[group] as object | undefined), [key]: value };
  }
  return nested;
}

function flatten(nested: Record<string, unknown>): GivenSettings {
  const given = SETTING_NAMES.flatMap((name) => {
    const [group = '', key] = name.split('.');
    const value = nested[group];
    const own =
      key === undefined || value === null ? value : (value as Record<string, unknown> | undefined)?.[key];
    return own === undefined ? [] : [[name, own]];
  });
  return Object.fromEntries(given);
}
