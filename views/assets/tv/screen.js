// This screen: its name and safe area, its protection against burn-in, and its wake lock.
import { onSecond } from '../playing/clock.js';
import { keep, kept } from './store.js';

const ORBIT_PX = 12;
const STEPS = 8;
const SWAP_MINUTES = 20;
const still = matchMedia('(prefers-reduced-motion: reduce)');

const query = new URLSearchParams(location.search);

/** The name given as `?screen=`; only a screen that has one is listed. */
const given = query.get('screen')?.trim().slice(0, 40) ?? '';
export const isNamed = given !== '';
/** That name, else one stored on this device. */
export const screenName = given || ownName();

/** The address of the stream for this screen: places are kept for screens that staff named. @param {string} page */
export const streamUrl = (page) =>
  `/api/now-playing/current${given ? `?${new URLSearchParams({ screen: given, page })}` : ''}`;

/** A preview for staff: it does not count as that screen. */
export const isPreview = query.has('preview');

function ownName() {
  const name = kept('name') ?? `screen-${Math.random().toString(36).slice(2, 6)}`;
  keep('name', name);
  return String(name);
}

/** The names that notices and slides may be addressed to: its own, the one given by staff, and its groups. */
let names = [screenName, ...keptNames()];

export const screenNames = () => names;

/** @param {{ name?: string | null, groups?: string[] }} told by the service, for this screen */
export function takeNames({ name, groups = [] }) {
  const more = [name ?? '', ...groups].filter((one) => one !== '' && one !== screenName);
  names = [screenName, ...more];
  keep(`names of ${screenName}`, more);
}

/** @returns {string[]} */
function keptNames() {
  const last = kept(`names of ${screenName}`);
  return Array.isArray(last) ? last.map(String) : [];
}

/** Applies `?inset=`, 0 to 8 per cent of each side. */
export function fitScreen() {
  const inset = Number.parseFloat(query.get('inset') ?? '');
  if (inset >= 0) document.documentElement.style.setProperty('--inset', String(Math.min(inset, 8)));
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
  const angle = ((minute % STEPS) / STEPS) * 2 * Math.PI;
  return { x: Math.round(ORBIT_PX * Math.cos(angle)), y: Math.round(ORBIT_PX * Math.sin(angle)) };
}

/** @param {boolean} dim whether nobody is there to look */
export function dim(dim) {
  document.body.toggleAttribute('data-dim', dim);
}

/** Asks the browser to keep the screen on, again whenever the page is visible. */
export function stayAwake() {
  const ask = () => {
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  ask();
}
