import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { TopSongs } from '#pub/setlist/rollups/top-songs.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import { podium } from './podium.ts';
import { cover, names, type SurfaceView } from './view.ts';

type Item = TopSongs['items'][number];

const NONE = t('pub.setlist.song_played_twice_time');

export const topSongsView: SurfaceView<TopSongs> = {
  name: 'top-songs',
  title: t('pub.setlist.top_songs'),
  about: t('pub.setlist.most_played_songs_those_way'),
  sentence({ data: { items } }) {
    const [first] = items;
    return first
      ? t('pub.setlist.leads_plays', { title: first.title, artist: first.artist, plays: first.plays })
      : NONE;
  },
  body({ data: { items } }) {
    if (items.length === 0) return html`<p>${t('pub.setlist.songs_come_onto_list_when')}</p>`;
    const places = items
      .slice(0, 3)
      .map((item) => ({ ...item, note: t('pub.setlist.plays', { plays: item.plays }) }));
    return html`${podium(t('pub.setlist.first_three'), places)}
${
  items.length > 3 &&
  html`
<ol class="chart" role="list" aria-label="${t('pub.setlist.songs_after')}">${items.slice(3).map(row)}</ol>`
}
<p class="small soft">${t('pub.setlist.song_listed_second_play_arrows')}</p>`;
  },
  picture({ data: { items } }) {
    if (items.length === 0) return [words(NONE, serif(44), 3)];
    return items.slice(0, 5).map((item) =>
      box(
        { alignItems: 'center', paddingTop: 5, paddingBottom: 5 },
        words(String(item.rank), { ...serif(46), color: PAINT.brass, width: 62 }),
        column(
          { flexGrow: 1, width: 760 },
          words(item.title, { fontSize: 31, fontWeight: 600, lineHeight: 1.2 }),
          words(item.artist, { fontSize: 24, color: PAINT.soft, lineHeight: 1.2 }),
        ),
        words(t('pub.setlist.plays', { plays: item.plays }), {
          fontSize: 27,
          width: 150,
          textAlign: 'right',
        }),
      ),
    );
  },
};

function row(item: Item): Html {
  return html`<li class="chart-row"><span class="chart-rank">${item.rank}</span>${cover(item)}${names(item)}
<span class="chart-figures"><span class="song-note">${t('pub.setlist.plays', { plays: item.plays })}</span>${move(item)}</span></li>\n`;
}

function move({ rank, prevRank, move: way }: Item): Html | null {
  if (way === null) return null;
  if (way === 'new') return html`<span class="move move-new">${t('pub.setlist.new')}</span>`;
  if (way === 'same' || prevRank === null)
    return html`<span class="move"><span class="visually-hidden">${t('pub.setlist.same_place')}</span><span aria-hidden="true">=</span></span>`;
  const places = Math.abs(prevRank - rank);
  const hidden = (inside: Words) => html`<span class="visually-hidden">${inside}</span>`;
  return html`<span class="move move-${way}"><span aria-hidden="true">${
    way === 'up' ? '▲' : '▼'
  }</span>${way === 'up' ? t('pub.setlist.up', { hidden, places }) : t('pub.setlist.down', { hidden, places })}</span>`;
}
