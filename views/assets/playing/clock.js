// The server's time on a screen whose own clock may be wrong: samples of the server's clock set it, and it runs on
// the monotonic clock between them. All labels are in the configured time zone.

const SAMPLES = 5;
/** A larger step means that a clock was set or a machine slept, not a slow response. */
const STEP_MS = 5_000;

// Setting the device's clock must not move this one.
const started = Date.now() - performance.now();
const device = () => started + performance.now();

/** @type {number[]} */
let samples = [];
let offset = 0;
/** How far a preview is from now. */
let shift = 0;

/** The server's time, in milliseconds since the epoch. */
export function now() {
  return device() + offset + shift;
}

/** From now on it is another time, and the clock goes on from there; for a preview. @param {number} at */
export function goTo(at) {
  shift += at - now();
}

export const isElsewhen = () => shift !== 0;

/**
 * Adds a sample of the server's clock: `ts` of a ping, `now` of a heartbeat's answer. The median of the last five is
 * used, so that one slow response does not move the clock.
 * @param {number} serverMs
 */
export function align(serverMs) {
  if (!Number.isFinite(serverMs)) return;
  const sample = serverMs - device();
  if (samples.length > 0 && Math.abs(sample - offset) > STEP_MS) samples = [];
  samples = [...samples, sample].slice(-SAMPLES);
  offset = [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? 0;
}

/** Whether the device's clock may be used while there is no sample of the server's. */
let trusted = true;

/**
 * @param {boolean} trust
 * @param {number} [ahead] by how much the device's clock was ahead of the server's when both were known
 */
export function trustDevice(trust, ahead = 0) {
  trusted = trust;
  if (trust && samples.length === 0) offset = -ahead;
}

/**
 * Whether the time is that of the server, or of a device whose clock may be used. While it is not, a screen shows
 * nothing that depends on it: no times of day, no offers and no prices.
 */
export function isTimeKnown() {
  return trusted || samples.length > 0;
}

/** By how much the device's clock is ahead of the server's; undefined while that is not known. */
export function skew() {
  return samples.length > 0 ? Math.round(Date.now() - now()) : undefined;
}

/**
 * Moves the clock forward to `ms`, the time of content that was read, while it has no sample: a small computer without
 * a battery-backed clock starts in the past.
 * @param {number} ms
 */
export function notBefore(ms) {
  if (samples.length === 0 && ms > now()) offset += ms - now();
}

/** @type {Set<(now: number) => void>} */
const everySecond = new Set();

/**
 * Calls `listener` now and at the start of each second.
 * @param {(now: number) => void} listener
 */
export function onSecond(listener) {
  if (everySecond.size === 0) setTimeout(tick, 1_000 - (now() % 1_000));
  everySecond.add(listener);
  listener(now());
}

function tick() {
  // Scheduled first: a listener that throws must not stop the clock.
  setTimeout(tick, 1_000 - (now() % 1_000));
  for (const listener of everySecond) {
    try {
      listener(now());
    } catch (error) {
      setTimeout(() => {
        throw error;
      });
    }
  }
}

// As the server writes dates, see kernel/locale.ts.
export const locale = knownLocale(globalThis.document?.documentElement.dataset.locale);

/** A browser may be older than the language of the club. @param {string} [tag] */
function knownLocale(tag = 'en-US') {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0 ? tag : 'en-GB';
  } catch {
    return 'en-GB';
  }
}

/**
 * The offsets of the club's zone in minutes, and from when each holds, the latest last: a browser that is older than the
 * name of the zone does not know it.
 * @type {[from: number, minutes: number][]}
 */
const offsets = (globalThis.document?.body?.dataset.offsets ?? '')
  .split(' ')
  .filter(Boolean)
  .map((part) => {
    const [from = '', minutes] = part.split(':');
    return minutes === undefined ? [Number.NEGATIVE_INFINITY, Number(from)] : [Number(from), Number(minutes)];
  });

/** @type {Map<string, boolean>} */
const zones = new Map();

/** Whether this browser knows a zone; without offsets of the server there is no other way. @param {string} zone */
export function isKnown(zone) {
  let known = zones.get(zone);
  if (known === undefined) {
    try {
      known = Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
    } catch {
      known = offsets.length === 0;
    }
    zones.set(zone, known);
  }
  return known;
}

/**
 * A time and a zone with which this browser writes it as in `zone`.
 * @param {number} at
 * @param {string} zone
 * @returns {[at: number, zone: string]}
 */
function written(at, zone) {
  if (isKnown(zone)) return [at, zone];
  const [, minutes = 0] = offsets.filter(([from]) => from <= at).pop() ?? [];
  return [at + minutes * 60_000, 'UTC'];
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * Formats a time in the locale of the club.
 * @param {number} at
 * @param {string} zone
 * @param {Intl.DateTimeFormatOptions} [options] default: `9:14 PM`
 */
export function label(at, zone, options = { hour: 'numeric', minute: '2-digit' }) {
  [at, zone] = written(at, zone);
  const key = `${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    formats.set(key, format);
  }
  return format.format(at).replaceAll('\u202f', ' ');
}

/**
 * The minute of the local day, 0 to 1439.
 * @param {number} at
 * @param {string} zone
 */
export function minuteOfDay(at, zone) {
  const { hour, minute } = fields(at, zone);
  return Number(hour) * 60 + Number(minute);
}

/**
 * The local date, `2026-11-21`.
 * @param {number} at
 * @param {string} zone
 */
export function localDate(at, zone) {
  const { year, month, day } = fields(at, zone);
  return `${year}-${month}-${day}`;
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const calendars = new Map();

/**
 * A local time as digits, independent of the locale.
 * @param {number} at
 * @param {string} zone
 * @returns {Record<string, string>}
 */
function fields(at, zone) {
  [at, zone] = written(at, zone);
  let calendar = calendars.get(zone);
  if (!calendar) {
    const [two, hourCycle] = /** @type {const} */ (['2-digit', 'h23']);
    calendar = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle,
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
    });
    calendars.set(zone, calendar);
  }
  return Object.fromEntries(calendar.formatToParts(at).map(({ type, value }) => [type, value]));
}

/**
 * Updates the clock and the date of the page, if it has them; while the time is not known they stay empty.
 * @param {string} zone
 */
export function showClock(zone) {
  const time = document.querySelector('[data-clock=time]');
  const date = document.querySelector('[data-clock=date]');
  onSecond((at) => {
    const known = isTimeKnown();
    if (time) setText(time, known ? label(at, zone) : '');
    const day = () => label(at, zone, { weekday: 'long', month: 'long', day: 'numeric' });
    if (date) setText(date, known ? day() : '');
  });
}

/**
 * Writes only changes: needless repainting heats up a screen.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
