import { type Html, html } from '#kernel/html.ts';
import type { ShareNode, ShareSite } from '#kernel/images/share-image.ts';
import { formatDate, formatTime } from '#kernel/local-time.ts';
import type { Site } from '#kernel/site.ts';
import type { Rollup } from '#pub/setlist/rollups/store.ts';
import { shareTags } from '#views/components/head.ts';
import { icon } from '#views/components/icons.ts';
import { empty } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { sharePicture } from '#views/pub/share-picture.ts';
import { echoView } from './echo.ts';
import { personaView } from './persona.ts';
import { storiesView } from './stories.ts';
import { tonightView } from './tonight.ts';
import { topSongsView } from './top-songs.ts';
import { vibeCompassView } from './vibe-compass.ts';
import { cover, dayLabel, type SurfaceView } from './view.ts';
import { wrappedView } from './wrapped.ts';

/** In the order in which they are listed. A view gets the figures of its own surface only. */
const VIEWS = [
  tonightView,
  topSongsView,
  vibeCompassView,
  echoView,
  storiesView,
  personaView,
  wrappedView,
] as readonly SurfaceView<unknown>[];

export interface SurfacePageProps {
  /** The surfaces that are switched on. */
  enabled: readonly string[];
  rollup: Rollup;
  range: string;
  /** All ranges that are kept, the default first. */
  ranges: readonly string[];
  /** The ETag of the current picture: it changes when the figures do. */
  etag: string;
  /** The public address of the service; empty where it is not known: then links are relative. */
  origin: string;
  zone: string;
}

/** One surface: its sentence, its figures, and the buttons to share it. */
export function surfacePage(props: SurfacePageProps): Html {
  const { rollup, range, ranges, zone } = props;
  const view = viewOf(rollup.surface);
  const made = formatTime(Date.parse(rollup.generatedAt), zone);
  const title = titleOf(view, rollup);
  const body = html`${pageHeader({ title, eyebrow: rangeWords(rollup) })}
${tabs(view, props.enabled)}
<p class="said">${view.sentence(rollup)}</p>
${ranges.length > 1 && rangeLinks(view.name, range, ranges, rollup.range.to)}
${view.body(rollup, zone)}
${shareBar(view, props)}
<p class="small soft">From ${counted(rollup.sampleSize, 'play')}, ${from(rollup)}, as of ${made}. A song counts
when it was on for half a minute; an evening lasts until five in the morning.</p>`;
  return page({
    title,
    body,
    nav: '/setlist',
    styles: 'setlist',
    scripts: ['pub/share.js'],
    head: (site) => head(view, props, site),
  });
}

/** The page of a surface before the first song was heard. */
export function computingPage(name: string, enabled: readonly string[]): Html {
  const view = viewOf(name);
  const body = html`${pageHeader({ title: view.title })}${tabs(view, enabled)}
${empty('No songs yet', 'The first music at the pub appears here.')}`;
  return page({ title: view.title, body, nav: '/setlist', scripts: ['pub/share.js'], styles: 'setlist' });
}

/** The numbers of surfaces in words. */
const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];

/** The page that lists the surfaces, each with its current sentence. */
export function setlistPage({
  enabled,
  rollups,
}: {
  enabled: readonly string[];
  rollups: readonly Rollup[];
}): Html {
  const cards = VIEWS.filter(({ name }) => enabled.includes(name)).map((view) => {
    const rollup = rollups.find(({ surface }) => surface === view.name);
    const shown = rollup && view.coverOf?.(rollup);
    return html`<li class="card surface-card">${shown?.albumArtUrl && cover(shown, 'large')}<h2><a href="/setlist/${view.name}">${view.title}</a></h2>
<p class="soft">${view.about}</p>${rollup && html`<p>${view.sentence(rollup)}</p>`}</li>\n`;
  });
  const ways =
    cards.length === 0 ? '' : `, told in ${NUMBERS[cards.length]} ${cards.length === 1 ? 'way' : 'ways'}`;
  const body = html`${pageHeader({ title: 'The setlist', lede: `What was played at the pub${ways}.` })}
${
  cards.length === 0
    ? empty('Nothing is shown here', 'All of these pages are switched off.')
    : html`
<ul class="grid surface-cards" role="list">${cards}</ul>`
}
<p><a href="/now">What is playing now, and the last evenings song by song</a></p>
<p class="small soft">Emoji on the pictures to share are Twemoji, by jdecked and contributors, CC BY 4.0.</p>`;
  return page({ title: 'The setlist', body, nav: '/setlist', styles: 'setlist' });
}

