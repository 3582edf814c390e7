// The main screen: follows the feed, works out each second what to show, and writes what has changed.
import { t } from '../base/texts.js';
import { isElsewhen, isTimeKnown, locale, notBefore, now, onSecond, setText } from '../playing/clock.js';
import { openStream } from '../playing/stream.js';
import { follow } from './feed.js';
import { fits, fontsLoaded, onLayout } from './fit.js';
import { contact, offlineSince, onScreenChanged, setStale, startLife } from './lifecycle.js';
import { menuSlides } from './menu/slide.js';
import { menuMoment, menuView } from './menu/view.js';
import { feedOf, mixNow, picturesTold, slidesOf, USUAL, wifiSlides } from './mix.js';
import { screenModel } from './model.js';
import { hoursLines } from './opening.js';
import { inOrder } from './order.js';
import { askForPairing, inThrees } from './pairing.js';
import { keepPictures } from './pictures.js';
import { programmeView } from './programme.js';
import { slidesAt } from './round.js';
import { isPreview, isReachable, screenId, screenNames, streamUrl } from './screen.js';
import { watchShowing } from './showing.js';
import { countShown } from './shown.js';
import { firstName, withCrew } from './slide.js';
import { holdFor, slideshow } from './slides.js';
import { noticeShown, watchTakeover } from './takeover.js';
import { weatherWords } from './weather.js';

/** Without a stream new content arrives within a minute. */
const EVERY_MS = 50_000;
/** The content of the feed may be this old before the screen says so. */
const STALE_MS = 10 * 60_000;
/** After as many late turns of slides the page is loaded again. */
const LATE_TURNS = 3;
/** For how long a browser that is no screen shows how to make it one. */
const OFFER_MS = 10 * 60_000;
/** The service says when a song has ended; without a word of it for so long it has. */
const SONG_MS = 15 * 60_000;
const NO_PROGRAMME = { today: [], coming: [], nothing: '' };
const FOOT_SIZES = [1, 0.9, 0.8, 0.7];
/** `?layout=menu` shows the list over the whole screen, with `&list=whole` on one page. */
const ASKED = new URLSearchParams(location.search);

const { zone = 'UTC', club = '' } = document.body.dataset;
const stage = /** @type {HTMLElement} */ (document.querySelector('[data-stage]'));
const show = slideshow(stage, (slide) => {
  if (screenId() !== undefined && !isPreview) countShown(slide);
});
const drawMenu = menuView();
const drawProgramme = programmeView(/** @type {HTMLElement} */ (document.querySelector('[data-day]')));
const foot = /** @type {HTMLElement} */ (document.querySelector('[data-foot]'));

/** @import { ToldMix } from '#pub/devices/told-mixes.ts' */
/** @import { EventsFeed } from '#pub/display/feeds.ts' */
/** @import { Slide } from './slide.js' */
/** @import { Feed } from './model.js' */
/** @type {Feed | undefined} */
let feed;
/** When the feed was stored, by the server's clock. */
let keptAt = 0;
/** When it was received, by the page's own clock: the server's time may not be known yet. */
let heardAt = Number.NaN;
/** When the feed's content was read from the workspace, and whether the service calls it old. */
let updated = 0;
let stale = false;
/** @import { SentEvents } from '#pub/stream/stream-state.ts' */
/** What the stream last said that plays. @type {SentEvents['track']} */
let song = null;
/** Whether the pub is closed, and whether an event goes on. */
let closed = false;
let eventful = false;
/** Whether the list has the whole screen. */
let isBoard = false;
/** The text of the foot when it was last fitted. */
let footFitted = '';

clearPlain();
startLife({
  moment: show.boundary,
  isExhausted: () => show.lateTurns() >= LATE_TURNS,
  isNeeded: () => eventful,
  isClosed: () => closed,
  unpaired: offerPairing,
  report: () => ({
    failedPictures: show.failedPictures(),
    lateFlips: show.lateTurns(),
    nowMix: mixNow().preset ?? mixNow().layout,
    showing: noticeShown() || (isBoard ? t('tv.tv.drinks_food') : titleOf(show.current())),
  }),
});
const renew = follow('/api/events', { every: EVERY_MS, keepAs: 'events', on: take });
onSecond(draw);
const screen = watchShowing();
const { opened, take: takeover, complete } = watchTakeover();
openStream({
  url: streamUrl('tv'),
  on: {
    takeover,
    screen,
    screens: onScreenChanged,
    track(/** @type {SentEvents['track']} */ track) {
      song = track;
      draw();
    },
    content: renew,
    menu: renew,
    ping() {
      contact();
      complete();
    },
  },
  opened,
});
void fontsLoaded().then(show.run);
onLayout(stage, show.refit);
onLayout(foot, fitFoot);

