import type { CountryCheck, VolumeUnit } from './menu.ts';
import type { GivenSettings } from './settings.ts';

/** How lists of drinks write volumes, where that is not millilitres. */
const VOLUMES: Partial<Record<VolumeUnit, readonly string[]>> = {
  l: ['AT', 'BG', 'CZ', 'DE', 'HR', 'HU', 'PL', 'RO', 'SI', 'SK'],
  cl: ['BE', 'CH', 'DK', 'ES', 'FI', 'FR', 'IT', 'LU', 'NL', 'NO', 'PT', 'SE'],
  pint: ['GB', 'IE'],
  us_oz: ['US'],
};

/** The countries whose rules for price lists are known; which of those of Great Britain apply is asked by the settings. */
const CHECKS: Readonly<Record<string, CountryCheck>> = { AT: 'AT', DE: 'DE', GB: 'GB', IE: 'IE' };

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
 * The settings that the country decides when a club is set up; each can be changed afterwards, and none follows the
 * country later. A list of leagues has at least one: where nothing is known of a country, it is the Champions League.
 */
export function settingsOf(country: string): GivenSettings {
  const [volume_unit] = Object.entries(VOLUMES).find(([, countries]) => countries.includes(country)) ?? [];
  const country_checks = CHECKS[country];
  return {
    ...(volume_unit !== undefined && { volume_unit: volume_unit as VolumeUnit }),
    ...(country_checks !== undefined && { country_checks }),
    ...(!NORTH_AMERICA.includes(country) && { sports_leagues: [...(LEAGUES[country] ?? [EUROPE])] }),
  };
}
