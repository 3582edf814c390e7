// Keeps a page connected to the stream: one EventSource at a time, replaced after every end. A browser gives up on
// an EventSource after an error status, and does not notice a lost network.
import { align, notBefore, now } from './clock.js';

/** An open stream sends a ping every 30 s. */
const SILENCE_MS = 75_000;
/** When the page becomes visible again, an overdue ping counts as silence sooner. */
const OVERDUE_MS = 35_000;
/** Streams end every few minutes by design: only a longer interruption is reported. */
const GRACE_MS = 10_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * @typedef {object} StreamState
 * @property {boolean} connected False once the stream has been lost for ten seconds.
 * @property {number} since When that began, by the clock of the service.
 */

/** @import { Ping } from '#kernel/live/event-stream.ts' */

/**
 * @typedef {object} Stream
 * @property {StreamState} state
 * @property {() => void} close Ends it, with every timer and listener.
 */

/**
 * Opens the stream and keeps it open; its pings set the clock of the page (playing/clock.js). After each connect the
 * service sends the whole state again, so a callback may hear the same twice.
 * @param {object} options
 * @param {Record<string, (data: any) => void>} [options.on] What to do with each named event
 * @param {(state: StreamState) => void} [options.changed] Called when the connection is lost or back
 * @param {() => void} [options.opened] Called at each connect, before its first event
 * @param {string} [options.url]
 * @returns {Stream}
 */
export function openStream({
  on = {},
  changed = () => {},
  opened = () => {},
  url = '/api/now-playing/current',
}) {
  const ending = new AbortController();
  /** @type {EventSource | undefined} */
  let source;
  let attempts = 0;
  let wasOpen = false;
  let isPinged = false;
  let timer = 0;
  let grace = 0;
  let heardAt = Date.now();

  /** @type {Stream} */
  const stream = {
    state: { connected: true, since: now() },
    close() {
      ending.abort();
      drop();
      clearTimeout(grace);
    },
  };

  function connect() {
    drop();
    source = new EventSource(url);
    const isFirst = !wasOpen;
    isPinged = false;
    source.addEventListener('open', () => {
      wasOpen = true;
      opened();
      // Events in between were missed.
      if (!isFirst) dispatchEvent(new Event('streamback'));
    });
    for (const [name, tell] of Object.entries(on)) {
      source.addEventListener(name, ({ data }) => {
        const [value, readable] = parsed(data);
        if (readable) tell(value);
      });
    }
    source.addEventListener('settings', () => dispatchEvent(new Event('clubsettings')));
    source.addEventListener('ping', ({ data }) => heard(parsed(data)[0]));
    source.addEventListener('error', retryLater);
    timer = window.setTimeout(retryLater, SILENCE_MS);
  }

  /** @param {Ping | undefined} ping */
  function heard(ping) {
    const old = !isPinged && ping?.stored === true;
    isPinged = true;
    if (typeof ping?.ts === 'number') (old ? notBefore : align)(ping.ts);
    if (old && isLeft(ping, now())) return;
    heardAt = Date.now();
    attempts = 0;
    clearTimeout(timer);
    timer = window.setTimeout(retryLater, SILENCE_MS);
    clearTimeout(grace);
    grace = 0;
    become(true, now());
  }

  function retryLater() {
    drop();
    timer = window.setTimeout(connect, waitBefore(attempts++));
    expectPing();
  }

  /** Marks the connection as lost, unless a ping comes within ten seconds. */
  function expectPing() {
    const since = now();
    grace ||= window.setTimeout(() => become(false, since), GRACE_MS);
  }

  /** @param {boolean} connected @param {number} since */
  function become(connected, since) {
    if (stream.state.connected === connected) return;
    stream.state = { connected, since };
    changed(stream.state);
  }

  /** Ends the connection, or the wait for the next. */
  function drop() {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  /** Reconnects at once when the page is visible again or the network is back. */
  function recheck() {
    if (document.visibilityState === 'hidden') return;
    if (source && Date.now() - heardAt < OVERDUE_MS) return;
    attempts = 0;
    connect();
  }

  const { signal } = ending;
  document.addEventListener('visibilitychange', recheck, { signal });
  window.addEventListener('online', recheck, { signal });
  window.addEventListener('pageshow', recheck, { signal });
  // An open connection would prevent the back/forward cache.
  window.addEventListener('pagehide', drop, { signal });
  connect();
  expectPing();
  return stream;
}

/**
 * Whether the ping that a fan-out engine kept for new connections is too old: the engine is running, but the service
 * is down.
 * @param {Ping} ping
 * @param {number} at
 */
export function isLeft({ ts }, at) {
  return typeof ts === 'number' && at - ts > SILENCE_MS;
}

/**
 * How long to wait before a connection is tried again: 1 to 2 s at first, 30 to 60 s in the end.
 * @param {number} attempts How many have failed since the last ping
 * @param {() => number} [random]
 */
export function waitBefore(attempts, random = Math.random) {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts, 10));
  return (longest / 2) * (1 + random());
}

/**
 * @param {string} data
 * @returns {[value: any, readable: boolean]}
 */
function parsed(data) {
  try {
    return [JSON.parse(data), true];
  } catch {
    return [undefined, false];
  }
}
