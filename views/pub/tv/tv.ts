import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Site } from '#kernel/site.ts';
import { clubSign, gameSides, tvClock, tvPage, tvSign } from './frame.ts';

/** What the main screen needs before its first feed. */
export interface TvProps {
  build: string;
  zone: string;
  offsets: string;
  /** Content for browsers that do not run the scripts; the scripts remove it when they start. */
  plain: PlainScreen;
}

export interface PlainScreen {
  /** Milliseconds. */
  now: number;
  today: readonly { when: string; title: string; note: string }[];
  /** `5:00 PM – midnight`; empty while unknown. */
  hours: string;
  /** `Open until midnight` */
  note: string;
  /** Names of those on duty. */
  who: string;
}

/** The most rows of the programme that are shown at a time. */
const ROWS = 8;
const WEEK = 7;

/**
 * The main screen: slides, today's programme, who works, what the big screen shows, the clock. All elements are in the
 * markup; scripts fill and hide them and create none, so that the page can run for weeks.
 */
export function tvScreen({ build, zone, offsets, plain }: TvProps): Html {
  return tvPage({
    ...MAIN,
    build,
    zone,
    offsets,
    scripts: ['tv/main.js'],
    body: (site) => html`${plainBody(site, { zone, plain })}${menuBoard()}`,
  });
}

/** The content of a slide in the preview. */
export interface PreviewedSlide {
  type: string;
  title: string;
  body?: string;
  name?: string;
}

/** A slide as the main screen will show it, in its place. Without script its text is not fitted to the space. */
export function slidePreview({ zone, slide }: { zone: string; slide: PreviewedSlide }): Html {
  return tvPage({
    ...MAIN,
    title: t('tv.tv.preview'),
    build: '',
    zone,
    isLive: false,
    scripts: ['content/preview.js'],
    settings: { slide: JSON.stringify(slide) },
    body: (site) => mainBody(site, slideNode(site, true, slide)),
  });
}

const MAIN = {
  title: t('tv.tv.tonight'),
  page: 'tv',
  styles: 'tv-main',
} as const;

/** The page of today as the server writes it, for browsers that do not run the scripts. */
export const plainBody = (site: Site, shown: { zone: string; plain: PlainScreen }): Html =>
  mainBody(site, slideNode(site, true, welcomeTo(site)), shown);

function mainBody(site: Site, first: Html, shown?: { zone: string; plain: PlainScreen }): Html {
  const { now, today = [], hours = '', note = '', who = '' }: Partial<PlainScreen> = shown?.plain ?? {};
  const hiddenUnless = (isShown: boolean) => !isShown && html` hidden`;
  return html`<header class="tv-head">${tvClock(now, shown?.zone)}
<p class="tv-weather" data-show="weather" hidden><span data-show="weather-now"></span><span data-show="weather-ahead"
hidden></span></p>${tvSign(site)}</header>
<main class="tv-stage" data-stage>${first}${slideNode(site, false)}</main>
<section class="tv-day" aria-label="${t('tv.tv.programme')}" data-day>
<h2 class="tv-heading" data-show="heading">${t('tv.tv.today')}</h2>
<p class="tv-nothing" data-show="nothing"${hiddenUnless(
    shown !== undefined && today.length === 0,
  )}>${shown && today.length === 0 && t('tv.tv.events_today')}</p>
<ol class="tv-list" data-rows="today">${times(ROWS, (index) => row(today[index]))}</ol>
<h2 class="tv-heading tv-heading-small" data-show="coming" hidden>${t('tv.tv.coming_up')}</h2>
<ol class="tv-list tv-list-small" data-rows="coming">${times(ROWS, () => row())}</ol>
<p class="tv-turn" data-show="turn" role="img" hidden></p>
</section>
<footer class="tv-foot" data-foot${hiddenUnless(hours !== '' || who !== '')}>
<section class="tv-fact" data-show="pub"${hiddenUnless(hours !== '')}><h2 data-show="pub-title">${t('tv.tv.today')}</h2>
<p class="tv-fact-main" data-show="pub-hours">${hours}</p>
<p class="tv-fact-note" data-show="pub-note"${hiddenUnless(note !== '')}>${note}</p></section>
<section class="tv-fact" data-show="who"${hiddenUnless(who !== '')}><h2>${t('tv.tv.behind_bar')}</h2>
<p class="tv-fact-main" data-show="who-names">${who}</p></section>
<section class="tv-fact tv-showing" data-show="showing" hidden><h2>${t('tv.tv.big_screen')}</h2>
<p class="tv-fact-main" data-show="showing-title"></p>${gameSides('tv-fact-main')}<p class="tv-fact-note" data-show="showing-note" hidden></p>
</section>
<section class="tv-fact tv-showing" data-show="song" hidden><h2>${t('tv.tv.now_playing')}</h2>
<p class="tv-fact-main" data-show="song-title"></p><p class="tv-fact-note" data-show="song-artist" hidden></p>
</section>
</footer>
<aside class="tv-offer" aria-label="${t('tv.tv.pair_tv')}" data-show="offer" hidden></aside>`;
}

