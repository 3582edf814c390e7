import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatPercent, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { genreWords } from '#pub/now-playing/genre-names.ts';
import { formatHour } from '#pub/setlist/rollups/story-format.ts';
import type { VibeCompass } from '#pub/setlist/rollups/vibe-compass.ts';
import { disclosure } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { compass, compassPicture, QUARTERS } from '#views/pub/charts/compass.ts';
import { shareBars, sharePictures } from '#views/pub/charts/shares.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import type { SurfaceView } from './view.ts';

const TOO_LITTLE = t('pub.setlist.too_little_known_about_these');

export const vibeCompassView: SurfaceView<VibeCompass> = {
  name: 'vibe-compass',
  title: t('pub.setlist.vibe_compass'),
  about: t('pub.setlist.between_acoustic_electronic_mellow_hype'),
  sentence({ data: { insufficient, quadrant, topGenres } }) {
    const [first, second] = topGenres;
    if (insufficient || !quadrant || !first) return TOO_LITTLE;
    const most = { quarter: QUARTERS[quadrant], first: genreWords(first.genre) };
    return second
      ? t('pub.setlist.mostly_then', { ...most, second: genreWords(second.genre) })
      : t('pub.setlist.mostly', most);
  },
  body({ data }) {
    const { topGenres, trail, coverage } = data;
    const rows = trail.map(({ hour, x, y, n }) => [formatHour(hour), tilt(x, SOUND), tilt(y, MOOD), n]);
    return html`<div class="compass-page"><figure class="figure">${compass(data)}
<figcaption class="small soft">${sentences([t('pub.setlist.mark_whole_time'), trail.length > 1 && t('pub.setlist.line_latest_evening')])}</figcaption></figure>
<div>${
      topGenres.length > 0 &&
      html`<h2>${t('pub.setlist.genres')}</h2>${shareBars(
        t('pub.setlist.genres'),
        topGenres.map(({ genre, share }) => ({ label: genreWords(genre), share })),
      )}`
    }
<p class="small soft">${t('pub.setlist.genre_songs_known', { share: formatPercent(coverage) })}</p></div></div>
${
  trail.length > 0 &&
  disclosure(
    t('pub.setlist.evening_words'),
    table({
      caption: t('pub.setlist.latest_evening_hour_hour'),
      quietCaption: true,
      columns: [
        { label: t('pub.setlist.hour') },
        { label: t('pub.setlist.sound') },
        { label: t('pub.setlist.mood') },
        { label: t('pub.setlist.songs'), number: true },
      ],
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
          words(insufficient || !quadrant ? t('pub.setlist.sure_yet') : QUARTERS[quadrant], {
            ...serif(72),
            color: PAINT.green,
            marginBottom: 22,
          }),
          ...sharePictures(
            topGenres.slice(0, 4).map(({ genre, share }) => ({ label: genreWords(genre), share })),
            600,
          ),
        ),
      ),
    ];
  },
};

/** The words for a place on an axis, from one end to the other. */
type Tilts = readonly [Words, Words, Words, Words, Words];

const BETWEEN = t('pub.setlist.in_between');
const SOUND: Tilts = [
  t('pub.setlist.very_acoustic'),
  t('pub.setlist.acoustic'),
  BETWEEN,
  t('pub.setlist.electronic'),
  t('pub.setlist.very_electronic'),
];
const MOOD: Tilts = [
  t('pub.setlist.very_mellow'),
  t('pub.setlist.mellow'),
  BETWEEN,
  t('pub.setlist.hype'),
  t('pub.setlist.very_hype'),
];

function tilt(value: number, [veryLow, low, between, high, veryHigh]: Tilts): Words {
  const size = Math.abs(value);
  if (size < 0.1) return between;
  if (value < 0) return size > 0.5 ? veryLow : low;
  return size > 0.5 ? veryHigh : high;
}
