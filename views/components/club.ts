import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Site } from '#kernel/site.ts';
import { LOGO_SIZES, logoAddress } from '#views/logo.ts';
import { iconAddress, iconData, themeAddress } from '#views/theme.ts';
import { contactLink } from './contact.ts';
import { strong } from './slots.ts';

/** The parts of a page that show the club's name, logo, colours and contact. */

/** The title below the icon on a phone's home screen. */
export const appTitle = ({ name, shortName }: Site): Html =>
  html`<meta name="application-name" content="${name}">
<meta name="apple-mobile-web-app-title" content="${shortName}">`;

/** @param how an inline icon saves a phone a request; a TV keeps the file for when there is no network */
export function siteIcons({ logo, accent }: Site, how: 'inline' | 'linked' = 'linked'): Html {
  const address = how === 'inline' ? iconData(accent) : iconAddress(accent);
  if (logo === null) return html`<link rel="icon" href="${address}" type="image/svg+xml">`;
  return html`<link rel="icon" href="${logoAddress(logo, 'icon')}" type="image/png"
  sizes="${LOGO_SIZES.icon.width}x${LOGO_SIZES.icon.height}">
<link rel="apple-touch-icon" href="${logoAddress(logo, 'touch')}">`;
}

/** The link belongs after the style sheets whose colours it overrides. */
export function siteTheme({ accent }: Site): Html | null {
  const address = themeAddress(accent);
  return address === undefined ? null : html`<link rel="stylesheet" href="${address}">`;
}

/** The club's logo, or the default one: a hanging sign with a tick. */
export function siteSign({ logo }: Site): Html {
  if (logo !== null)
    return html`<img class="wordmark-logo" src="${logoAddress(logo, 'head')}" alt="" height="34">`;
  return html`<svg viewBox="0 0 34 34" aria-hidden="true" focusable="false">
<path class="sign-iron" d="M3 2v30M3 5h27M11 5v5M25 5v5"/>
<rect class="sign-board" x="7" y="10" width="22" height="19" rx="3"/>
<path class="sign-mark" d="M13 19.5l3.5 3.5 7-8"/>
</svg>`;
}

/** The club in the footer of a page: its name, contact, and the links that the law requires. */
export function clubLines({ name, contact, imprint, privacy }: Site): Html {
  const links = [
    contact !== null && contactLink(contact),
    imprint !== null && html`<a href="${imprint}">${t('common.foot.imprint')}</a>`,
    privacy !== null && html`<a href="${privacy}">${t('common.foot.privacy')}</a>`,
  ].filter((link) => link !== false);
  return html`<p>${name}</p>${links.length > 0 && html`<p>${links.map((link) => html`<span>${link}</span> `)}</p>`}`;
}

/** Where the house is and its Wi-Fi, for guests; null while nothing of it is to be shown. */
export function houseFacts({ house: { address, way, wifi } }: Pick<Site, 'house'>): Html | null {
  if (address === null && way === null && wifi === null) return null;
  return html`<section class="panel house"><h2>${t('common.club.house')}</h2>${address !== null && html`<p>${address}</p>`}${
    way !== null && html`<p>${way}</p>`
  }${wifi !== null && html`<p>${t('common.club.wifi', { wifi, strong })}</p>`}</section>`;
}
