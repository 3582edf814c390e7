import { html } from '#kernel/html.ts';
import { formatPercent } from '#kernel/locale.ts';
import type { Echo } from '#pub/setlist/rollups/echo.ts';
import { count } from '#views/components/numbers.ts';
import { shareBars } from '#views/pub/charts/shares.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import { dayLabel, quoted, type SurfaceView, songList, songRow } from './view.ts';

const QUIET = 'Nothing old has come back this week.';

/** The main sentence of the page and of the picture. */
function sentenceOf({ comebacks: [back], onThisNight: [then], twins: [twin] }: Echo): string {
  if (back) return `${quoted(back.title)} is back after ${count(back.gapDays)} days.`;
  if (then) return `On this night ${yearsWords(then.yearsAgo)}: ${quoted(then.title)}.`;
  if (!twin) return QUIET;
  return `The evening sounds like ${dayLabel(twin.date)}, with ${formatPercent(twin.similarity)} in common.`;
}

const yearsWords = (years: number): string => (years === 1 ? 'a year ago' : `${count(years)} years ago`);

export const echoView: SurfaceView<Echo> = {
  name: 'echo',
  title: 'Echo',
  about: 'Songs that came back, evenings that rhyme.',
  sentence: ({ data }) => sentenceOf(data),
  body({ data: { comebacks, onThisNight, twins }, range }) {
    return html`${
      comebacks.length > 0 &&
      html`<section><h2>Comebacks</h2>
${songList(
  'Songs that came back',
  comebacks.map((song) =>
    songRow(song, `${count(song.gapDays)} days away, last on ${dayLabel(song.lastBefore, range.to)}`),
  ),
)}</section>`
    }
${
  onThisNight.length > 0 &&
  html`<section><h2>On this night</h2>
${songList(
  'What was played on this night in earlier years',
  onThisNight.map((song) => songRow(song, `${yearsWords(song.yearsAgo)}, ${dayLabel(song.date, range.to)}`)),
)}</section>`
}
${
  twins.length > 0 &&
  html`<section><h2>Twin evenings</h2><p>How much of the two evenings’ music is the same.</p>${shareBars(
    'Evenings like the latest',
    twins.map(({ date, similarity }) => ({ label: dayLabel(date, range.to), share: similarity })),
  )}</section>`
}`;
  },
  picture({ data }) {
    const [first, ...others] = data.comebacks;
    if (!first) return [words(sentenceOf(data), serif(52), 3)];
    return [
      words('Back after', { fontSize: 28, color: PAINT.soft }),
      words(`${count(first.gapDays)} days`, { ...serif(84), color: PAINT.brass }),
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
          words(`${count(song.gapDays)} days`, { color: PAINT.soft }),
        ),
      ),
    ];
  },
};
