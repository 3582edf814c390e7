import { html } from '#kernel/html.ts';
import { formatPercent } from '#kernel/locale.ts';
import { formatHour } from '#pub/setlist/rollups/story-format.ts';
import type { VibeCompass } from '#pub/setlist/rollups/vibe-compass.ts';
import { disclosure } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { compass, compassPicture } from '#views/pub/charts/compass.ts';
import { shareBars, sharePictures } from '#views/pub/charts/shares.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import type { SurfaceView } from './view.ts';

const TOO_LITTLE = 'Too little is known about these songs to place the pub.';

export const vibeCompassView: SurfaceView<VibeCompass> = {
  name: 'vibe-compass',
  title: 'Vibe compass',
  about: 'Between acoustic and electronic, mellow and hype: where the music is.',
  sentence({ data: { insufficient, quadrant, topGenres } }) {
    const [first, second] = topGenres;
    if (insufficient || !quadrant || !first) return TOO_LITTLE;
    return `${quadrant}: mostly ${first.genre}${second ? `, then ${second.genre}` : ''}.`;
  },
  body({ data }) {
    const { topGenres, trail, coverage } = data;
    const rows = trail.map(({ hour, x, y, n }) => [
      formatHour(hour),
      tilt(x, 'acoustic', 'electronic'),
      tilt(y, 'mellow', 'hype'),
      n,
    ]);
    return html`<div class="compass-page"><figure class="figure">${compass(data)}
<figcaption class="small soft">The mark
is the whole time.${
      trail.length > 1 && ' The line is the latest evening, its most recent songs counting most.'
    }</figcaption></figure>
<div>${
      topGenres.length > 0 &&
      html`<h2>Genres</h2>${shareBars(
        'Genres',
        topGenres.map(({ genre, share }) => ({ label: genre, share })),
      )}`
    }
<p class="small soft">The genre of ${formatPercent(coverage)} of the songs is known.</p></div></div>
${
  trail.length > 0 &&
  disclosure(
    'The evening in words',
    table({
      caption: 'The latest evening, hour by hour',
      quietCaption: true,
      columns: [{ label: 'Hour' }, { label: 'Sound' }, { label: 'Mood' }, { label: 'Songs', number: true }],
      rows,
    }),
  )
}`;
  },
  picture({ data }) {
    const { quadrant, insufficient, topGenres } = data;
    return [
      box(
        { alignItems: 'center', justifyContent: 'space-between' },
        compassPicture(data),
        column(
          { width: 600 },
          words(insufficient || !quadrant ? 'Not sure yet' : quadrant, {
            ...serif(72),
            color: PAINT.green,
            marginBottom: 22,
          }),
          ...sharePictures(
            topGenres.slice(0, 4).map(({ genre, share }) => ({ label: genre, share })),
            600,
          ),
        ),
      ),
    ];
  },
};

function tilt(value: number, low: string, high: string): string {
  const size = Math.abs(value);
  if (size < 0.1) return 'in between';
  return `${size > 0.5 ? 'very ' : ''}${value < 0 ? low : high}`;
}
