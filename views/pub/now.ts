import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatDay, formatTime } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Announcement } from '#pub/display/announcements.ts';
import type { TrackRow } from '#pub/now-playing/tracks.ts';
import type { Game } from '#pub/screen/games.ts';
import type { Evening } from '#pub/setlist/setlist.ts';
import { empty } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { announcementLine } from '#views/pub/announcements.ts';
import { gamesLine } from '#views/pub/games.ts';
import { record } from '#views/pub/pictures.ts';

export interface NowProps {
  /** The song that is playing; null for none. `cover` is an address on this site, or empty. */
  playing: {
    id: number;
    artist: string;
    title: string;
    album: string | null;
    cover: string;
    requested: boolean;
  } | null;
  evenings: readonly Evening[];
  /** The pub day of the current evening. */
  tonight: string;
  /** The time zone of the pub. */
  zone: string;
  /** The address of the page with earlier songs; null where there are none. */
  earlier: string | null;
  /** Whether this is a page further back in the history. */
  past: boolean;
  /** Age in milliseconds at which a song is no longer the current one. */
  staleMs: number;
  /** Links to related pages that are switched on. */
  ways: readonly { href: string; label: Words }[];
  /** What is announced now. */
  announcements: readonly Announcement[];
  /** Those of tonight, the preferred ones first. */
  games: readonly Game[];
}

const NOTHING_BEFORE = empty(t('pub.now.nothing_before'), t('pub.now.evening_begins'));
const NOTHING_YET = empty(t('pub.now.song_yet'), t('pub.now.history_begins_first_song_evening'));
const NOTHING_FURTHER = empty(t('pub.now.nothing_further_back'), t('pub.now.history_begins_here'));

/** What is playing in the pub, for phones: the song, its lyrics, and what was played tonight. */
export function nowPage(props: NowProps): Html {
  const { evenings, past, ways, announcements, games } = props;
  const title = past ? t('pub.now.played_earlier') : t('pub.now.now_playing');
  const toolbar =
    ways.length > 0 &&
    html`<p class="toolbar">${ways.map(
      ({ href, label }, index) =>
        html`<a class="button${index > 0 && ' button-quiet'}" href="${href}">${label}</a>`,
    )}</p>`;
  // Lyrics come and go with the songs: alone they would leave their column empty.
  const isWide = !past && ways.length > 0;
  const played = html`<section class="played" aria-labelledby="played-title">
<h2 id="played-title" tabindex="-1">${t('pub.now.played_pub')}</h2>
${
  evenings.length === 0 &&
  html`
<div data-empty>${past ? NOTHING_FURTHER : props.playing ? NOTHING_BEFORE : NOTHING_YET}</div>`
}
<div data-evenings>${evenings.map((one) => evening(one, props))}</div>
${more(props)}</section>`;
  const body = html`${pageHeader({ title })}${
    past
      ? html`<p><a class="link-alone" href="/now">${t('pub.now.now_playing')}</a></p>${toolbar}${played}`
      : html`<div${isWide && html` class="with-side"`}>${current(props)}<div class="side">${toolbar}${LYRICS}</div>
<div>${played}${announcementLine(announcements)}${gamesLine(games, props.zone)}</div></div>`
  }
<p class="visually-hidden" role="status" data-part="said"></p>`;
  return page({
    title,
    body,
    nav: '/now',
    wide: isWide,
    scripts: past ? [] : ['pub/now.js'],
    styles: 'guests',
  });
}

const LYRICS = html`<div class="now-lyrics" data-part="lyrics" hidden><h2 id="lyrics-title">${t('pub.now.lyrics')}</h2>
<div class="now-lines" data-part="lines" role="region" aria-labelledby="lyrics-title" tabindex="0">
<ol role="list"></ol></div></div>`;

function current({ playing, staleMs }: NowProps): Html {
  const cover = playing?.cover ? html` src="${playing.cover}"` : html` hidden`;
  return html`<section class="now" data-now data-stale="${staleMs}" data-track="${playing?.id ?? ''}"
  aria-label="${t('pub.now.now_playing')}">
<div class="now-song" data-part="song"${!playing && html` hidden`}>
<img class="now-glow" alt="" width="420" height="420"${cover}>
<div class="now-cover">${record()}<img alt="" width="420" height="420"${cover}></div>
<div class="now-words"><h2 class="now-title" data-part="title">${playing?.title}</h2>
<p class="now-artist" data-part="artist">${playing?.artist}</p>
<p class="now-album" data-part="album"${!playing?.album && html` hidden`}>${playing?.album}</p>
<p data-part="requested"${!playing?.requested && html` hidden`}>${requestedBadge()}</p></div>
<div class="now-progress" data-part="progress" hidden><span data-part="elapsed"></span><div class="now-track">
<div data-part="bar"></div></div><span data-part="length"></span></div>
</div>
<div data-part="quiet"${playing && html` hidden`}>${empty(
    t('pub.now.nothing_playing'),
    t('pub.now.nothing_know_name_next_song'),
  )}</div>
<p class="small soft" data-part="lost" hidden>${t('pub.now.connection_lost_reconnecting')}</p>
<noscript><p class="small soft">${t('pub.now.load_page_again_see_next')}</p></noscript>
</section>`;
}

function evening({ day, tracks }: Evening, { tonight, zone }: NowProps): Html {
  // Noon in UTC, formatted in UTC, is always on that date.
  const label = day === tonight ? t('pub.now.tonight') : formatDay(Date.parse(`${day}T12:00:00Z`), 'UTC');
  return html`<section data-evening="${day}" aria-labelledby="evening-${day}"><h3 id="evening-${day}">${label}</h3>
  <ol class="songs" role="list">${tracks.map((track) => song(track, zone))}</ol></section>\n`;
}

function song({ id, startedAt, artist, title, requested }: TrackRow, zone: string): Html {
  const time = formatTime(Date.parse(startedAt), zone);
  return html`<li data-song="${id}"><time datetime="${startedAt}">${time}</time><span class="song"><strong>${title}</strong> <span class="soft">${artist}</span></span>${
    requested === true && requestedBadge()
  }</li>\n`;
}

function more({ earlier }: NowProps): Html | false {
  return (
    earlier !== null &&
    html`<p data-more><a class="button button-quiet" href="${earlier}" rel="next">${t('pub.now.show_earlier')}</a></p>`
  );
}

function requestedBadge(): Html {
  return badge(t('pub.now.requested'));
}
