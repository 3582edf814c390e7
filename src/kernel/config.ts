import fs from 'node:fs';
import net from 'node:net';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { normalizeAddress } from './addresses.ts';

// An empty variable is an unset one: `ADMIN_API_KEY=` in a .env file must never become a key.
const text = z.string().min(1).optional();
const perMinute = z.coerce.number().int().min(1).max(1_000_000);
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const Environment = z
  .object({
    HOST: z.string().min(1).default('127.0.0.1').describe('Listen address'),
    PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .default(3000)
      .describe('Listen port; 0 picks a free one'),
    DATABASE_URL: z
      .string()
      .regex(/^file:.+/, 'must start with file: and name a path')
      .default('file:./data/publichouse.db')
      .describe('Path of the SQLite database; made on first start'),
    BASE_URL: httpUrl.optional().describe('Public address for links in mails, slips and feeds'),
    NODE_ENV: z
      .enum(['development', 'test', 'production'])
      .default('development')
      .describe('production turns off every local convenience'),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info')
      .describe('How much is logged'),
    TIME_ZONE: z
      .string()
      .refine(isTimeZone, 'must be an IANA time zone such as America/New_York')
      .default('America/New_York')
      .describe('Zone of every time on pages and in mails'),
    SECRET_KEY: z
      .string()
      .min(32, 'must have at least 32 characters')
      .optional()
      .describe('Keys are derived from it; unset: a key file beside the database'),
    ADMIN_API_KEY: text.describe('Key that opens the officer pages'),
    RATE_LIMIT_GENERAL: perMinute.default(100).describe('Requests a minute and client under /e and /vote'),
    RATE_LIMIT_VOTE: perMinute.default(5).describe('Ballots a minute and client'),
    RATE_LIMIT_ADMIN: perMinute.default(50).describe('Officer look-ups a minute and client'),
    EDGE_ACCESS_CERTS_URL: z
      .url()
      .refine(isSafeKeySource, 'must be https, or http on a loopback address')
      .optional()
      .describe('Key set (JWKS) of the access edge; set: its tokens are verified'),
    EDGE_ACCESS_ISSUER: text.describe('Expected issuer of those tokens'),
    EDGE_ACCESS_AUDIENCE: text.describe('Expected audience of those tokens'),
    TRUSTED_PROXIES: z
      .string()
      .default('any')
      .refine(isProxyList, 'must be `any` or a comma list of addresses and CIDR ranges')
      .describe('Peers whose edge and forwarding headers are believed'),
    MAILER_URL: z
      .string()
      .refine(isMailerUrl, 'must be smtp://host:port, smtps://host:port or file:folder')
      .default('smtp://127.0.0.1:25')
      .describe('SMTP address of the mail provider; file:./data/outbox writes mails into a folder'),
    MAILER_API_KEY: text.describe('Password of the mailer; its user is in MAILER_URL, or apikey'),
    FROM_EMAIL: text
      .refine((from) => !from || normalizeAddress(from).ok, 'must be an address, or Name <address>')
      .describe('Sender of every mail: an address, or Name <address>'),
    MAILER_PACE_PER_MINUTE: perMinute.default(600).describe('Queued mails sent a minute at most'),
    WORKSPACE_API_KEY: z
      .string()
      .trim()
      // Anything else could not be sent in a header.
      .regex(/^[\x21-\x7e]+$/, 'must hold no spaces and only ASCII characters')
      .optional()
      .describe('Token of the workspace integration'),
    WORKSPACE_API_URL: httpUrl.optional().describe('Address of the workspace API; unset: its provider'),
    WORKSPACE_ALLOWED_DATABASE_IDS: z
      .string()
      .default('')
      .refine((list) => entries(list).every(workspaceId), 'must be a comma list of database ids')
      .transform((list) => [...new Set(entries(list).flatMap((id) => workspaceId(id) ?? []))])
      .describe('Workspace databases that elections may be linked to, comma list'),
  })
  .superRefine((env, issues) => {
    if (!env.EDGE_ACCESS_CERTS_URL) return;
    for (const name of ['EDGE_ACCESS_ISSUER', 'EDGE_ACCESS_AUDIENCE'] as const) {
      // Without an expected audience a token made for any other application would open this one.
      if (!env[name])
        issues.addIssue({ code: 'custom', path: [name], message: 'is needed with EDGE_ACCESS_CERTS_URL' });
    }
  });

export type Config = z.output<typeof Environment>;

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
  const set = Object.entries({ ...file, ...environment }).filter(([, value]) => value?.trim());
  const parsed = Environment.safeParse(Object.fromEntries(set));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
  );
}

/** A test for "is this peer a trusted proxy?", made once from TRUSTED_PROXIES. */
export function trustedPeers(list: string): (address: string) => boolean {
  if (list.trim() === 'any') return () => true;
  const block = new net.BlockList();
  for (const entry of entries(list)) {
    const [address = '', bits] = entry.split('/');
    const family = net.isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) block.addAddress(address, family);
    else block.addSubnet(address, Number(bits), family);
  }
  return (address) => net.isIP(address) !== 0 && block.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** A workspace id as we spell it everywhere: 32 lower-case digits. They come with or without dashes. */
export function workspaceId(text: string): string | undefined {
  const id = text.trim().replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined;
}

/** An SMTP address whose user and password can be read, or a folder. */
function isMailerUrl(address: string): boolean {
  if (/^file:.+/.test(address)) return true;
  const url = URL.parse(address);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return false;
  try {
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}

function isProxyList(list: string): boolean {
  if (list.trim() === 'any') return true;
  return entries(list).every((entry) => {
    const [address = '', bits, rest] = entry.split('/');
    const widest = net.isIPv6(address) ? 128 : 32;
    if (rest !== undefined || net.isIP(address) === 0) return false;
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest);
  });
}

function entries(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function isSafeKeySource(address: string): boolean {
  const url = new URL(address);
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
