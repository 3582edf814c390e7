// Keeps a TV page running for months: it sends a heartbeat each minute, whose answer has the time and the build; it
// reloads itself for a new build, each night while the pub is closed, and when it has failed, but only while the service
// answers.

import { timeout } from '../base/request.js';
import { t } from '../base/texts.js';
import {
  align,
  goTo,
  isKnown,
  label,
  minuteOfDay,
  now,
  onSecond,
  setText,
  showClock,
  skew,
  trustDevice,
} from '../playing/clock.js';
import { offNow } from './mix.js';
import {
  drift,
  elsewhere,
  fitScreen,
  isNamed,
  isPreview,
  leaveFor,
  previewAt,
  rest,
  screenId,
  screenName,
  stayAwake,
  takeTold,
} from './screen.js';
import { shownSince, toldShown } from './shown.js';
import { keep, kept } from './store.js';

/** Without a stream, changed club settings arrive within a minute. */
const BEAT_MS = 50_000;
const ANSWER_WITHIN_MS = 8_000;
/** A slower answer is not used to set the clock. */
const PROMPT_MS = 3_000;
const FIRST_RETRY_MS = 5_000;
/** Without an answer for this long, the screen says so. */
const OFFLINE_MS = 90_000;
const UNHEALTHY_MS = 10 * 60_000;
/** The delay after an error: a page that fails at its start must not reload in a loop. */
const ERROR_RELOAD_MS = 60_000;
/** The least time between two pages that staff assigned. */
const MOVED_MS = 2_000;
/** The least time between two reloads for changed settings. */
const SETTINGS_MS = 20_000;
const HOUR_MS = 3_600_000;
/** Of what the browser grants a page. */
const HEAP_SHARE = 0.7;
/** What staff decided. For all other reasons the page is loaded again at most three times an hour. */
const DECIDED = ['the staff', 'the settings', 'moved'];
const RELOADS_AN_HOUR = 3;
/** After the last contact longer ago than this, the device's clock alone is not believed. */
const TRUSTED_MS = 7 * 86_400_000;
/** A clock that is a little behind it was corrected. */
const BACK_MS = 60_000;
/** From 05:00 to 05:20 in the configured time zone, so that screens do not all reload at once. */
const NIGHTLY_FROM = 5 * 60 + Math.floor(Math.random() * 21);
const NIGHTLY_UNTIL = 6 * 60;

const { page = '', build = '', zone = 'UTC' } = document.body.dataset;

/** @type {number | undefined} */
let lastContact = kept('contact');
/** @type {() => Promise<void> | void} */
let moment = () => undefined;
/** @type {() => object} */
let report = () => ({});
/** @type {() => boolean} */
let isExhausted = () => false;
/** @type {() => boolean} */
let isNeeded = () => false;
/** @type {() => boolean} */
let isClosed = () => false;
/** Called at most once. @type {(() => void) | undefined} */
let unpaired;
/** Whether a preview is at its moment by the service's time. */
let isPlaced = false;
let missed = 0;
let otherBuild = 0;
let otherSettings = false;
/** Whether the pub is open, by the last answer. */
let isOpen = false;
let beating = false;
/** Something changed that the pending answer may not contain. */
let beatAgain = false;
let reloading = false;
/** @type {number | undefined} */
let timer;
/** Told apart from a second browser with the same secret. */
const bootId = Math.random().toString(36).slice(2);
/** A paired screen has the name in this address: this browser is a visitor. */
let isNameTaken = false;

/**
 * Starts all of it. Call it once.
 * @param {object} [options]
 * @param {() => Promise<void> | void} [options.moment] awaited before the page reloads, to wait for a good moment
 * (between two slides)
 * @param {() => object} [options.report] more fields of the heartbeat
 * @param {() => boolean} [options.isExhausted] whether the page cannot keep up and has to be loaded again
 * @param {() => boolean} [options.isNeeded] whether something goes on, so that the screen is on though the pub is closed
 * @param {() => boolean} [options.isClosed] whether nobody is there to look, for a screen that was not told when it is off
 * @param {() => void} [options.unpaired] called when a person has opened the page in a browser that is no screen
 */