/** The share picture of a surface. */
export function surfacePicture(rollup: Rollup, site: ShareSite): ShareNode {
  const view = viewOf(rollup.surface);
  const label = rangeWords(rollup);
  return sharePicture(
    site,
    { title: titleOf(view, rollup), label, footer: `${counted(rollup.sampleSize, 'play')} at the pub` },
    ...view.picture(rollup),
  );
}

/** The title of a surface; “Tonight” is called “The last evening” until the next evening begins. */
function titleOf({ title }: SurfaceView<unknown>, { range }: Rollup): string {
  return title === 'Tonight' && range.label !== title ? 'The last evening' : title;
}

function viewOf(name: string): SurfaceView<unknown> {
  const view = VIEWS.find((one) => one.name === name);
  if (!view) throw new Error(`no page shows ${name}`);
  return view;
}

/** The range of the figures in words; tonight is named by its date, because links are opened later too. */
function rangeWords({ range }: Rollup): string {
  return range.label === 'Tonight' ? dayLabel(range.from) : range.label;
}

function from({ range }: Rollup): string {
  const start = dayLabel(range.from, range.to);
  return range.from === range.to ? start : `${start} to ${dayLabel(range.to)}`;
}

function tabs(current: SurfaceView<unknown>, enabled: readonly string[]): Html {
  return html`<nav class="surfaces" aria-label="Setlist"><ul role="list">${VIEWS.filter(({ name }) =>
    enabled.includes(name),
  ).map(
    ({ name, title }) =>
      html`<li><a class="page-link" href="/setlist/${name}"${name === current.name && html` aria-current="page"`}>${title}</a></li>`,
  )}</ul></nav>`;
}

/** The names of ranges that end with a pub day; a term (a third of a year) is named by its months. */
const rangeNames = (day: string): Record<string, string> => ({
  '7d': '7 days',
  '30d': '30 days',
  term: termName(day),
  all: 'All time',
});

function termName(day: string): string {
  const first = Number(day.slice(5, 7)) - ((Number(day.slice(5, 7)) - 1) % 4);
  const month = (number: number) =>
    formatDate(`${day.slice(0, 4)}-${String(number).padStart(2, '0')}-15`, { month: 'long' });
  return `${month(first)} to ${month(first + 3)}`;
}

const RANGE_ORDER = ['7d', '30d', 'term', 'all'];

function rangeLinks(surface: string, current: string, ranges: readonly string[], day: string): Html {
  const names = rangeNames(day);
  const ordered = ranges.toSorted((a, b) => RANGE_ORDER.indexOf(a) - RANGE_ORDER.indexOf(b));
  return html`<nav class="ranges" aria-label="Time"><ul role="list">${ordered.map(
    (range) =>
      html`<li><a class="page-link" href="/setlist/${surface}?range=${range}"${
        range === current && html` aria-current="true"`
      }>${names[range] ?? range}</a></li>`,
  )}</ul></nav>`;
}

/** Works without script too: the picture is a link, and the browser's address bar has the address. */
function shareBar({ name, title }: SurfaceView<unknown>, props: SurfacePageProps): Html {
  return html`<section class="share" data-share data-surface="${name}" data-url="${addressOf(name, props)}"
  data-title="${title}" data-text="${viewOf(name).sentence(props.rollup)}">
<h2>Share</h2>
<div class="toolbar"><button class="button" type="button" data-share-by="native" hidden>Share</button>
<button class="button button-quiet" type="button" data-share-by="copy" hidden>${icon('link')}Copy the link</button>
<a class="button button-quiet" href="${pictureOf(name, props)}" download="${name}.png"
data-share-by="download">Save picture</a></div>
<p class="small" role="status" data-share-said></p></section>`;
}

function addressOf(name: string, { origin, range, ranges }: SurfacePageProps): string {
  return `${origin}/setlist/${name}${range === ranges[0] ? '' : `?range=${range}`}`;
}

/** The address changes with the figures, so that caches by address get the new picture. */
function pictureOf(name: string, { range, etag }: SurfacePageProps): string {
  return `/og/setlist/${name}.png?range=${range}&v=${etag.replaceAll('"', '').slice(0, 8)}`;
}

function head(view: SurfaceView<unknown>, props: SurfacePageProps, site: Site): Html {
  const picture = `${props.origin}${pictureOf(view.name, props)}`;
  const sentence = view.sentence(props.rollup);
  const title = titleOf(view, props.rollup);
  return html`${shareTags(site, {
    title: `${title}: ${rangeWords(props.rollup)}`,
    sentence,
    url: addressOf(view.name, props),
    picture,
    alt: `${title}: ${sentence}`,
  })}`;
}
