import type { z } from 'zod';
import { Environment } from '#kernel/environment/environment.ts';
import { likeVariable, type Variable, type Variables } from './inputs.ts';

/** The groups of settings: each is a page of its own with one form, in this order. */
export const GROUPS = [
  'club',
  'address',
  'house',
  'look',
  'formats',
  'mail',
  'sign-in',
  'parts',
  'menu',
  'music',
  'sports',
  'weather',
  'calendar',
  'backups',
] as const;
export type Group = (typeof GROUPS)[number];

/** The address of the page of a group. */
export const groupPath = (group: Group): string => `/admin/settings/${group}`;

/** What the environment decides, and the variable that does. */
export interface Decided<Value> {
  variable: Variable;
  value: Value;
}

/**
 * One setting of the club. `Value` is what it can be set to, `Usual` what it is while the club has not decided: null
 * where nothing is then known.
 */
export interface Setting<Value, Usual = Value> {
  group: Group;
  /** Reads JSON and forms. Null means the default; undefined leaves a secret as it is. */
  input: z.ZodType<Value | null | undefined>;
  usual: Usual;
  /** The variable that overrules it; the configuration then has the effective value under its name, too. */
  variable?: Variable;
  /** In place of that, for settings that are not just equal to a variable: what the environment decides, if it does. */
  decided?: (env: Variables, isSet: (name: Variable) => boolean) => Decided<Value> | undefined;
  /** Sealed with the service's key, and never shown, logged, exported or backed up. */
  isSecret?: true;
  /** May name a person: it stays out of the audit log, which is kept for ever. */
  isPersonal?: true;
}

/** A setting with the default, the input and the type of a variable, which overrules it. */
export function ofVariable<Name extends Variable>(
  variable: Name,
  setting: Pick<Setting<NonNullable<Variables[Name]>>, 'group'> &
    Partial<Pick<Setting<NonNullable<Variables[Name]>>, 'input' | 'isSecret' | 'isPersonal'>>,
): Setting<NonNullable<Variables[Name]>, undefined extends Variables[Name] ? null : never> {
  return {
    input: likeVariable(variable),
    ...setting,
    variable,
    usual: (Environment.shape[variable].parse(undefined) ?? null) as never,
  };
}