export function startLife(options = {}) {
  if (options.moment) moment = options.moment;
  if (options.report) report = options.report;
  if (options.isExhausted) isExhausted = options.isExhausted;
  if (options.isNeeded) isNeeded = options.isNeeded;
  if (options.isClosed) isClosed = options.isClosed;
  if (!isNamed && !isPreview && !reloadedLately(ERROR_RELOAD_MS)) unpaired = options.unpaired;
  trustClock();
  if (previewAt !== undefined) goTo(previewAt);
  fitScreen();
  drift();
  if (!isPreview) stayAwake();
  showClock(zone);
  addEventListener('error', onScriptError);
  addEventListener('unhandledrejection', onScriptError);
  addEventListener('online', () => void beat());
  // The stream says that settings changed; the heartbeat compares them.
  addEventListener('clubsettings', () => void beat());
  addEventListener('streamback', () => void beat());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void beat();
  });
  onSecond(showNote);
  onSecond((at) => {
    resting = offNow(isNeeded()) ?? (isClosed() ? 'dim' : '');
    rest(resting, at);
  });
  void beat();
}

/** A clock that is behind the last contact was set back, and after a week it may be anywhere. */
function trustClock() {
  const ahead = Number(kept('ahead') ?? 0);
  const since = lastContact === undefined ? Number.NaN : Date.now() - ahead - lastContact;
  trustDevice(since > -BACK_MS && since < TRUSTED_MS, ahead);
}

/** Notes that the service answered just now; called by the feed and the stream. */
export function contact() {
  lastContact = now();
  if (isPreview) return;
  keep('contact', lastContact);
  keep('ahead', skew() ?? 0);
}

/**
 * When the service last answered, if that is long ago; undefined otherwise.
 * @returns {number | undefined} milliseconds
 */
export function offlineSince() {
  return lastContact !== undefined && now() - lastContact > OFFLINE_MS ? lastContact : undefined;
}

/** @type {number | undefined} */
let staleSince;
/** What the screen shows because it is off; empty while it is on. @type {ReturnType<typeof offNow>} */
let resting;

/**
 * Sets since when the service has answered with old content (its own source fails).
 * @param {number | undefined} since milliseconds; undefined when the content is fresh
 */
export function setStale(since) {
  staleSince = since;
}

function showNote() {
  const note = document.querySelector('[data-note]');
  if (!(note instanceof HTMLElement)) return;
  const offline = offlineSince();
  const text =
    offline !== undefined
      ? t('tv.note.offline_since', { time: moments(offline) })
      : staleSince !== undefined
        ? t('tv.note.as_of', { time: moments(staleSince) })
        : isPreview && resting
          ? t('tv.note.off_now')
          : '';
  setText(note, text);
  note.hidden = text === '';
  document.body.toggleAttribute('data-noted', text !== '');
  // Measured without it: there the line is beside the clock.
  document.body.removeAttribute('data-crowded');
  document.body.toggleAttribute('data-crowded', text !== '' && isOverHeader(note));
}

/** Whether the line has no space between the name of the club and the clock. @param {HTMLElement} note */
function isOverHeader(note) {
  const own = note.getBoundingClientRect();
  return [...document.querySelectorAll('.tv-sign span, .tv-clock')].some((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < own.right && own.left < right && top < own.bottom && own.top < bottom;
  });
}

/**
 * The time of an instant, with its day when that is not today.
 * @param {number} at
 */
function moments(at) {
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { weekday: 'short', month: 'short', day: 'numeric' };
  const today = label(now(), zone, day) === label(at, zone, day);
  return today ? label(at, zone) : `${label(at, zone, day)}, ${label(at, zone)}`;
}

