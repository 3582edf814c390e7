import { type Html, html } from '#kernel/html.ts';
import type { TopSongs } from '#pub/setlist/rollups/top-songs.ts';
import { count, counted } from '#views/components/numbers.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import { podium } from './podium.ts';
import { cover, names, quoted, type SurfaceView } from './view.ts';

type Item = TopSongs['items'][number];

const NONE = 'No song has been played twice in this time.';

export const topSongsView: SurfaceView<TopSongs> = {
  name: 'top-songs',
  title: 'Top songs',
  about: 'The most played songs, and those on their way up.',
  sentence({ data: { items } }) {
    const [first] = items;
    return first
      ? `${quoted(first.title)} by ${first.artist} leads with ${counted(first.plays, 'play')}.`
      : NONE;
  },
  body({ data: { items } }) {
    if (items.length === 0) return html`<p>Songs come onto this list when they are played a second time.</p>`;
    const places = items.slice(0, 3).map((item) => ({ ...item, note: counted(item.plays, 'play') }));
    return html`${podium('The first three', places)}
${
  items.length > 3 &&
  html`
<ol class="chart" role="list" aria-label="The songs after them">${items.slice(3).map(row)}</ol>`
}
<p class="small soft">A song is listed from its second play on. The arrows compare with the time just as long
before.</p>`;
  },
  picture({ data: { items } }) {
    if (items.length === 0) return [words(NONE, serif(44), 3)];
    return items
      .slice(0, 5)
      .map((item) =>
        box(
          { alignItems: 'center', paddingTop: 5, paddingBottom: 5 },
          words(String(item.rank), { ...serif(46), color: PAINT.brass, width: 62 }),
          column(
            { flexGrow: 1, width: 760 },
            words(item.title, { fontSize: 31, fontWeight: 600, lineHeight: 1.2 }),
            words(item.artist, { fontSize: 24, color: PAINT.soft, lineHeight: 1.2 }),
          ),
          words(counted(item.plays, 'play'), { fontSize: 27, width: 150, textAlign: 'right' }),
        ),
      );
  },
};

function row(item: Item): Html {
  return html`<li class="chart-row"><span class="chart-rank">${item.rank}</span>${cover(item)}${names(item)}
<span class="chart-figures"><span class="song-note">${counted(item.plays, 'play')}</span>${move(item)}</span></li>\n`;
}

function move({ rank, prevRank, move: way }: Item): Html | null {
  if (way === null) return null;
  if (way === 'new') return html`<span class="move move-new">new</span>`;
  if (way === 'same' || prevRank === null)
    return html`<span class="move"><span class="visually-hidden">same place</span><span aria-hidden="true">=</span></span>`;
  const places = count(Math.abs(prevRank - rank));
  return html`<span class="move move-${way}"><span aria-hidden="true">${
    way === 'up' ? '▲' : '▼'
  }</span><span class="visually-hidden">${way} </span>${places}</span>`;
}
