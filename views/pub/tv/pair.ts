import { type Html, html } from '#kernel/html.ts';
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
<div class="tv-pairing-words"><h1 data-part="title">Connect this TV</h1>
<p class="tv-pairing-code" data-part="code"></p>
<p data-part="how">Scan the picture with your phone, or open <strong data-part="address">${address}</strong> and type this code.</p>
${isHereOnly && html`<p class="tv-pairing-note">This address works on this computer only. For another TV, an owner lets devices in this house reach it, under Settings, Address.</p>`}
<p class="tv-pairing-note" data-part="note">${!isLasting && 'Without https a TV shows nothing new while the network is down, and nothing after a restart.'}</p></div>
<img class="tv-pairing-qr" data-part="qr" alt="QR code of the page that pairs this TV">
</main>`;
  return tvPage({
    title: 'Pair this TV',
    page: 'pair',
    build,
    zone,
    offsets,
    styles: 'tv-pair',
    scripts: ['tv/pair.js'],
    body,
  });
}
