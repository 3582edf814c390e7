// How a game is put into words. Used by the service and by the screens.

/** A time or a date as the source of scores writes it: in its own zone and its own language. */
const ITS_TIME = /\d{1,2}\/\d{1,2}|\d{1,2}:\d{2}\s*[AP]M/i;

/**
 * Whether a game is described by a time of the source, in place of which pages show its start in the zone of the club.
 * @param {string} detail as the source words it: `11/21 - 10:10 PM EST`, `4:15 - 3rd`, `Postponed`
 */
export const namesItsTime = (detail) => ITS_TIME.test(detail);

/** The states for which the source of scores has one word, by that word in small letters. */
const STATES = /** @type {const} */ ({
  scheduled: 'scheduled',
  delayed: 'delayed',
  delay: 'delayed',
  'rain delay': 'rain',
  postponed: 'postponed',
  canceled: 'canceled',
  cancelled: 'canceled',
  suspended: 'suspended',
  abandoned: 'abandoned',
  'in progress': 'other',
  '1st half': 'first_half',
  '2nd half': 'second_half',
  halftime: 'halftime',
  ht: 'halftime',
  overtime: 'overtime',
  ot: 'overtime',
  shootout: 'shootout',
  final: 'final',
  ft: 'final',
  'full time': 'final',
  'final/ot': 'final_overtime',
  'final/so': 'final_shootout',
  aet: 'after_extra_time',
  'ft-pens': 'after_penalties',
  walkover: 'walkover',
});
/** What the periods of a sport are called; of others only their number is known. */
const PERIODS = /** @type {const} */ ({ hockey: 'third', football: 'quarter', baseball: 'inning' });
const PARTS = /** @type {const} */ ({ top: 'top', mid: 'middle', bot: 'bottom' });
/** `9:03 - 3rd`; the last minute of a period counts tenths of a second. */
const AT_CLOCK = /^([\d:.]+) - (\d{1,2})(?:st|nd|rd|th)$/;
/** `Top 5th`, `End of 2nd` */
const AT_PART = /^(top|mid|bot|end)(?: of)? (\d{1,2})(?:st|nd|rd|th)$/;

/** @typedef {(typeof PERIODS)[keyof typeof PERIODS] | 'period'} Period */

/**
 * What a game is at: the values of `tv.game.state`. The clock is empty and the number 0 where they are not known.
 * @typedef {object} GameState
 * @property {(typeof STATES)[keyof typeof STATES] | (typeof PARTS)[keyof typeof PARTS] | `clock_${Exclude<Period, 'inning'>}` | `end_${Period}`} state
 * @property {string} clock
 * @property {number} number of the period
 */

/**
 * Reads the state of a game in the words of the source, which are English.
 * @param {{ sport?: string, detail: string }} game
 * @returns {GameState | undefined} undefined for what we have no words for
 */
export function gameState({ sport = '', detail }) {
  const words = detail.trim().toLowerCase();
  /** @type {Period} */
  const period = find(PERIODS, sport) ?? 'period';
  const [, clock, running] = AT_CLOCK.exec(words) ?? [];
  if (clock !== undefined)
    return { state: `clock_${period === 'inning' ? 'period' : period}`, clock, number: Number(running) };
  const [, part = '', number] = AT_PART.exec(words) ?? [];
  const state =
    number === undefined
      ? find(STATES, words)
      : (find(PARTS, part) ?? /** @type {const} */ (`end_${period}`));
  return state && { state, clock: '', number: Number(number ?? 0) };
}

/**
 * @template {Record<string, string>} Table
 * @param {Table} table
 * @param {string} key
 * @returns {Table[keyof Table] | undefined}
 */
const find = (table, key) =>
  /** @type {Table[keyof Table] | undefined} */ (Object.entries(table).find(([name]) => name === key)?.[1]);

/** The attribute `lang` for words of the source that are shown as they are; `69'` is of no language. @param {string} detail */
export const languageOfSource = (detail) => (/\p{L}/u.test(detail) ? 'en' : '');

/**
 * The two sides as they are named: in soccer the home team first, in American sports the guests.
 * @template Side
 * @param {{ sport?: string, home: Side, away: Side }} game
 * @returns {[first: Side, second: Side]}
 */
export function sidesInOrder({ sport, home, away }) {
  return sport === 'soccer' ? [home, away] : [away, home];
}