/**
 * @param {EventsFeed} answer
 * @param {{ at: number, heard: boolean }} from
 */
function take(answer, { at, heard }) {
  if (!heard && feed) return;
  const linkSlides = reachable(answer.linkSlides);
  const slides = withCrew(answer.slides.map(reachablePerson));
  feed = { ...answer, slides, linkSlides };
  const dishes = (answer.menu?.sections ?? []).flatMap(({ items }) => items);
  if (heard)
    void keepPictures([
      ...slides,
      ...(answer.laterSlides ?? []),
      ...linkSlides,
      ...picturesTold(),
      ...dishes,
    ]);
  updated = Date.parse(answer.lastUpdated);
  stale = answer.stale === true;
  notBefore(heard ? updated : at);
  if (heard) {
    heardAt = performance.now();
    contact();
  } else keptAt = at;
  draw();
}

function draw() {
  if (!feed) return;
  const mix = mixNow();
  const age = performance.now() - heardAt;
  const readAt = Number.isNaN(age) ? keptAt : now() - age;
  const phones = feed.linkSlides?.find(({ id }) => id === 'link-menu')?.url;
  const board = ASKED.get('layout') === 'menu' || mix.layout === 'menu';
  const whole = mix.whole_list === true || ASKED.get('list') === 'whole';
  isBoard = drawMenu(feed.menu, { board, whole, sections: mix.sections, readAt, phones });
  layOut(mix);
  if (!isTimeKnown()) return drawTimeless(feed, mix);
  const isOnline = offlineSince() === undefined;
  const fresh = age < STALE_MS && isOnline && !isElsewhen();
  const how = { zone, readAt, fresh, names: screenNames(), club };
  const linked = { ...feed, linkSlides: [...(feed.linkSlides ?? []), ...wifiSlides()] };
  const mixed = feedOf(linked, mix);
  const slides = [...mixed.slides, ...(mix.menu ? menuSlides(feed.menu, menuMoment(mix.sections)) : [])];
  const model = screenModel({ ...mixed, slides }, now(), how);
  ({ closed, eventful } = model);
  setStale(stale && now() - updated > STALE_MS ? updated : undefined);
  drawProgramme(mix.events && mix.layout === 'day' ? model : NO_PROGRAMME, now());
  const { title, who } = model.pub;
  const [hours, note] = hoursLines(model.pub);
  put('pub', hours);
  put('pub-title', title);
  put('pub-hours', hours);
  put('pub-note', note);
  put('who', mix.crew ? who : '');
  put('who-names', mix.crew ? who : '');
  // The song came with the mixes: a browser that has none shows what it showed before.
  drawSong(mix !== USUAL && mix.now_playing && isOnline ? song : null);
  // It is in the head, which is low on boards, and pictures have none.
  const hasHead = !isBoard && mix.layout !== 'picture';
  drawWeather(mix.weather && hasHead ? feed.weather : undefined);
  foot.hidden = foot.querySelector(':scope > :not([hidden])') === null;
  if (footWords() !== footFitted) fitFoot();
  showRound(model, mix, isOnline);
}

/**
 * While the time is not known there is only what is shown at any time.
 * @param {Feed} known
 * @param {ToldMix} mix
 */
function drawTimeless(known, mix) {
  const always = feedOf(known, mix).slides.filter(({ windows }) => !windows);
  const { own } = slidesAt({ slides: always }, now(), screenNames());
  /** @type {Slide} */
  const welcome = { type: 'welcome', eyebrow: t('tv.tv.welcome'), title: club, week: [] };
  showRound({ slides: own, codes: [], welcome }, mix, false);
}

/**
 * @param {{ slides: Slide[], codes: Slide[], welcome: Slide }} of
 * @param {ToldMix} mix
 * @param {boolean} isOnline
 */
