import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber, formatTime, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { genreWords } from '#pub/now-playing/genre-names.ts';
import { formatHour } from '#pub/setlist/rollups/story-format.ts';
import type { Tonight } from '#pub/setlist/rollups/tonight.ts';
import { badge } from '#views/components/status.ts';
import { statFigures } from '#views/components/structure.ts';
import { hourColumns, hourPicture } from '#views/pub/charts/hours.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import { type SurfaceView, songList, songRow } from './view.ts';

export const tonightView: SurfaceView<Tonight> = {
  name: 'tonight',
  title: t('pub.setlist.tonight'),
  about: t('pub.setlist.evening_far_hour_hour'),
  sentence({ data: { plays, artists, topArtist } }) {
    return topArtist.plays > 1
      ? t('pub.setlist.songs_artists_most', { plays, artists, artist: topArtist.artist })
      : t('pub.setlist.songs_artists', { plays, artists });
  },
  body({ data }, zone) {
    const time = (at: string) => formatTime(Date.parse(at), zone);
    const figures = [
      { label: t('pub.setlist.songs_counted', { songs: data.plays }), value: formatNumber(data.plays) },
      {
        label: t('pub.setlist.artists_counted', { artists: data.artists }),
        value: formatNumber(data.artists),
      },
      { label: t('pub.setlist.minutes_music'), value: formatNumber(data.minutes) },
      { label: t('pub.setlist.new_pub'), value: formatNumber(data.newHereCount) },
      ...(data.requestsPlayed > 0
        ? [{ label: t('pub.setlist.asked'), value: formatNumber(data.requestsPlayed) }]
        : []),
    ];
    return html`<p>${data.open ? badge(t('pub.setlist.open_now'), 'open') : badge(t('pub.setlist.closed_now'))}</p>${statFigures(figures)}
${songsAnHour(data)}
<section><h2>${t('pub.setlist.first_latest')}</h2>${songList(t('pub.setlist.first_latest_song'), [
      songRow(data.first, t('pub.setlist.first', { time: time(data.first.playedAt) })),
      ...(data.plays > 1
        ? [songRow(data.latest, t('pub.setlist.latest', { time: time(data.latest.playedAt) }))]
        : []),
    ])}</section>
${
  data.newHere.length > 0 &&
  html`<section><h2>${t('pub.setlist.heard_here_first_time')}</h2>${songList(
    t('pub.setlist.new_songs'),
    data.newHere.map((song) => songRow(song, '')),
  )}
${
  data.newHereCount > data.newHere.length &&
  html`
<p class="small soft">${t('pub.setlist.more', { more: data.newHereCount - data.newHere.length })}</p>`
}</section>`
}
${
  data.repeats.length > 0 &&
  html`<section><h2>${t('pub.setlist.more_once')}</h2>${songList(
    t('pub.setlist.songs_played_more_once'),
    data.repeats.map(({ track, times }) => songRow(track, t('pub.setlist.times', { times }))),
  )}</section>`
}`;
  },
  picture({ data }) {
    const figure = (value: Words, label: Words) =>
      column({ marginRight: 52 }, words(value, serif(72)), words(label, { fontSize: 25, color: PAINT.soft }));
    return [
      box(
        {},
        figure(formatNumber(data.plays), t('pub.setlist.songs_counted', { songs: data.plays })),
        figure(formatNumber(data.artists), t('pub.setlist.artists_counted', { artists: data.artists })),
        figure(formatNumber(data.minutes), t('pub.setlist.minutes_music')),
        column(
          { flexGrow: 1, justifyContent: 'center', alignItems: 'flex-end', width: 300 },
          words(t('pub.setlist.most_of_all'), { fontSize: 23, color: PAINT.soft }),
          words(data.topArtist.artist, { ...serif(34), color: PAINT.brass, textAlign: 'right' }, 2),
        ),
      ),
      box({ marginTop: 20 }, column({ flexGrow: 1 }, hourPicture(data.hourly, 190))),
    ];
  },
};

/** The songs per hour; without a chart where there is only one hour, and so nothing to compare. */
function songsAnHour({ hourly, topGenre }: Tonight): Html {
  const [first, last] = [hourly[0], hourly.at(-1)];
  const words = html`<p class="small soft">${sentences([
    first &&
      last &&
      t('pub.setlist.from_to', { first: formatHour(first.hour), last: formatHour((last.hour + 1) % 24) }),
    topGenre && t('pub.setlist.mostly_genre', { genre: genreWords(topGenre.genre) }),
  ])}</p>`;
  if (hourly.length < 2) return words;
  return html`<section><h2>${t('pub.setlist.songs_hour')}</h2>${hourColumns(t('pub.setlist.songs_hour'), hourly)}
${words}</section>`;
}
