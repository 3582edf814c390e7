import { type Child, type Html, html } from '#kernel/html.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { type Group, groupPath } from '#kernel/settings/setting.ts';
import type { SettingName } from '#kernel/settings/table.ts';
import { HOUSE_MEANS, LET_IN } from '#views/components/here-only.ts';
import { leagueFields } from './leagues.ts';
import { logoForms } from './logo.ts';
import { mailTestForm, passwordHint } from './mail.ts';
import { MENU_FIELDS } from './menu.ts';
import type { SettingField, SettingsPageProps } from './props.ts';
import { usedAddress, waysOf } from './reach.ts';
import { signInLede, signInTestForm } from './sign-in.ts';
import { tokenForms } from './tokens.ts';

/** A group of settings: a page of its own. */
export interface GroupWords {
  title: string;
  lede?: Child | ((props: SettingsPageProps) => Child);
  /** Further fields of the form, above the others. */
  fields?: (props: SettingsPageProps) => Child;
  /** Content below the form, such as separate forms. */
  after?: (props: SettingsPageProps) => Child;
  /** Further ids on its page to which addresses lead. */
  anchors?: readonly string[];
  /** A browser module of its own. */
  script?: string;
}

export const GROUP_WORDS: Record<Group, GroupWords> = {
  club: { title: 'The club' },
  address: { title: 'Address', after: waysOf },
  house: {
    title: 'The house',
    lede: 'What is ticked stands on “What’s on” and on the list of drinks and food.',
    after: () => html`<p><a href="/admin/pub/wifi">The Wi-Fi to print</a>, with its code for phones.</p>`,
  },
  look: { title: 'Look', after: logoForms, script: 'content/colour.js' },
  formats: {
    title: 'Dates and times',
    lede: ({ sample }) => html`It is now <strong>${sample}</strong>.`,
  },
  mail: {
    title: 'Mail',
    lede: 'A mailbox of the club sends the mails: codes to sign in, invitations to vote, news of the calendar.',
    after: mailTestForm,
    anchors: ['mail-test'],
  },
  'sign-in': { title: 'Sign-in', lede: signInLede, after: signInTestForm },
  parts: {
    title: 'Parts in use',
    lede: 'Parts that are off are hidden from menus, screens and the staff’s page.',
  },
  sports: { title: 'Sports', fields: leagueFields },
  weather: {
    title: 'Weather',
    lede: html`Shown in the head of the TVs once a place is entered. It comes from MET Norway, which asks for a contact:
the one of <a href="${groupPath('club')}">the club</a>, or the address of this service.`,
    fields:
      () => html`<p class="toolbar"><button class="button button-quiet" type="button" data-here hidden>Use the place of
this device</button> <span class="soft" role="status" data-here-said></span></p>`,
    script: 'content/place.js',
  },
  music: {
    title: 'Music',
    after: tokenForms,
  },
  calendar: { title: 'Calendar' },
  menu: {
    title: 'Drinks and food',
    lede: 'For the list that guests see. Nothing is shown until something is published.',
  },
  backups: {
    title: 'Backups',
    lede: 'The service copies everything it knows each night, and checks the copy.',
    after: () =>
      html`<p><a href="/admin/backups">See the backups</a>, make one now, and read where else to keep them.</p>`,
  },
};

const tick = (label: string, hint: string): SettingField => ({ label, hint, kind: 'tick' });

