// How a game is put into words. Used by the service and by the screens.

/** A time or a date as the source of scores writes it: in its own zone and its own language. */
const ITS_TIME = /\d{1,2}\/\d{1,2}|\d{1,2}:\d{2}\s*[AP]M/i;

/**
 * @param {string} detail as the source words it: `11/21 - 10:10 PM EST`, `4:15 - 3rd`, `Postponed`
 * @param {string} start the local time of its start; empty once it began
 * @returns {string} without any time of the source
 */
export function gameNote(detail, start) {
  if (!ITS_TIME.test(detail)) return detail;
  return start && `Starts at ${start}`;
}

/**
 * The two sides as they are named: in soccer the home team first, in American sports the guests.
 * @template Side
 * @param {{ sport?: string, home: Side, away: Side }} game
 * @returns {[first: Side, second: Side]}
 */
export function sidesInOrder({ sport, home, away }) {
  return sport === 'soccer' ? [home, away] : [away, home];
}
