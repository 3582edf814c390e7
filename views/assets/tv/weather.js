// The weather in the head of the main screen, by its own clock: an old forecast is hidden without a network, too.
import { t } from '../base/texts.js';

const HOUR_MS = 3_600_000;
const SHOWN_FOR_MS = 3 * HOUR_MS;
const MM_IN_INCH = 25.4;

/**
 * The weather in words, with its source; undefined if there is none for this hour, or if it is older than three hours.
 * @param {import('#pub/weather/weather.ts').Weather | undefined} weather
 * @param {number} at
 * @param {string} [locale]
 */
export function weatherWords(weather, at, locale = 'en-US') {
  if (!weather || at - Date.parse(weather.readAt) >= SHOWN_FOR_MS) return undefined;
  // A feed of an earlier version has the whole line only.
  const { unit, hours, credit, source } = weather;
  const hour = hours.find(({ at: begins }) => at >= Date.parse(begins) && at < Date.parse(begins) + HOUR_MS);
  if (!hour) return undefined;
  const { temperature, word, rain, falls } = hour;
  return {
    now: [`${temperature.toLocaleString(locale)}\u00a0°${unit}`, word].filter(Boolean).join('  '),
    ahead: [rain !== null && fallWords(rain, falls, unit, locale), source ?? credit.replace('Weather: ', '')]
      .filter(Boolean)
      .join(' · '),
  };
}

/**
 * Of snow there is no amount: the forecast has it as water.
 * @param {number} mm in three hours
 * @param {'rain' | 'sleet' | 'snow' | undefined} kind
 * @param {'C' | 'F'} unit of the temperature; where it is Fahrenheit, rain is told in inches
 * @param {string} locale
 */
function fallWords(mm, kind, unit, locale) {
  if (mm === 0) return t('tv.weather.dry');
  if (kind === 'snow') return t('tv.weather.snow');
  const inches = Math.max(0.01, mm / MM_IN_INCH);
  const amount =
    unit === 'F'
      ? `${inches.toLocaleString(locale, { maximumFractionDigits: 2 })}″`
      : `${mm.toLocaleString(locale, { maximumFractionDigits: 1 })} mm`;
  return kind === 'sleet' ? t('tv.weather.sleet', { amount }) : t('tv.weather.rain', { amount });
}
