import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatLocal, formatNumber, formatWeekday } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import * as club from '#kernel/locale.ts';
import { genreWords } from '#pub/now-playing/genre-names.ts';
import { formatHour } from '#pub/setlist/rollups/story-format.ts';
import type { Wrapped } from '#pub/setlist/rollups/wrapped.ts';
import { definitionList, statFigures } from '#views/components/structure.ts';
import { shareBars } from '#views/pub/charts/shares.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import { podium } from './podium.ts';
import { dayLabel, names, type SurfaceView, songList, songRow } from './view.ts';

/** How long the music played: in minutes below an hour. */
const lengthOf = ({ hours, minutes }: Wrapped): { length: number; unit: 'minutes' | 'other' } =>
  minutes !== undefined && minutes < 60
    ? { length: minutes, unit: 'minutes' }
    : { length: hours, unit: 'other' };

/** The year that the figures are of. */
export const yearInWords = ({ year, final }: Wrapped): Words | string =>
  final ? String(year) : t('pub.setlist.range_year_so_far', { year: String(year) });

/** The day of the week is stored by its name in the club's locale. */
function weekdayInWords(name: string): Words | string {
  const day = club.weekdays().find((one) => club.formatWeekday(one) === name);
  return day === undefined ? name : formatWeekday(day);
}

export const wrappedView: SurfaceView<Wrapped> = {
  name: 'wrapped',
  title: t('pub.setlist.wrapped'),
  about: t('pub.setlist.year_pub_songs'),
  sentence({ data }) {
    const { year, plays, topSongs } = data;
    const [top] = topSongs;
    const figures = { year: String(year), plays, ...lengthOf(data) };
    return top
      ? t('pub.setlist.year_songs_most', { ...figures, title: top.title })
      : t('pub.setlist.year_songs', figures);
  },
  coverOf: ({ data }) => data.topSongs[0],
  body({ data }, zone) {
    const { length, unit } = lengthOf(data);
    const figures = [
      { label: t('pub.setlist.plays_counted', { plays: data.plays }), value: formatNumber(data.plays) },
      {
        label: t(unit === 'minutes' ? 'pub.setlist.minutes_music' : 'pub.setlist.hours_music'),
        value: formatNumber(length),
      },
      { label: t('pub.setlist.different_songs'), value: formatNumber(data.songs) },
      { label: t('pub.setlist.artists_figure'), value: formatNumber(data.artists) },
      { label: t('pub.setlist.new_artists'), value: formatNumber(data.newArtists) },
    ];
    return html`${!data.final && html`<p>${t('pub.setlist.year_over_these_figures_still')}</p>`}${statFigures(figures)}
<section><h2>${t('pub.setlist.songs_year')}</h2>${podium(
      t('pub.setlist.first_three_songs'),
      data.topSongs.map((song) => ({ ...song, note: t('pub.setlist.plays', { plays: song.plays }) })),
    )}
${
  data.topSongs.length > 3 &&
  songList(
    t('pub.setlist.next_songs'),
    data.topSongs.slice(3).map((song) => songRow(song, t('pub.setlist.plays', { plays: song.plays }))),
  )
}</section>
<div class="wrapped-lists"><section><h2>${t('pub.setlist.artists')}</h2>
${ranks(data.topArtists.map(({ artist, plays }) => ({ name: artist, plays })))}</section>
${
  data.topAlbums.length > 0 &&
  html`<section><h2>${t('pub.setlist.albums')}</h2>
${ranks(data.topAlbums.map(({ album, artist, plays }) => ({ name: album, by: artist, plays })))}</section>`
}</div>
${
  data.topGenres.length > 0 &&
  html`<section><h2>${t('pub.setlist.genres')}</h2>${shareBars(
    t('pub.setlist.genres_year'),
    data.topGenres.map(({ genre, share }) => ({ label: genreWords(genre), share })),
  )}</section>`
}
<section><h2>${t('pub.setlist.year_clock')}</h2>${definitionList([
      [
        t('pub.setlist.busiest_night'),
        t('pub.setlist.songs_on_day', {
          day: dayLabel(data.busiestNight.date),
          plays: data.busiestNight.plays,
        }),
      ],
      [t('pub.setlist.favourite_day'), weekdayInWords(data.topWeekday)],
      [t('pub.setlist.busiest_hour'), formatHour(data.peakHour)],
      [
        t('pub.setlist.longest_streak'),
        t('pub.setlist.nights_row', {
          song: names(data.longestStreak.track),
          nights: data.longestStreak.nights,
        }),
      ],
      [t('pub.setlist.first_song'), html`${names(data.firstSong)}, ${dateOf(data.firstSong.playedAt, zone)}`],
      [
        data.final ? t('pub.setlist.last_song') : t('pub.setlist.latest_song'),
        html`${names(data.lastSong)}, ${dateOf(data.lastSong.playedAt, zone)}`,
      ],
    ])}</section>
${
  data.discoveries.length > 0 &&
  html`<section><h2>${t('pub.setlist.discoveries')}</h2><p>${t('pub.setlist.songs_new_year_stayed')}</p>${songList(
    t('pub.setlist.discoveries'),
    data.discoveries.map((song) => songRow(song, t('pub.setlist.plays', { plays: song.plays }))),
  )}</section>`
}`;
  },
  picture({ data }) {
    const [top] = data.topSongs;
    const figure = (value: number, label: Words) =>
      column(
        { marginTop: 12 },
        words(formatNumber(value), serif(60)),
        words(label, { fontSize: 24, color: PAINT.soft }),
      );
    return [
      box(
        { justifyContent: 'space-between' },
        column(
          { width: 330 },
          words(String(data.year), { ...serif(120), color: PAINT.brass, lineHeight: 1 }),
          figure(data.plays, t('pub.setlist.songs_played')),
          figure(data.hours, t('pub.setlist.hours_music')),
        ),
        column(
          { width: 690, justifyContent: 'center' },
          words(t('pub.setlist.song_year'), { fontSize: 25, color: PAINT.soft }),
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
              column({ width: 480 }, words(`${rank}  ${artist}`, {})),
              words(t('pub.setlist.plays', { plays }), { color: PAINT.soft }),
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
      }</span><span class="song-note">${t('pub.setlist.plays', { plays })}</span></li>`,
  )}</ol>`;
}

const dateOf = (at: string, zone: string): Words =>
  formatLocal(Date.parse(at), zone, { month: 'long', day: 'numeric' });