function showRound({ slides, codes, welcome }, mix, isOnline) {
  const shown = slidesOf(slides, mix, isOnline);
  const isPictures = mix.layout === 'picture';
  show.set(isPictures ? shown : inOrder(shown, codes, holdFor), welcome, isPictures ? [] : codes);
}

/** The song has the place of what the big screen shows, while that shows nothing. @param {SentEvents['track']} playing */
function drawSong(playing) {
  const isFree = document.querySelector('[data-show=showing]:not([hidden])') === null;
  const isRecent = playing !== null && now() - Date.parse(playing.startedAt) < SONG_MS;
  const { title = '', artist = '' } = (isFree && isRecent && playing) || {};
  put('song', title);
  put('song-title', title);
  put('song-artist', artist);
}

/** @param {EventsFeed['weather']} [weather] */
function drawWeather(weather) {
  const words = weatherWords(weather, now(), locale);
  document.body.toggleAttribute('data-weather', words !== undefined);
  put('weather', words?.now ?? '');
  put('weather-now', words?.now ?? '');
  put('weather-ahead', words?.ahead ?? '');
}

/** Tells the style sheets what is left out and how the rest is laid out. @param {ToldMix} mix */
function layOut(mix) {
  const { dataset } = document.body;
  const without = Object.entries(mix).filter(([, value]) => value === false);
  const words = without.map(([name]) => name).join(' ');
  if (dataset.without !== words) dataset.without = words;
  // A screen of the list shows slides while the list has nothing to show.
  const layout = isBoard ? 'menu' : mix.layout === 'menu' ? 'slides' : mix.layout;
  if (dataset.layout !== layout) dataset.layout = layout;
  const { name = 'dark', accent = null } = (isBoard && feed?.menu?.look) || {};
  if (dataset.look !== name) dataset.look = name;
  if (accent === null) document.body.style.removeProperty('--board-accent');
  else document.body.style.setProperty('--board-accent', accent);
}

/** Says for ten minutes how this browser becomes a screen of the club, while it shows what any browser may see. */
function offerPairing() {
  // A loopback address opens this computer alone, whatever the other TV is.
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  askForPairing({
    until: performance.now() + OFFER_MS,
    shown(code) {
      const how = { address: `${location.host}/s`, code: inThrees(code ?? '') };
      const words = isHere ? t('tv.offer.here_only', how) : t('tv.offer.pair', how);
      put('offer', code ? words : '');
    },
  });
}

/** Takes out what the server wrote for browsers without these modules: a copy of the page may be days old. */
function clearPlain() {
  for (const line of document.querySelectorAll('[data-rows] > li')) line.setAttribute('hidden', '');
  for (const name of ['nothing', 'pub', 'pub-hours', 'pub-note', 'who', 'who-names']) put(name, '');
  foot.hidden = true;
}

/** Makes long names at the foot smaller until none is cut. */
function fitFoot() {
  footFitted = footWords();
  const lines = /** @type {NodeListOf<HTMLElement>} */ (foot.querySelectorAll('.tv-fact-main'));
  for (const size of FOOT_SIZES) {
    foot.style.setProperty('--fit', String(size));
    if ([...lines].every(fits)) return;
  }
}

function footWords() {
  return `${foot.textContent} ${foot.querySelectorAll('[hidden]').length}`;
}

/**
 * Link slides with absolute URLs, without those that a phone could not open.
 * @param {EventsFeed['linkSlides']} [links]
 */
function reachable(links = []) {
  return links
    .filter(({ url }) => isReachable(url))
    .map((link) => ({ ...link, url: new URL(link.url, location.origin).href }));
}

/**
 * A person without a code that a phone could not open.
 * @param {Slide} slide
 * @returns {Slide}
 */
function reachablePerson(slide) {
  const isHidden = slide.type === 'tender' && slide.qrUrl && !isReachable(slide.qrUrl);
  return isHidden ? { ...slide, qrImageUrl: '' } : slide;
}

/** @param {Partial<Slide>} [slide] */
function titleOf({ type, name = '', title = '' } = {}) {
  return (type === 'tender' ? firstName(name) : title).slice(0, 120);
}

/**
 * Writes into a named place; an empty text hides it.
 * @param {string} name
 * @param {string} text
 */
function put(name, text) {
  const place = document.querySelector(`[data-show=${name}]`);
  if (!(place instanceof HTMLElement)) return;
  place.hidden = text === '';
  if (place.children.length === 0) setText(place, text);
}
