import { z } from 'zod';
import { LOCAL_NAMES } from '#kernel/environment/checks.ts';
import { coded } from '#kernel/messages/messages.ts';
import { cleanName } from '#kernel/names.ts';
import { HOUSE_SETTINGS } from './house.ts';
import {
  clockTime,
  colour,
  degrees,
  likeVariable,
  line,
  numberBetween,
  reachable,
  secret,
  tick,
  type Variable,
  type Variables,
  webAddress,
  yesOrNo,
} from './inputs.ts';
import { MAIL_SETTINGS } from './mail.ts';
import { MENU_SETTINGS } from './menu.ts';
import type { Part } from './parts.ts';
import { type Group, ofVariable, type Setting } from './setting.ts';

/** The tick of a part. Null while nobody has decided: then `PARTS` and what is connected do. */
type Tick = Setting<boolean, null>;
type SwitchVariable = {
  [Name in Variable]: Variables[Name] extends boolean ? Name : never;
}[Variable];

const part = (decided?: Tick['decided']): Tick => ({
  group: 'parts',
  input: yesOrNo,
  usual: null,
  ...(decided && { decided }),
});

type Decision = NonNullable<Tick['decided']>;

/** Decided by the variable that switches a part. */
const switchedBy = (variable: SwitchVariable): Decision => {
  return (env, isSet) => (isSet(variable) ? { variable, value: env[variable] } : undefined);
};

/** Decided by the address of the source that a part asks: an empty one switches it off. */
const switchedBySource = (variable: 'LYRICS_API_URL' | 'GENRE_API_URL'): Decision => {
  return (env, isSet) => (isSet(variable) ? { variable, value: env[variable] !== '' } : undefined);
};

/** Decided by the switch of the setlist, without which the part cannot work; else by another variable. */
const withSetlist = (decided?: Tick['decided']): Decision => {
  return (env, isSet) =>
    isSet('SETLIST_DB') && !env.SETLIST_DB ? { variable: 'SETLIST_DB', value: false } : decided?.(env, isSet);
};

const logo = line(64).refine((id) => id === null || /^[0-9a-f-]{32,36}$/.test(id), coded('not_picture_id'));

/** A form sends the leagues that are ticked, and an empty text beside them. */
const leagues = z.preprocess(
  (given) => (given === '' ? [] : given),
  likeVariable('SPORTS_LEAGUES', { mayBeEmpty: true }),
);

const TEAMS_AT_MOST = 30;
const teams = z
  .union([z.string().transform((text) => text.split(',')), z.array(z.string())], coded('not_list'))
  .transform((names) => [...new Set(names.map(cleanName).filter((name) => name !== ''))])
  .pipe(
    z
      .array(z.string().max(60, coded('too_long', { max: 60 })))
      .max(TEAMS_AT_MOST, coded('too_many_entries', { max: TEAMS_AT_MOST })),
  )
  .nullable();

const sourceAddress = (variable: 'LYRICS_API_URL' | 'GENRE_API_URL') =>
  likeVariable(variable, { mayBeEmpty: true });

/** A secret with a variable, which overrules it. */
const secretOf = (variable: 'SCROBBLE_TOKEN' | 'CHALLENGE_SECRET_KEY' | 'OIDC_CLIENT_SECRET', group: Group) =>
  ofVariable(variable, { group, input: secret(likeVariable(variable)), isSecret: true });

/**
 * Every setting of the club, by its name in JSON, in forms, in errors and in the database. A dot leads into a group of
 * the JSON body. Its words on the page are in views/content/settings/fields.ts.
 */
