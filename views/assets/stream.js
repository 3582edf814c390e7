// Keeps a page connected to what is playing: one EventSource at a time, made anew after every end. A browser
// gives up on an EventSource that met an error status, and does not notice one whose network is gone.

/** A living stream has a ping every 30 s. */
const SILENCE_MS = 75_000;
/** Streams end every few minutes by plan: only a longer break is news. */
const GRACE_MS = 10_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
const SAMPLES = 5;
/** Further apart than this, the clocks of the machine say that it slept. */
const SLEPT_MS = 2_000;

/**
 * @typedef {object} StreamState
 * @property {boolean} connected False once the stream has been away for ten seconds.
 * @property {number} since When that began, by the clock of the service.
 */

/**
 * @typedef {object} Stream
 * @property {() => number} now Milliseconds by the clock of the service.
 * @property {StreamState} state
 * @property {() => void} close Ends it for good, with every timer and listener.
 */

/**
 * Opens the stream and keeps it open. After each connect the service sends the whole state again, so a callback
 * may hear the same twice.
 * @param {object} options
 * @param {Record<string, (data: any) => void>} [options.on] What to do with each named event
 * @param {(state: StreamState) => void} [options.changed] Told when the connection is lost or back
 * @param {string} [options.url]
 * @returns {Stream}
 */
export function openStream({ on = {}, changed = () => {}, url = '/api/now-playing/current' }) {
  const clock = serverClock(() => performance.now());
  const ending = new AbortController();
  /** @type {EventSource | undefined} */
  let source;
  let attempts = 0;
  let timer = 0;
  let grace = 0;
  let heardAt = Date.now();
  let drift = clockDrift();

  /** @type {Stream} */
  const stream = {
    now: clock.now,
    state: { connected: true, since: clock.now() },
    close() {
      ending.abort();
      drop();
      clearTimeout(grace);
    },
  };

  function connect() {
    drop();
    source = new EventSource(url);
    for (const [name, tell] of Object.entries(on)) {
      source.addEventListener(name, ({ data }) => {
        const [value, readable] = parsed(data);
        if (readable) tell(value);
      });
    }
    source.addEventListener('ping', ({ data }) => heard(parsed(data)[0]?.ts));
    source.addEventListener('error', retryLater);
    timer = window.setTimeout(retryLater, SILENCE_MS);
  }

  /** @param {unknown} ts */
  function heard(ts) {
    // The clock that is read stands still while the machine sleeps: what was learnt before is then worth nothing.
    if (Math.abs(clockDrift() - drift) > SLEPT_MS) clock.forget();
    drift = clockDrift();
    if (typeof ts === 'number') clock.heard(ts);
    heardAt = Date.now();
    attempts = 0;
    clearTimeout(timer);
    timer = window.setTimeout(retryLater, SILENCE_MS);
    clearTimeout(grace);
    grace = 0;
    become(true, clock.now());
  }

  function retryLater() {
    drop();
    timer = window.setTimeout(connect, waitBefore(attempts++));
    expectPing();
  }

  /** From here on the connection counts as lost, unless a ping comes within ten seconds. */
  function expectPing() {
    const since = clock.now();
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

  /** The page is looked at again, or the network is back: no reason to wait any longer. */
  function recheck() {
    if (document.visibilityState === 'hidden') return;
    const slept = Math.abs(clockDrift() - drift) > SLEPT_MS;
    if (source && !slept && Date.now() - heardAt < SILENCE_MS) return;
    attempts = 0;
    connect();
  }

  const { signal } = ending;
  document.addEventListener('visibilitychange', recheck, { signal });
  window.addEventListener('online', recheck, { signal });
  window.addEventListener('pageshow', recheck, { signal });
  // A page with an open connection is not kept for the way back.
  window.addEventListener('pagehide', drop, { signal });
  connect();
  expectPing();
  return stream;
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
 * The clock of the service, known from the time in its pings: the median of the last five differences, so that
 * one ping that was held up changes nothing. Until the first ping it is the clock of this machine.
 * @param {() => number} local A clock that never jumps
 */
export function serverClock(local) {
  /** @type {number[]} */
  let differences = [];
  let difference = Date.now() - local();
  return {
    now: () => local() + difference,
    /** @param {number} ts The time of the service, read just now */
    heard(ts) {
      differences = [...differences, ts - local()].slice(-SAMPLES);
      difference = median(differences);
    },
    forget() {
      differences = [];
    },
  };
}

/** @param {readonly number[]} values At least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** How far the clock on the wall is ahead of the one that counts this page's life. */
function clockDrift() {
  return Date.now() - performance.now();
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
