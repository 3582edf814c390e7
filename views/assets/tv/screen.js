// This screen: its name, its identity and its safe area, its protection against burn-in, and its wake lock.
import { t } from '../base/texts.js';
import { isTimeKnown, label, onSecond, setText } from '../playing/clock.js';
import { startMixes, takeMixes } from './mix.js';
import { ADDRESSES } from './pairing.js';
import { keep, kept } from './store.js';

/** Of the shorter side: what is 12 px at 1080 is 24 on a screen with four times the pixels. */
const ORBIT = 0.011;
const STEPS = 8;
const SWAP_MINUTES = 20;
const still = matchMedia('(prefers-reduced-motion: reduce)');

const query = new URLSearchParams(location.search);
const { zone = 'UTC' } = document.body.dataset;

/** The name given as `?screen=`; only a screen that has one is listed. */
const given = query.get('screen')?.trim().slice(0, 40) ?? '';
export const isNamed = given !== '';
/** That name, else one stored on this device. */
export const screenName = given || ownName();

/** The address of the stream for this screen: places are kept for screens that staff named. @param {string} page */
export const streamUrl = (page) =>
  `/api/now-playing/current${given ? `?${new URLSearchParams({ screen: given, page })}` : ''}`;

/**
 * Whether a phone can open an address: not one of our own pages while the service runs on this very machine.
 * @param {string} url
 */
export function isReachable(url) {
  const { hostname } = location;
  const own = ['localhost', '[::1]'].includes(hostname) || hostname.startsWith('127.');
  return !(own && url.startsWith('/'));
}

/** A preview for staff: it does not count as that screen. */
export const isPreview = query.has('preview');

/** The time that a preview shows. */
const wantedAt = Date.parse(query.get('at') ?? '');
export const previewAt = isPreview && !Number.isNaN(wantedAt) ? wantedAt : undefined;

/** How far the frame around this page turns it. */
const turnedBy = Number(query.get('turned') ?? 0);

/** The id of this screen, if it is paired. @type {string | undefined} */
let id = isPreview ? undefined : kept('id');
export const screenId = () => id;

startMixes(isPreview ? '' : screenName);

function ownName() {
  const name = kept('name') ?? `screen-${Math.random().toString(36).slice(2, 6)}`;
  keep('name', name);
  return String(name);
}

/** The names that notices and slides may be addressed to: its own, the one given by staff, and its groups. */
let names = [screenName, ...keptNames()];

export const screenNames = () => names;

/** @import { ScreenTold } from '#pub/devices/heartbeats.ts' */

/**
 * Takes over what staff decided about this screen.
 * @param {ScreenTold} told
 */
export function takeTold({ name, groups = [], ...told }) {
  const more = [name ?? '', ...groups].filter((one) => one !== '' && one !== screenName);
  names = told.id === undefined ? [screenName, ...more] : more;
  keep(`names of ${screenName}`, more);
  takeMixes(told);
  if (isPreview) return;
  id = told.id;
  keep('id', id);
  if (id !== undefined) {
    keep('inset', told.inset ?? null);
    fitScreen();
  }
  if (told.identifyMs) identify(name ?? screenName, told.place ?? '', told.identifyMs);
}

/**
 * Where this screen has to be instead, if staff decided so.
 * @param {ScreenTold} told
 * @param {string} page that it shows
 * @returns {string | undefined}
 */
export function elsewhere({ id, page: assigned, turn = 0 }, page) {
  if (isPreview || id === undefined || assigned === undefined) return undefined;
  return assigned === page && turn === turnedBy ? undefined : ADDRESSES[assigned];
}

/** Opens another page in place of this one and of the frame that turns it. @param {string} address */
export function leaveFor(address) {
  (turnedBy === 0 ? window : parent).location.replace(address);
}

/** @type {number | undefined} */
let named;

/**
 * Shows the name of this screen over everything.
 * @param {string} name
 * @param {string} where
 * @param {number} ms
 */
function identify(name, where, ms) {
  const place = document.querySelector('[data-identify]');
  const [title, note] = place?.children ?? [];
  if (!(place instanceof HTMLElement) || !title || !note) return;
  setText(title, name);
  setText(note, where);
  place.hidden = false;
  clearTimeout(named);
  named = window.setTimeout(() => {
    place.hidden = true;
  }, ms);
}

/** @returns {string[]} */
function keptNames() {
  const last = kept(`names of ${screenName}`);
  return Array.isArray(last) ? last.map(String) : [];
}

/** Applies the free edge that staff decided, else `?inset=`: 0 to 8 per cent of each side. */
export function fitScreen() {
  const decided = id === undefined ? undefined : kept('inset');
  const inset = Number.parseFloat(decided ?? query.get('inset') ?? '5');
  const { style } = document.documentElement;
  if (inset >= 0) style.setProperty('--inset', String(Math.min(inset, 8)));
  // Pictures go to the edge unless somebody has said that the TV cuts it off.
  style.setProperty(
    '--edge',
    String(Math.min(Number.parseFloat(decided ?? query.get('inset') ?? '0') || 0, 8)),
  );
}

/**
 * Moves the frame round a small circle, one step a minute, and swaps corners every twenty minutes (`data-swap`). With
 * reduced motion only the corners are swapped.
 */
export function drift() {
  const frame = document.querySelector('[data-frame]');
  if (!(frame instanceof HTMLElement)) return;
  let minute = -1;
  const place = () => {
    const { x, y } = orbit(minute);
    frame.style.transform = `translate(${x}px, ${y}px)`;
    frame.toggleAttribute('data-swap', Math.floor(minute / SWAP_MINUTES) % 2 === 1);
  };
  onSecond((at) => {
    const current = Math.floor(at / 60_000);
    if (current === minute) return;
    minute = current;
    place();
  });
  still.addEventListener('change', place);
}

/**
 * The position of the frame in a minute: one of eight on a circle.
 * @param {number} minute
 */
export function orbit(minute) {
  if (still.matches) return { x: 0, y: 0 };
  const radius = ORBIT * Math.min(innerWidth, innerHeight);
  const angle = ((minute % STEPS) / STEPS) * 2 * Math.PI;
  return { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) };
}

/** How many minutes the clock of a screen that is off stays at a place, and where these places are. */
const REST_MINUTES = 10;
const REST_PLACES = 7;

/**
 * Dims the screen, or covers it, because nobody is there to look.
 * @param {import('#pub/devices/told-mixes.ts').ToldOff['shows'] | ''} shows empty: it is on
 * @param {number} at
 */
export function rest(shows, at) {
  document.body.toggleAttribute('data-dim', shows === 'dim');
  const cover = document.querySelector('[data-rest]');
  if (!(cover instanceof HTMLElement)) return;
  const isCovered = shows === 'clock' || shows === 'black';
  cover.hidden = !isCovered;
  if (!isCovered) return;
  cover.dataset.rest = shows;
  const [clock] = cover.children;
  // A preview that is black would look broken.
  const isTold = shows === 'black' && isPreview;
  if (clock)
    setText(clock, isTold ? t('tv.note.off') : shows === 'clock' && isTimeKnown() ? label(at, zone) : '');
  // Against burn-in it moves a good way.
  const step = Math.floor(at / 60_000 / REST_MINUTES);
  cover.style.setProperty('--x', String(((step * 3) % REST_PLACES) / (REST_PLACES - 1)));
  cover.style.setProperty('--y', String(((step * 5 + 2) % REST_PLACES) / (REST_PLACES - 1)));
}

/** Asks the browser to keep the screen on, again whenever the page is visible. */
export function stayAwake() {
  const ask = () => {
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  ask();
}
