import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Site } from '#kernel/site.ts';
import { tvPage } from './frame.ts';
import { type PlainScreen, plainBody } from './tv.ts';

/** What the page with a code needs. */
export interface PairScreenProps {
  build: string;
  zone: string;
  offsets: string;
  /** What stands on the page where the browser does not run the script. */
  plain: PlainScreen;
  /** Whether the browser will keep the pages for times without a network: it does so over https alone. */
  isLasting: boolean;
  /** Where a phone enters the code, without the scheme. */
  address: string;
  /** Whether the TV is on this computer itself, by an address that no phone can open. */
  isHereOnly: boolean;
}

/** The code that makes a TV one of the club’s screens, large and as a QR code. */
export function pairScreenPage({
  build,
  zone,
  offsets,
  plain,
  isLasting,
  address,
  isHereOnly,
}: PairScreenProps): Html {
  const body = (site: Site) => html`${plainBody(site, { zone, plain })}
<main class="tv-pairing" data-pairing hidden>
<div class="tv-pairing-words"><h1 data-part="title">${t('tv.pair.connect_tv')}</h1>
<p class="tv-pairing-code" data-part="code"></p>
<p data-part="how">${t('tv.pair.scan_picture_phone_open_type', { address: html`<strong data-part="address">${address}</strong>` })}</p>
${isHereOnly && html`<p class="tv-pairing-note">${t('tv.pair.address_works_computer_only_another')}</p>`}
<p class="tv-pairing-note" data-part="note">${!isLasting && t('tv.pair.without_https_tv_shows_nothing')}</p></div>
<img class="tv-pairing-qr" data-part="qr" alt="${t('tv.pair.qr_code_page_pairs_tv')}">
</main>`;
  return tvPage({
    title: t('tv.pair.pair_tv'),
    page: 'pair',
    build,
    zone,
    offsets,
    styles: 'tv-pair',
    scripts: ['tv/pair.js'],
    body,
  });
}
