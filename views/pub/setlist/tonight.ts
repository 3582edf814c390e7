import { type Html, html } from '#kernel/html.ts';
import { formatTime } from '#kernel/local-time.ts';
import { formatHour } from '#pub/setlist/rollups/story-format.ts';
import type { Tonight } from '#pub/setlist/rollups/tonight.ts';
import { count, counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { statFigures } from '#views/components/structure.ts';
import { hourColumns, hourPicture } from '#views/pub/charts/hours.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import { type SurfaceView, songList, songRow } from './view.ts';

export const tonightView: SurfaceView<Tonight> = {
  name: 'tonight',
  title: 'Tonight',
  about: 'The evening so far, hour by hour.',
  sentence({ data: { plays, artists, topArtist } }) {
    const much = `${counted(plays, 'song')} by ${counted(artists, 'artist')}`;
    return topArtist.plays > 1 ? `${much}, and ${topArtist.artist} most of all.` : `${much}.`;
  },
  body({ data }, zone) {
    const time = (at: string) => formatTime(Date.parse(at), zone);
    const figures = [
      { label: data.plays === 1 ? 'song' : 'songs', value: count(data.plays) },
      { label: data.artists === 1 ? 'artist' : 'artists', value: count(data.artists) },
      { label: 'minutes of music', value: count(data.minutes) },
      { label: 'new to the pub', value: count(data.newHereCount) },
      ...(data.requestsPlayed > 0 ? [{ label: 'you asked for', value: count(data.requestsPlayed) }] : []),
    ];
    return html`<p>${data.open ? badge('Open now', 'open') : badge('Closed now')}</p>${statFigures(figures)}
${songsAnHour(data)}
<section><h2>First and latest</h2>${songList('First and latest song', [
      songRow(data.first, html`first, ${time(data.first.playedAt)}`),
      ...(data.plays > 1 ? [songRow(data.latest, html`latest, ${time(data.latest.playedAt)}`)] : []),
    ])}</section>
${
  data.newHere.length > 0 &&
  html`<section><h2>Heard here for the first time</h2>${songList(
    'New songs',
    data.newHere.map((song) => songRow(song, '')),
  )}
${
  data.newHereCount > data.newHere.length &&
  html`
<p class="small soft">And ${count(data.newHereCount - data.newHere.length)} more.</p>`
}</section>`
}
${
  data.repeats.length > 0 &&
  html`<section><h2>More than once</h2>${songList(
    'Songs played more than once',
    data.repeats.map(({ track, times }) => songRow(track, `${count(times)} times`)),
  )}</section>`
}`;
  },
  picture({ data }) {
    const figure = (value: string, label: string) =>
      column({ marginRight: 52 }, words(value, serif(72)), words(label, { fontSize: 25, color: PAINT.soft }));
    return [
      box(
        {},
        figure(count(data.plays), data.plays === 1 ? 'song' : 'songs'),
        figure(count(data.artists), data.artists === 1 ? 'artist' : 'artists'),
        figure(count(data.minutes), 'minutes of music'),
        column(
          { flexGrow: 1, justifyContent: 'center', alignItems: 'flex-end', width: 300 },
          words('most of all', { fontSize: 23, color: PAINT.soft }),
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
  const words = html`<p class="small soft">${
    first && last && `From ${formatHour(first.hour)} to ${formatHour((last.hour + 1) % 24)}.`
  }${topGenre && ` Mostly ${topGenre.genre}.`}</p>`;
  if (hourly.length < 2) return words;
  return html`<section><h2>Songs an hour</h2>${hourColumns('Songs an hour', hourly)}
${words}</section>`;
}
