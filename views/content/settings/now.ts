import { type Child, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { PARTS } from '#kernel/settings/parts.ts';
import type { Group } from '#kernel/settings/setting.ts';
import type { SettingName } from '#kernel/settings/table.ts';
import { FIELDS, inWords } from './fields.ts';
import { leagueName } from './leagues.ts';
import type { SettingsPageProps } from './props.ts';

/** What is set in each group, in one line. */
export const NOW: Record<Group, (props: SettingsPageProps) => Child> = {
  club: ({ settings: { club_name, contact } }) =>
    contact === null
      ? t('settings.now.contact_entered_yet', { club: club_name ?? '' })
      : t('settings.now.contact', { club: club_name ?? '', contact }),
  address: ({ reach: { used }, settings: { base_url } }) =>
    used ?? base_url ?? t('settings.now.entered_yet_links_mails_codes'),
  house: ({ settings }) =>
    settings['house.address'] ?? settings['house.wifi_name'] ?? t('settings.now.neither_address_nor_wi_fi'),
  look: ({ settings: { logo, accent } }) =>
    logo === null
      ? accent === null
        ? t('settings.now.usual_sign_usual_green')
        : t('settings.now.usual_sign_accent', { accent })
      : accent === null
        ? t('settings.now.logo_usual_green')
        : t('settings.now.logo_accent', { accent }),
  formats: ({ sample }) => sample,
  mail: (props) => {
    const { missing, folder } = props.mail;
    if (folder !== undefined) return html`<strong>${t('settings.now.gets_mails')}</strong>`;
    return missing.length > 0
      ? html`<strong>${t('settings.now.mail_sent_yet')}</strong>`
      : t('settings.now.from', { email: props.settings['mail.from_email'] ?? '' });
  },
  'sign-in': ({ settings }) =>
    settings['oidc.issuer'] === null
      ? t('settings.now.mail_passkeys')
      : t('settings.now.mail_passkeys_accounts', { provider: settings['oidc.name'] }),
  parts: ({ settings }) => {
    const off = PARTS.filter((part) => !settings[`parts.${part}`]);
    return off.length === 0
      ? t('settings.now.all_use')
      : t('settings.now.off', { parts: allOf(off.map((part) => labelOf(`parts.${part}`))) });
  },
  menu: (props) =>
    t('settings.now.menu', {
      currency: inWords('currency', props),
      columns: props.settings.price_columns === 2 ? 'two' : 'other',
    }),
  music: ({ tokens, tokenVariable }) =>
    tokenVariable !== undefined || tokens.player || tokens.device
      ? t('settings.now.songs_reported')
      : t('settings.now.nothing_report_songs_yet'),
  sports: ({ settings: { sports_leagues } }) => {
    const [first, second, ...more] = sports_leagues.map(leagueName);
    if (first === undefined) return t('settings.now.leagues');
    if (second === undefined) return first;
    return more.length > 0
      ? t('settings.now.more_leagues', { first, second, more: more.length })
      : allOf([first, second]);
  },
  weather: ({ settings }) =>
    settings['weather.lat'] === null
      ? t('settings.now.place_entered_none_shown')
      : (settings['weather.place'] ?? t('settings.now.point_entered')),
  calendar: ({ settings }) =>
    t('settings.now.links_live_days', { days: settings['calendar.token_ttl_days'] }),
  backups: ({ settings }) =>
    settings['backups.enabled']
      ? t('settings.now.each_night_kept', { time: settings['backups.at'], keep: settings['backups.keep'] })
      : html`<strong>${t('settings.now.none_made')}</strong>`,
};

const labelOf = (name: SettingName): Words | string => FIELDS[name].label;