export const SETTINGS = {
  base_url: ofVariable('BASE_URL', { group: 'address' }),
  /** Whether the service listens in the network of the house too, see `HouseNetwork`. */
  house_network: {
    group: 'address',
    input: tick,
    usual: false,
    decided: (env, isSet) =>
      isSet('HOST') ? { variable: 'HOST', value: !LOCAL_NAMES.includes(env.HOST) } : undefined,
  },
  ...HOUSE_SETTINGS,
  club_name: ofVariable('CLUB_NAME', { group: 'club', input: line(100) }),
  /** Fits under the icon on a phone. */
  short_name: { group: 'club', input: line(30), usual: null },
  /** One sentence, on the front page. */
  about: { group: 'club', input: line(120), usual: null },
  /** An e-mail address, or free text. */
  contact: { group: 'club', input: line(200), usual: null, isPersonal: true },
  /** An e-mail or web address; null: the contact of the club. See /.well-known/security.txt. */
  security_contact: { group: 'club', input: reachable, usual: null, isPersonal: true },
  imprint_url: { group: 'club', input: webAddress, usual: null },
  privacy_url: { group: 'club', input: webAddress, usual: null },
  /** The id of a picture. */
  logo: { group: 'look', input: logo, usual: null },
  accent: { group: 'look', input: colour, usual: null },
  /** One that is offered to visitors. Null: that of the locale, if it is; else English. */
  language: ofVariable('CLUB_LANGUAGE', { group: 'formats' }),
  /** Of mails and slips that hold two: the other one, see `otherReader`. */
  second_language: { group: 'formats', input: likeVariable('CLUB_LANGUAGE'), usual: null },
  locale: ofVariable('LOCALE', { group: 'formats' }),
  time_zone: ofVariable('TIME_ZONE', { group: 'formats' }),
  ...MAIL_SETTINGS,
  'oidc.issuer': ofVariable('OIDC_ISSUER', { group: 'sign-in' }),
  'oidc.client_id': ofVariable('OIDC_CLIENT_ID', { group: 'sign-in', input: line(500) }),
  'oidc.client_secret': secretOf('OIDC_CLIENT_SECRET', 'sign-in'),
  'oidc.name': ofVariable('OIDC_NAME', { group: 'sign-in', input: line(60) }),
  'oidc.trust_email': ofVariable('OIDC_TRUST_EMAIL', { group: 'sign-in', input: yesOrNo }),
  /** Paths of the source, the preferred first. */
  sports_leagues: ofVariable('SPORTS_LEAGUES', { group: 'sports', input: leagues }),
  /** Names of teams, as the source writes them. */
  sports_favourites: { group: 'sports', input: teams, usual: [] as string[] },
  /** A name for the point. */
  'weather.place': { group: 'weather', input: line(30), usual: null },
  'weather.lat': { group: 'weather', input: degrees(90), usual: null },
  'weather.lon': { group: 'weather', input: degrees(180), usual: null },
  'scrobble.url': ofVariable('SCROBBLE_URL', { group: 'music' }),
  'scrobble.token': {
    ...secretOf('SCROBBLE_TOKEN', 'music'),
    // A secret of the environment goes to the address that the environment names, and to no other.
    decided: (env, isSet) =>
      isSet('SCROBBLE_TOKEN') && isSet('SCROBBLE_URL') && env.SCROBBLE_TOKEN !== undefined
        ? { variable: 'SCROBBLE_TOKEN', value: env.SCROBBLE_TOKEN }
        : undefined,
  },
  /** Empty: nothing is looked up. */
  'lyrics.url': ofVariable('LYRICS_API_URL', { group: 'music', input: sourceAddress('LYRICS_API_URL') }),
  'genres.url': ofVariable('GENRE_API_URL', { group: 'music', input: sourceAddress('GENRE_API_URL') }),
  'calendar.token_ttl_days': ofVariable('PROGRAMS_TOKEN_TTL_DAYS', {
    group: 'calendar',
    input: numberBetween(1, 3650),
  }),
  'calendar.challenge_site_key': ofVariable('CHALLENGE_SITE_KEY', { group: 'calendar', input: line(200) }),
  'calendar.challenge_secret_key': secretOf('CHALLENGE_SECRET_KEY', 'calendar'),
  'parts.voting': part(),
  'parts.screens': part(),
  'parts.big_screen': part(switchedBy('NOW_SHOWING_ENABLED')),
  'parts.sports': part(switchedBy('SPORTS_ENABLED')),
  'parts.films': part(switchedBy('SCREENINGS_ENABLED')),
  'parts.music': part(withSetlist()),
  'parts.requests': part(withSetlist(switchedBy('SETLIST_REQUESTS_ENABLED'))),
  'parts.lyrics': part(switchedBySource('LYRICS_API_URL')),
  'parts.genres': part(switchedBySource('GENRE_API_URL')),
  'parts.lights': part(withSetlist()),
  'parts.sound': part(withSetlist()),
  'parts.calendar': part(),
  'parts.feedback': part(switchedBy('FEEDBACK_ENABLED')),
  ...MENU_SETTINGS,
  'backups.enabled': { group: 'backups', input: yesOrNo, usual: true },
  /** The time of the nightly one, in the zone of the club. */
  'backups.at': { group: 'backups', input: clockTime, usual: '05:00' },
  'backups.keep': { group: 'backups', input: numberBetween(1, 1_000), usual: 14 },
} satisfies Record<string, Setting<unknown, unknown>> & Record<`parts.${Part}`, Tick>;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The entry of a setting, whatever its type. */
export const settingOf = (name: SettingName): Setting<unknown, unknown> => SETTINGS[name];

/** Settings that do nothing without others. */
export const NEEDS: Partial<Record<SettingName, readonly SettingName[]>> = {
  'scrobble.url': ['scrobble.token'],
  'weather.place': ['weather.lat', 'weather.lon'],
  'weather.lat': ['weather.lon'],
  'weather.lon': ['weather.lat'],
  'calendar.challenge_site_key': ['calendar.challenge_secret_key'],
  'calendar.challenge_secret_key': ['calendar.challenge_site_key'],
};

/**
 * The address to which a stored secret is sent. A change of the address without the secret removes it: otherwise anyone
 * who may change settings could send it to a server of their own and read it there.
 */
export const SENT_TO: Partial<Record<SettingName, SettingName>> = {
  'mail.password': 'mail.host',
  'oidc.client_secret': 'oidc.issuer',
  'scrobble.token': 'scrobble.url',
};
