import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import type { Words } from '#kernel/language/words.ts';
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
  title: Words | string;
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
  club: { title: t('settings.fields.club') },
  address: { title: t('settings.fields.address'), after: waysOf },
  house: {
    title: t('settings.fields.house'),
    lede: t('settings.fields.what_ticked_stands_whats_list'),
    after: () =>
      html`<p>${t('settings.fields.wi_fi_print_code_phones', { link: (inside) => html`<a href="/admin/pub/wifi">${inside}</a>` })}</p>`,
  },
  look: { title: t('settings.fields.look'), after: logoForms, script: 'content/colour.js' },
  formats: {
    title: t('settings.fields.dates_times'),
    lede: ({ sample }) => html`${t('settings.fields.now', { sample: html`<strong>${sample}</strong>` })}`,
  },
  mail: {
    title: t('settings.fields.mail'),
    lede: t('settings.fields.mailbox_club_sends_mails_codes'),
    after: mailTestForm,
    anchors: ['mail-test'],
  },
  'sign-in': { title: t('settings.fields.sign'), lede: signInLede, after: signInTestForm },
  parts: {
    title: t('settings.fields.parts_use'),
    lede: t('settings.fields.parts_off_hidden_menus_screens'),
  },
  sports: { title: t('settings.fields.sports'), fields: leagueFields },
  weather: {
    title: t('settings.fields.weather'),
    lede: html`${t('settings.fields.shown_head_tvs_once_place', { link: (inside) => html`<a href="${groupPath('club')}">${inside}</a>` })}`,
    fields: () =>
      html`<p class="toolbar"><button class="button button-quiet" type="button" data-here hidden>${t('settings.fields.use_place_device')}</button> <span class="soft" role="status" data-here-said></span></p>`,
    script: 'content/place.js',
  },
  music: {
    title: t('settings.fields.music'),
    after: tokenForms,
  },
  calendar: { title: t('settings.fields.calendar') },
  menu: {
    title: t('settings.fields.drinks_food'),
    lede: t('settings.fields.list_guests_see_nothing_shown'),
  },
  backups: {
    title: t('settings.fields.backups'),
    lede: t('settings.fields.service_copies_everything_knows_each'),
    after: () =>
      html`<p>${t('settings.fields.see_backups_make_now_read', { link: (inside) => html`<a href="/admin/backups">${inside}</a>` })}</p>`,
  },
};

const tick = (label: Words | string, hint: Words | string): SettingField => ({ label, hint, kind: 'tick' });