/** The list over the whole screen; tv/menu/board.js makes and fills its rows. */
const menuBoard = (): Html => html`
<section class="tv-menu" aria-label="${t('tv.tv.drinks_food')}" data-menu hidden>
<div class="tv-menu-columns" data-part="columns"></div>
<footer class="tv-menu-foot"><div class="tv-menu-says"><p data-part="prices" hidden></p><p data-part="allergens" hidden></p></div>
<p class="tv-menu-state"><span data-part="page" hidden></span><span data-part="as-of" hidden></span></p>
<p class="tv-menu-code" data-part="code" hidden><span data-part="address"></span><img data-part="qr" alt="${t('tv.tv.qr_code_list')}"></p></footer>
</section>`;

/** The content of the first slide before the first feed. */
const welcomeTo = ({ name }: Site): PreviewedSlide => ({ type: 'welcome', title: name });

/** One of the two slide elements, which are shown in turn. */
function slideNode(site: Site, shown: boolean, slide?: PreviewedSlide): Html {
  const { type = 'welcome', title, body, name }: Partial<PreviewedSlide> = slide ?? {};
  const layout = ['tender', 'welcome'].includes(type) ? type : 'words';
  return html`<article class="tv-slide" data-slide data-layout="${layout}"${
    shown ? html` data-shown` : html` aria-hidden="true"`
  }>
<div class="tv-picture"><img data-part="image" alt="" hidden><span class="tv-emblem">${clubSign(site, 'slide')}</span></div>
<div class="tv-words" data-part="words">
<p class="tv-eyebrow" data-part="eyebrow">${shown && type === 'welcome' ? t('tv.tv.welcome') : null}</p>
<h1 data-part="title">${name ?? title}</h1><p class="tv-body" data-part="body"${body ? null : html` hidden`}>${body}</p>
<ol class="tv-drinks" data-part="menu" hidden></ol>
<p class="tv-address" data-part="address" hidden></p><p class="tv-pages" data-part="pages" hidden></p>
<dl class="tv-week" data-part="week" hidden>${times(WEEK, () => html`<div><dt></dt><dd></dd></div>`)}</dl></div>
<div class="tv-web" data-part="web" hidden></div>
<div class="tv-qr" data-part="code" hidden><img data-part="qr" alt=""></div>
<p class="tv-corner" data-part="corner" hidden><span><span data-part="corner-title"></span><span
data-part="corner-address"></span></span><img data-part="corner-qr" alt=""></p></article>`;
}

function row(filled?: PlainScreen['today'][number]): Html {
  return html`<li${
    !filled && html` hidden`
  }><span class="tv-when"><span>${filled?.when}</span><span class="tv-status"></span></span><span class="tv-what"><span>${filled?.title}</span><span>${filled?.note}</span></span></li>`;
}

function times(count: number, make: (index: number) => Html): Html[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
