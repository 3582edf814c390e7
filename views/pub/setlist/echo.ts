import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatPercent } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Echo } from '#pub/setlist/rollups/echo.ts';
import { shareBars } from '#views/pub/charts/shares.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import { dayLabel, type SurfaceView, songList, songRow } from './view.ts';

const QUIET = t('pub.setlist.nothing_old_come_back_week');

/** The main sentence of the page and of the picture. */
function sentenceOf({ comebacks: [back], onThisNight: [then], twins: [twin] }: Echo): Words {
  if (back) return t('pub.setlist.back_after_days', { title: back.title, days: back.gapDays });
  if (then) return t('pub.setlist.on_this_night_years_ago', { years: then.yearsAgo, title: then.title });
  if (!twin) return QUIET;
  return t('pub.setlist.evening_sounds_like_common', {
    date: dayLabel(twin.date),
    share: formatPercent(twin.similarity),
  });
}

export const echoView: SurfaceView<Echo> = {
  name: 'echo',
  title: t('pub.setlist.echo'),
  about: t('pub.setlist.songs_came_back_evenings_rhyme'),
  sentence: ({ data }) => sentenceOf(data),
  body({ data: { comebacks, onThisNight, twins }, range }) {
    return html`${
      comebacks.length > 0 &&
      html`<section><h2>${t('pub.setlist.comebacks')}</h2>
${songList(
  t('pub.setlist.songs_came_back'),
  comebacks.map((song) =>
    songRow(
      song,
      t('pub.setlist.days_away_last', { days: song.gapDays, day: dayLabel(song.lastBefore, range.to) }),
    ),
  ),
)}</section>`
    }
${
  onThisNight.length > 0 &&
  html`<section><h2>${t('pub.setlist.on_this_night')}</h2>
${songList(
  t('pub.setlist.what_played_night_earlier_years'),
  onThisNight.map((song) =>
    songRow(song, t('pub.setlist.years_ago', { years: song.yearsAgo, day: dayLabel(song.date, range.to) })),
  ),
)}</section>`
}
${
  twins.length > 0 &&
  html`<section><h2>${t('pub.setlist.twin_evenings')}</h2><p>${t('pub.setlist.how_much_two_evenings_music')}</p>${shareBars(
    t('pub.setlist.evenings_like_latest'),
    twins.map(({ date, similarity }) => ({ label: dayLabel(date, range.to), share: similarity })),
  )}</section>`
}`;
  },
  picture({ data }) {
    const [first, ...others] = data.comebacks;
    if (!first) return [words(sentenceOf(data), serif(52), 3)];
    return [
      words(t('pub.setlist.back_after'), { fontSize: 28, color: PAINT.soft }),
      words(t('pub.setlist.days', { days: first.gapDays }), { ...serif(84), color: PAINT.brass }),
      words(first.title, { ...serif(50), marginTop: 6 }),
      words(first.artist, { fontSize: 30, color: PAINT.soft }),
      ...others.slice(0, 2).map((song) =>
        box(
          {
            justifyContent: 'space-between',
            marginTop: 14,
            paddingTop: 10,
            borderTop: `1px solid ${PAINT.rule}`,
            fontSize: 25,
          },
          column({ width: 800 }, words(`${song.title} · ${song.artist}`, {})),
          words(t('pub.setlist.days', { days: song.gapDays }), { color: PAINT.soft }),
        ),
      ),
    ];
  },
};
