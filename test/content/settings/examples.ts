import { ALLERGENS, type Allergen } from '#kernel/settings/menu.ts';
import type { GivenSettings } from '#kernel/settings/settings.ts';
import type { SettingName } from '#kernel/settings/table.ts';
import { ownAuthority } from '#test/stand-ins/certificates.ts';

/** A value of a setting, as JSON and as a form send it, and a variable that decides another one. */
interface Example<Value> {
  value: Value;
  /** What a form sends; the value as a text unless it is given. */
  sent?: string | string[];
  /** Other settings that it needs. */
  beside?: GivenSettings;
  /** Environments that decide it, with what is then shown; a secret shows whether it is there. */
  decided?: [environment: Record<string, string>, shown: unknown][];
}

const part = (variable: string): Example<boolean> => ({
  value: true,
  sent: ['false', 'true'],
  decided: [
    [{ [variable]: 'off' }, false],
    [{ [variable]: 'on' }, true],
  ],
});
const musicPart: Example<boolean> = {
  value: true,
  sent: ['false', 'true'],
  decided: [[{ SETLIST_DB: 'off' }, false]],
};
const looked = (variable: string): Example<boolean> => ({
  value: false,
  sent: 'false',
  decided: [
    [{ [variable]: '' }, false],
    [{ [variable]: 'https://source.example/api' }, true],
  ],
});
const source = (variable: string): Example<string> => ({
  value: 'https://mirror.example/api',
  decided: [
    [{ [variable]: '' }, ''],
    [{ [variable]: 'https://source.example/api' }, 'https://source.example/api'],
  ],
});

const SERVER = 'smtps://v%40fixed.example:fixed-password@mail.fixed.example';
const OIDC = {
  OIDC_ISSUER: 'https://id.fixed.example',
  OIDC_CLIENT_ID: 'the-fixed-client',
  OIDC_CLIENT_SECRET: 'the-fixed-secret-of-the-client',
  BASE_URL: 'https://club.example',
};
const OF_SERVER = { beside: { 'mail.host': 'smtp.club.example' } };

const WORDS = Object.fromEntries(
  ALLERGENS.map((code) => [`allergen_words.${code}`, { value: `Word of ${code}` }]),
) as Record<`allergen_words.${Allergen}`, Example<string>>;

/** The logo is a picture, and there is one language so far. */
type Without = 'logo' | 'language' | 'second_language';

