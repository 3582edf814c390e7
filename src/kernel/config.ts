import type { z } from 'zod';
import { EnvFileError, nearVariable, readEnvFile } from './environment/env-file.ts';
import { Environment, MAY_BE_EMPTY } from './environment/environment.ts';
import { messageOf, sentenceOf } from './messages/messages.ts';
import { effectiveSettings, type Settings } from './settings/settings.ts';

/**
 * The configuration of a running service. Settings of the club that have a variable of their own are here under its
 * name, too: the stored ones apply where it is not set.
 */
export type Config = z.output<typeof Environment> & {
  /** Names of the variables that are set. */
  given: ReadonlySet<string>;
  /** Names of the variables that are named and empty. They count as unset. */
  leftEmpty: ReadonlySet<string>;
  /** The club's settings as they take effect; every change of one replaces the whole object. */
  settings: Readonly<Settings>;
};

/** Name and description of every variable, in the order of .env.example. */
export const VARIABLES = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  description: schema.description ?? '',
}));

export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables over those of an optional .env file.
 * @param warn gets a line for what is set but has no effect, as a misspelled name
 * @throws ConfigError with one line per problem, each naming its variable.
 */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
  envFile = '.env',
  warn: (line: string) => void = (line) => void process.stderr.write(`Warning: ${line}\n`),
): Config {
  const { values, warnings } = envFileOf(envFile);
  const given = { ...values, ...environment };
  for (const line of [...warnings, ...listMisspelled(given), ...listLone(given)]) warn(line);
  const named = Object.entries(given);
  const leftEmpty = new Set(named.flatMap(([name, value]) => (value?.trim() === '' ? [name] : [])));
  const set = named.filter(([name, value]) => value?.trim() || (value === '' && MAY_BE_EMPTY.includes(name)));
  const parsed = Environment.safeParse(Object.fromEntries(set));
  if (parsed.success) {
    const config = { ...parsed.data, given: new Set(set.map(([name]) => name)), leftEmpty };
    return { ...config, settings: effectiveSettings(config, {}) };
  }
  throw new ConfigError(
    parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${sentenceOf(messageOf(issue))}`).join('\n'),
  );
}

function envFileOf(file: string): ReturnType<typeof readEnvFile> {
  try {
    return readEnvFile(file);
  } catch (error) {
    throw error instanceof EnvFileError ? new ConfigError(error.message) : error;
  }
}

/** Secrets that go to the address of another variable, and nowhere without it. */
const SENT_TO = { SCROBBLE_TOKEN: 'SCROBBLE_URL', ANALYTICS_API_KEY: 'ANALYTICS_URL' } as const;

/** A line for each secret that is set without its address. */
function listLone(given: Record<string, string | undefined>): string[] {
  return Object.entries(SENT_TO).flatMap(([secret, address]) =>
    given[secret]?.trim() && !given[address]?.trim() ? [`${secret} has no effect without ${address}`] : [],
  );
}

/** A line for each variable that is not known but has a name near a known one. */
function listMisspelled(given: Record<string, string | undefined>): string[] {
  const known = VARIABLES.map(({ name }) => name);
  return Object.keys(given).flatMap((name) => {
    const near = known.includes(name) ? undefined : nearVariable(name, known);
    return near === undefined ? [] : [`${name} is not a variable of this service: is ${near} meant?`];
  });
}

/** An address that a browser on this machine opens: a wildcard address of a server is not one everywhere. */
export const openableAddress = (address: string): string =>
  address.replace(/^http:\/\/(?:\[::\]|0\.0\.0\.0)(?=:)/, 'http://localhost');

/** The address of the service for messages in a terminal. */
export const ownAddress = ({ BASE_URL, HOST, PORT }: Pick<Config, 'BASE_URL' | 'HOST' | 'PORT'>): string =>
  BASE_URL ?? openableAddress(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`);

/** File descriptor of the first socket that systemd passes: sd_listen_fds(3), SD_LISTEN_FDS_START. */
const FIRST_SOCKET = 3;

/** Where a server listens: at an address, or on a socket that the parent process opened. */
export type ListenAt = { host: string; port: number } | { host: string; fd: number };

/**
 * Returns the socket that the parent process passes (systemd socket activation, sd_listen_fds(3)), else HOST and PORT.
 * The parent keeps that socket open while the service restarts, so that connections wait instead of being refused.
 * Removes the LISTEN_* variables from the environment: they are meant for this process only.
 * @throws ConfigError if more than one socket is passed
 */
export function listenAt(
  { HOST: host, PORT: port }: { HOST: string; PORT: number },
  environment: Record<string, string | undefined> = process.env,
): ListenAt {
  const { LISTEN_PID, LISTEN_FDS } = environment;
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name];
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== process.pid) return { host, port };
  if (LISTEN_FDS !== '1')
    throw new ConfigError(`LISTEN_FDS: must be 1, but the parent hands over ${LISTEN_FDS} sockets`);
  // With `localhost` Fastify would also listen at the address of the other IP version.
  return { host: '127.0.0.1', fd: FIRST_SOCKET };
}
