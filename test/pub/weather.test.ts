import { expect, test } from 'vitest';
import { changeSettings } from '#content/club-settings.ts';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { html } from '#kernel/html.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { ThrottledClient } from '#kernel/throttled-client.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { listAllChecks } from '#pub/staff-room/checks.ts';
import { readForecast, symbolWords } from '#pub/weather/forecast.ts';
import { weatherReader } from '#pub/weather/weather.ts';
import { type Answer, type JsonServer, jsonServer } from '#test/stand-ins/json-server.ts';
import { forecastFrom, forecastHour, forecastOf } from '#test/stand-ins/weather-source.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';
import { holdTimeouts } from '#test/support/request-timeouts.ts';
import { weatherWords } from '#views/assets/tv/weather.js';

const ACTOR = { ip: 'service', at: NOON };
const BERGEN = { 'weather.place': 'Bergen', 'weather.lat': 60.39, 'weather.lon': 5.32 };

/** The temperature of each hour is its number. */
const hoursFrom = (at: number, count = 60) => forecastFrom(at, count, (temperature) => ({ temperature }));

interface Setup extends TestApp {
  source: JsonServer;
  feed(): Promise<EventsFeed>;
  /** Moves the clock in steps of a minute, with the job after each. */
  pass(ms: number): Promise<void>;
}

async function setUp(
  answer: JsonServer['answer'] = () => ({ json: hoursFrom(NOON) }),
  { locale = 'en-GB', ...settings }: Record<string, unknown> = {},
): Promise<Setup> {
  const source = await jsonServer(answer);
  const service = await testApp({ WEATHER_API_URL: `${source.url}/compact` });
  await changeSettings(service.ctx, { ...BERGEN, locale: String(locale), ...settings }, ACTOR);
  const read = weatherReader(service.ctx, new ThrottledClient(service.ctx, { spacingMs: 0 }));
  const end = service[Symbol.asyncDispose];
  return Object.assign(service, {
    source,
    feed: async () => (await service.get('/api/events')).json<EventsFeed>(),
    async pass(ms: number) {
      for (const until = service.clock.now + ms; service.clock.now < until; ) {
        service.clock.now = Math.min(until, service.clock.now + MINUTE);
        await read(new AbortController().signal);
      }
    },
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]();
      await end();
    },
  });
}

const inEnglish = (checks: Awaited<ReturnType<typeof listAllChecks>>) =>
  checks.map((check) => ({ ...check, text: html`${check.text}`.for(ENGLISH) }));

/** What the page of the operator says about the weather. */
const health = async ({ ctx }: TestApp) =>
  inEnglish(await listAllChecks(ctx, '')).filter(({ name }) => name === 'weather');

test('the feed has the weather of the next hours, which the service asks for with a contact', async () => {
  await using service = await setUp(undefined, {
    contact: 'olga@club.example',
    base_url: 'https://club.example',
  });
  await service.pass(MINUTE);

  expect((await service.feed()).weather).toEqual({
    place: 'Bergen',
    readAt: isoTime(NOON + MINUTE),
    unit: 'C',
    hours: [0, 1, 2, 3].map((at) => ({
      at: isoTime(NOON + at * HOUR),
      temperature: at,
      word: 'Light rain',
      rain: 1.2,
      falls: 'rain',
    })),
    credit: 'Weather: MET Norway',
    source: 'MET Norway',
  });
  const [asked] = service.source.requests;
  expect([asked?.path, Object.fromEntries(asked!.query)]).toEqual([
    '/compact',
    { lat: '60.39', lon: '5.32' },
  ]);
  expect(asked?.headers['user-agent']).toMatch(
    /^PublicHouse\/\S+ \(olga@club\.example; https:\/\/club\.example\)$/,
  );
});

test.each<[string, (string | undefined)[], number, string | undefined]>([
  ['heavy snow showers', ['heavysnowshowers_day'], -3, 'snow'],
  ['sleet', ['lightsleet'], 1, 'sleet'],
  ['rain that becomes snow', ['rain', 'rain', 'snow'], 0, 'sleet'],
  ['a cloud below zero', ['cloudy'], -3, 'snow'],
  ['a cloud above it', ['cloudy'], 4, 'rain'],
])('what falls is said: %s', async (_what, symbols, temperature, falls) => {
  const hour = (index: number) => ({ temperature, symbol: symbols[index % symbols.length], rain: 1 });
  await using service = await setUp(() => ({ json: forecastFrom(NOON, 5, hour) }));
  await service.pass(MINUTE);
  expect((await service.feed()).weather?.hours[0]).toMatchObject({ rain: 3, falls });
});

test.each(['en-US', 'es-US', 'es-PR'])('in the United States degrees are Fahrenheit: %s', async (locale) => {
  await using service = await setUp(undefined, { locale });
  await service.pass(MINUTE);
  expect((await service.feed()).weather).toMatchObject({
    unit: 'F',
    hours: [{ temperature: 32 }, { temperature: 34 }, {}, {}],
  });
});

