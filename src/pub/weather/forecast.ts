import { z } from 'zod';
import { HOUR } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';

/** An hour of a forecast, as it is stored. */
export interface ForecastHour {
  /** When it begins, in milliseconds. */
  at: number;
  /** In degrees Celsius, at its beginning. */
  temperature: number;
  /** The symbol of the source; empty where it has none. */
  symbol: string;
  /** Millimetres of rain in this hour; null where the source has none. */
  rain: number | null;
}

/** Enough for a day without a newer one: the source may say for hours that nothing has changed. */
const HOURS_KEPT = 30;

/**
 * Reads the hours from `now` on in an answer of the shape “locationforecast compact” of met.no. Hours that cannot be
 * true are left out.
 * @returns undefined when it is no such answer, or one without the current hour
 */
export function readForecast(text: string, now: number): ForecastHour[] | undefined {
  const parsed = Forecast.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const first = Math.floor(now / HOUR) * HOUR;
  const last = first + HOURS_KEPT * HOUR;
  const byHour = new Map<number, ForecastHour>();
  for (const entry of parsed.data.properties.timeseries.slice(0, ENTRIES_AT_MOST)) {
    const read = Entry.safeParse(entry);
    if (!read.success) continue;
    const { time: at, data } = read.data;
    if (at < first || at >= last || at % HOUR !== 0) continue;
    const { summary, details } = data.next_1_hours ?? {};
    byHour.set(at, {
      at,
      temperature: data.instant.details.air_temperature,
      symbol: summary?.symbol_code ?? '',
      rain: details?.precipitation_amount ?? null,
    });
  }
  return byHour.has(first) ? [...byHour.values()].sort((a, b) => a.at - b.at) : undefined;
}

const ENTRIES_AT_MOST = 300;

const Entry = z.object({
  time: z.iso.datetime().transform((text) => Date.parse(text)),
  data: z.object({
    instant: z.object({ details: z.object({ air_temperature: z.number().min(-90).max(60) }) }),
    next_1_hours: z
      .object({
        summary: z.object({ symbol_code: z.string().max(60) }).optional(),
        details: z.object({ precipitation_amount: z.number().min(0).max(300) }).optional(),
      })
      .optional()
      .catch(undefined),
  }),
});

const Forecast = z.object({ properties: z.object({ timeseries: z.array(z.unknown()) }) });

/** The symbols that are not made of rain, sleet or snow. */
const SKIES: Readonly<Record<string, Words>> = {
  clearsky: t('tv.weather.clearsky'),
  fair: t('tv.weather.fair'),
  partlycloudy: t('tv.weather.partlycloudy'),
  cloudy: t('tv.weather.cloudy'),
  fog: t('tv.weather.fog'),
};
/** The others: how strong, what falls, and whether in showers. */
const FALLS: Readonly<Record<string, Words>> = {
  rain: t('tv.weather.word_rain'),
  rainshowers: t('tv.weather.rain_showers'),
  sleet: t('tv.weather.word_sleet'),
  sleetshowers: t('tv.weather.sleet_showers'),
  snow: t('tv.weather.word_snow'),
  snowshowers: t('tv.weather.snow_showers'),
  lightrain: t('tv.weather.light_rain'),
  lightrainshowers: t('tv.weather.light_rain_showers'),
  lightsleet: t('tv.weather.light_sleet'),
  lightsleetshowers: t('tv.weather.light_sleet_showers'),
  lightsnow: t('tv.weather.light_snow'),
  lightsnowshowers: t('tv.weather.light_snow_showers'),
  heavyrain: t('tv.weather.heavy_rain'),
  heavyrainshowers: t('tv.weather.heavy_rain_showers'),
  heavysleet: t('tv.weather.heavy_sleet'),
  heavysleetshowers: t('tv.weather.heavy_sleet_showers'),
  heavysnow: t('tv.weather.heavy_snow'),
  heavysnowshowers: t('tv.weather.heavy_snow_showers'),
};
/** The source writes some with a second s: `lightssleetshowersandthunder`. */
const WET = /^(light|heavy)?s?(rain|sleet|snow)(showers)?(andthunder)?$/;

/**
 * A symbol of the source in words, without its time of day: `lightrainshowers_night` is `Light rain showers`. Undefined
 * for one that is not known.
 */
export function symbolWords(symbol: string): Words | undefined {
  const sky = symbol.replace(/_(day|night|polartwilight)$/, '');
  const [known, strength = '', kind = '', showers = '', thunder] = WET.exec(sky) ?? [];
  if (known === undefined) return ownValue(SKIES, sky);
  return thunder ? t('tv.weather.thunderstorms') : FALLS[strength + kind + showers];
}

/** What falls in an hour, or in several: rain and snow together are sleet. */
export type Falling = 'rain' | 'sleet' | 'snow';

/** Below so many degrees Celsius what falls is snow, where the source does not say. */
const SNOW_BELOW = 0.5;

/** What falls in some hours; undefined while nothing does. */
export function fallingIn(hours: readonly ForecastHour[]): Falling | undefined {
  const kinds = new Set(hours.filter(({ rain }) => rain !== null && rain > 0).map(fallingAt));
  const [first, another] = kinds;
  return another === undefined ? first : 'sleet';
}

function fallingAt({ symbol, temperature }: ForecastHour): Falling {
  const known = (['snow', 'sleet', 'rain'] as const).find((kind) => symbol.includes(kind));
  return known ?? (temperature < SNOW_BELOW ? 'snow' : 'rain');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
