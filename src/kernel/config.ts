import fs from 'node:fs';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { Environment, MAY_BE_EMPTY } from './environment/environment.ts';
import { type ClubSettings, NO_CLUB_SETTINGS } from './settings/settings.ts';

/** The configuration of a running service. Settings of the club that are stored fill what the environment leaves open. */
export type Config = z.output<typeof Environment> & {
  /** Names of the variables that are set. */
  given: ReadonlySet<string>;
  /** What the club decided of what no variable has; each change of any setting replaces it. */
  club: Readonly<ClubSettings>;
};

/** Name and description of every variable, in the order of .env.example. */
export const VARIABLES = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  description: schema.description ?? '',
}));

export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables over those of an optional .env file.
 * @throws ConfigError with one line per problem, each naming its variable.
 */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
  envFile = '.env',
): Config {
  const file = fs.existsSync(envFile) ? parseEnv(fs.readFileSync(envFile, 'utf8')) : {};
  const set = Object.entries({ ...file, ...environment }).filter(
    ([name, value]) => value?.trim() || (value === '' && MAY_BE_EMPTY.includes(name)),
  );
  const parsed = Environment.safeParse(Object.fromEntries(set));
  if (parsed.success)
    return { ...parsed.data, given: new Set(set.map(([name]) => name)), club: NO_CLUB_SETTINGS };
  throw new ConfigError(
    parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
  );
}
