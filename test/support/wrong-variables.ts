import { offeredLanguages } from '#kernel/language/readers.ts';
import { message } from '#test/support/messages.ts';

/** What a variable may be, as the refusal says it, and values that are something else. */
interface Refused {
  says: string;
  values: readonly string[];
}

const refused = (says: string, values: readonly string[], names: readonly string[]): [string, Refused][] =>
  names.map((name) => [name, { says, values }]);

/** Whole numbers, by their smallest and largest. */
const between = (min: number, max: number, names: readonly string[]): [string, Refused][] => {
  const says = `must be a whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  return refused(
    says,
    ['many', String(min - 1), String(max + 1), `${min}.5`, 'Infinity', '5 a minute'],
    names,
  );
};

const NO_ADDRESS = ['club.example', 'ftp://club.example', 'https://', 'here'];
const ORIGIN = message('not_origin');

/** Every variable for which a text can be wrong, with the line that a start prints after its name. */
export const WRONG_VARIABLES: ReadonlyMap<string, Refused> = new Map([
  ...between(0, 65_535, ['PORT']),
  ...between(0, 60_000, ['OVERLOAD_DELAY_MS']),
  ...between(1, 1_000_000, [
    'REQUESTS_IN_FLIGHT_PER_CLIENT',
    'RATE_LIMIT_GENERAL',
    'RATE_LIMIT_VOTE',
    'RATE_LIMIT_SIGN_IN',
    'RATE_LIMIT_ADMIN',
    'MAILER_PACE_PER_MINUTE',
    'STREAMS_AT_MOST',
    'STREAMS_PER_CLIENT',
    'SIGN_UP_MAILS_PER_HOUR',
  ]),
  ...between(0, 1_440, ['EVENT_NEXT_WINDOW_MIN']),
  ...between(0, 240, ['LAST_CALL_MINUTES']),
  ...between(10, 86_400_000, [
    'NOW_PLAYING_OFFLINE_MS',
    'NOW_PLAYING_STALE_MS',
    'NOW_PLAYING_SSE_MAX_CONNECTION_MS',
  ]),
  ...between(0, 3_600, ['NOW_PLAYING_DEDUPE_WINDOW_SECONDS']),
  ...between(1, 3_600, ['ROLLUP_INTERVAL_SECONDS']),
  ...between(1, 3_650, ['PROGRAMS_TOKEN_TTL_DAYS']),
  ...refused(
    message('not_on_or_off'),
    ['maybe', '2', 'on off'],
    [
      'SETUP_ANEW',
      'STANDBY',
      'EDGE_ACCESS_TRUST_HEADERS',
      'OIDC_TRUST_EMAIL',
      'ELECTIONS_NEED_ROLE',
      'LOCAL_BYPASS',
      'SETLIST_DB',
      'CONTROLS_HUB',
      'SPORTS_ENABLED',
      'NOW_SHOWING_ENABLED',
      'SCREENINGS_ENABLED',
      'SETLIST_REQUESTS_ENABLED',
      'FEEDBACK_ENABLED',
      'SETLIST_LEAD_SURFACE_ENABLED',
      'SETLIST_VIBE_COMPASS_ENABLED',
      'SETLIST_ECHO_ENABLED',
      'SETLIST_TONIGHT_ENABLED',
      'SETLIST_WRAPPED_ENABLED',
      'SETLIST_PERSONA_ENABLED',
      'SETLIST_STORIES_ENABLED',
    ],
  ),
  ...refused(
    message('not_either', { choices: ['development', 'test', 'production'] }),
    ['live', 'Production'],
    ['NODE_ENV'],
  ),
  ...refused(
    message('not_either', { choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] }),
    ['loud', '3'],
    ['LOG_LEVEL'],
  ),
  ...refused(
    message('not_either', { choices: ['client_secret_basic', 'client_secret_post', 'none'] }),
    ['basic', 'private_key_jwt'],
    ['OIDC_CLIENT_AUTH_METHOD'],
  ),
  ...refused(ORIGIN, [...NO_ADDRESS, 'https://club.example/pub', 'https://ann@club.example'], ['BASE_URL']),
  ...refused(message('not_http_address'), NO_ADDRESS, [
    'WORKSPACE_API_URL',
    'SCROBBLE_URL',
    'STREAM_PUBLISH_URL',
    'SPORTS_API_URL',
    'AUTOMATION_BASE_URL',
    'CHALLENGE_VERIFY_URL',
    'ANALYTICS_URL',
  ]),
  ...refused(message('not_http_address_or_empty'), NO_ADDRESS, [
    'LYRICS_API_URL',
    'GENRE_API_URL',
    'WEATHER_API_URL',
  ]),
  ...refused(
    message('not_https'),
    [...NO_ADDRESS, 'http://keys.example/certs', 'ftp://localhost/certs'],
    ['EDGE_ACCESS_CERTS_URL', 'OIDC_ISSUER'],
  ),
  ...refused(message('not_file_url'), ['postgres://x', 'file:'], ['DATABASE_URL']),
  ...refused(
    message('not_one_line_of_text'),
    ['The\nFox', `${'x'.repeat(100)}\u0007`.slice(1)],
    ['CLUB_NAME'],
  ),
  ...refused(message('not_language_tag'), ['english language', '?'], ['LOCALE']),
  ...refused(
    message('not_complete_language', { values: offeredLanguages() }),
    ['english', 'xx'],
    ['CLUB_LANGUAGE'],
  ),
  ...refused(message('not_time_zone'), ['Mars/Olympus', 'noon'], ['TIME_ZONE']),
  ...refused(message('too_short', { min: 32 }), ['short', 'x'.repeat(31)], ['SECRET_KEY']),
  ...refused(
    message('not_header_name'),
    ['X Header', '1st', 'x'.repeat(65)],
    ['EDGE_ACCESS_JWT_HEADER', 'EDGE_ACCESS_EMAIL_HEADER', 'EDGE_CLIENT_HEADER'],
  ),
  ...refused(message('too_long', { max: 60 }), ['x'.repeat(61)], ['OIDC_NAME']),
  ...refused(message('not_proxies'), ['10.0.0.0/99', 'proxy', '10.0.0.1 10.0.0.2'], ['TRUSTED_PROXIES']),
  ...refused(message('not_mailer_url'), ['mail.example', 'https://mail.example', 'file:'], ['MAILER_URL']),
  ...refused(message('not_sender'), ['The Fox', 'fox@', '<fox>'], ['FROM_EMAIL']),
  ...refused(message('not_plain_ascii'), ['two words', 'clé'], ['WORKSPACE_API_KEY', 'SCROBBLE_TOKEN']),
  ...refused(message('not_database_ids'), ['drinks', 'a, b'], ['WORKSPACE_ALLOWED_DATABASE_IDS']),
  ...refused(
    message('not_database_id'),
    ['drinks', '0'.repeat(31)],
    [
      'WORKSPACE_EVENTS_DATABASE_ID',
      'WORKSPACE_SHIFTS_DATABASE_ID',
      'WORKSPACE_ANNOUNCEMENTS_DATABASE_ID',
      'WORKSPACE_PUB_TENDERS_DATABASE_ID',
      'WORKSPACE_PROGRAMS_DATABASE_ID',
    ],
  ),
  ...refused(message('not_leagues'), ['hockey', ',', 'Hockey/NHL'], ['SPORTS_LEAGUES']),
  ...refused(message('not_host_names'), ['nas:8080', 'http://nas', 'two words'], ['ICAL_PRIVATE_HOSTS']),
]);
