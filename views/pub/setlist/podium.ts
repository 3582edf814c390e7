import { type Html, html } from '#kernel/html.ts';
import { cover, names } from '#views/pub/setlist/view.ts';

/** One of the first three places. */
export interface Place {
  rank: number;
  artist: string;
  title: string;
  albumArtUrl: string;
  playId: number;
  note: string;
}

/** A podium of the first three: the first one is in the middle, but comes first in reading order. */
export function podium(label: string, places: readonly Place[]): Html {
  return html`<ol class="podium" role="list" aria-label="${label}">${places.slice(0, 3).map(
    (
      place,
    ) => html`<li class="podium-place podium-${place.rank}">${cover(place, 'large')}${names(place)}<span class="song-note">${place.note}</span>
<span class="podium-step"><span class="visually-hidden">Rank </span>${place.rank}</span></li>\n`,
  )}</ol>`;
}
