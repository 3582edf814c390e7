import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatDay, formatLocal, spanOnPage } from '#kernel/language/times.ts';
import { localDate } from '#kernel/local-time.ts';
import type { Site } from '#kernel/site.ts';
import type { Screening, ScreeningTotals, ScreeningTrack } from '#pub/screen/screenings.ts';
import { shareTags } from '#views/components/head.ts';
import { empty } from '#views/components/notices.ts';
import { pageHeader, statFigures } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** The data of the archive of films. */
export interface ScreenPageProps {
  items: readonly Screening[];
  totals: ScreeningTotals;
  /** Where the older films begin; `earlier` says whether the newest ones are on another page. */
  nextBefore: string | null;
  earlier: boolean;
  zone: string;
  /** The public address of the service, for shared links; empty where it is not known: then links are relative. */
  origin: string;
}

/** The songs shown on a ticket; the others are in a collapsed list. */
const SONGS_SHOWN = 4;

/** The title of a film that has none. */
export const UNNAMED = t('pub.screen.movie_night');

/** The archive: a ticket for every film, with the songs that were heard in it. */
export function screenPage(props: ScreenPageProps): Html {
  const { items, totals, nextBefore, earlier, zone } = props;
  const body = html`${pageHeader({
    title: t('pub.screen.films'),
    lede: t('pub.screen.films_seen_together_pub_songs'),
  })}
${totals.films > 0 && figures(totals)}
${
  items.length === 0
    ? nothing(earlier)
    : html`<ol class="tickets" role="list">${items.map((item) => html`<li>${ticket(item, zone)}</li>`)}</ol>`
}
${(nextBefore || earlier) && otherPages(nextBefore, earlier)}
${
  totals.films > 0 &&
  html`
<p class="poster"><a class="button button-quiet" href="/og/screen.png">${t('pub.screen.save_picture')}</a></p>`
}`;
  return page({
    title: t('pub.screen.films'),
    body,
    nav: '/screen',
    styles: 'films',
    head: (site) => head(props, site),
  });
}

/** The number of hours as text, also for the share picture. */
export function hoursInWords(minutes: number): string {
  return minutes < 60 ? '< 1' : String(Math.round(minutes / 60));
}

function head({ origin, totals }: ScreenPageProps, site: Site): Html {
  const sentence = t('pub.screen.seen_together_pub', { films: totals.films });
  return html`${shareTags(site, {
    title: t('pub.screen.big_screen'),
    sentence,
    url: `${origin}/screen`,
    picture: `${origin}/og/screen.png`,
    alt: t('pub.screen.big_screen_sentence', { sentence }),
  })}`;
}

function figures({ films, minutes, songs }: ScreeningTotals): Html {
  return statFigures([
    { label: t('pub.screen.films_counted', { films }), value: films },
    {
      label: minutes < 90 ? t('pub.screen.hour_dark') : t('pub.screen.hours_dark'),
      value: hoursInWords(minutes),
    },
    { label: t('pub.screen.songs_heard', { songs }), value: songs },
  ]);
}

function nothing(earlier: boolean): Html {
  return earlier
    ? empty(t('pub.screen.no_earlier_films'), t('pub.screen.archive_begins_later'))
    : empty(t('pub.screen.curtain_still_down'), t('pub.screen.film_shown_yet_after_movie'));
}

/** One film as a torn ticket: the day on the stub, the film beside it. */
function ticket({ title, openedAt, closedAt, minutes, tracks }: Screening, zone: string): Html {
  const opened = Temporal.Instant.from(openedAt).epochMilliseconds;
  const closed = Temporal.Instant.from(closedAt).epochMilliseconds;
  const weekday = formatLocal(opened, zone, { weekday: 'short' });
  const month = formatLocal(opened, zone, { month: 'short' });
  const day = Temporal.PlainDate.from(localDate(opened, zone)).day;
  const songs = distinct(tracks);
  const [begins, ends] = spanOnPage(opened, closed, zone);
  return html`<article class="ticket">
<p class="stub"><span class="visually-hidden">${formatDay(
    opened,
    zone,
  )}, </span><span aria-hidden="true">${weekday}</span><strong aria-hidden="true">${day}</strong><span><span aria-hidden="true">${month} </span>${localDate(
    opened,
    zone,
  ).slice(0, 4)}</span></p>
<div class="film">
<h2>${title ?? UNNAMED}</h2>
<p class="film-when">${t('pub.screen.minutes', { time: html`${begins} – ${ends}`, minutes })}</p>
${songs.length === 0 ? html`<p class="film-when">${t('pub.screen.song_recognised')}</p>` : soundtrack(songs)}
</div>
</article>`;
}

function soundtrack(songs: ScreeningTrack[]): Html {
  const more = songs.slice(SONGS_SHOWN);
  return html`<h3>${t('pub.screen.heard')}</h3>
<ul class="songs" role="list">${songs.slice(0, SONGS_SHOWN).map(song)}</ul>
${
  more.length > 0 &&
  html`<details><summary>${t('pub.screen.more_songs', { more: more.length })}</summary><div class="fold">
  <ul class="songs" role="list">${more.map(song)}</ul></div></details>`
}`;
}

function song({ id, artist, title, albumArtUrl }: ScreeningTrack): Html {
  return html`<li class="song"><span class="cover">${
    albumArtUrl ? html`<img src="/api/art/${id}" alt="" width="48" height="48" loading="lazy">` : NOTE
  }</span><span class="song-words"><strong>${title}</strong> <span class="song-by">${artist}</span></span></li>`;
}

const NOTE = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"
focusable="false"><path d="M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0M19 16a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0"/></svg>`;

/** Lists a song that is heard again later in the film once, where it was heard first. */
function distinct(tracks: readonly ScreeningTrack[]): ScreeningTrack[] {
  const byName = Map.groupBy(tracks, ({ artist, title }) => `${artist}\n${title}`.toLowerCase());
  return [...byName.values()].flatMap(([first]) => first ?? []);
}

function otherPages(nextBefore: string | null, earlier: boolean): Html {
  return html`<nav class="toolbar" aria-label="${t('pub.screen.pages')}">${
    earlier && html`<a class="button button-quiet" href="/screen">${t('pub.screen.newest_films')}</a>`
  }${
    nextBefore &&
    html`<a class="button button-quiet" href="/screen?before=${encodeURIComponent(
      nextBefore,
    )}" rel="next">${t('pub.screen.earlier_films')}</a>`
  }</nav>`;
}
