import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatLocal, formatTime } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { Page, type Site } from '#kernel/site.ts';
import type { ScreenPage } from '#pub/devices/screen-record.ts';
import { asset } from '#views/assets.ts';
import { siteIcons, siteTheme } from '#views/components/club.ts';
import { PAGE_LANGUAGE } from '#views/components/language.ts';
import { logoAddress } from '#views/logo.ts';
import { modules } from '#views/modules.ts';
import { type Stylesheet, stylesheets } from '#views/stylesheets.ts';

/** A page for a TV screen. */
export interface TvPageProps {
  title: Words;
  /** Names the page in the list of screens; `pair` is on no screen for long. */
  page: ScreenPage | 'pair';
  /** The build that made it; the screen reloads itself when the service runs another one. */
  build: string;
  /** The zone of every time on it. */
  zone: string;
  /** The offsets of the zone, see `offsetsFrom`; a page that is shown once needs none. */
  offsets?: string;
  styles: Stylesheet;
  /** Browser modules of views/assets; one of them calls `startLife` of tv/lifecycle.js. */
  scripts: readonly string[];
  /** Further values for the scripts, as data attributes of the body. */
  settings?: Readonly<Record<string, string | number>>;
  /** False for pages that no screen shows, such as a preview: they are not reloaded when they hang. */
  isLive?: boolean;
  body: (site: Site) => Html;
}

/** A club name of up to this length leaves space for a note between it and the clock. */
const BESIDE_CLOCK = 24;

const FONTS = ['fraunces-latin-600-normal', 'inter-latin-400-normal', 'inter-latin-600-normal'];

/**
 * A whole TV document: always dark, inside the safe area, in a frame that drifts and dims, with one small line that
 * says when content is old. tv/lifecycle.js reads `?screen=` and `?inset=`, so that they work for a cached copy too.
 */
export const tvPage = (props: TvPageProps): Page => new Page((site) => documentOf(props, site), 'club');

function documentOf(
  {
    title,
    page,
    build,
    zone,
    offsets = '',
    styles,
    scripts,
    settings = {},
    isLive = true,
    body,
  }: TvPageProps,
  site: Site,
): Html {
  const name = site.name.length > BESIDE_CLOCK ? 'long' : 'short';
  const data = Object.entries({
    page,
    build,
    zone,
    offsets,
    club: site.name,
    name,
    off: off(site),
    ...settings,
  });
  return html`<!doctype html>
<html${PAGE_LANGUAGE}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${site.name}</title>
<meta name="color-scheme" content="dark">
<meta name="theme-color" content="#14130f">
<meta name="robots" content="noindex">
${siteIcons(site)}
${FONTS.map(
  (file) => html`<link rel="preload" href="${asset(`fonts/${file}.woff2`)}" as="font" type="font/woff2"
crossorigin>\n`,
)}
${stylesheets(styles)}
${siteTheme(site)}
${
  isLive &&
  html`<noscript><meta http-equiv="refresh" content="60"></noscript>
<script async src="${asset('tv/guard.js')}"></script>`
}
${modules(scripts)}
</head>
<body class="tv tv-${page}"${data.map(([name, value]) => html` data-${name}="${value}"`)}>
<div class="tv-frame" data-frame>
${body(site)}
</div>
<p class="tv-note" data-note data-old="${t('tv.note.browser_too_old')}" data-failed="${t('tv.note.scripts_failed')}" role="status" hidden></p>
<div class="tv-rest" data-rest hidden><p></p></div>
<section class="tv-takeover" aria-label="${t('tv.frame.notice')}" role="alert" data-takeover hidden><p></p><p></p>
<iframe title="" data-takeover-page hidden></iframe><div class="tv-takeover-code" data-takeover-code hidden><img alt=""><span></span></div>
<div class="tv-takeover-foot"><time data-takeover-clock></time><span>${site.name}</span></div></section>
<p class="tv-identify" data-identify role="status" hidden><strong></strong><span></span></p>
</body>
</html>`;
}

/** The kinds of content that are switched off for screens; the style sheet reads them. */
const off = ({ parts: { music }, hasCard }: Site): string =>
  [!music && 'music', !hasCard && 'showing'].filter(Boolean).join(' ');

/**
 * The clock; playing/clock.js updates it.
 * @param at the time for browsers that do not run the scripts
 */
export function tvClock(at?: number, zone = 'UTC'): Html {
  const date = at !== undefined && formatLocal(at, zone, { weekday: 'long', month: 'long', day: 'numeric' });
  return html`<p class="tv-clock"><time class="tv-time" data-clock="time">${
    at !== undefined && formatTime(at, zone)
  }</time><span class="tv-date" data-clock="date">${date}</span></p>`;
}

/** The logo and the name of the club. @param size of the logo, see `LOGO_SIZES` */
export function tvSign(site: Site, size?: 'slide'): Html {
  return html`<p class="tv-sign">${clubSign(site, size)}<span>${site.name}</span></p>`;
}

/** The club's logo, or the default one. @param size see `LOGO_SIZES` */
export function clubSign({ logo }: Site, size: 'screen' | 'slide' = 'screen'): Html {
  return logo === null ? hangingSign() : html`<img class="tv-logo" src="${logoAddress(logo, size)}" alt="">`;
}

/** The default logo: a hanging sign. */
function hangingSign(): Html {
  return html`<svg viewBox="0 0 34 34" aria-hidden="true" focusable="false"><path class="tv-sign-iron"
  d="M3 2v30M3 5h27M11 5v5M25 5v5"/>
<rect class="tv-sign-board" x="7" y="10" width="22" height="19" rx="3"/><path class="tv-sign-mark"
d="M13 19.5l3.5 3.5 7-8"/></svg>`;
}

/** The two sides of a game, a line each; tv/showing.js fills them. @param style of the names */
export function gameSides(style: string): Html {
  const side = html`<div class="tv-side"><span class="tv-team"><img alt="" hidden></span><span class="${style}"></span>
<span class="tv-score ${style}"></span></div>`;
  return html`<div class="tv-sides" data-show="showing-sides" hidden>${side}${side}</div>`;
}
