import {
  SHARE_SANS,
  SHARE_SERIF,
  SHARE_SIZE,
  type ShareChild,
  type ShareNode,
  type ShareSite,
} from '#kernel/images/share-image.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { formatLocal, localDate } from '#kernel/local-time.ts';
import { forClub } from '#kernel/locale.ts';
import type { Screening, ScreeningTotals } from '#pub/screen/screenings.ts';
import { hoursInWords, UNNAMED } from './screen.ts';
import { inAccent, PAINT, shareLogo } from './share-picture.ts';

/** The data of the archive's share picture. */
export interface PosterProps {
  totals: ScreeningTotals;
  /** The newest films; the picture has space for three. */
  items: readonly Screening[];
  zone: string;
  site: ShareSite;
}

/** Colours: a dark background and a bright beam. */
const LIGHT = 'linear-gradient(115deg, #14130f 40%, #3a362b 100%)';
const PAPER = '#faf7f1';
const INK = '#1d1b16';
const SOFT = '#b8b09f';
const BRASS = '#d8a550';
const TICKETS = 3;

/** The share picture of the archive: the totals and the newest tickets. */
export function screenPoster({ totals, items, zone, site }: PosterProps): ShareNode {
  const tickets = items.slice(0, TICKETS).map((item) => ticket(item, zone));
  const picture = box(
    {
      ...SHARE_SIZE,
      boxSizing: 'border-box',
      padding: 64,
      justifyContent: 'space-between',
      backgroundImage: LIGHT,
      color: PAPER,
    },
    box(
      { flexDirection: 'column', justifyContent: 'space-between', width: tickets.length > 0 ? 500 : 1000 },
      box(
        { flexDirection: 'column' },
        box(
          { alignItems: 'center' },
          site.logo && box({ marginRight: 18 }, shareLogo(site.logo)),
          text({ fontSize: 26, color: BRASS, fontWeight: 600 }, site.name),
        ),
        text(
          { fontFamily: SHARE_SERIF, fontWeight: 600, fontSize: 84, lineHeight: 1.05, marginTop: 20 },
          t('pub.screen.big_screen'),
        ),
      ),
      tickets.length > 0
        ? figures(totals)
        : text({ fontSize: 34, color: SOFT }, t('pub.screen.first_film_to_come')),
    ),
    box({ flexDirection: 'column', justifyContent: 'center', width: 520 }, ...tickets),
  );
  return inAccent(picture, site);
}

function figures({ films, minutes, songs }: ScreeningTotals): ShareNode {
  const rows: [value: string, label: Words][] = [
    [String(films), t('pub.screen.films_counted', { films })],
    [hoursInWords(minutes), t(minutes < 90 ? 'pub.screen.hour' : 'pub.screen.hours')],
    [String(songs), t('pub.screen.songs_poster', { songs })],
  ];
  return box(
    {},
    ...rows.map(([value, label]) =>
      box(
        { flexDirection: 'column', marginRight: 44 },
        text({ fontFamily: SHARE_SERIF, fontWeight: 600, fontSize: 56, lineHeight: 1.1 }, value),
        text({ fontSize: 24, color: SOFT }, label),
      ),
    ),
  );
}

function ticket({ title, openedAt, minutes }: Screening, zone: string): ShareNode {
  const opened = Temporal.Instant.from(openedAt).epochMilliseconds;
  const month = formatLocal(opened, zone, { month: 'short' });
  const day = String(Temporal.PlainDate.from(localDate(opened, zone)).day);
  return box(
    {
      height: 142,
      marginTop: 12,
      marginBottom: 12,
      borderRadius: 10,
      backgroundColor: PAPER,
      color: INK,
      overflow: 'hidden',
    },
    box(
      {
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'center',
        width: 118,
        backgroundColor: PAINT.green,
        color: PAPER,
      },
      text({ fontFamily: SHARE_SERIF, fontWeight: 600, fontSize: 52, lineHeight: 1 }, day ?? ''),
      text({ fontSize: 22, marginTop: 8 }, `${month ?? ''} ${localDate(opened, zone).slice(0, 4)}`),
    ),
    box(
      { flexDirection: 'column', justifyContent: 'center', width: 354, marginLeft: 26, marginRight: 22 },
      text(
        {
          display: 'block',
          fontFamily: SHARE_SERIF,
          fontWeight: 600,
          fontSize: (title ?? '').length > 24 ? 28 : 34,
          lineHeight: 1.15,
          lineClamp: 2,
          wordBreak: 'break-word',
        },
        title ?? UNNAMED,
      ),
      text({ fontSize: 22, color: '#5a5446', marginTop: 8 }, t('pub.screen.minutes_only', { minutes })),
    ),
  );
}

function box(style: Record<string, string | number>, ...children: ShareChild[]): ShareNode {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } };
}

function text(style: Record<string, string | number>, words: Words | string): ShareNode {
  return {
    type: 'div',
    props: {
      style: { display: 'flex', fontFamily: SHARE_SANS, ...style },
      children: typeof words === 'string' ? words : forClub(words),
    },
  };
}