/** Sends one heartbeat. The next follows within a minute, sooner while the service does not answer. */
async function beat() {
  beatAgain = beating;
  if (beating) return;
  beating = true;
  // For tv/guard.js.
  document.body.dataset.alive = String(performance.now());
  clearTimeout(timer);
  const sent = performance.now();
  const wasOffline = offlineSince() !== undefined;
  const answer = await sendHeartbeat();
  const took = performance.now() - sent;
  if (answer) {
    missed = 0;
    if (took < PROMPT_MS) align(answer.now + took / 2);
    // Once: from the first answer on it is the service's time that goes on from there.
    if (previewAt !== undefined && !isPlaced) goTo(previewAt);
    isPlaced = true;
    contact();
    takeTold(answer);
    if (answer.id === undefined) unpaired?.();
    unpaired = undefined;
    registerWorker();
    const [ours, theirs] = [build, answer.build].map((name) => name.split('~'));
    otherBuild = ours?.[0] === theirs?.[0] ? 0 : otherBuild + 1;
    otherSettings = ours?.[1] !== theirs?.[1];
    isOpen = answer.open === true;
  } else {
    missed += 1;
  }
  const retry = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, missed - 1), BEAT_MS);
  // After it was cut off it soon says that it is back.
  const wait = missed === 0 && !wasOffline ? BEAT_MS : retry;
  timer = window.setTimeout(beat, wait * (0.9 + Math.random() * 0.2));
  beating = false;
  if (beatAgain) return beat();
  const other = answer && elsewhere(answer, page);
  if (other) return move(other);
  if (answer?.reload) return reload('the staff', { at: 'once' });
  const reason = reasonToReload();
  if (reason) await reload(reason);
}

/**
 * Staff changed a screen: if it is this one, the answer to a heartbeat says what.
 * @param {import('#pub/devices/screens.ts').ChangedScreen} change
 */
export function onScreenChanged({ id, screen, page: of }) {
  if (isPreview) return;
  if (id === screenId() || (screen === screenName && of === page)) void beat();
}

/** Leaves for another page, but slowly if that one leads back here. @param {string} address */
function move(address) {
  const wait = reloadedLately(MOVED_MS) ? MOVED_MS : 0;
  setTimeout(() => {
    try {
      noteReload('moved');
    } catch {
      // No session storage.
    }
    leaveFor(address);
  }, wait);
}

/** @returns {Promise<import('#pub/devices/heartbeats.ts').HeartbeatAnswer | undefined>} */
async function sendHeartbeat() {
  const since = offlineSince() ?? staleSince;
  const used = memoryUsed();
  const shown = isPreview || screenId() === undefined ? undefined : shownSince();
  try {
    const response = await fetch('/api/screens/heartbeat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        screen: screenName,
        page,
        version: build,
        // Never more than it is: a screen that seems to have started before staff asked for a reload reloads again.
        uptime_s: Math.floor(performance.now() / 1_000),
        viewport: `${innerWidth}x${innerHeight}`,
        named: isNamed && !isPreview && !isNameTaken,
        preview: isPreview,
        bootId,
        skewMs: skew(),
        ...(previewAt !== undefined && { at: new Date(previewAt).toISOString() }),
        ...(!isKnown(zone) && { unknownZone: true }),
        ...(used && { heapMb: Math.round(used.usedJSHeapSize / 1_048_576) }),
        ...(since !== undefined && { offlineSince: new Date(since).toISOString() }),
        ...report(),
        ...(shown && { shown }),
      }),
      signal: timeout(ANSWER_WITHIN_MS),
    });
    // The name in its address belongs to a paired screen; or it is no screen any longer.
    if (response.status === 403) isNameTaken = true;
    if (response.status === 410) move('/s?ended');
    if (!response.ok) return undefined;
    if (shown) toldShown(shown);
    return await response.json();
  } catch {
    return undefined;
  }
}