test('an answer 203 is the forecast, and says on the page of the operator that the source will be retired', async () => {
  let status = 203;
  await using service = await setUp(() => ({ status, json: hoursFrom(NOON) }));
  const retiring = async () =>
    inEnglish(await listAllChecks(service.ctx, '')).filter(({ name }) => name === 'retiring');
  await service.pass(MINUTE);

  expect((await service.feed()).weather).toMatchObject({ place: 'Bergen' });
  expect(await health(service)).toMatchObject([{ state: 'ok' }]);
  expect(await retiring()).toMatchObject([{ state: 'attention', text: expect.stringContaining('Weather') }]);
  status = 200;
  await service.pass(2 * HOUR);
  expect(await retiring()).toEqual([]);
});

test('without a place, or with an empty address of the source, nobody is asked', async () => {
  await using service = await setUp();
  await changeSettings(
    service.ctx,
    { 'weather.place': null, 'weather.lat': null, 'weather.lon': null },
    ACTOR,
  );
  await service.pass(HOUR);
  expect(await health(service)).toEqual([]);
  expect(service.source.requests).toEqual([]);
  expect(await service.feed()).not.toHaveProperty('weather');

  await using off = await testApp({ WEATHER_API_URL: '' });
  await changeSettings(off.ctx, BERGEN, ACTOR);
  await weatherReader(off.ctx)(new AbortController().signal);
  expect((await off.get('/api/events')).json()).not.toHaveProperty('weather');
});

test('the source is asked at most twice an hour, not before it has news, and with what is known', async () => {
  const modified = 'Sat, 21 Nov 2026 16:50:00 GMT';
  let answer: Answer = {
    json: hoursFrom(NOON),
    headers: { 'last-modified': modified, expires: new Date(NOON + 55 * MINUTE).toUTCString() },
  };
  await using service = await setUp(() => answer);
  await service.pass(54 * MINUTE);
  expect(service.source.requests).toHaveLength(1);
  answer = { status: 304, headers: { expires: new Date(NOON).toUTCString() } };
  await service.pass(6 * MINUTE);
  expect(service.source.requests.map(({ headers }) => headers['if-modified-since'])).toEqual([
    undefined,
    modified,
  ]);
  // Unchanged is as good as new: five hours later it is shown, with the hours of then.
  await service.pass(5 * HOUR);
  expect(service.source.requests.length).toBeLessThanOrEqual(2 + 2 * 5);
  expect((await service.feed()).weather?.hours[0]).toMatchObject({ temperature: 6 });
});

test('with the source down for four hours there is no weather, nothing else changes, and few requests are sent', async () => {
  let answer: Answer = { json: hoursFrom(NOON) };
  await using service = await setUp(() => answer);
  await service.pass(MINUTE);
  const { weather: before, ...others } = await service.feed();
  expect(before).toBeDefined();
  expect(await health(service)).toMatchObject([{ state: 'ok' }]);
  answer = 'drop';
  for (const passed of [1, 2, 3, 4]) {
    const asked = service.source.requests.length;
    await service.pass(HOUR);
    expect(service.source.requests.length - asked).toBeLessThanOrEqual(2);
    // Ten screens.
    const feeds = await Promise.all(Array.from({ length: 10 }, () => service.feed()));
    expect([passed, feeds.every((feed) => 'weather' in feed === passed < 3)]).toEqual([passed, true]);
  }
  expect(await health(service)).toMatchObject([
    { state: 'attention', text: expect.stringMatching(/Last read: .*The source: /) },
  ]);
  const { weather: _none, ...after } = await service.feed();
  const timeless = ({ lastUpdated: _, ...feed }: object & { lastUpdated: string }) => feed;
  expect(timeless(after)).toEqual(timeless(others));

  answer = { json: hoursFrom(NOON) };
  await service.pass(2 * HOUR);
  expect((await service.feed()).weather).toBeDefined();
});

test('a source that is slow, broken or lying changes nothing that is shown', async () => {
  const far = { expires: 'Fri, 31 Dec 9999 23:59:59 GMT', 'last-modified': 'yesterday' };
  const faults: [what: string, answer: Answer][] = [
    ['silence', 'hang'],
    ['garbage', 'garbage'],
    ['an error', { status: 500 }],
    ['a refusal', { status: 403 }],
    ['unchanged, though nobody asked', { status: 304 }],
    ['another shape', { json: { properties: { timeseries: 'sunny' } } }],
    ['no hour', { json: forecastOf([]) }],
    ['only yesterday', { json: hoursFrom(NOON - 30 * HOUR, 20), headers: far }],
    ['only tomorrow', { json: hoursFrom(NOON + 24 * HOUR) }],
    ['impossible heat', { json: forecastOf([forecastHour(NOON, { temperature: 451 })]) }],
    ['words for figures', { json: forecastOf([forecastHour(NOON, { temperature: 'warm' })]) }],
  ];
  const endTimeouts = holdTimeouts();
  for (const [what, answer] of faults) {
    await using service = await setUp(() => {
      if (answer === 'hang') setImmediate(endTimeouts);
      return answer;
    });
    await service.pass(29 * MINUTE);
    expect([what, service.source.requests.length, 'weather' in (await service.feed())]).toEqual([
      what,
      1,
      false,
    ]);
  }

  // A date far ahead is not believed for longer than two hours.
  await using service = await setUp(() => ({ json: hoursFrom(NOON), headers: far }));
  await service.pass(2.1 * HOUR);
  expect(service.source.requests.map(({ headers }) => headers['if-modified-since'])).toEqual([
    undefined,
    undefined,
  ]);
});

