// What this screen shows and when, as staff decided: told with each heartbeat for three days, and kept, so that it goes
// on without a network and after a restart.
import { t } from '../base/texts.js';
import { isTimeKnown, now } from '../playing/clock.js';
import { keep, kept } from './store.js';

/** What was told is good for so long. */
const GOOD_MS = 72 * 3_600_000;

/**
 * @import { Told, ToldMix, ToldOff } from '#pub/devices/told-mixes.ts'
 * @import { Feed } from './model.js'
 * @import { Slide } from './slide.js'
 */

/** A browser that staff decided nothing about shows all that screens showed before there were mixes. @type {ToldMix} */
export const USUAL = {
  preset: null,
  layout: 'day',
  events: true,
  announcements: true,
  crew: true,
  menu: true,
  codes: true,
  now_playing: true,
  weather: true,
  sections: [],
  pictures: [],
  pages: [],
};

/** @type {Told & { at?: number }} */
let told = {};
/** Under which name it is kept; empty for a preview. */
let keptAs = '';

/**
 * Begins with what was told last.
 * @param {string} name of this screen; empty for a preview, which keeps nothing
 */
export function startMixes(name) {
  keptAs = name && `mixes of ${name}`;
  told = (keptAs && kept(keptAs)) || {};
}

/** @typedef {import('#pub/devices/heartbeats.ts').ScreenTold['wifi']} Wifi */

/** The Wi-Fi that a paired screen shows. It is not kept: another browser of the TV could read it. @type {Wifi} */
let wifi;

/** @param {Told & { wifi?: Wifi }} next */
export function takeMixes({ mix, times, off, wifi: network }) {
  wifi = network;
  told = { ...(mix && { mix }), ...(times && { times }), ...(off && { off }), at: now() };
  if (keptAs) keep(keptAs, told);
}

/** What is shown now: while the time is not known, what is shown at no particular time. */
export const mixNow = () => mixAt(told, isTimeKnown() ? now() : undefined);

/**
 * The mix of a moment: that of the window that began last, else the usual one.
 * @param {Told} mixes
 * @param {number | undefined} at
 * @returns {ToldMix}
 */
export function mixAt({ mix = USUAL, times = [] }, at) {
  const running = times.filter(
    ({ from, until }) => at !== undefined && Date.parse(from) <= at && at < Date.parse(until),
  );
  return running[running.length - 1]?.mix ?? mix;
}

/**
 * What the screen shows because it is off now: empty while it is on; undefined while that is not known.
 * @param {boolean} isNeeded whether an event goes on, so that it is on though the pub is closed
 * @returns {ToldOff['shows'] | '' | undefined}
 */
export function offNow(isNeeded) {
  const { off, at = Number.NEGATIVE_INFINITY } = told;
  if (!off || !isTimeKnown() || now() - at > GOOD_MS) return undefined;
  return offAt(off, now(), isNeeded);
}

/**
 * @param {ToldOff} off
 * @param {number} at
 * @param {boolean} isNeeded
 * @returns {ToldOff['shows'] | ''}
 */
function offAt({ shows, whileClosed, windows }, at, isNeeded) {
  const isOff = windows.some(([from, until]) => Date.parse(from) <= at && at < Date.parse(until));
  return isOff && !(whileClosed && isNeeded) ? shows : '';
}

/** The slide of the Wi-Fi, among those with codes: with the password in words, for whoever cannot scan. @returns {Slide[]} */
export function wifiSlides() {
  if (wifi?.code === undefined) return [];
  const { name, password, code } = wifi;
  const body = password === null ? name : t('tv.wifi.with_password', { name, password });
  return [
    {
      id: 'link-wifi',
      type: 'link',
      title: t('tv.wifi.title'),
      body,
      imageUrl: '',
      qrImageUrl: code,
      url: '',
    },
  ];
}

/** Which tick shows a slide of a type. @type {Record<string, 'announcements' | 'crew' | 'codes' | 'menu'>} */
const TICKS = {
  announcement: 'announcements',
  tender: 'crew',
  crew: 'crew',
  link: 'codes',
  menu: 'menu',
};

/**
 * The feed without what the mix leaves out.
 * @param {Feed} feed
 * @param {ToldMix} mix
 * @returns {Feed}
 */
export function feedOf(feed, mix) {
  /** @param {Slide[]} [slides] */
  const left = (slides = []) => slides.filter((slide) => isShown(slide, mix) || isPictureOf(slide, mix));
  const { slides, laterSlides, linkSlides } = feed;
  return {
    ...feed,
    slides: left(slides),
    laterSlides: left(laterSlides),
    linkSlides: left(linkSlides),
    ...(!mix.events && { todayEvents: [], weekEvents: [], carryoverEvents: [] }),
  };
}

/** A screen of pictures that lists none shows those of announcements and events. @param {Slide} slide @param {ToldMix} mix */
const isPictureOf = ({ type, imageUrl }, { layout, pictures }) =>
  layout === 'picture' && pictures.length === 0 && type === 'announcement' && Boolean(imageUrl);

/** @param {Slide} slide @param {ToldMix} mix */
function isShown({ type, id = '' }, mix) {
  const tick = String(id).startsWith('event-') ? 'events' : TICKS[type];
  return tick === undefined || mix[tick];
}

/**
 * The slides of a mix: pictures alone, or the slides and the pages of other hosts, which need a network.
 * @param {Slide[]} slides
 * @param {ToldMix} mix
 * @param {boolean} isOnline
 * @returns {Slide[]}
 */
export function slidesOf(slides, { layout, pictures, pages }, isOnline) {
  if (layout === 'picture') {
    const chosen = pictures.map(pictureSlide);
    return chosen.length > 0
      ? chosen
      : slides
          .filter(({ type, imageUrl }) => type === 'announcement' && imageUrl)
          .map(({ imageUrl, imageAlt, durationMs }) =>
            pictureSlide({
              imageUrl,
              imageAlt,
              seconds: durationMs && durationMs > 0 ? durationMs / 1_000 : 15,
            }),
          );
  }
  if (!isOnline) return slides;
  const open = pages.map(
    /** @returns {Slide} */ ({ url, seconds }) => ({
      type: 'page',
      title: new URL(url).hostname,
      pageUrl: url,
      durationMs: seconds * 1_000,
    }),
  );
  return [...slides, ...open];
}

/** Every picture of every mix, to be kept for times without a network. @returns {Slide[]} */
export const picturesTold = () =>
  [told.mix, ...(told.times ?? []).map(({ mix }) => mix)].flatMap((mix) =>
    (mix?.pictures ?? []).map(pictureSlide),
  );

/** @param {Pick<Slide, 'imageUrl' | 'imageAlt' | 'imageFocus' | 'fit'> & { seconds: number }} picture @returns {Slide} */
const pictureSlide = ({ imageUrl, imageAlt, imageFocus, fit, seconds }) => ({
  type: 'announcement',
  title: '',
  body: '',
  imageUrl,
  imageAlt,
  imageFocus,
  fit,
  durationMs: seconds * 1_000,
});