/** @returns {string | undefined} */
function reasonToReload() {
  // Twice in a row: during a deploy, answers come from both builds.
  if (otherBuild >= 2) return 'a new build';
  if (otherSettings) return 'the settings';
  const uptime = performance.now();
  const minute = minuteOfDay(now(), zone);
  const isNight = minute >= NIGHTLY_FROM && minute < NIGHTLY_UNTIL;
  if (isNight && !isOpen && uptime > 2 * HOUR_MS) return 'the night';
  if (uptime > 26 * HOUR_MS) return 'a long day';
  const used = memoryUsed();
  if (used && used.usedJSHeapSize > HEAP_SHARE * used.jsHeapSizeLimit) return 'memory';
  if (isExhausted()) return 'late slides';
  // If heartbeats fail but the service can be reached, the fault is in this page.
  if (lastContact !== undefined && now() - lastContact > UNHEALTHY_MS) return 'silence';
  return undefined;
}

/** What Chromium tells of its memory. */
function memoryUsed() {
  const { memory } = /** @type {{ memory?: { usedJSHeapSize: number, jsHeapSizeLimit: number } }} */ (
    performance
  );
  return memory;
}

function onScriptError() {
  setTimeout(() => void reload('an error'), ERROR_RELOAD_MS);
}

/**
 * Reloads the page at a good moment and at most every ten minutes; for changed settings at once and at most every 20 s.
 * Only while the service answers: a failed reload is worse than an old page.
 * @param {string} reason
 * @param {{ at: 'once' }} [asked] by staff: at once, regardless of the last reload
 */
async function reload(reason, asked) {
  const forSettings = reason === 'the settings';
  if (reloading || (!asked && reloadedLately(forSettings ? SETTINGS_MS : UNHEALTHY_MS))) return;
  if (!asked && !forSettings && reloadsInAnHour() >= RELOADS_AN_HOUR) return;
  reloading = true;
  try {
    if (!(await pageAnswers())) return;
    if (!asked && !forSettings) await moment();
    noteReload(reason);
    location.reload();
  } catch {
    // No session storage: without the limit the page could reload in a loop.
  } finally {
    reloading = false;
  }
}

/** @param {string} reason */
function noteReload(reason) {
  const at = Date.now();
  const before = lastReloads().filter((one) => Math.abs(at - one) < HOUR_MS);
  const own = DECIDED.includes(reason) ? before : [...before, at];
  sessionStorage.setItem('tv:reloaded', JSON.stringify({ at, reason, before: own }));
}

/** @returns {number[]} */
function lastReloads() {
  const { before } = JSON.parse(sessionStorage.getItem('tv:reloaded') ?? '{}');
  return Array.isArray(before) ? before : [];
}

function reloadsInAnHour() {
  const now = Date.now();
  return lastReloads().filter((one) => Math.abs(now - one) < HOUR_MS).length;
}

/** @param {number} within milliseconds */
function reloadedLately(within) {
  try {
    const last = JSON.parse(sessionStorage.getItem('tv:reloaded') ?? '{}');
    return Math.abs(Date.now() - (last.at ?? Number.NEGATIVE_INFINITY)) < within;
  } catch {
    return true;
  }
}

/** Whether the page can be loaded whole. */
async function pageAnswers() {
  try {
    const response = await fetch(location.href, { cache: 'no-store', signal: timeout(ANSWER_WITHIN_MS) });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

/** Retried with every heartbeat until it works: its own first requests may fail. */
function registerWorker() {
  // Browsers offer workers only over HTTPS and on localhost.
  if (!isPreview && isSecureContext && navigator.serviceWorker && !navigator.serviceWorker.controller)
    navigator.serviceWorker
      .register('/tv-sw.js', { scope: '/tv', updateViaCache: 'none' })
      .catch(() => undefined);
}
