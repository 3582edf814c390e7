// The weather in the head of the main screen, by its own clock: an old forecast is hidden without a network, too.

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
  const { unit, hours, credit } = weather;
  const hour = hours.find(({ at: begins }) => at >= Date.parse(begins) && at < Date.parse(begins) + HOUR_MS);
  if (!hour) return undefined;
  const { temperature, word, rain, falls } = hour;
  return {
    now: [`${temperature.toLocaleString(locale)}\u00a0°${unit}`, word].filter(Boolean).join('  '),
    ahead: [rain !== null && fallWords(rain, falls, unit, locale), credit.replace('Weather: ', '')]
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
  if (mm === 0) return 'Dry for 3 h';
  if (kind === 'snow') return 'Snow in the next 3 h';
  const inches = Math.max(0.01, mm / MM_IN_INCH);
  const amount =
    unit === 'F'
      ? `${inches.toLocaleString(locale, { maximumFractionDigits: 2 })}″`
      : `${mm.toLocaleString(locale, { maximumFractionDigits: 1 })} mm`;
  return `${amount} of ${kind ?? 'rain'} in 3 h`;
}
