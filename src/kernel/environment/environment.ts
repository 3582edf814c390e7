import { z } from 'zod';
import { offeredLanguages } from '#kernel/language/readers.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { coded } from '#kernel/messages/messages.ts';
import { entries, isMailerUrl, isProxyList, isTimeZone, knownLocale, workspaceId } from './checks.ts';
import {
  httpUrl,
  keySource,
  oneOf,
  onOrOff,
  originUrl,
  rate,
  switchedBy,
  text,
  wholeNumber,
} from './kinds.ts';
import { checkOidc, OIDC_SETTINGS } from './oidc.ts';
import { PUB_SETTINGS } from './pub.ts';

/** The name of a request header, in lower case as in Node; never one that already has another meaning. */
const headerName = (fallback: string) =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, coded('not_header_name'))
    .refine(
      (name) => !['authorization', 'cookie', 'host'].includes(name.toLowerCase()),
      coded('forbidden_header'),
    )
    .default(fallback)
    .transform((name) => name.toLowerCase());
const databaseId = z
  .string()
  .transform((id, issues) => {
    const known = workspaceId(id);
    if (!known) issues.addIssue({ code: 'custom', message: coded('not_database_id') });
    return known ?? z.NEVER;
  })
  .optional();
/** Variables whose empty value has a meaning; elsewhere an empty value counts as unset. */
export const MAY_BE_EMPTY = ['LYRICS_API_URL', 'GENRE_API_URL', 'WEATHER_API_URL'];

/** Fewest characters of an admin key in production, so that nobody can guess it. */
export const SHORTEST_KEY = 20;
/** The keys that have to be that long. */
export const KEYS_TO_GUESS = ['ADMIN_API_KEY', 'PUB_ADMIN_TOKEN'] as const;

/** Fewest characters of SECRET_KEY, from which keys are derived. */
const SHORTEST_SECRET = 32;

