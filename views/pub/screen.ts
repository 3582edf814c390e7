import { type Html, html } from '#kernel/html.ts';
import { formatDay, formatLocal, localDate, spanOnPage } from '#kernel/local-time.ts';
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
export const UNNAMED = 'Movie night';

/** The archive: a ticket for every film, with the songs that were heard in it. */
export function screenPage(props: ScreenPageProps): Html {
  const { items, totals, nextBefore, earlier, zone } = props;
  const body = html`${pageHeader({
    title: 'Films',
    lede: 'The films we have seen together at the pub, and the songs that were heard in them.',
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
<p class="poster"><a class="button button-quiet" href="/og/screen.png">Save picture</a></p>`
}`;
  return page({ title: 'Films', body, nav: '/screen', styles: 'films', head: (site) => head(props, site) });
}

/** The number of hours as text, also for the share picture. */
export function hoursInWords(minutes: number): string {
  return minutes < 60 ? '< 1' : String(Math.round(minutes / 60));
}

function head({ origin, totals }: ScreenPageProps, site: Site): Html {
  const words = totals.films === 1 ? 'One film' : `${totals.films} films`;
  const sentence = `${words} that we have seen together at the pub.`;
  return html`${shareTags(site, {
    title: 'On the big screen',
    sentence,
    url: `${origin}/screen`,
    picture: `${origin}/og/screen.png`,
    alt: `On the big screen: ${sentence}`,
  })}`;
}

function figures({ films, minutes, songs }: ScreeningTotals): Html {
  return statFigures([
    { label: films === 1 ? 'film' : 'films', value: films },
    { label: minutes < 90 ? 'hour in the dark' : 'hours in the dark', value: hoursInWords(minutes) },
    { label: songs === 1 ? 'song heard' : 'songs heard', value: songs },
  ]);
}

function nothing(earlier: boolean): Html {
  return earlier
    ? empty('No earlier films', 'The archive begins later than this.')
    : empty(
        'The curtain is still down',
        'No film has been shown yet. After a movie night its ticket appears here.',
      );
}

/** One film as a torn ticket: the day on the stub, the film beside it. */
function ticket({ title, openedAt, closedAt, minutes, tracks }: Screening, zone: string): Html {
  const opened = Temporal.Instant.from(openedAt).epochMilliseconds;
  const closed = Temporal.Instant.from(closedAt).epochMilliseconds;
  const weekday = formatLocal(opened, zone, { weekday: 'short' });
  const month = formatLocal(opened, zone, { month: 'short' });
  const day = Temporal.PlainDate.from(localDate(opened, zone)).day;
  const songs = distinct(tracks);
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
<p class="film-when">${spanOnPage(opened, closed, zone).join(' – ')}, ${minutes} ${
    minutes === 1 ? 'minute' : 'minutes'
  }</p>
${songs.length === 0 ? html`<p class="film-when">No song was recognised in it.</p>` : soundtrack(songs)}
</div>
</article>`;
}

function soundtrack(songs: ScreeningTrack[]): Html {
  const more = songs.slice(SONGS_SHOWN);
  return html`<h3>Heard in it</h3>
<ul class="songs" role="list">${songs.slice(0, SONGS_SHOWN).map(song)}</ul>
${
  more.length > 0 &&
  html`<details><summary>${more.length} more ${more.length === 1 ? 'song' : 'songs'}</summary><div class="fold">
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
  return html`<nav class="toolbar" aria-label="Pages">${
    earlier && html`<a class="button button-quiet" href="/screen">The newest films</a>`
  }${
    nextBefore &&
    html`<a class="button button-quiet" href="/screen?before=${encodeURIComponent(
      nextBefore,
    )}" rel="next">Earlier films</a>`
  }</nav>`;
}