export const FIELDS: Record<SettingName, SettingField> = {
  club_name: {
    label: 'Name',
    hint: 'On every page and screen, in mails, and in the calendars of members.',
    kind: 'text',
  },
  short_name: { label: 'Short name', hint: 'Under the icon on a phone. Left empty: the name.', kind: 'text' },
  about: {
    label: 'One sentence about the club',
    hint: 'Below the name on the front page.',
    kind: 'text',
  },
  contact: {
    label: 'Contact',
    hint: 'An e-mail address or any other words, at the foot of pages and mails.',
    kind: 'text',
  },
  security_contact: {
    label: 'Contact for security',
    hint: 'An e-mail or web address where weaknesses of this service are reported, in /.well-known/security.txt. Left empty: the contact above, if it is such an address.',
    kind: 'text',
  },
  imprint_url: { label: 'Address of the imprint', hint: 'Begins with https://', kind: 'text' },
  privacy_url: { label: 'Address of the privacy notice', hint: 'Begins with https://', kind: 'text' },
  base_url: {
    label: 'Address of this service',
    hint: usedAddress,
    kind: 'text',
  },
  house_network: tick(LET_IN.for(ENGLISH), HOUSE_MEANS.for(ENGLISH)),
  'house.address': { label: 'Address of the house', hint: 'Street and place, on one line.', kind: 'text' },
  'house.show_address': tick('Show the address', 'On the pages of guests.'),
  'house.way': {
    label: 'How to get there',
    hint: 'Such as: tram 5 to the old market, then two minutes along the river.',
    kind: 'text',
  },
  'house.show_way': tick('Show how to get there', 'On the pages of guests.'),
  'house.wifi_name': { label: 'Name of the Wi-Fi for guests', kind: 'text' },
  'house.show_wifi_name': tick('Show the name of the Wi-Fi', 'On the pages of guests and on your screens.'),
  'house.wifi_password': {
    label: 'Password of the Wi-Fi',
    hint: 'No backup contains it. Left empty without a stored one: an open network.',
    kind: 'secret',
  },
  'house.show_wifi_password': tick(
    'Show the password of the Wi-Fi',
    'On paired screens and on the print of staff alone, with a code that phones scan. Never on a page that strangers open.',
  ),
  logo: { label: 'Logo', kind: null },
  accent: { label: 'Accent', hint: accentHint, kind: 'colour' },
  language: {
    label: 'Language',
    hint: 'Of the pages. Only languages in which every text exists can be chosen.',
    kind: 'choice',
    options: ({ settings }) => named(offeredLanguages(), settings.language ?? 'en'),
  },
  second_language: {
    label: 'Second language',
    hint: 'Invitations by mail, reminders and voting slips say everything in this language too.',
    kind: 'choice',
    options: ({ settings }) => [
      { value: '', label: 'None' },
      ...named(
        offeredLanguages().filter((one) => one !== settings.language),
        settings.second_language ?? settings.language ?? 'en',
      ).filter(({ value }) => value !== settings.language),
    ],
  },
  locale: {
    label: 'How dates and numbers are written',
    hint: 'As in this language and country.',
    kind: 'choice',
    options: ({ settings }) => named(LOCALES, settings.locale),
  },
  time_zone: {
    label: 'Time zone',
    hint: 'Of every time on pages, screens and in mails.',
    kind: 'choice',
    options: ({ settings: { time_zone } }) =>
      [...new Set([...Intl.supportedValuesOf('timeZone'), time_zone])]
        .sort()
        .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  },
  'mail.from_email': {
    label: 'Address of the sender',
    hint: 'Every mail comes from it. With an address of a known provider the rest but the password is filled in when you save.',
    kind: 'text',
  },
  'mail.from_name': {
    label: 'Name of the sender',
    hint: 'Left empty: the name of the club.',
    kind: 'text',
  },
  'mail.host': {
    label: 'Mail server',
    hint: 'Its name alone, such as smtp.club.example. Your provider calls it outgoing server, or SMTP server.',
    kind: 'text',
  },
  'mail.encryption': {
    label: 'Encryption',
    kind: 'choice',
    options: () => [
      { value: '', label: 'The usual one of this server' },
      { value: 'starttls', label: 'STARTTLS' },
      { value: 'tls', label: 'TLS (also called SSL)' },
      { value: 'none', label: 'None: only for a server in your own network' },
    ],
  },
  'mail.port': {
    label: 'Port',
    hint: 'Left empty: 587 with STARTTLS, 465 with TLS, 25 without encryption.',
    kind: 'number',
  },
  'mail.user': {
    label: 'User name',
    hint: 'Often the whole address. Left empty, without a password: a relay without login.',
    kind: 'text',
  },
  'mail.password': { label: 'Password', hint: passwordHint, kind: 'secret' },
  'mail.ca': {
    label: 'Own certificate authority',
    hint: 'Only for a server with a certificate of your own: paste the certificate of its authority, from -----BEGIN CERTIFICATE-----.',
    kind: 'lines',
  },
  'oidc.issuer': {
    label: 'Issuer',
    hint: 'The address of the provider, spelled as the provider spells it, often with a slash at its end.',
    kind: 'text',
  },
  'oidc.client_id': { label: 'Client id', hint: 'The provider gives it to this service.', kind: 'text' },
  'oidc.client_secret': {
    label: 'Client secret',
    hint: 'Enter it again when you change the issuer.',
    kind: 'secret',
  },
  'oidc.name': {
    label: 'Name of the provider',
    hint: 'On the button of the sign-in page.',
    kind: 'text',
  },
  'oidc.trust_email': tick(
    'Trust its mail addresses',
    'An account is linked without a code to the one person who has the address that the provider calls verified.',
  ),
  sports_leagues: { label: 'Leagues', kind: null },
  sports_favourites: {
    label: 'Favourite teams',
    hint: 'Their games come first. Write them as the scoreboard does, with commas between: Bruins, Liverpool.',
    kind: 'text',
  },
  'weather.place': {
    label: 'Place',
    hint: 'A name for the point below. Screens do not show it.',
    kind: 'text',
  },
  'weather.lat': {
    label: 'Latitude',
    hint: 'In degrees, such as 52.52; south of the equator with a minus. Or paste both from a map, such as 48.2082, 16.3738. Leave all three empty to show no weather.',
    kind: 'text',
  },
  'weather.lon': {
    label: 'Longitude',
    hint: 'In degrees, such as 13.41; west of Greenwich with a minus.',
    kind: 'text',
  },
  'lyrics.url': {
    label: 'Source of lyrics',
    hint: 'Left empty, no lyrics are looked up.',
    kind: 'text',
  },
  'genres.url': {
    label: 'Source of genres',
    hint: 'Left empty, no genres are looked up.',
    kind: 'text',
  },
  'scrobble.url': {
    label: 'Send songs on to',
    hint: 'The address of an account that collects what was heard, such as https://api.listenbrainz.org. Left empty, nothing is sent.',
    kind: 'text',
  },
  'scrobble.token': {
    label: 'Token of that account',
    hint: 'The account shows it in its settings. Enter it again when you change the address.',
    kind: 'secret',
  },
  'calendar.token_ttl_days': {
    label: 'Days that a calendar link lives',
    hint: 'Subscribers are reminded by mail before theirs ends. From 1 to 3,650.',
    kind: 'number',
  },
  'calendar.challenge_site_key': {
    label: 'Site key against robots',
    hint: 'From the provider of the challenge (Turnstile), together with the secret key below. Left empty, nobody is asked.',
    kind: 'text',
  },
  'calendar.challenge_secret_key': { label: 'Secret key against robots', kind: 'secret' },
  'parts.voting': tick('Elections and polls', 'On the front page. Links that were mailed work all the same.'),
  'parts.screens': tick('Screens', 'The TVs, what’s on, opening hours, who is behind the bar.'),
  'parts.big_screen': tick('Big screen', 'The TV says which film or game is on the projector.'),
  'parts.sports': tick('Sports', 'Live scores.'),
  'parts.films': tick(
    'Films',
    'An archive of the films that were on the big screen. It needs that part, too.',
  ),
  'parts.music': tick('Music', 'What is playing, and the setlist.'),
  'parts.requests': tick('Song requests', 'Patrons ask for songs with their phones.'),
  'parts.lyrics': tick('Lyrics', 'The words of a song on the TVs, looked up at a public source.'),
  'parts.genres': tick('Genres', 'The style of each song for the figures, looked up at a public source.'),
  'parts.lights': tick('Lights', 'On the staff’s page.'),
  'parts.sound': tick('Sound', 'On the staff’s page.'),
  'parts.calendar': tick('Calendar', 'The programme, and subscriptions to it.'),
  'parts.feedback': tick('Feedback', 'Visitors send messages to the club.'),
  ...MENU_FIELDS,
  'backups.enabled': tick('A backup each night', 'While voting is open it waits for the close.'),
  'backups.at': { label: 'Time', hint: 'Best while the club is closed. Left empty: 05:00.', kind: 'time' },
  'backups.keep': {
    label: 'How many are kept',
    hint: 'The oldest is deleted once a new one is made and checked. Default: 14.',
    kind: 'number',
  },
};

