import type { Html } from '#kernel/html.ts';
import { html } from '#kernel/html.ts';
import type { ShareChild } from '#kernel/images/share-image.ts';
import { dateInWords, formatDay } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Rollup } from '#pub/setlist/rollups/store.ts';

/** How one surface of the setlist is shown: as a sentence, as a page and as a picture. */
export interface SurfaceView<Data> {
  name: string;
  title: Words;
  /** A short description for the page that lists all surfaces. */
  about: Words;
  /** Sums the figures up in one sentence. */
  sentence(rollup: Rollup<Data>): Words;
  body(rollup: Rollup<Data>, zone: string): Html;
  picture(rollup: Rollup<Data>): ShareChild[];
  /** The song whose cover is on its card in the list. */
  coverOf?(rollup: Rollup<Data>): Named | undefined;
}

interface Named {
  artist: string;
  title: string;
  albumArtUrl: string;
  playId: number;
}

/** The cover of a song, served by this site; a drawing of a record where it has none. */
export function cover({ albumArtUrl, playId }: Named, size: 'small' | 'large' = 'small'): Html {
  const pixels = size === 'small' ? 56 : 120;
  return albumArtUrl
    ? html`<img class="cover cover-${size}" src="/api/art/${playId}" alt="" width="${pixels}" height="${pixels}" loading="lazy">`
    : html`<svg class="cover cover-${size}" viewBox="0 0 56 56" aria-hidden="true"
    focusable="false"><rect class="cover-ground" width="56" height="56"/><circle class="cover-disc"
    cx="28" cy="28" r="20"/><circle class="cover-label" cx="28" cy="28" r="7"/><circle class="cover-ground"
    cx="28" cy="28" r="2"/></svg>`;
}

/** The title with the artist below it, each in its own writing direction. */
export function names({ artist, title }: Pick<Named, 'artist' | 'title'>): Html {
  return html`<span class="song-names"><bdi class="song-name">${title}</bdi> <bdi class="song-artist">${artist}</bdi></span>`;
}

/** A song in a list, with its cover and a note at the end. */
export function songRow(song: Named, note: Words | string): Html {
  return html`<li class="song-row">${cover(song)}${names(song)}<span class="song-note">${note}</span></li>\n`;
}

/** A list of songs; the label is for screen readers. */
export function songList(label: Words, rows: readonly Html[]): Html {
  return html`<ul class="song-rows" role="list" aria-label="${label}">${rows}</ul>`;
}

/** A pub day, as `Fri, Nov 20`, with the year where it is not that of `present`. */
export function dayLabel(day: string, present = day): Words {
  if (day.slice(0, 4) !== present.slice(0, 4)) return dateInWords(day);
  return formatDay(Date.parse(`${day}T12:00:00Z`), 'UTC');
}
