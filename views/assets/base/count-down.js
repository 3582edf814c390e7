// Seconds that count down, for a wait that a page has named.

/**
 * Calls `show` with the seconds that are left, now and each second until none is.
 * @param {number} seconds
 * @param {(left: number) => void} show
 * @returns {() => void} ends it
 */
export function countDown(seconds, show) {
  // A page in the background gets its timers late: the time that has passed counts.
  const end = performance.now() + seconds * 1000;
  const tick = () => {
    const left = Math.max(0, Math.round((end - performance.now()) / 1000));
    if (left === 0) clearInterval(timer);
    show(left);
  };
  const timer = setInterval(tick, 1000);
  show(seconds);
  return () => clearInterval(timer);
}

/** @param {number} seconds */
export function inSeconds(seconds) {
  return seconds <= 1 ? 'in a second' : `in ${Math.ceil(seconds)} seconds`;
}
