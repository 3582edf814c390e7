import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import type { SettingsPageProps } from './props.ts';

/** Which address is in use, where it is not the one that is entered. */
export function usedAddress({ reach: { used }, settings: { base_url } }: SettingsPageProps): Html {
  return html`Links in mails, on slips and in calendars begin with it. Passkeys work under this address alone: change it
only when the service moves.${
    used !== undefined &&
    used !== base_url &&
    html` Other devices cannot open it, so links begin with <strong>${used}</strong> while devices in this house are let
in.`
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
  return html`<h2>In the network of this house</h2>
${
  host !== undefined &&
  html`<p>Where the service listens is decided by whoever runs the server: HOST is ${host}.${
    house_network &&
    ' The address above has to be one that other devices open; inside a container this list does not hold it.'
  }</p>`
}
${
  house_network &&
  host === undefined &&
  shortKey !== undefined &&
  notice('danger', `${shortKey} is too short: others could guess it. Nobody is let in until it is longer.`)
}
${failures.map(({ failed }) => notice('danger', `${failed}. The service tries again every 15 seconds.`))}
${
  ways.length === 0
    ? html`<p>This computer is in no network now.</p>`
    : html`<p>${
        open
          ? 'Other devices open:'
          : 'Other devices cannot reach the service. If they are let in, they open:'
      }</p><ul>${ways.map(
        ({ url, address, at, isOpen }) =>
          html`<li><strong class="address">${url ?? address}</strong> <span class="soft">(${at}${
            house_network && host === undefined && !isOpen && ', not open'
          })</span></li>`,
      )}</ul>${
        ways.length > 1 &&
        html`<p class="soft">Links begin with the first one that is open: addresses of the house before others, IPv4
before IPv6. Where devices are in the network of another one, enter that address above.</p>`
      }<p class="soft">The router may give this computer another address; the service follows within 15 seconds, but what
was printed does not. A fixed address is set in the router.</p>`
}`;
}
