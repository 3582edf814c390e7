import { type Child, html } from '#kernel/html.ts';
import { PARTS } from '#kernel/settings/parts.ts';
import type { Group } from '#kernel/settings/setting.ts';
import type { SettingName } from '#kernel/settings/table.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { FIELDS, inWords } from './fields.ts';
import { leagueName } from './leagues.ts';
import type { SettingsPageProps } from './props.ts';

/** What is set in each group, in one line. */
export const NOW: Record<Group, (props: SettingsPageProps) => Child> = {
  club: ({ settings: { club_name, contact } }) =>
    contact === null ? `${club_name}. No contact is entered yet.` : `${club_name}. Contact: ${contact}`,
  address: ({ reach: { used }, settings: { base_url } }) =>
    used ?? base_url ?? 'Not entered yet: links in mails and codes to scan need it.',
  house: ({ settings }) =>
    settings['house.address'] ?? settings['house.wifi_name'] ?? 'Neither address nor Wi-Fi is entered',
  look: ({ settings: { logo, accent } }) =>
    `${logo === null ? 'The usual sign' : 'A logo'}, ${accent === null ? 'the usual green' : `accent ${accent}`}`,
  formats: ({ sample }) => sample,
  mail: (props) => {
    const { missing, folder } = props.mail;
    if (folder !== undefined) return html`<strong>Nobody gets the mails.</strong>`;
    return missing.length > 0
      ? html`<strong>No mail can be sent yet.</strong>`
      : `From ${props.settings['mail.from_email']}`;
  },
  'sign-in': ({ settings }) =>
    settings['oidc.issuer'] === null
      ? 'By mail, and with passkeys'
      : `By mail, with passkeys, and with accounts of ${settings['oidc.name']}`,
  parts: ({ settings }) => {
    const off = PARTS.filter((part) => !settings[`parts.${part}`]);
    return off.length === 0
      ? 'All are in use'
      : `Off: ${listed(off.map((part) => labelOf(`parts.${part}`)))}`;
  },
  menu: (props) => `${inWords('currency', props)}, ${inWords('price_columns', props).toLowerCase()}`,
  music: ({ tokens, tokenVariable }) =>
    tokenVariable !== undefined || tokens.player || tokens.device
      ? 'Songs may be reported'
      : 'Nothing may report songs yet',
  sports: ({ settings: { sports_leagues } }) => {
    const [first, second, ...more] = sports_leagues.map(leagueName);
    if (first === undefined) return 'No leagues';
    return more.length > 0
      ? `${first}, ${second} and ${counted(more.length, 'more league', 'more leagues')}`
      : listed([first, ...(second === undefined ? [] : [second])]);
  },
  weather: ({ settings }) =>
    settings['weather.lat'] === null
      ? 'No place is entered: none is shown'
      : (settings['weather.place'] ?? 'Of the point that is entered'),
  calendar: ({ settings }) => `Links live ${counted(settings['calendar.token_ttl_days'], 'day', 'days')}`,
  backups: ({ settings }) =>
    settings['backups.enabled']
      ? `Each night at ${settings['backups.at']}; ${counted(settings['backups.keep'], 'is', 'are')} kept`
      : html`<strong>None are made.</strong>`,
};

const labelOf = (name: SettingName): string => FIELDS[name].label;
