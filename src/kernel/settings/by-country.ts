import type { GivenSettings } from './settings.ts';

const EUROPE = 'soccer/uefa.champions';
/** The leagues that clubs of a country watch; those of North America are the usual ones of the setting. */
const LEAGUES: Readonly<Record<string, readonly string[]>> = {
  AT: ['soccer/ger.1', EUROPE],
  BR: ['soccer/bra.1'],
  CH: ['soccer/ger.1', EUROPE],
  DE: ['soccer/ger.1', EUROPE],
  ES: ['soccer/esp.1', EUROPE],
  FR: ['soccer/fra.1', EUROPE],
  GB: ['soccer/eng.1', EUROPE],
  IE: ['soccer/eng.1', EUROPE],
  IT: ['soccer/ita.1', EUROPE],
  MX: ['soccer/mex.1'],
  NL: ['soccer/ned.1', EUROPE],
  PT: ['soccer/por.1', EUROPE],
};
const NORTH_AMERICA = ['US', 'CA'];

/**
 * The settings that the country decides when a club is set up; they do not follow it later. A list of leagues has at
 * least one: where nothing is known of a country, it is the Champions League. Volumes and rules follow the country by
 * themselves.
 */
export const settingsOf = (country: string): GivenSettings =>
  NORTH_AMERICA.includes(country) ? {} : { sports_leagues: [...(LEAGUES[country] ?? [EUROPE])] };
