// Counts down the seconds of a wait.

/**
 * Calls `show` with the seconds left, now and each second until 0.
 * @param {number} seconds
 * @param {(left: number) => void} show
 * @returns {() => void} stops it
 */
export function countDown(seconds, show) {
  // Timers are late in background pages: use the elapsed time.
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
