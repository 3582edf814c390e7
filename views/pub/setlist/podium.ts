import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { cover, names } from '#views/pub/setlist/view.ts';

/** One of the first three places. */
export interface Place {
  rank: number;
  artist: string;
  title: string;
  albumArtUrl: string;
  playId: number;
  note: Words;
}

const hidden = (inside: Words): Html => html`<span class="visually-hidden">${inside}</span>`;

/** A podium of the first three: the first one is in the middle, but comes first in reading order. */
export function podium(label: Words, places: readonly Place[]): Html {
  return html`<ol class="podium" role="list" aria-label="${label}">${places.slice(0, 3).map(
    (
      place,
    ) => html`<li class="podium-place podium-${place.rank}">${cover(place, 'large')}${names(place)}<span class="song-note">${place.note}</span>
<span class="podium-step">${t('pub.setlist.rank', { hidden, rank: place.rank })}</span></li>\n`,
  )}</ol>`;
}