/** Every variable of the service, what it may hold, and what it is for. `.env.example` lists the same in this order. */
export const Environment = z
  .object({
    HOST: z
      .string()
      .min(1, coded('empty'))
      .default('127.0.0.1')
      .describe('Listen address; unset: this computer, and the house network once an owner lets it in'),
    PORT: wholeNumber(0, 65_535).default(3000).describe('Listen port; 0 picks a free one'),
    DATABASE_URL: z
      .string()
      .regex(/^file:.+/, coded('not_file_url'))
      .default('file:./data/publichouse.db')
      .describe('Path of the SQLite database; made on first start'),
    BASE_URL: originUrl
      .optional()
      .describe(
        'Public address without a path, for links in mails, slips and feeds; unset: the one that an owner ' +
          'confirmed in the set-up or the settings',
      ),
    NODE_ENV: oneOf(['development', 'test', 'production'])
      .default('development')
      .describe('production turns off every local convenience'),
    LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info')
      .describe('How much is logged'),
    CLUB_NAME: z
      .string()
      .trim()
      .max(100, { error: coded('too_long', { max: 100 }), abort: true })
      .regex(/^[^\p{Cc}]+$/u, coded('not_one_line_of_text'))
      .optional()
      .describe(
        'Name of the club on pages, screens and in mails; unset: what was set in the browser, else that of FROM_EMAIL',
      ),
    LOCALE: z
      .string()
      .transform((tag, issues) => {
        const locale = knownLocale(tag);
        if (!locale) issues.addIssue({ code: 'custom', message: coded('not_language_tag') });
        return locale ?? z.NEVER;
      })
      .default('en-US')
      .describe('Language tag (BCP 47) of the formats of dates, times and numbers'),
    CLUB_LANGUAGE: z
      .string()
      .transform((tag, issues) => {
        const offered = offeredLanguages();
        if (offered.includes(tag)) return tag;
        issues.addIssue({ code: 'custom', message: coded('not_complete_language', { values: offered }) });
        return z.NEVER;
      })
      .optional()
      .describe('Language of the club (en, de, …); unset: the one set in the browser, else that of LOCALE'),
    TIME_ZONE: z
      .string()
      .refine(isTimeZone, coded('not_time_zone'))
      .default('America/New_York')
      .describe('Zone of every time on pages and in mails'),
    SECRET_KEY: z
      .string()
      .min(SHORTEST_SECRET, coded('too_short', { min: SHORTEST_SECRET }))
      .optional()
      .describe('Keys are derived from it; unset: a key file beside the database'),
    SETUP_ANEW: switchedBy(false).describe(
      'on starts with an empty database beside the key of an earlier one',
    ),
    STANDBY: switchedBy(false).describe(
      'on waits while another process serves the database, and takes over when it is gone',
    ),
    ADMIN_API_KEY: text.describe('Key that opens the officer pages'),
    OVERLOAD_DELAY_MS: wholeNumber(0, 60_000)
      .default(1_000)
      .describe(
        'Wait inside the process from which requests are turned away with 503, ballots aside; 0 turns it off',
      ),
    REQUESTS_IN_FLIGHT_PER_CLIENT: wholeNumber(1, 1_000_000)
      .default(200)
      .describe('Requests of one address that wait for their answer at once, ballots aside; more get 429'),
    RATE_LIMIT_GENERAL: rate
      .default(100)
      .describe('Requests a minute under /e and /vote, for each voting code or client'),
    RATE_LIMIT_VOTE: rate.default(5).describe('Refused voting codes a minute and client'),
    RATE_LIMIT_SIGN_IN: rate.default(30).describe('Asks for a code or a passkey a minute and client'),
    RATE_LIMIT_ADMIN: rate.default(50).describe('Officer look-ups a minute and client'),
    EDGE_ACCESS_CERTS_URL: keySource
      .optional()
      .describe('Key set (JWKS) of the access edge; set: its tokens are verified'),
    EDGE_ACCESS_ISSUER: text.describe('Expected issuer of those tokens'),
    EDGE_ACCESS_AUDIENCE: text.describe('Expected audience of those tokens'),
    EDGE_ACCESS_JWT_HEADER: headerName('Edge-Access-JWT-Assertion').describe(
      'Header with the token of the access edge',
    ),
    EDGE_ACCESS_EMAIL_HEADER: headerName('Edge-Access-Authenticated-User-Email').describe(
      'Header with the address of whom the access edge signed in',
    ),
    EDGE_CLIENT_HEADER: headerName('Edge-Connecting-IP').describe('Header with the address of the client'),
    EDGE_ACCESS_TRUST_HEADERS: switchedBy(false).describe(
      'on accepts unverified edge headers in production, from the peers listed in TRUSTED_PROXIES',
    ),
    ...OIDC_SETTINGS,
    TRUSTED_PROXIES: z
      .string()
      .trim()
      .refine(isProxyList, coded('not_proxies'))
      .optional()
      .describe(
        'Proxies whose forwarding and edge headers count, X-Forwarded-For from the right: a comma list, or ' +
          'any; unset: nobody in production, else any',
      ),
    ELECTIONS_NEED_ROLE: onOrOff
      .optional()
      .describe(
        'on: an identity of the access edge needs a role for elections; unset: once the first owner was made ' +
          'at /set-up',
      ),
    LOCAL_BYPASS: onOrOff
      .optional()
      .describe(
        'Officer access without sign-in on this machine, never in production; unset: only without BASE_URL ' +
          'and without an owner; on: always; off: never',
      ),
    MAILER_URL: z
      .string()
      .refine(isMailerUrl, coded('not_mailer_url'))
      .optional()
      .describe(
        'SMTP address of the mail provider, smtp://relay:25 for a relay without login (with FROM_EMAIL), or ' +
          'file:./data/outbox for a folder; unset: smtp://127.0.0.1:25 in development, no mail elsewhere. A ' +
          'server with a certificate of an own authority: enter that in the settings (mail.ca), or name its file ' +
          'in NODE_EXTRA_CA_CERTS, a variable of Node',
      ),
    MAILER_API_KEY: text.describe(
      'Password of the mailer, unless MAILER_URL has it; its user is in MAILER_URL, or apikey; leave this ' +
        'line out for a relay without login',
    ),
    FROM_EMAIL: text
      .refine((from) => !from || normalizeAddress(from).ok, coded('not_sender'))
      .describe(
        'Sender of every mail: an address, or Name <address>; unset: the user of MAILER_URL where it is an address',
      ),
    MAILER_PACE_PER_MINUTE: rate.default(600).describe('Queued mails sent a minute at most'),
    WORKSPACE_API_KEY: z
      .string()
      .trim()
      // Anything else could not be sent in a header.
      .regex(/^[\x21-\x7e]+$/, coded('not_plain_ascii'))
      .optional()
      .describe('Token of the workspace integration'),
    WORKSPACE_API_URL: httpUrl.optional().describe('Address of the workspace API; unset: its provider'),
    WORKSPACE_ALLOWED_DATABASE_IDS: z
      .string()
      .default('')
      .refine((list) => entries(list).every(workspaceId), coded('not_database_ids'))
      .transform((list) => [...new Set(entries(list).flatMap((id) => workspaceId(id) ?? []))])
      .describe('Workspace databases that elections may be linked to, comma list'),
    WORKSPACE_EVENTS_DATABASE_ID: databaseId.describe('Workspace database of the events'),
    WORKSPACE_SHIFTS_DATABASE_ID: databaseId.describe('Workspace database of the shifts'),
    WORKSPACE_ANNOUNCEMENTS_DATABASE_ID: databaseId.describe('Workspace database of the announcements'),
    WORKSPACE_PUB_TENDERS_DATABASE_ID: databaseId.describe(
      'Workspace database of the tenders; unset: found through the shifts',
    ),
    WORKSPACE_PROGRAMS_DATABASE_ID: databaseId.describe(
      'Workspace database of the programme in the calendar feed; unset: the events',
    ),
    ...PUB_SETTINGS,
    ICAL_PRIVATE_HOSTS: z
      .string()
      .default('')
      .transform((list) => entries(list.toLowerCase()))
      .refine(
        (hosts) => hosts.every((host) => URL.parse(`http://${host}/`)?.hostname === host),
        coded('not_host_names'),
      )
      .describe(
        'Hosts of a private network that calendars may be read from, also over plain http; comma list',
      ),
    AUTOMATION_BASE_URL: httpUrl.optional().describe('Automation host of the internal calendar'),
    CHALLENGE_SITE_KEY: text.describe('Site key of the bot challenge'),
    CHALLENGE_SECRET_KEY: text.describe('Secret of the bot challenge; unset: it is not enforced'),
    CHALLENGE_VERIFY_URL: httpUrl
      .default('https://challenges.cloudflare.com/turnstile/v0/siteverify')
      .describe('Where challenge answers are verified'),
    ANALYTICS_URL: httpUrl.optional().describe('Where the analytics test event goes'),
    ANALYTICS_API_KEY: text.describe('Key sent with it'),
    PROGRAMS_TOKEN_TTL_DAYS: wholeNumber(1, 3650).default(365).describe('Days that a calendar link lives'),
    SIGN_UP_MAILS_PER_HOUR: rate
      .default(300)
      .describe('Calendar sign-up mails an hour in all; a fifth of it in one minute, and for one client'),
  })
  .superRefine((env, issues) => {
    for (const name of KEYS_TO_GUESS) {
      if (env.NODE_ENV === 'production' && env[name] && env[name].length < SHORTEST_KEY) {
        const message = coded('key_too_short', { min: SHORTEST_KEY });
        issues.addIssue({ code: 'custom', path: [name], message });
      }
    }
    checkOidc(env, issues);
    if (env.SCROBBLE_URL && !env.SCROBBLE_TOKEN)
      issues.addIssue({
        code: 'custom',
        path: ['SCROBBLE_TOKEN'],
        message: coded('needed_with', { names: 'SCROBBLE_URL' }),
      });
    if (!env.EDGE_ACCESS_CERTS_URL) return;
    for (const name of ['EDGE_ACCESS_ISSUER', 'EDGE_ACCESS_AUDIENCE'] as const) {
      // Without an expected audience a token made for any other application would open this one.
      if (!env[name])
        issues.addIssue({
          code: 'custom',
          path: [name],
          message: coded('needed_with', { names: 'EDGE_ACCESS_CERTS_URL' }),
        });
    }
  });
