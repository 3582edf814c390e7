import type { Selectable } from 'kysely';
import { backoff } from '#kernel/backoff.ts';
import { kept } from '#kernel/cache.ts';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import type { WeatherTable } from '#kernel/db/schema.ts';
import { keepText, readText } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import type { Job } from '#kernel/scheduler.ts';
import { ThrottledClient } from '#kernel/throttled-client.ts';
import {
  hasContent,
  noteRetirement,
  retryAfter,
  statusInWords,
  type UpstreamAnswer,
} from '#kernel/upstream.ts';
import { type Falling, type ForecastHour, fallingIn, readForecast, symbolWords } from './forecast.ts';

/** The weather as the feed has it. */
export interface Weather {
  /** The name of the place in the settings; empty where none was entered. */
  place: string;
  /** When the source was last heard: a screen hides the weather three hours later. */
  readAt: string;
  /** The unit of the temperatures. */
  unit: 'C' | 'F';
  /** From the current hour on; a screen without a network goes from one to the next. */
  hours: HourShown[];
  credit: string;
  /** The source alone. */
  source?: string;
}

interface HourShown {
  at: string;
  temperature: number;
  word: string;
  /** Millimetres in the next three hours, of snow as water. */
  rain: number | null;
  /** What falls in the next three hours; absent while nothing does. */
  falls?: Falling;
}

/** The forecast of the place in the settings, as last read. */
export interface StoredForecast {
  readAt: number;
  hours: ForecastHour[];
}

/** Older weather is not shown. */
const SHOWN_FOR = 3 * HOUR;
/** The source asks for this. */
const LEAST_PAUSE = 30 * MINUTE;
/** A source that promises nothing new for longer is not believed: the weather would be hidden meanwhile. */
const LONGEST_PAUSE = 2 * HOUR;
/** Spreads the requests of many services. */
const JITTER = 3 * MINUTE;
const HOURS_SHOWN = 4;
/** Rain is summed up over so many hours. */
const RAIN_HOURS = 3;
const SOURCE = 'MET Norway';

interface Place {
  lat: number;
  lon: number;
}

/** The place in the settings; undefined while the weather is off. */
function placeOf({ config }: Pick<Context, 'config'>): Place | undefined {
  const { 'weather.lat': lat, 'weather.lon': lon } = config.settings;
  return config.WEATHER_API_URL === '' || lat === null || lon === null ? undefined : { lat, lon };
}

const FORECAST = kept<StoredForecast | undefined>();

/** Finds the forecast; the same object until another one is read. Makes no request. */
export function findForecast(ctx: Context): StoredForecast | undefined {
  const place = placeOf(ctx);
  const row = place && findRow(ctx.db, place);
  if (!row?.read_at || row.hours === null) return undefined;
  const { read_at: readAt, hours } = row;
  return ctx.cache.get(FORECAST, '', () => ({ readAt, hours: JSON.parse(hours) }), [readAt, hours]);
}

/** When the forecast was read, and why the last request failed; undefined while the weather is off. */
export function findReading(
  ctx: Context,
): { readAt: number | null; error: Words | string | null } | undefined {
  const place = placeOf(ctx);
  if (!place) return undefined;
  const { read_at: readAt = null, error = null } = findRow(ctx.db, place) ?? {};
  return { readAt, error: error === null ? null : readText(error) };
}

/** Whether a forecast is new enough; one that was read in the future has the time of a clock that was wrong. */
export const isShown = (readAt: number | null, now: number): boolean =>
  readAt !== null && now - readAt >= -5 * MINUTE && now - readAt < SHOWN_FOR;

/**
 * Returns the weather at `now`, and until when it stays the same. Nothing that is older than three hours.
 */
export function weatherAt(
  forecast: StoredForecast | undefined,
  now: number,
  { settings, LOCALE }: Pick<Context['config'], 'settings' | 'LOCALE'>,
): { weather: Weather | undefined; until: number } {
  const never = { weather: undefined, until: Number.POSITIVE_INFINITY };
  if (!forecast) return never;
  const { readAt, hours } = forecast;
  if (!isShown(readAt, now)) return never;
  const hour = Math.floor(now / HOUR) * HOUR;
  const until = Math.min(hour + HOUR, readAt + SHOWN_FOR);
  const ahead = hours.filter(({ at }) => at >= hour && at < hour + HOURS_SHOWN * HOUR);
  if (ahead[0]?.at !== hour) return { weather: undefined, until };
  const unit = FAHRENHEIT.has(new Intl.Locale(LOCALE).region ?? '') ? 'F' : 'C';
  return {
    weather: {
      place: settings['weather.place'] ?? '',
      readAt: isoTime(readAt),
      unit,
      hours: ahead.map(({ at, temperature, symbol }) => ({
        at: isoTime(at),
        temperature: Math.round(unit === 'F' ? (temperature * 9) / 5 + 32 : temperature),
        word: wordOf(symbol),
        ...fallFrom(hours, at),
      })),
      credit: forClub(t('tv.weather.credit', { source: SOURCE })),
      source: SOURCE,
    },
    until,
  };
}

function wordOf(symbol: string): string {
  const words = symbolWords(symbol);
  return words ? forClub(words) : '';
}

