import { type Html, html } from '#kernel/html.ts';
import type { ShareNode, ShareSite } from '#kernel/images/share-image.ts';
import { t } from '#kernel/language/message.ts';
import { formatDate, formatTime } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Site } from '#kernel/site.ts';
import { RANGES } from '#pub/setlist/rollups/counts/ranges.ts';
import type { Rollup } from '#pub/setlist/rollups/store.ts';
import { rangeInWords } from '#pub/setlist/rollups/surface.ts';
import type { Wrapped } from '#pub/setlist/rollups/wrapped.ts';
import { shareTags } from '#views/components/head.ts';
import { icon } from '#views/components/icons.ts';
import { plain } from '#views/components/language.ts';
import { empty } from '#views/components/notices.ts';
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
import { wrappedView, yearInWords } from './wrapped.ts';

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
  const body = html`${pageHeader({ title, eyebrow: rangeWords(rollup, range) })}
${tabs(view, props.enabled)}
<p class="said">${view.sentence(rollup)}</p>
${ranges.length > 1 && rangeLinks(view.name, range, ranges, rollup.range.to)}
${view.body(rollup, zone)}
${shareBar(view, props)}
<p class="small soft">${t('pub.setlist.plays_song_counts_when_half', { plays: rollup.sampleSize, days: from(rollup), time: made })}</p>`;
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
${empty(t('pub.setlist.songs_yet'), t('pub.setlist.first_music_pub_appears_here'))}`;
  return page({ title: view.title, body, nav: '/setlist', scripts: ['pub/share.js'], styles: 'setlist' });
}

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
  const body = html`${pageHeader({ title: t('pub.setlist.the_setlist'), lede: t('pub.setlist.what_played_pub', { ways: cards.length }) })}
${
  cards.length === 0
    ? empty(t('pub.setlist.nothing_shown_here'), t('pub.setlist.all_these_pages_switched_off'))
    : html`
<ul class="grid surface-cards" role="list">${cards}</ul>`
}
<p><a href="/now">${t('pub.setlist.what_playing_now_last_evenings')}</a></p>
<p class="small soft">${t('pub.setlist.emoji_pictures_share_twemoji_jdecked')}</p>`;
  return page({ title: t('pub.setlist.the_setlist'), body, nav: '/setlist', styles: 'setlist' });
}

/** The share picture of a surface. */
export function surfacePicture(rollup: Rollup, site: ShareSite): ShareNode {
  const view = viewOf(rollup.surface);
  const { label, tonight, from } = rollup.range;
  return sharePicture(
    site,
    {
      title: titleOf(view, rollup),
      label: tonight ? dayLabel(from) : label,
      footer: t('pub.setlist.plays_pub', { plays: rollup.sampleSize }),
    },
    ...view.picture(rollup),
  );
}

/** The title of a surface; “Tonight” is called “The last evening” until the next evening begins. */
function titleOf({ name, title }: SurfaceView<unknown>, { range }: Rollup): Words {
  return name === tonightView.name && !range.tonight ? t('pub.setlist.last_evening') : title;
}

function viewOf(name: string): SurfaceView<unknown> {
  const view = VIEWS.find((one) => one.name === name);
  if (!view) throw new Error(`no page shows ${name}`);
  return view;
}

/** The range of the figures in words; tonight is named by its date, because links are opened later too. */
function rangeWords({ range, surface, data }: Rollup, name: string): Words | string {
  if (range.tonight) return dayLabel(range.from);
  if (name === 'tonight') return formatDate(range.from, { dateStyle: 'medium' });
  if (surface === wrappedView.name) return yearInWords(data as Wrapped);
  const known = RANGES.find((one) => one === name);
  return known ? rangeInWords(known, range.from) : range.label;
}

function from({ range }: Rollup): Words {
  const start = dayLabel(range.from, range.to);
  return range.from === range.to ? start : t('common.time.days', { first: start, last: dayLabel(range.to) });
}

function tabs(current: SurfaceView<unknown>, enabled: readonly string[]): Html {
  return html`<nav class="surfaces" aria-label="${t('pub.setlist.setlist')}"><ul role="list">${VIEWS.filter(
    ({ name }) => enabled.includes(name),
  ).map(
    ({ name, title }) =>
      html`<li><a class="page-link" href="/setlist/${name}"${name === current.name && html` aria-current="page"`}>${title}</a></li>`,
  )}</ul></nav>`;
}

/** The names of ranges that end with a pub day; a term (a third of a year) is named by its months. */
const rangeNames = (day: string): Record<string, Words> => ({
  '7d': t('pub.setlist.seven_days'),
  '30d': t('pub.setlist.thirty_days'),
  term: termName(day),
  all: t('pub.setlist.all_time'),
});

function termName(day: string): Words {
  const first = Number(day.slice(5, 7)) - ((Number(day.slice(5, 7)) - 1) % 4);
  const month = (number: number) =>
    formatDate(`${day.slice(0, 4)}-${String(number).padStart(2, '0')}-15`, { month: 'long' });
  return t('common.time.days', { first: month(first), last: month(first + 3) });
}

const RANGE_ORDER = ['7d', '30d', 'term', 'all'];

function rangeLinks(surface: string, current: string, ranges: readonly string[], day: string): Html {
  const names = rangeNames(day);
  const ordered = ranges.toSorted((a, b) => RANGE_ORDER.indexOf(a) - RANGE_ORDER.indexOf(b));
  return html`<nav class="ranges" aria-label="${t('pub.setlist.time')}"><ul role="list">${ordered.map(
    (range) =>
      html`<li><a class="page-link" href="/setlist/${surface}?range=${range}"${
        range === current && html` aria-current="true"`
      }>${names[range] ?? range}</a></li>`,
  )}</ul></nav>`;
}

/** Works without script too: the picture is a link, and the browser's address bar has the address. */
function shareBar({ name, title }: SurfaceView<unknown>, props: SurfacePageProps): Html {
  return html`<section class="share" data-share data-surface="${name}" data-url="${addressOf(name, props)}"
  data-title="${title}" data-text="${plain(viewOf(name).sentence(props.rollup))}">
<h2>${t('pub.setlist.share')}</h2>
<div class="toolbar"><button class="button" type="button" data-share-by="native" hidden>${t('pub.setlist.share')}</button>
<button class="button button-quiet" type="button" data-share-by="copy" hidden>${icon('link')}${t('pub.setlist.copy_link')}</button>
<a class="button button-quiet" href="${pictureOf(name, props)}" download="${name}.png"
data-share-by="download">${t('pub.setlist.save_picture')}</a></div>
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
  const sentence = plain(view.sentence(props.rollup));
  const title = titleOf(view, props.rollup);
  return html`${shareTags(site, {
    title: t('pub.setlist.title_and_more', { title, more: rangeWords(props.rollup, props.range) }),
    sentence,
    url: addressOf(view.name, props),
    picture,
    alt: t('pub.setlist.title_and_more', { title, more: sentence }),
  })}`;
}