/** One for each setting; the logo has forms of its own. */
export const EXAMPLES: {
  [Name in Exclude<SettingName, Without>]: Example<NonNullable<GivenSettings[Name]>>;
} = {
  base_url: {
    value: 'https://club.example',
    decided: [[{ BASE_URL: 'https://fixed.example' }, 'https://fixed.example']],
  },
  house_network: {
    value: true,
    sent: ['false', 'true'],
    decided: [
      [{ HOST: '127.0.0.1' }, false],
      [{ HOST: '0.0.0.0' }, true],
    ],
  },
  'house.address': { value: '1 Mill Lane, Dublin' },
  'house.show_address': { value: true, sent: ['false', 'true'] },
  'house.way': { value: 'Tram 5 to the old market' },
  'house.show_way': { value: true, sent: ['false', 'true'] },
  'house.wifi_name': { value: 'Guests' },
  'house.show_wifi_name': { value: true, sent: ['false', 'true'] },
  'house.wifi_password': { value: 'the word of the house' },
  'house.show_wifi_password': { value: true, sent: ['false', 'true'] },
  club_name: { value: 'Rowing Club', decided: [[{ CLUB_NAME: 'The Anchor' }, 'The Anchor']] },
  short_name: { value: 'RC' },
  about: { value: 'Rows since 1887, and pours since 1888.' },
  contact: { value: 'olga@club.example' },
  security_contact: { value: 'security@club.example' },
  imprint_url: { value: 'https://club.example/imprint' },
  privacy_url: { value: 'https://club.example/privacy' },
  accent: { value: '#0000ff' },
  locale: { value: 'de-AT', decided: [[{ LOCALE: 'en-IE' }, 'en-IE']] },
  time_zone: { value: 'Europe/Vienna', decided: [[{ TIME_ZONE: 'Asia/Tokyo' }, 'Asia/Tokyo']] },
  'mail.from_email': {
    value: 'post@club.example',
    decided: [[{ FROM_EMAIL: 'The Anchor <votes@fixed.example>' }, 'votes@fixed.example']],
  },
  'mail.from_name': {
    value: 'The club',
    decided: [[{ FROM_EMAIL: 'The Anchor <v@fixed.example>' }, 'The Anchor']],
  },
  'mail.host': { value: 'smtp.club.example', decided: [[{ MAILER_URL: SERVER }, 'mail.fixed.example']] },
  'mail.port': { ...OF_SERVER, value: 2525, decided: [[{ MAILER_URL: SERVER }, 465]] },
  'mail.encryption': { ...OF_SERVER, value: 'tls', decided: [[{ MAILER_URL: SERVER }, 'tls']] },
  'mail.user': { ...OF_SERVER, value: 'club', decided: [[{ MAILER_URL: SERVER }, 'v@fixed.example']] },
  'mail.password': {
    value: 'the-password-of-the-mailbox',
    decided: [[{ MAILER_URL: SERVER }, true]],
  },
  'mail.ca': { value: ownAuthority().ca.trim() },
  'oidc.issuer': {
    value: 'https://id.club.example',
    decided: [[OIDC, 'https://id.fixed.example']],
  },
  'oidc.client_id': { value: 'the-club', decided: [[OIDC, 'the-fixed-client']] },
  'oidc.client_secret': {
    value: 'the-secret-of-the-client',
    decided: [
      [
        {
          OIDC_CLIENT_SECRET: OIDC.OIDC_CLIENT_SECRET,
          OIDC_ISSUER: OIDC.OIDC_ISSUER,
          OIDC_CLIENT_ID: OIDC.OIDC_CLIENT_ID,
          BASE_URL: OIDC.BASE_URL,
        },
        true,
      ],
    ],
  },
  'oidc.name': { value: 'The Club Account', decided: [[{ OIDC_NAME: 'Fixed' }, 'Fixed']] },
  'oidc.trust_email': {
    value: true,
    sent: ['false', 'true'],
    decided: [
      [{ OIDC_TRUST_EMAIL: 'off' }, false],
      [{ OIDC_TRUST_EMAIL: 'on' }, true],
    ],
  },
  sports_leagues: {
    value: ['hockey/nhl', 'soccer/irl.1'],
    sent: ['', 'hockey/nhl', 'soccer/irl.1'],
    decided: [[{ SPORTS_LEAGUES: 'soccer/eng.1' }, ['soccer/eng.1']]],
  },
  sports_favourites: { value: ['Bruins', 'Liverpool'], sent: 'Bruins, Liverpool' },
  'weather.place': { value: 'Bergen', beside: { 'weather.lat': 60.39, 'weather.lon': 5.32 } },
  'weather.lat': { value: -33.92, sent: '-33,924', beside: { 'weather.lon': 18.42 } },
  'weather.lon': { value: 18.42, beside: { 'weather.lat': -33.92 } },
  'scrobble.url': {
    value: 'https://account.example',
    beside: { 'scrobble.token': 'token-of-the-account' },
    decided: [
      [{ SCROBBLE_URL: 'https://fixed.example', SCROBBLE_TOKEN: 'fixed-token' }, 'https://fixed.example'],
    ],
  },
  'scrobble.token': {
    value: 'token-of-the-account',
    decided: [
      [{ SCROBBLE_TOKEN: 'fixed-token-of-the-account', SCROBBLE_URL: 'https://fixed.example' }, true],
    ],
  },
  'lyrics.url': source('LYRICS_API_URL'),
  'genres.url': source('GENRE_API_URL'),
  'calendar.token_ttl_days': { value: 30, decided: [[{ PROGRAMS_TOKEN_TTL_DAYS: '7' }, 7]] },
  'calendar.challenge_site_key': {
    value: 'the-site-key',
    beside: { 'calendar.challenge_secret_key': 'the-secret-of-the-challenge' },
    decided: [[{ CHALLENGE_SITE_KEY: 'fixed-site-key' }, 'fixed-site-key']],
  },
  'calendar.challenge_secret_key': {
    value: 'the-secret-of-the-challenge',
    beside: { 'calendar.challenge_site_key': 'the-site-key' },
    decided: [[{ CHALLENGE_SECRET_KEY: 'fixed-secret-of-the-challenge' }, true]],
  },
  currency: { value: 'EUR' },
  price_columns: { value: 2 },
  'price_names.members': { value: 'Club' },
  'price_names.guests': { value: 'Visitors' },
  volume_unit: { value: 'cl' },
  prices_old_after_h: { value: 48 },
  sold_out_shows: { value: 'hidden' },
  board_look: { value: 'chalk' },
  alcohol_free_below: { value: 1.2 },
  show_units: { value: true, sent: ['false', 'true'] },
  country_checks: { value: 'DE' },
  min_price_per_unit: { value: 65, sent: '0.65' },
  offers_allowed: { value: true, sent: ['false', 'true'] },
  allergen_line: { value: 'Ask at the bar.' },
  ...WORDS,
  'backups.enabled': { value: false, sent: 'false' },
  'backups.at': { value: '03:30' },
  'backups.keep': { value: 30 },
  'parts.voting': { value: false, sent: 'false' },
  'parts.screens': { value: false, sent: 'false' },
  'parts.calendar': { value: false, sent: 'false' },
  'parts.music': musicPart,
  'parts.lights': musicPart,
  'parts.sound': musicPart,
  'parts.requests': part('SETLIST_REQUESTS_ENABLED'),
  'parts.sports': part('SPORTS_ENABLED'),
  'parts.films': part('SCREENINGS_ENABLED'),
  'parts.big_screen': part('NOW_SHOWING_ENABLED'),
  'parts.feedback': part('FEEDBACK_ENABLED'),
  'parts.lyrics': looked('LYRICS_API_URL'),
  'parts.genres': looked('GENRE_API_URL'),
};
