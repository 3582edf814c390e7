import fs from 'node:fs';
import path from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { type CalendarContext, openCalendar } from '#calendar/context.ts';
import { type Config, readConfig } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { migrate } from '#kernel/db/connection.ts';
import { openDatabase } from '#kernel/db/database.ts';
import type { App } from '#kernel/http/http.ts';
import type { PublisherTimes } from '#kernel/live/publisher.ts';
import { setClubReader } from '#kernel/locale.ts';
import { createLog } from '#kernel/log.ts';
import type { MailerTimes } from '#kernel/mail/mailer.ts';
import { setCurrency } from '#kernel/money.ts';
import { openContext } from '#kernel/open-context.ts';
import { buildApp } from '../../src/app.ts';
import { KeptApp } from './kept-app.ts';

/** Sat, Nov 21, 2026, 12:00 PM in New York. */
export const NOON = Temporal.Instant.from('2026-11-21T17:00:00Z').epochMilliseconds;

const IN_MEMORY = 'file::memory:';

export interface TestApp {
  app: App;
  ctx: Context;
  calendarContext: CalendarContext;
  /** The clock: move it with `clock.now += MINUTE`. */
  clock: { now: number };
  /** Every logged line. */
  logged: string[];
  /** Sends one request without a socket; by default it comes from an officer on this machine. */
  request(options: InjectOptions): Promise<LightMyRequestResponse>;
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  post(url: string, payload?: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Submits a form as a browser does. */
  submit(
    url: string,
    fields: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The address that links in mails begin with. */
export const BASE = 'https://votes.club.example';

/** The settings to send mails to a server, and rate limits that no test of mails reaches by accident. */
export function mailTo(url: string): Record<string, string> {
  return {
    MAILER_URL: url,
    MAILER_API_KEY: 'a key of the mailer',
    FROM_EMAIL: 'The Anchor <votes@club.example>',
    BASE_URL: BASE,
    RATE_LIMIT_GENERAL: '10000',
    RATE_LIMIT_VOTE: '10000',
  };
}

/** Enters a mail server, at which nobody answers, in the settings of a running service. */
export function enterMail({ ctx }: TestApp): void {
  const mail = {
    'mail.host': '127.0.0.1',
    'mail.port': 9,
    'mail.user': 'club',
    'mail.password': 'a key of the mailer',
    'mail.from_email': 'votes@club.example',
  };
  ctx.config.settings = { ...ctx.config.settings, ...mail };
  Object.assign(ctx.config, { BASE_URL: BASE });
}

/** Unsets the trust settings of `testApp`, for tests that set their own. */
export const TRUST_UNSET = { EDGE_ACCESS_TRUST_HEADERS: '', TRUSTED_PROXIES: '' };

/** Builds the whole service over a fresh in-memory database, with a clock that only the test moves. */
export async function testApp(
  env: Record<string, string | undefined> = {},
  mailerTimes?: Partial<MailerTimes>,
  publisherTimes?: Partial<PublisherTimes>,
): Promise<TestApp> {
  const clock = { now: NOON };
  const logged: string[] = [];
  const config = configOf(env);
  const log = createLog(config, { write: (line: string) => void logged.push(line) });
  const inMemory = config.DATABASE_URL === IN_MEMORY;
  if (!inMemory) await ensureDatabase(config.DATABASE_URL.slice('file:'.length));
  const ctx = await openContext(config, {
    now: () => clock.now,
    log,
    ...(inMemory && { contents: await emptyDatabase() }),
    ...(mailerTimes && { mailerTimes }),
    ...(publisherTimes && { publisherTimes }),
  });
  living.add(ctx);
  const calendarContext = openCalendar(ctx);
  const mayKeep = config.OVERLOAD_DELAY_MS === 0 && process.env.FRESH_APPS !== 'on';
  const kept = mayKeep ? (idleApps.pop() ?? new KeptApp()) : undefined;
  const app = await buildApp(ctx, { calendarContext, ...(kept && { create: kept.create }) });
  kept?.built();

  let ended = false;
  return Object.assign(talkTo(app, ctx, clock), {
    logged,
    calendarContext,
    async [Symbol.asyncDispose]() {
      // Ended twice, its instance would serve two services at once.
      if (ended) return;
      ended = true;
      living.delete(ctx);
      if (!kept) await app.close();
      else if (await kept.end()) idleApps.push(kept);
      await ctx[Symbol.asyncDispose]();
      // The locale and the currency are global to the process: the next test file expects the defaults.
      setClubReader({ language: 'en', locale: 'en-US' });
      setCurrency(null, null);
    },
  });
}

/** The contexts of the services that run. */
export const living = new Set<Context>();

/** The configuration, read once for all services with the same variables. */
function configOf(env: Record<string, string | undefined>): Config {
  const key = JSON.stringify(Object.entries(env));
  const known = configs.get(key);
  if (known) return known;
  const config = readConfig(
    {
      DATABASE_URL: IN_MEMORY,
      NODE_ENV: 'test',
      LOG_LEVEL: 'trace',
      // No request is refused because the machine is busy.
      OVERLOAD_DELAY_MS: '0',
      // Requests without other credentials are an officer's, also with BASE_URL.
      LOCAL_BYPASS: 'on',
      // Requests name their user and their client address in headers.
      EDGE_ACCESS_TRUST_HEADERS: 'on',
      TRUSTED_PROXIES: '0.0.0.0/0, ::/0',
      // No test sends requests to other hosts.
      LYRICS_API_URL: '',
      GENRE_API_URL: '',
      WEATHER_API_URL: '',
      SPORTS_API_URL: 'http://127.0.0.1:9',
      ...(process.env.TEST_LANGUAGE && { CLUB_LANGUAGE: process.env.TEST_LANGUAGE }),
      ...env,
    },
    '',
  );
  configs.set(key, config);
  return config;
}

const configs = new Map<string, Config>();

/** Instances whose service has ended, for reuse. */
const idleApps: KeptApp[] = [];

let empty: Buffer | undefined;

/** Returns a migrated database without rows. Migrations take longer than most tests, so each process runs them once. */
async function emptyDatabase(): Promise<Buffer> {
  if (empty) return empty;
  using database = openDatabase(IN_MEMORY.slice('file:'.length));
  await migrate(database.sqlite);
  empty = database.sqlite.serialize();
  return empty;
}

/** Creates an empty database file, unless it exists or its folder does not. */
export async function ensureDatabase(file: string): Promise<void> {
  if (fs.existsSync(file) || !fs.existsSync(path.dirname(file))) return;
  fs.writeFileSync(file, await emptyDatabase(), { mode: 0o600 });
}

/** Returns functions that send requests to a service without a socket, each with the headers `always`. */
export function talkTo(
  app: App,
  ctx: Context,
  clock: { now: number },
  always: Record<string, string> = { host: 'localhost:3000' },
) {
  const request = (options: InjectOptions) =>
    app.inject({ ...options, headers: { ...always, ...options.headers } });
  return {
    app,
    ctx,
    clock,
    request,
    get: (url: string, headers: Record<string, string> = {}) =>
      request({ url, headers: { accept: 'application/json', ...headers } }),
    post: (url: string, payload?: object, headers: Record<string, string> = {}) =>
      request({
        method: 'POST',
        url,
        ...(payload && { payload }),
        headers: { accept: 'application/json', ...headers },
      }),
    submit: (url: string, fields: Record<string, string | string[]>, headers: Record<string, string> = {}) =>
      request({
        method: 'POST',
        url,
        payload: formBody(fields),
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      }),
  };
}

export function formBody(fields: Record<string, string | string[]>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  return new URLSearchParams(pairs).toString();
}
