// How a game is put into words. Used by the service and by the screens.

/** A time or a date as the source of scores writes it: in its own zone and its own language. */
const ITS_TIME = /\d{1,2}\/\d{1,2}|\d{1,2}:\d{2}\s*[AP]M/i;

/**
 * Whether a game is described by a time of the source, in place of which pages show its start in the zone of the club.
 * @param {string} detail as the source words it: `11/21 - 10:10 PM EST`, `4:15 - 3rd`, `Postponed`
 */
export const namesItsTime = (detail) => ITS_TIME.test(detail);

/**
 * The two sides as they are named: in soccer the home team first, in American sports the guests.
 * @template Side
 * @param {{ sport?: string, home: Side, away: Side }} game
 * @returns {[first: Side, second: Side]}
 */
export function sidesInOrder({ sport, home, away }) {
  return sport === 'soccer' ? [home, away] : [away, home];
}
