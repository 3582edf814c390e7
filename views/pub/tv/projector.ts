import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Site } from '#kernel/site.ts';
import type { MusicScreenProps } from './bar-right.ts';
import { gameSides, tvClock, tvPage, tvSign } from './frame.ts';

/** The projector: lyrics over the whole screen, or what is showing, or the logo and the time. */
export function projectorScreen({
  build,
  zone,
  offsets,
  staleMs,
}: Omit<MusicScreenProps, 'hasDevice'>): Html {
  const body = (site: Site) => html`<header class="tv-head">${tvClock()}${tvSign(site, 'slide')}</header>
<main class="tv-sung" data-part="sung" hidden>
<div class="tv-lyrics" data-part="lyrics"><ol></ol></div>
<p class="tv-credit"><strong data-part="title"></strong><span data-part="artist"></span></p>
</main>
<section class="tv-card" aria-label="${t('tv.projector.big_screen')}" data-show="showing" hidden>
<p class="tv-eyebrow" data-show="showing-eyebrow"></p><h1 class="tv-card-title" data-show="showing-title"></h1>
${gameSides('tv-card-title')}
<p class="tv-card-note" data-show="showing-note" hidden></p>
<p class="tv-card-facts" data-show="showing-facts" hidden></p>
</section>`;
  return tvPage({
    title: t('tv.projector.projector'),
    page: 'projector',
    build,
    zone,
    offsets,
    styles: 'tv-projector',
    scripts: ['tv/projector.js'],
    settings: { stale: staleMs, state: 'idle' },
    body,
  });
}