function accentHint({ settings }: SettingsPageProps): Html {
  return html`A colour such as #1f4d3a, for buttons and links. Each theme uses the nearest shade that can be read:
${swatch(settings.accent_light)} in the light one, ${swatch(settings.accent_dark)} in the dark one and on screens.`;
}

const swatch = (colour: string): Html =>
  html`<svg class="settings-swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"
  focusable="false"><rect width="16" height="16" rx="3" fill="${colour}"/></svg> <code>${colour}</code>`;

/** Offered as a choice; any other language tag can be set by the API. */
const LOCALES = [
  ...['en-US', 'en-GB', 'en-IE', 'en-AU', 'en-CA', 'en-NZ', 'en-ZA', 'en-IN'],
  ...['de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-BE', 'fr-CA', 'fr-CH', 'it-IT', 'it-CH', 'nl-NL', 'nl-BE'],
  ...['es-ES', 'es-MX', 'es-AR', 'ca-ES', 'eu-ES', 'gl-ES', 'pt-PT', 'pt-BR', 'ga-IE', 'cy-GB'],
  ...['da-DK', 'sv-SE', 'nb-NO', 'fi-FI', 'is-IS', 'et-EE', 'lv-LV', 'lt-LT'],
  ...['pl-PL', 'cs-CZ', 'sk-SK', 'hu-HU', 'sl-SI', 'hr-HR', 'ro-RO', 'bg-BG', 'el-GR', 'tr-TR', 'uk-UA'],
  ...['ja-JP', 'ko-KR', 'zh-CN', 'zh-TW', 'th-TH', 'vi-VN', 'id-ID', 'hi-IN', 'he-IL', 'ar-EG'],
];

function named(tags: readonly string[], current: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });
  return [...new Set([...tags, current])]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
}

/** The value of a setting as a person reads it; that of a secret is not shown. */
export function inWords(name: SettingName, props: SettingsPageProps): string {
  const value = props.settings[name];
  const { kind, options } = FIELDS[name];
  if (kind === 'secret') return 'Set; it is not shown';
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  return options?.(props).find((option) => option.value === text)?.label ?? (text || 'None');
}
