// Modules in this folder run in browsers too: they import nothing and use nothing of Node.

/**
 * Now from its start, Done from its end, Next in the minutes before its start, else Later.
 * @param {string} startIso
 * @param {string} endIso
 * @param {number} nowMs milliseconds since the epoch
 * @param {number} nextWindowMin minutes before the start from which it is Next
 * @returns {'Now' | 'Next' | 'Later' | 'Done'}
 */
export function eventStatus(startIso, endIso, nowMs, nextWindowMin) {
  const start = Date.parse(startIso);
  if (nowMs >= Date.parse(endIso)) return 'Done';
  if (nowMs >= start) return 'Now';
  return nowMs >= start - nextWindowMin * 60_000 ? 'Next' : 'Later';
}
