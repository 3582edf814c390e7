import { z } from 'zod';
import { coded } from '#kernel/messages/messages.ts';
import { entries } from './checks.ts';
import { httpUrl, httpUrlOrNone, milliseconds, plainUrl, switchedBy, text, wholeNumber } from './kinds.ts';

const surface = (name: string) => switchedBy(true).describe(`Setlist surface ${name}`);

/** The variables of the pub: its displays, music, sports and films. */
export const PUB_SETTINGS = {
  PUB_ADMIN_TOKEN: text.describe('Token that opens every pub and calendar admin route'),
  EVENT_NEXT_WINDOW_MIN: wholeNumber(0, 1440)
    .default(60)
    .describe('Minutes before its start from which an event is Next'),
  LAST_CALL_MINUTES: wholeNumber(0, 240).default(30).describe('Minutes of last call before the hours end'),
  NOW_PLAYING_INGEST_TOKEN: text.describe(
    'Token of the capture device and of music players; unset: those made in the settings; without any, their routes answer 401 in production, and this machine alone elsewhere',
  ),
  NOW_PLAYING_OFFLINE_MS: milliseconds(90_000).describe('Silence after which the device is offline'),
  NOW_PLAYING_STALE_MS: milliseconds(600_000).describe('Age at which a track is no longer the current one'),
  NOW_PLAYING_SSE_MAX_CONNECTION_MS: milliseconds(300_000).describe('Longest life of one stream'),
  NOW_PLAYING_DEDUPE_WINDOW_SECONDS: wholeNumber(0, 3600)
    .default(30)
    .describe('Seconds in which the same track is not stored twice'),
  SCROBBLE_URL: httpUrl
    .optional()
    .describe(
      'Where songs that were heard are sent on in the ListenBrainz protocol, the part before ' +
        '/1/submit-listens; unset: nowhere',
    ),
  SCROBBLE_TOKEN: z
    .string()
    .trim()
    // Anything else could not be sent in a header.
    .regex(/^[\x21-\x7e]+$/, coded('not_plain_ascii'))
    .optional()
    .describe('User token of that account; alone, without SCROBBLE_URL, it has no effect'),
  STREAMS_AT_MOST: wholeNumber(1, 1_000_000)
    .default(20_000)
    .describe('Open streams and sockets in all; more get 503'),
  STREAMS_PER_CLIENT: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe('Open streams and sockets of one address; a whole pub or meeting may share one'),
  STREAM_PUBLISH_URL: plainUrl
    .optional()
    .describe(
      'Publisher of an nginx with nchan that serves the stream of what is playing, the part before /track; ' +
        'unset: the service serves it alone',
    ),
  SETLIST_DB: switchedBy(true).describe('off answers the now-playing routes with 503'),
  CONTROLS_HUB: switchedBy(true).describe('off answers the controls socket with 503'),
  SPORTS_ENABLED: switchedBy(false).describe('Live sports'),
  NOW_SHOWING_ENABLED: switchedBy(false).describe('Now Showing card'),
  SCREENINGS_ENABLED: switchedBy(false).describe('Screenings archive'),
  SETLIST_REQUESTS_ENABLED: switchedBy(false).describe('Song requests'),
  FEEDBACK_ENABLED: switchedBy(false).describe('Feedback box'),
  SETLIST_LEAD_SURFACE_ENABLED: surface('top-songs'),
  SETLIST_VIBE_COMPASS_ENABLED: surface('vibe-compass'),
  SETLIST_ECHO_ENABLED: surface('echo'),
  SETLIST_TONIGHT_ENABLED: surface('tonight'),
  SETLIST_WRAPPED_ENABLED: surface('wrapped'),
  SETLIST_PERSONA_ENABLED: surface('persona'),
  SETLIST_STORIES_ENABLED: surface('stories'),
  ROLLUP_INTERVAL_SECONDS: wholeNumber(1, 3600)
    .default(15)
    .describe('Seconds between two looks at new plays for the surfaces'),
  SPORTS_API_URL: httpUrl
    .default('https://site.api.espn.com/apis/site/v2/sports')
    .describe('Scoreboard source, the part before /{sport}/{league}/scoreboard'),
  SPORTS_LEAGUES: z
    .string()
    .default('football/nfl,baseball/mlb,basketball/nba,hockey/nhl')
    .refine(
      (list) =>
        entries(list).length > 0 && entries(list).every((league) => /^[a-z]+\/[a-z0-9.-]+$/.test(league)),
      coded('not_leagues'),
    )
    .transform((list) => [...new Set(entries(list))])
    .describe('League paths in order of preference, comma list'),
  LYRICS_API_URL: httpUrlOrNone('https://lrclib.net/api').describe(
    'Lyrics source, the part before /get and /search; empty turns it off',
  ),
  GENRE_API_URL: httpUrlOrNone('https://musicbrainz.org/ws/2').describe(
    'Genre source, the part before /recording and /isrc; empty turns it off',
  ),
  WEATHER_API_URL: httpUrlOrNone('https://api.met.no/weatherapi/locationforecast/2.0/compact').describe(
    'Weather source, the part before ?lat= and &lon=; empty turns it off',
  ),
};
