import { type Html, html } from '#kernel/html.ts';
import { formatLocal } from '#kernel/local-time.ts';
import { formatHour } from '#pub/setlist/rollups/story-format.ts';
import type { Wrapped } from '#pub/setlist/rollups/wrapped.ts';
import { count, counted } from '#views/components/numbers.ts';
import { definitionList, statFigures } from '#views/components/structure.ts';
import { shareBars } from '#views/pub/charts/shares.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import { podium } from './podium.ts';
import { dayLabel, names, quoted, type SurfaceView, songList, songRow } from './view.ts';

/** How long the music played: in minutes below an hour. */
const lengthOf = ({ hours, minutes }: Wrapped): [value: number, unit: 'hour' | 'minute'] =>
  minutes !== undefined && minutes < 60 ? [minutes, 'minute'] : [hours, 'hour'];

export const wrappedView: SurfaceView<Wrapped> = {
  name: 'wrapped',
  title: 'Wrapped',
  about: 'A year of the pub in songs.',
  sentence({ data }) {
    const { year, plays, topSongs } = data;
    const [top] = topSongs;
    const [value, unit] = lengthOf(data);
    return `${year}: ${counted(plays, 'song')} in ${counted(value, unit)}${
      top ? `, and ${quoted(top.title)} more than any other` : ''
    }.`;
  },
  coverOf: ({ data }) => data.topSongs[0],
  body({ data }, zone) {
    const figures = [
      { label: data.plays === 1 ? 'play' : 'plays', value: count(data.plays) },
      { label: `${lengthOf(data)[1]}s of music`, value: count(lengthOf(data)[0]) },
      { label: 'different songs', value: count(data.songs) },
      { label: 'artists', value: count(data.artists) },
      { label: 'new artists', value: count(data.newArtists) },
    ];
    return html`${!data.final && html`<p>The year is not over: these figures still grow.</p>`}${statFigures(figures)}
<section><h2>Songs of the year</h2>${podium(
      'The first three songs',
      data.topSongs.map((song) => ({ ...song, note: counted(song.plays, 'play') })),
    )}
${
  data.topSongs.length > 3 &&
  songList(
    'The next songs',
    data.topSongs.slice(3).map((song) => songRow(song, counted(song.plays, 'play'))),
  )
}</section>
<div class="wrapped-lists"><section><h2>Artists</h2>
${ranks(data.topArtists.map(({ artist, plays }) => ({ name: artist, plays })))}</section>
${
  data.topAlbums.length > 0 &&
  html`<section><h2>Albums</h2>
${ranks(data.topAlbums.map(({ album, artist, plays }) => ({ name: album, by: artist, plays })))}</section>`
}</div>
${
  data.topGenres.length > 0 &&
  html`<section><h2>Genres</h2>${shareBars(
    'Genres of the year',
    data.topGenres.map(({ genre, share }) => ({ label: genre, share })),
  )}</section>`
}
<section><h2>The year by the clock</h2>${definitionList([
      ['Busiest night', `${dayLabel(data.busiestNight.date)}, ${counted(data.busiestNight.plays, 'song')}`],
      ['Favourite day', data.topWeekday],
      ['Busiest hour', formatHour(data.peakHour)],
      [
        'Longest streak',
        html`${names(data.longestStreak.track)}, ${counted(data.longestStreak.nights, 'night')} in a row`,
      ],
      ['First song', html`${names(data.firstSong)}, ${dateOf(data.firstSong.playedAt, zone)}`],
      [
        data.final ? 'Last song' : 'Latest song',
        html`${names(data.lastSong)}, ${dateOf(data.lastSong.playedAt, zone)}`,
      ],
    ])}</section>
${
  data.discoveries.length > 0 &&
  html`<section><h2>Discoveries</h2><p>Songs that were new this year, and stayed.</p>${songList(
    'Discoveries',
    data.discoveries.map((song) => songRow(song, counted(song.plays, 'play'))),
  )}</section>`
}`;
  },
  picture({ data }) {
    const [top] = data.topSongs;
    const figure = (value: number, label: string) =>
      column(
        { marginTop: 12 },
        words(count(value), serif(60)),
        words(label, { fontSize: 24, color: PAINT.soft }),
      );
    return [
      box(
        { justifyContent: 'space-between' },
        column(
          { width: 330 },
          words(String(data.year), { ...serif(120), color: PAINT.brass, lineHeight: 1 }),
          figure(data.plays, 'songs played'),
          figure(data.hours, 'hours of music'),
        ),
        column(
          { width: 690, justifyContent: 'center' },
          words('Song of the year', { fontSize: 25, color: PAINT.soft }),
          words(top?.title ?? '', serif(48), 2),
          words(top?.artist ?? '', { fontSize: 30, color: PAINT.soft, marginBottom: 20 }),
          ...data.topArtists.slice(0, 3).map(({ artist, rank, plays }) =>
            box(
              {
                justifyContent: 'space-between',
                fontSize: 27,
                paddingTop: 6,
                paddingBottom: 6,
                borderTop: `1px solid ${PAINT.rule}`,
              },
              column({ width: 540 }, words(`${rank}  ${artist}`, {})),
              words(counted(plays, 'play'), { color: PAINT.soft }),
            ),
          ),
        ),
      ),
    ];
  },
};

function ranks(items: readonly { name: string; by?: string; plays: number }[]): Html {
  return html`<ol class="ranks" role="list">${items.map(
    ({ name, by, plays }, index) =>
      html`<li><span class="chart-rank">${index + 1}</span><span class="song-names"><bdi class="song-name">${name}</bdi>${
        by && html` <bdi class="song-artist">${by}</bdi>`
      }</span><span class="song-note">${counted(plays, 'play')}</span></li>`,
  )}</ol>`;
}

const dateOf = (at: string, zone: string): string =>
  formatLocal(Date.parse(at), zone, { month: 'long', day: 'numeric' });