test('a source that asks for a pause gets it', async () => {
  await using service = await setUp(() => ({ status: 429, headers: { 'retry-after': '7200' } }));
  await service.pass(119 * MINUTE);
  expect(service.source.requests).toHaveLength(1);
  await service.pass(5 * MINUTE);
  expect(service.source.requests).toHaveLength(2);
});

test('another place is read at once, and the first one is not read again within its half hour', async () => {
  await using service = await setUp();
  await service.pass(MINUTE);
  await changeSettings(service.ctx, { 'weather.lat': 1, 'weather.lon': 2 }, ACTOR);
  expect(await service.feed()).not.toHaveProperty('weather');
  await service.pass(MINUTE);
  await changeSettings(service.ctx, BERGEN, ACTOR);
  await service.pass(20 * MINUTE);
  expect(service.source.requests.map(({ query }) => query.get('lat'))).toEqual(['60.39', '1']);
  expect(await service.feed()).toHaveProperty('weather.place', 'Bergen');
});

test('of a forecast with faults the true hours are kept', () => {
  const entries = [
    forecastHour(NOON, { rain: -1, symbol: 'frogs' }),
    { time: 'noon' },
    forecastHour(NOON + HOUR, { temperature: Number.NaN }),
    forecastHour(NOON + 2 * HOUR + MINUTE, {}),
    null,
    forecastHour(NOON + 2 * HOUR, { symbol: 'fair_night', rain: 0 }),
  ];
  expect(readForecast(JSON.stringify(forecastOf(entries)), NOON + MINUTE)).toEqual([
    { at: NOON, temperature: 7.6, symbol: '', rain: null },
    { at: NOON + 2 * HOUR, temperature: 7.6, symbol: 'fair_night', rain: 0 },
  ]);
});

test.each([
  ['clearsky_day', 'Clear'],
  ['partlycloudy_polartwilight', 'Partly cloudy'],
  ['cloudy', 'Cloudy'],
  ['rain', 'Rain'],
  ['heavysnowshowers_night', 'Heavy snow showers'],
  ['lightssleetshowersandthunder_day', 'Thunderstorms'],
  ['frogs', ''],
  ['constructor', ''],
  ['', ''],
])('the symbol %s is %j', (symbol, words) => {
  expect(symbolWords(symbol)?.for(ENGLISH) ?? '').toBe(words);
});

const SHOWN = {
  place: 'Bergen',
  readAt: isoTime(NOON),
  unit: 'C' as const,
  credit: 'Weather: MET Norway',
  hours: [0, 1, 2, 3].map((at) => ({
    at: isoTime(NOON + at * HOUR),
    temperature: 0 - at,
    word: 'Snow',
    rain: 1.25 * at,
  })),
};
test.each<[string, number, object, string, unknown]>([
  ['now', 0, {}, 'en-GB', { now: '0\u00a0°C  Snow', ahead: 'Dry for 3 h · MET Norway' }],
  [
    'snow, which the source measures as water',
    2,
    { hours: SHOWN.hours.map((hour) => ({ ...hour, falls: 'snow' })) },
    'de-AT',
    { ahead: 'Snow in the next 3 h · MET Norway' },
  ],
  [
    'sleet',
    2,
    { hours: SHOWN.hours.map((hour) => ({ ...hour, falls: 'sleet' })) },
    'en-GB',
    { ahead: '2.5 mm of sleet in 3 h · MET Norway' },
  ],
  [
    'two hours later, offline',
    2,
    {},
    'de-DE',
    { now: '-2\u00a0°C  Snow', ahead: '2,5 mm of rain in 3 h · MET Norway' },
  ],
  [
    'in inches',
    1,
    { unit: 'F' },
    'en-US',
    { now: '-1\u00a0°F  Snow', ahead: '0.05″ of rain in 3 h · MET Norway' },
  ],
  ['three hours later', 3, {}, 'en-GB', undefined],
  ['before it', -1, {}, 'en-GB', undefined],
])('a screen shows it by its own clock: %s', (_what, hours, more, locale, words) => {
  const shown = weatherWords({ ...SHOWN, ...more }, NOON + hours * HOUR, locale);
  if (words === undefined) expect(shown).toBeUndefined();
  else expect(shown).toMatchObject(words as object);
});
