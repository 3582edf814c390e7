import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Site } from '#kernel/site.ts';
import { record } from '#views/pub/pictures.ts';
import { tvClock, tvPage, tvSign } from './frame.ts';

/** What the screens for music need before the first event of the stream. */
export interface MusicScreenProps {
  build: string;
  zone: string;
  offsets: string;
  /** Age in milliseconds at which a song is no longer the current one. */
  staleMs: number;
}

/** What the right TV needs. */
interface BarRightProps extends MusicScreenProps {
  /** Where the code to ask for a song leads; without BASE_URL a path. */
  requestsAt: string;
}

/** The right TV: cover, artist, title, progress and lyrics; the logo and the time while nothing is playing. */
export function barRightScreen({ build, zone, offsets, staleMs, requestsAt }: BarRightProps): Html {
  const body = (site: Site) => html`<img class="tv-glow" data-part="glow" alt="" hidden>
<header class="tv-head">${tvClock()}${tvSign(site, 'slide')}</header>
<main class="tv-song" data-part="song" hidden>
<div class="tv-cover">${record()}<img data-part="cover" alt="" hidden></div>
<div class="tv-words" data-part="words">
<p class="tv-eyebrow">${t('tv.bar_right.now_playing_request', { requested: (inside) => html`<span data-part="requested" hidden>${inside}</span>` })}</p>
<h1 data-part="title"></h1><p class="tv-artist" data-part="artist"></p><p class="tv-album" data-part="album" hidden></p>
</div>
<div class="tv-progress" data-part="progress" hidden><span data-part="elapsed"></span><div class="tv-track">
<div data-part="bar"></div></div><span data-part="length"></span></div>
<div class="tv-lyrics" data-part="lyrics" hidden><ol></ol></div>
</main>
${site.parts.requests && nextSong(requestsAt)}`;
  return tvPage({
    title: t('tv.bar_right.now_playing'),
    page: 'bar-right',
    build,
    zone,
    offsets,
    styles: 'tv-bar-right',
    scripts: ['tv/bar-right.js'],
    settings: { stale: staleMs, state: 'idle' },
    body,
  });
}

/** The next song that guests asked for, and the code to ask for one; tv/next-song.js fills it. */
function nextSong(url: string): Html {
  return html`<section class="tv-next" aria-label="${t('tv.bar_right.song_requests')}" data-part="next" data-url="${url}" hidden>
<div class="tv-next-words" data-part="next-words" hidden><p class="tv-eyebrow">${t('tv.bar_right.next_song')}</p>
<p class="tv-next-title" data-part="next-title"></p><p class="tv-next-artist" data-part="next-artist"></p></div>
<div class="tv-next-ask" data-part="next-code" hidden><p>${t('tv.bar_right.ask_song')}</p><img data-part="next-qr" alt=""></div>
</section>`;
}