export const FIELDS: Record<SettingName, SettingField> = {
  club_name: {
    label: t('settings.fields.name'),
    hint: t('settings.fields.every_page_screen_mails_calendars'),
    kind: 'text',
  },
  short_name: {
    label: t('settings.fields.short_name'),
    hint: t('settings.fields.under_icon_phone_left_empty'),
    kind: 'text',
  },
  about: {
    label: t('settings.fields.sentence_about_club'),
    hint: t('settings.fields.below_name_front_page'),
    kind: 'text',
  },
  contact: {
    label: t('settings.fields.contact'),
    hint: t('settings.fields.e_mail_address_any_other'),
    kind: 'text',
  },
  security_contact: {
    label: t('settings.fields.contact_security'),
    hint: t('settings.fields.e_mail_web_address_where'),
    kind: 'text',
  },
  imprint_url: {
    label: t('settings.fields.address_imprint'),
    hint: t('settings.fields.begins_https'),
    kind: 'text',
  },
  privacy_url: {
    label: t('settings.fields.address_privacy_notice'),
    hint: t('settings.fields.begins_https'),
    kind: 'text',
  },
  base_url: {
    label: t('settings.fields.address_service'),
    hint: usedAddress,
    kind: 'text',
  },
  house_network: tick(LET_IN, HOUSE_MEANS),
  'house.address': {
    label: t('settings.fields.address_house'),
    hint: t('settings.fields.street_place_line'),
    kind: 'text',
  },
  'house.show_address': tick(t('settings.fields.show_address'), t('settings.fields.pages_guests')),
  'house.way': {
    label: t('settings.fields.how_get'),
    hint: t('settings.fields.such_tram_5_old_market'),
    kind: 'text',
  },
  'house.show_way': tick(t('settings.fields.show_how_get'), t('settings.fields.pages_guests')),
  'house.wifi_name': { label: t('settings.fields.name_wi_fi_guests'), kind: 'text' },
  'house.show_wifi_name': tick(
    t('settings.fields.show_name_wi_fi'),
    t('settings.fields.pages_guests_screens'),
  ),
  'house.wifi_password': {
    label: t('settings.fields.password_wi_fi'),
    hint: t('settings.fields.backup_contains_left_empty_without'),
    kind: 'secret',
  },
  'house.show_wifi_password': tick(
    t('settings.fields.show_password_wi_fi'),
    t('settings.fields.paired_screens_print_staff_alone'),
  ),
  logo: { label: t('settings.fields.logo'), kind: null },
  accent: { label: t('settings.fields.accent'), hint: accentHint, kind: 'colour' },
  language: {
    label: t('settings.fields.language'),
    hint: t('settings.fields.pages_only_languages_which_every'),
    kind: 'choice',
    options: ({ settings, language }) => named(offeredLanguages(), settings.language ?? 'en', language),
  },
  second_language: {
    label: t('settings.fields.second_language'),
    hint: t('settings.fields.second_language_hint'),
    kind: 'choice',
    options: ({ settings, language }) => [
      { value: '', label: t('settings.fields.none') },
      ...named(
        offeredLanguages().filter((one) => one !== settings.language),
        settings.second_language ?? settings.language ?? 'en',
        language,
      ).filter(({ value }) => value !== settings.language),
    ],
  },
  locale: {
    label: t('settings.fields.how_dates_numbers_written'),
    hint: t('settings.fields.language_country'),
    kind: 'choice',
    options: ({ settings, language }) => named(LOCALES, settings.locale, language),
  },
  time_zone: {
    label: t('settings.fields.time_zone'),
    hint: t('settings.fields.every_time_pages_screens_mails'),
    kind: 'choice',
    options: ({ settings: { time_zone } }) =>
      [...new Set([...Intl.supportedValuesOf('timeZone'), time_zone])]
        .sort()
        .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  },
  'mail.from_email': {
    label: t('settings.fields.address_sender'),
    hint: t('settings.fields.every_mail_comes_address_known'),
    kind: 'text',
  },
  'mail.from_name': {
    label: t('settings.fields.name_sender'),
    hint: t('settings.fields.left_empty_name_club'),
    kind: 'text',
  },
  'mail.host': {
    label: t('settings.fields.mail_server'),
    hint: t('settings.fields.name_alone_such_smtp_club'),
    kind: 'text',
  },
  'mail.encryption': {
    label: t('settings.fields.encryption'),
    kind: 'choice',
    options: () => [
      { value: '', label: t('settings.fields.usual_server') },
      { value: 'starttls', label: t('settings.fields.starttls') },
      { value: 'tls', label: t('settings.fields.tls_also_called_ssl') },
      { value: 'none', label: t('settings.fields.none_only_server_own_network') },
    ],
  },
  'mail.port': {
    label: t('settings.fields.port'),
    hint: t('settings.fields.port_left_empty'),
    kind: 'number',
  },
  'mail.user': {
    label: t('settings.fields.user_name'),
    hint: t('settings.fields.often_whole_address_left_empty'),
    kind: 'text',
  },
  'mail.password': { label: t('settings.fields.password'), hint: passwordHint, kind: 'secret' },
  'mail.ca': {
    label: t('settings.fields.own_certificate_authority'),
    hint: t('settings.fields.only_server_certificate_own_paste'),
    kind: 'lines',
  },
  'oidc.issuer': {
    label: t('settings.fields.issuer'),
    hint: t('settings.fields.address_provider_spelled_provider_spells'),
    kind: 'text',
  },
  'oidc.client_id': {
    label: t('settings.fields.client_id'),
    hint: t('settings.fields.provider_gives_service'),
    kind: 'text',
  },
  'oidc.client_secret': {
    label: t('settings.fields.client_secret'),
    hint: t('settings.fields.enter_again_when_change_issuer'),
    kind: 'secret',
  },
  'oidc.name': {
    label: t('settings.fields.name_provider'),
    hint: t('settings.fields.button_sign_page'),
    kind: 'text',
  },
  'oidc.trust_email': tick(
    t('settings.fields.trust_mail_addresses'),
    t('settings.fields.account_linked_without_code_person'),
  ),
  sports_leagues: { label: t('settings.fields.leagues'), kind: null },
  sports_favourites: {
    label: t('settings.fields.favourite_teams'),
    hint: t('settings.fields.games_come_first_write_scoreboard'),
    kind: 'text',
  },
  'weather.place': {
    label: t('settings.fields.place'),
    hint: t('settings.fields.name_point_below_screens_show'),
    kind: 'text',
  },
  'weather.lat': {
    label: t('settings.fields.latitude'),
    hint: t('settings.fields.degrees_such_52_52_south'),
    kind: 'text',
  },
  'weather.lon': {
    label: t('settings.fields.longitude'),
    hint: t('settings.fields.degrees_such_13_41_west'),
    kind: 'text',
  },
  'lyrics.url': {
    label: t('settings.fields.source_lyrics'),
    hint: t('settings.fields.left_empty_lyrics_looked_up'),
    kind: 'text',
  },
  'genres.url': {
    label: t('settings.fields.source_genres'),
    hint: t('settings.fields.left_empty_genres_looked_up'),
    kind: 'text',
  },
  'scrobble.url': {
    label: t('settings.fields.send_songs'),
    hint: t('settings.fields.address_account_collects_what_heard'),
    kind: 'text',
  },
  'scrobble.token': {
    label: t('settings.fields.token_account'),
    hint: t('settings.fields.account_shows_settings_enter_again'),
    kind: 'secret',
  },
  'calendar.token_ttl_days': {
    label: t('settings.fields.days_calendar_link_lives'),
    hint: t('settings.fields.subscribers_reminded_mail_before_theirs'),
    kind: 'number',
  },
  'calendar.challenge_site_key': {
    label: t('settings.fields.site_key_against_robots'),
    hint: t('settings.fields.provider_challenge_turnstile_together'),
    kind: 'text',
  },
  'calendar.challenge_secret_key': { label: t('settings.fields.secret_key_against_robots'), kind: 'secret' },
  'parts.voting': tick(
    t('settings.fields.elections_polls'),
    t('settings.fields.front_page_links_mailed_work'),
  ),
  'parts.screens': tick(t('settings.fields.screens'), t('settings.fields.tvs_whats_opening_hours_who')),
  'parts.big_screen': tick(t('settings.fields.big_screen'), t('settings.fields.tv_says_which_film_game')),
  'parts.sports': tick(t('settings.fields.sports'), t('settings.fields.live_scores')),
  'parts.films': tick(t('settings.fields.films'), t('settings.fields.archive_films_big_screen_needs')),
  'parts.music': tick(t('settings.fields.music'), t('settings.fields.what_playing_setlist')),
  'parts.requests': tick(t('settings.fields.song_requests'), t('settings.fields.patrons_ask_songs_phones')),
  'parts.lyrics': tick(t('settings.fields.lyrics'), t('settings.fields.words_song_tvs_looked_up')),
  'parts.genres': tick(t('settings.fields.genres'), t('settings.fields.style_each_song_figures_looked')),
  'parts.lights': tick(t('settings.fields.lights'), t('settings.fields.staffs_page')),
  'parts.sound': tick(t('settings.fields.sound'), t('settings.fields.staffs_page')),
  'parts.calendar': tick(t('settings.fields.calendar'), t('settings.fields.programme_subscriptions')),
  'parts.feedback': tick(t('settings.fields.feedback'), t('settings.fields.visitors_send_messages_club')),
  ...MENU_FIELDS,
  'backups.enabled': tick(
    t('settings.fields.backup_each_night'),
    t('settings.fields.while_voting_open_waits_close'),
  ),
  'backups.at': {
    label: t('settings.fields.time'),
    hint: t('settings.fields.best_while_club_closed_left'),
    kind: 'time',
  },
  'backups.keep': {
    label: t('settings.fields.how_many_kept'),
    hint: t('settings.fields.oldest_deleted_once_new_made'),
    kind: 'number',
  },
};

function accentHint({ settings }: SettingsPageProps): Html {
  return html`${t('settings.fields.colour_such_1f4d3a_buttons_links', { light: swatch(settings.accent_light), dark: swatch(settings.accent_dark) })}`;
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

function named(
  tags: readonly string[],
  current: string,
  language: string,
): { value: string; label: Words | string }[] {
  const names = new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' });
  // A tag with more than a language and a country, as `de-CH-u-hc-h12`, has no name.
  const nameOf = (tag: string) => (new Intl.Locale(tag).baseName === tag ? names.of(tag) : undefined) ?? tag;
  return [...new Set([...tags, current])]
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
}

/** The value of a setting as a person reads it; that of a secret is not shown. */
export function inWords(name: SettingName, props: SettingsPageProps): Words | string {
  const value = props.settings[name];
  const { kind, options } = FIELDS[name];
  if (kind === 'secret') return t('settings.fields.set_shown');
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  return (
    options?.(props).find((option) => option.value === text)?.label ?? (text || t('settings.fields.none'))
  );
}
