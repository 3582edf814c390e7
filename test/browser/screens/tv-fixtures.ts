// Screens with the usual content of an evening, and with the longest content that can be entered.
import sharp from 'sharp';
import { changeSettings } from '#content/club-settings.ts';
import { MINUTE } from '#kernel/clock.ts';
import { weatherReader } from '#pub/weather/weather.ts';
import { jsonServer } from '#test/stand-ins/json-server.ts';
import { type PictureHost, startPictureHost } from '#test/stand-ins/picture-host.ts';
import {
  event,
  file,
  onTv,
  record,
  relation,
  select,
  text,
  tick,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import { forecastFrom, type forecastHour } from '#test/stand-ins/weather-source.ts';
import { NOON } from '#test/support/app.ts';
import { appoint, phone } from '#test/support/people/patrons.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

export interface Screens extends AsyncDisposable {
  pub: Pub;
  origin: string;
}

const TOKEN = { 'x-admin-token': 'the token of the staff' };
const ENV = {
  PUB_ADMIN_TOKEN: TOKEN['x-admin-token'],
  NOW_SHOWING_ENABLED: 'on',
  RATE_LIMIT_GENERAL: '10000',
};
const SWITCHES = { SETLIST_REQUESTS_ENABLED: 'on' };

/** The clock of the tests is stopped at Sat, Nov 21, 2026, noon in New York. */
const at = (day: number, time: string) => `2026-11-${day}T${time}:00.000-05:00`;
const hour = (number: number) => String(number).padStart(2, '0');

/** 120 words. */
export const SPEECH = `${'The annual meeting is on Sunday at three in the big room upstairs. '.repeat(9)}${'Bring a pencil. '.repeat(4)}`;
const ENDLESS = 'Unbreakable'.repeat(6);
const LONG_TITLE =
  'The Annual General Meeting of the Society for the Preservation of Skittles, with Supper and a Raffle';

/** The usual: a few events, four announcements, two tenders, a film, a song with lyrics. */
export async function usualScreens(): Promise<Screens> {
  const pictures = await startPictureHost(drawPicture);
  return startScreens(pictures, {
    events: [
      event('Newspapers and an open hearth', at(21, '11:00'), {}, at(21, '13:00')),
      event('Quiz: rivers, kings and cheese', at(21, '12:40'), {}, at(21, '15:00')),
      event('The house band plays', at(21, '20:00'), {}, at(21, '23:00')),
      ...[22, 23, 24, 25, 26].map((day) =>
        event(`${LONG_TITLE.slice(0, 30 + 5 * (day - 20))}`, at(day, '19:30')),
      ),
    ],
    announcements: [
      record('Vote by Sunday', {
        ...onTv,
        Priority: select('Urgent'),
        Content: text('Your link is in your mail.'),
      }),
      record('The annual meeting', { ...onTv, Content: text(SPEECH) }),
      record('The roof is done', {
        ...onTv,
        Content: text('Bowls again.'),
        Image: file(pictures.urlOf('wide')),
      }),
      record('Winter ale', {
        ...onTv,
        Content: text('Five weeks in oak.'),
        Image: file(pictures.urlOf('tall')),
      }),
      record('A poster', { ...onTv, Image: file(pictures.urlOf('tall')) }),
    ],
    people: ['Marguerite Delacroix', 'Tom Varga'],
    film: 'The Third Man',
    song: { artist: 'The Lantern Ferry', title: 'Harbour Lights', album: 'Low Water' },
    wish: { artist: 'The Mild Peril', title: 'Fire Door Keep Shut' },
    weather: { temperature: 11.4, symbol: 'cloudy', rain: 0 },
  });
}

/** Twelve events today, twelve later, titles and texts of maximum length, six people behind the bar. */
export async function extremeScreens(): Promise<Screens> {
  const pictures = await startPictureHost(drawPicture);
  return startScreens(pictures, {
    events: [
      ...Array.from({ length: 12 }, (_, index) =>
        event(
          `${index + 1}. ${index % 3 === 0 ? LONG_TITLE : `Event ${ENDLESS.slice(0, 6 * index)}`}`,
          at(21, `${hour(12 + (index >> 1))}:30`),
          {},
          at(21, '23:45'),
        ),
      ),
      ...Array.from({ length: 12 }, (_, index) =>
        event(
          `${index + 13}. ${index % 2 === 0 ? LONG_TITLE : 'Skittles'}`,
          at(22 + (index >> 1), `${hour(10 + index)}:30`),
        ),
      ),
    ],
    announcements: [
      record(`${LONG_TITLE} ${LONG_TITLE}`.slice(0, 200), {
        ...onTv,
        Content: text('Words after words. '.repeat(105)),
      }),
      record(ENDLESS, {
        ...onTv,
        Content: text(`${SPEECH} ${ENDLESS}`),
        Image: file(pictures.urlOf('wide')),
      }),
      record(LONG_TITLE, { ...onTv, Content: text(SPEECH), Image: file(pictures.urlOf('tall')) }),
    ],
    club: 'The Society for the Preservation of Skittles, Quoits and Good Conversation in the Lower Valley',
    people: ['Maximiliana', 'Bartholomäus', 'Konstantin', 'Wilhelmina', 'Friederike', 'Ottokar'].map(
      (name) => `${name} von und zu Featherstonehaugh-Cholmondeley`,
    ),
    film: `${LONG_TITLE}`.slice(0, 80),
    song: {
      artist: `${LONG_TITLE} ${ENDLESS}`.slice(0, 120),
      title: `${ENDLESS} ${LONG_TITLE}`.slice(0, 120),
      album: LONG_TITLE,
    },
    wish: { artist: LONG_TITLE.slice(0, 60), title: LONG_TITLE },
    weather: { temperature: -38, symbol: 'heavysleetshowers_day', rain: 12.3 },
  });
}

interface Content {
  club?: string;
  events: ReturnType<typeof event>[];
  announcements: ReturnType<typeof record>[];
  people: string[];
  film: string;
  song: { artist: string; title: string; album: string };
  /** The next song that somebody asked for. */
  wish: { artist: string; title: string };
  weather: Parameters<typeof forecastHour>[1];
}

/** Draws a wide or a tall picture. QR codes come from the service. */
function drawPicture(name: string): Promise<Buffer> {
  const wide = { width: 800, height: 500, background: '#20384a' };
  const tall = { width: 450, height: 600, background: '#8c2f2b' };
  return sharp({ create: { ...(name === 'wide' ? wide : tall), channels: 3 } })
    .png()
    .toBuffer();
}

async function startScreens(
  pictures: PictureHost,
  { club, events, announcements, people, film, song, wish, weather }: Content,
): Promise<Screens> {
  const tenders = people.map((name, index) =>
    record(name, {
      Active: tick(),
      'Meet your Tender': tick(),
      ...(index === 0 && { Photo: file(pictures.urlOf('tall')) }),
    }),
  );
  const ids = tenders.map(({ id }) => id);
  const shifts = [21, 22, 24, 25].map((day) =>
    record('Evening', { Shift: when(at(day, '11:00'), at(day, '23:30')), Tenders: relation(...ids) }),
  );
  const source = await jsonServer(() => ({ json: forecastFrom(NOON, 5, () => weather) }));
  const pub = await startPub(
    { events, announcements, tenders, shifts },
    { ...ENV, ...SWITCHES, WEATHER_API_URL: source.url, ...(club && { CLUB_NAME: club }) },
  );
  const { service } = pub;
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  await pub.refresh();
  await changeSettings(
    service.ctx,
    { 'weather.lat': 52.49, 'weather.lon': 13.44 },
    { ip: 'service', at: service.clock.now },
  );
  await weatherReader(service.ctx)(new AbortController().signal);
  // A change of the settings would take it away.
  service.ctx.config.BASE_URL = 'https://publichouse.club.example';
  const asked = await phone(service).post('/api/setlist/request', wish);
  await service.post(`/api/admin/requests/${asked.json().request.id}`, { status: 'approved' }, TOKEN);
  await service.post('/api/now-playing/ingest', { heartbeat: true }, TOKEN);
  await playSong({ pub }, song, service.clock.now - MINUTE);
  await service.post('/api/admin/now-showing', { mode: 'movie', label: film }, TOKEN);
  return {
    pub,
    origin,
    async [Symbol.asyncDispose]() {
      await pub[Symbol.asyncDispose]();
      await pictures[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}

/** Reports a song as the device does, and stores lyrics for it. */
export async function playSong(
  { pub: { service } }: Pick<Screens, 'pub'>,
  song: Content['song'],
  startedAt: number,
): Promise<void> {
  const payload = { ...song, duration_ms: 221_000, started_at: new Date(startedAt).toISOString() };
  await service.post('/api/now-playing/ingest', payload, TOKEN);
  const lrc = Array.from(
    { length: 12 },
    (_, line) => `[00:${hour(4 * line)}.00]${song.title.slice(0, 120)}, and the rain comes in`,
  );
  const put = { method: 'PUT', url: '/api/admin/now-playing/lyrics', headers: TOKEN } as const;
  await service.request({ ...put, payload: { ...song, lrc: lrc.join('\n') } });
}

/** Switches of the displays. */
export const switchDisplays = ({ pub }: Screens, switches: object) =>
  pub.service.post('/api/admin/now-playing/controls', switches, TOKEN);

/** Starts a notice of maximum length on all screens. @returns a function that ends it */
export async function fillScreens({ pub }: Screens): Promise<() => Promise<unknown>> {
  const notice = {
    kind: 'own',
    title: 'W'.repeat(60),
    text: 'The kitchen closes in ten minutes, so order now. '.repeat(2).slice(0, 80),
  };
  const owner = await appoint(pub.service, 'olga@club.example', 'owner');
  const { id } = (await pub.service.post('/api/admin/takeover', notice, owner)).json();
  return () => pub.service.post(`/api/admin/takeover/${id}/end`, {}, owner);
}