/** Where degrees are Fahrenheit (CLDR, `unitPreferenceData`), whatever the language. */
const FAHRENHEIT = new Set('US AS GU MP PR UM VI BS BZ FM KY MH PW'.split(' '));

/** What falls in three hours, in millimetres; null where one of them is unknown. */
function fallFrom(hours: readonly ForecastHour[], from: number): Pick<HourShown, 'rain' | 'falls'> {
  const ahead = hours.filter(({ at }) => at >= from && at < from + RAIN_HOURS * HOUR);
  const amounts = ahead.flatMap(({ rain }) => rain ?? []);
  if (amounts.length < RAIN_HOURS) return { rain: null };
  const falls = fallingIn(ahead);
  const rain = Math.round(10 * amounts.reduce((sum, one) => sum + one, 0)) / 10;
  return { rain, ...(falls && { falls }) };
}

/**
 * Makes the job that reads the forecast: at most every 30 minutes for a place, whatever the source answers, and not
 * before the time up to which it says that nothing changes. What failed keeps the last forecast, which ages.
 */
export function weatherReader(ctx: Context, host = new ThrottledClient(ctx)): Job['run'] {
  return async (stopping) => {
    const place = placeOf(ctx);
    if (!place || host.paused) return;
    const row = findRow(ctx.db, place);
    // A later time was stored while the clock was wrong.
    if (row && row.next_at > ctx.now() && row.next_at <= ctx.now() + 2 * DAY) return;
    const query = new URLSearchParams({ lat: String(place.lat), lon: String(place.lon) });
    const answer = await host.ask(`${ctx.config.WEATHER_API_URL}?${query}`, {
      headers: {
        'user-agent': agentOf(ctx),
        ...(row?.last_modified && { 'if-modified-since': row.last_modified }),
      },
      signal: stopping,
    });
    if (stopping?.aborted) return;
    await store(ctx, place, row, answer);
  };
}

/** The User-Agent with a contact, which the source asks for: that of the club, and the address of the service. */
function agentOf({ version, config: { settings, BASE_URL } }: Context): string {
  const contact = [settings.contact, BASE_URL]
    .map((text) => text?.replace(/[^ -~]|[()]/g, '').trim())
    .filter(Boolean);
  return `PublicHouse/${version} (${contact.join('; ') || "a club's own server"})`;
}

async function store(ctx: Context, place: Place, before: Row | undefined, answer: UpstreamAnswer) {
  const now = ctx.now();
  if (answer.ok) noteRetirement(ctx, t('settings.check.weather'), answer);
  const read = readAnswer(answer, before, now);
  const failures = 'reason' in read ? (before?.failures ?? 0) + 1 : 0;
  const row =
    'reason' in read
      ? { failures, error: keepText(read.reason), next_at: now + Math.max(read.wait, pauseAfter(failures)) }
      : { ...read, failures, error: null, read_at: now, next_at: nextAfter(answer, now) };
  if ('reason' in read) ctx.log.warn({ reason: read.reason.for(ENGLISH) }, 'the weather cannot be read');
  await ctx.write((tx) => {
    // Of other places nothing is kept for longer than a day.
    tx.run(build.deleteFrom('weather').where('next_at', '<', now - DAY));
    tx.run(
      build
        .insertInto('weather')
        .values({ ...place, ...row })
        .onConflict((conflict) => conflict.columns(['lat', 'lon']).doUpdateSet(row)),
    );
  });
}

/** Lets the source that failed be asked by the next run of the job. */
export async function retryWeather(ctx: Context): Promise<void> {
  await ctx.write((tx) =>
    tx.run(build.updateTable('weather').set({ next_at: ctx.now() }).where('error', 'is not', null)),
  );
}

const pauseAfter = (failures: number) => backoff(failures, LEAST_PAUSE, LONGEST_PAUSE);

type Read = { hours?: string; last_modified?: string | null } | { reason: Words; wait: number };

function readAnswer(answer: UpstreamAnswer, before: Row | undefined, now: number): Read {
  if (!answer.ok) return { reason: answer.reason, wait: 0 };
  const { status, headers, body } = answer;
  if (status === 304 && before?.last_modified && before.hours !== null) return {};
  if (!hasContent(answer)) {
    const wait = Math.min(retryAfter(headers, now) ?? 0, DAY);
    return { reason: statusInWords(answer), wait };
  }
  const hours = readForecast(body.toString(), now);
  if (!hours) return { reason: t('settings.upstream.no_forecast'), wait: 0 };
  const modified = headers.get('last-modified');
  const isDate = modified !== null && modified.length <= 40 && !Number.isNaN(Date.parse(modified));
  return { hours: JSON.stringify(hours), last_modified: isDate ? modified : null };
}

function nextAfter(answer: UpstreamAnswer, now: number): number {
  const expires = answer.ok ? Date.parse(answer.headers.get('expires') ?? '') : Number.NaN;
  const told = Number.isNaN(expires) ? now : Math.min(expires, now + LONGEST_PAUSE);
  return Math.max(now + LEAST_PAUSE, told) + Math.round(JITTER * Math.random());
}

type Row = Selectable<WeatherTable>;

const findRow = (db: Reader, { lat, lon }: Place): Row | undefined =>
  db.first(build.selectFrom('weather').selectAll().where('lat', '=', lat).where('lon', '=', lon));
