// A staff notice that fills this screen for a while. It arrives by the stream or by polling; the screen ends it by
// itself, also without a network and after a restart.
import { isTimeKnown, label, now, onSecond, setText } from '../playing/clock.js';
import { follow } from './feed.js';
import { onLayout, shrink } from './fit.js';
import { namesOneOf } from './round.js';
import { screenNames } from './screen.js';
import { keep, kept } from './store.js';

/** Without a stream a notice arrives within a minute. */
const EVERY_MS = 50_000;
/** A response may take this long: an event of the stream meanwhile is newer. */
const ANSWERED_WITHIN_MS = 10_000;
/** How large the words are, and how much larger the title is: both as large as they fit. */
const SIZES = [
  ...[2.2, 1.9, 1.6, 1.4, 1.2, 1].map((title) => [1, title]),
  ...[0.88, 0.77, 0.67, 0.58, 0.5, 0.43].map((words) => [words, 1.2]),
];
const { zone = 'UTC' } = document.body.dataset;

/** @import { CurrentTakeover, Takeover } from '#pub/display/takeovers.ts' */

/**
 * Shows the notice of this screen while there is one.
 * @returns {{ opened: () => void, take: (takeover: CurrentTakeover | null) => void, complete: () => void }} callbacks of
 * the stream: on connect, for each `takeover` event, and for each ping
 */
export function watchTakeover() {
  const place = /** @type {HTMLElement} */ (document.querySelector('[data-takeover]'));
  const [title, text] = place.querySelectorAll('p');
  const clock = place.querySelector('[data-takeover-clock]');
  const last = kept('takeover');
  /** @type {CurrentTakeover | null} */
  let takeover = isTakeover(last) ? last : null;
  /** When the last event came, by the page's own clock. */
  let toldAt = Number.NEGATIVE_INFINITY;
  /** The stream is connected, but has not yet said if a notice runs. */
  let awaited = false;
  /** The text that was fitted last. */
  let fitted = '';
  onLayout(place, () => {
    fitted = '';
    draw(now());
  });

  /** @param {number} at */
  function draw(at) {
    const notice = takeover ? noticeAt(takeover, screenNames(), at) : undefined;
    place.hidden = notice === undefined;
    showFrame(place, notice);
    if (!notice || !title || !text) return;
    place.dataset.kind = notice.kind;
    if (clock) setText(clock, isTimeKnown() ? label(at, zone) : '');
    const said = `${notice.title}\n${notice.text}`;
    if (said === fitted) return;
    fitted = said;
    setText(title, notice.title);
    setText(text, notice.text);
    showCode(place, notice);
    for (const [words = 1, grown = 1] of SIZES) {
      place.style.setProperty('--grown', String(grown));
      if (shrink(place, [words])) break;
    }
  }

  /** @param {unknown} next */
  function become(next) {
    takeover = isTakeover(next) ? next : null;
    keep('takeover', takeover);
    draw(now());
  }

  /** @param {CurrentTakeover | null} next */
  function take(next) {
    awaited = false;
    toldAt = performance.now();
    become(next);
  }

  follow('/api/takeover', {
    every: EVERY_MS,
    on(/** @type {{ takeover: CurrentTakeover | null }} */ answer) {
      if (performance.now() - toldAt > ANSWERED_WITHIN_MS) become(answer.takeover);
    },
  });
  onSecond(draw);
  return {
    opened() {
      awaited = true;
    },
    take,
    complete() {
      // The first ping ends the initial state: no notice is running.
      if (awaited) take(null);
    },
  };
}

/** The title of the notice on this screen; empty while there is none. */
export function noticeShown() {
  const place = /** @type {HTMLElement} */ (document.querySelector('[data-takeover]'));
  return place.hidden ? '' : (place.innerText.split('\n')[0] ?? '').slice(0, 120);
}

/**
 * The newest notice that this screen has to show.
 * @param {CurrentTakeover} takeover
 * @param {readonly string[]} names of the screen and its groups
 * @param {number} at
 * @returns {Takeover | undefined}
 */
function noticeAt({ earlier, ...newest }, names, at) {
  return [newest, ...earlier].find(
    ({ screens, startedAt, expiresAt }) =>
      (screens.length === 0 || namesOneOf(screens, names)) &&
      Date.parse(startedAt) <= at &&
      at < Date.parse(expiresAt),
  );
}

/**
 * Shows a page over the notice, which stays where the page cannot be shown; takes it away with the notice.
 * @param {HTMLElement} place
 * @param {Takeover | undefined} notice
 */
function showFrame(place, notice) {
  const frame = place.querySelector('[data-takeover-page]');
  if (!(frame instanceof HTMLIFrameElement)) return;
  // Only a page of this service: nothing else is in a notice.
  const page = notice?.pageUrl?.startsWith('/') ? new URL(notice.pageUrl, location.href) : undefined;
  const address = page?.origin === location.origin ? page.href : '';
  if ((frame.dataset.of ?? '') === address) return;
  frame.dataset.of = address;
  frame.hidden = address === '';
  frame.title = notice?.title ?? '';
  if (address === '') frame.removeAttribute('src');
  else frame.src = address;
}

/**
 * Shows the QR code and its address as text, which stays if the picture fails.
 * @param {HTMLElement} place
 * @param {Takeover} notice
 */
function showCode(place, { qrUrl = '', qrImageUrl = '' }) {
  const code = place.querySelector('[data-takeover-code]');
  const picture = code?.querySelector('img');
  const words = code?.querySelector('span');
  if (!(code instanceof HTMLElement) || !picture || !words) return;
  code.hidden = qrUrl === '';
  place.toggleAttribute('data-code', qrUrl !== '');
  if (qrUrl === '') return;
  const { host, pathname, search } = new URL(qrUrl, location.href);
  setText(words, host + (pathname === '/' ? '' : pathname) + search);
  if (picture.dataset.of === qrImageUrl) return;
  picture.dataset.of = qrImageUrl;
  picture.src = qrImageUrl;
}

/**
 * An earlier build may have stored another shape.
 * @param {any} value
 * @returns {value is CurrentTakeover}
 */
function isTakeover(value) {
  return (
    Array.isArray(value?.earlier) && [value, ...value.earlier].every((one) => Array.isArray(one?.screens))
  );
}
