import { HOUR, isoTime } from '#kernel/clock.ts';
import { type JsonServer, jsonServer } from './json-server.ts';

/** An hour of a forecast as the source writes it; fields may be wrong on purpose. */
export const forecastHour = (
  at: number,
  {
    temperature = 7.6,
    symbol = 'lightrain',
    rain = 0.4,
  }: Partial<Record<'temperature' | 'symbol' | 'rain', unknown>>,
) => ({
  time: isoTime(at).replace('.000', ''),
  data: {
    instant: { details: { air_temperature: temperature } },
    next_1_hours: { summary: { symbol_code: symbol }, details: { precipitation_amount: rain } },
  },
});

export const forecastOf = (timeseries: readonly unknown[]) => ({
  type: 'Feature',
  properties: { timeseries },
});

/** A forecast of `count` hours; `hour` gives each by its number. */
export const forecastFrom = (
  at: number,
  count: number,
  hour: (index: number) => Parameters<typeof forecastHour>[1],
) => forecastOf(Array.from({ length: count }, (_, index) => forecastHour(at + index * HOUR, hour(index))));

/** Starts a source with an ordinary day of autumn, whenever it is asked. */
export const startWeather = (): Promise<JsonServer> =>
  jsonServer(() => {
    const begin = Math.floor(Date.now() / HOUR) * HOUR;
    const symbols = ['partlycloudy_day', 'lightrainshowers_day', 'rain', 'cloudy'];
    return {
      json: forecastFrom(begin, 60, (index) => ({
        temperature: 11.4 - (index % 8) / 2,
        symbol: symbols[index % symbols.length],
        rain: index % 4 === 2 ? 1.3 : 0,
      })),
    };
  });
