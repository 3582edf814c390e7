import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { pageTextOf } from '#kernel/messages/messages.ts';
import { notice } from '#views/components/notices.ts';
import type { SettingsPageProps } from './props.ts';

/** Which address is in use, where it is not the one that is entered. */
export function usedAddress({ reach: { used }, settings: { base_url } }: SettingsPageProps): Html {
  return html`${t('settings.reach.links_mails_slips_calendars_begin')}${
    used !== undefined &&
    used !== base_url &&
    html` ${t('settings.reach.other_devices_cannot_open_links', { used: html`<strong>${used}</strong>` })}`
  }`;
}

/** The addresses of this machine, and what keeps other devices from using them. */
export function waysOf({
  reach: { ways, host, shortKey },
  settings: { house_network },
}: SettingsPageProps): Html {
  const open = host === undefined ? house_network : ways.length > 0 && house_network;
  const failures =
    house_network && host === undefined ? ways.filter(({ failed }) => failed !== undefined) : [];
  return html`<h2>${t('settings.reach.network_house')}</h2>
${
  host !== undefined &&
  html`<p>${t('settings.reach.where_service_listens_decided_whoever', { host })} ${
    house_network && t('settings.reach.address_that_opens')
  }</p>`
}
${
  house_network &&
  host === undefined &&
  shortKey !== undefined &&
  notice('danger', t('settings.reach.too_short_others_guess_let', { key: shortKey }))
}
${failures.map(({ failed }) => notice('danger', t('settings.reach.service_tries_again', { failed: (failed && pageTextOf(failed)) ?? '' })))}
${
  ways.length === 0
    ? html`<p>${t('settings.reach.computer_network_now')}</p>`
    : html`<p>${
        open ? t('settings.reach.other_devices_open') : t('settings.reach.other_devices_cannot_reach_service')
      }</p><ul>${ways.map(
        ({ url, address, at, isOpen }) =>
          html`<li><strong class="address">${url ?? address}</strong> <span class="soft">(${
            house_network && host === undefined && !isOpen ? t('settings.reach.not_open', { at }) : at
          })</span></li>`,
      )}</ul>${
        ways.length > 1 && html`<p class="soft">${t('settings.reach.links_begin_first_open_addresses')}</p>`
      }<p class="soft">${t('settings.reach.router_give_computer_another_address')}</p>`
}`;
}
