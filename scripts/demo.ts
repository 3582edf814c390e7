// npm run demo: runs a whole club on this machine, without network. npm run demo -- --help lists the options.
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { openCalendar } from '#calendar/context.ts';
import { SESSION_COOKIE } from '#kernel/access/sessions.ts';
import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { addMadeLanguage } from '#kernel/language/catalogues.ts';
import { openContext } from '#kernel/open-context.ts';
import { startJobs } from '#kernel/scheduler.ts';
import { stopSignal } from '#kernel/stop-signal.ts';
import { SetUpCode } from '#people/set-up.ts';
import { PUB_DATABASES } from '#test/stand-ins/pub-workspace.ts';
import { runGame, startScoreboard } from '#test/stand-ins/scoreboard-server.ts';
import { startWeather } from '#test/stand-ins/weather-source.ts';
import { KEY } from '#test/stand-ins/workspace-server.ts';
import { addPseudoLanguage, PSEUDO } from '#test/support/pseudo-language.ts';
import { buildApp } from '../src/app.ts';
import { jobs } from '../src/jobs.ts';
import { accountsPage, makeAccounts, OWNER, signInAs } from './demo/accounts.ts';
import { aroundNow } from './demo/around.ts';
import { CLUBS } from './demo/clubs/index.ts';
import { addNeighbour, startNeighbour, writeContent } from './demo/content.ts';
import { holdElections } from './demo/elections.ts';
import { gamesOf } from './demo/games.ts';
import { callMeeting, leadMeeting } from './demo/meeting.ts';
import { fillTheRoll } from './demo/members.ts';
import { type Options, Refused, readOptions } from './demo/options.ts';
import { showOutbox } from './demo/outbox.ts';
import { ensureFree } from './demo/ports.ts';
import { fillTheRoom, joinTheCalendar, rememberTheYear, showFilms, writeLyrics } from './demo/pub.ts';
import { pairScreen, runScreen } from './demo/screen.ts';
import { serviceOf } from './demo/service.ts';
import { tellPlaces, tellSetUp } from './demo/words.ts';
import { playWorkspace } from './demo/workspace.ts';
import { serveCovers } from './device/covers.ts';
import { playNight } from './device/device.ts';
import { planNight } from './device/night.ts';

const SWITCHES = ['SPORTS', 'NOW_SHOWING', 'SCREENINGS', 'SETLIST_REQUESTS', 'FEEDBACK'];
/** Length of a night; the next one follows. */
const HOURS = 24;

const stop = new AbortController();
stopSignal().addEventListener('abort', () => stop.abort());
try {
  const options = readOptions();
  if (typeof options === 'string') console.log(options);
  else await demo(options);
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof Refused ? error.message : error);
    process.exitCode = 1;
  }
}
if (stop.signal.aborted) console.log('Closing time.');

/** Runs until it is stopped. Takes the port of the outbox first: the process that has it owns the folder. */
async function demo(options: Options): Promise<void> {
  const { host, port, folder } = options;
  const language = options.language && offer(options.language);
  await using outbox = await showOutbox(`${folder}/outbox`, host, port + 1);
  void outbox;
  await ensureFree(host, port);
  fs.rmSync(folder, { recursive: true, force: true });
  await (options.setUp ? newClub({ ...options, language }) : wholeClub({ ...options, language }));
}

/** Offers a language, complete or not. @returns its tag */
function offer(language: string): string {
  if (language === 'pseudo') {
    addPseudoLanguage();
    return PSEUDO;
  }
  addMadeLanguage(language, (english, own) => own ?? english);
  return language;
}

/** Starts a service without any person; the printed code lets somebody become its first owner. */
async function newClub({ host, port, folder, log, language }: Options): Promise<void> {
  await using things = new AsyncDisposableStack();
  const ctx = things.use(await open({ port, folder, log, language }));
  const setUpCode = new SetUpCode(ctx.now);
  await serve(ctx, things, { host, port, setUpCode });
  tellSetUp({ ...placesOf(port), folder, code: setUpCode.shown });
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
}

/** Starts a club with years of data and a running evening. */
async function wholeClub({ host, port, folder, log, language, speed, ...options }: Options): Promise<void> {
  const club = CLUBS[options.club]!;
  const zone = club.settings.time_zone ?? readConfig({}, '').TIME_ZONE;
  const pictures = options.screenshots && (await import('./demo/pictures.ts'));
  if (pictures) pictures.moveToEvening(zone);
  const now = systemClock();
  await using things = new AsyncDisposableStack();
  const at = aroundNow(zone, Temporal.Instant.fromEpochMilliseconds(now));
  const workspace = things.use(await playWorkspace(club, at));
  const scoreboard = things.use(await startScoreboard(gamesOf(club, now)));
  const neighbour = things.use(await startNeighbour(club, at));
  const weather = things.use(await startWeather());
  const covers = things.use(await serveCovers());
  const ctx = things.use(
    await open(
      { port, folder, log, language },
      {
        WORKSPACE_API_KEY: KEY,
        WORKSPACE_API_URL: workspace.url,
        ...PUB_DATABASES,
        SPORTS_API_URL: scoreboard.url,
        WEATHER_API_URL: weather.url,
        ...Object.fromEntries(SWITCHES.map((name) => [`${name}_ENABLED`, 'on'])),
      },
    ),
  );

  console.log(`Making the data of ${club.settings.club_name} …`);
  await makeAccounts(ctx);
  const session = await signInAs(ctx, OWNER);
  const calendarContext = openCalendar(ctx);
  const quiet = await buildApp(ctx, { calendarContext });
  const headers = { host: `localhost:${port}`, cookie: `${SESSION_COOKIE}=${session}` };
  const service = serviceOf(quiet, ctx, headers, stop.signal);
  await service.put('/api/admin/settings', {
    sports_leagues: 'hockey/nhl,football/nfl',
    ...club.settings,
  });
  await fillTheRoll(service, club);
  const held = await holdElections(service, club);
  const ballots = path.join(folder, 'ballots.json');
  fs.writeFileSync(ballots, JSON.stringify(await service.get(`/e/${held.big}/ballots.json`)));
  const meeting = await callMeeting(service, club);
  await writeContent(service, club, at);
  await addNeighbour(service, club, neighbour.url);
  await rememberTheYear(service, at);
  await writeLyrics(service);
  await showFilms(service, club);
  await fillTheRoom(service, club);
  await joinTheCalendar(service, club, calendarContext);
  await quiet.close();

  const app = await serve(ctx, things, { host, port, calendarContext });
  for (const game of scoreboard.games.filter(({ status }) => status === 'playing'))
    things.use(runGame(game, 4 * speed));
  const places = placesOf(port);
  const play = async () => {
    for (let seed = 3; !stop.signal.aborted; seed++)
      await playNight(planNight({ seed, hours: HOURS }), {
        url,
        speed,
        signal: stop.signal,
        coverOf: ({ album }) => covers.urlOf(album),
      });
  };
  const chair = serviceOf(app, ctx, headers, stop.signal);
  const led = leadMeeting(chair, meeting, pictures ? Number.POSITIVE_INFINITY : speed, stop.signal);
  const url = `http://127.0.0.1:${port}`;
  const cookie = await pairScreen(chair, club, url);
  const nights = Promise.all([play(), runScreen(chair, club, { url, cookie, signal: stop.signal })]);
  if (pictures) {
    const sessionOf = (email: string) => signInAs(ctx, email);
    await led;
    await pictures.takePictures({ ...places, sessionOf, ...held, meeting }, options.screenshots!);
    stop.abort();
  } else {
    // A visitor who leads the meeting ends the play: what the chair does next is then refused.
    led.catch(() => undefined);
    tellPlaces({ ...places, held, meeting, ballots, email: OWNER });
  }
  await nights;
}

/** Opens the service's context with a new database; mails are written to the outbox. */
function open(
  { port, folder, log, language }: Pick<Options, 'port' | 'folder' | 'log' | 'language'>,
  more: Record<string, string> = {},
): Promise<Context & AsyncDisposable> {
  const config = readConfig(
    {
      PORT: String(port),
      DATABASE_URL: `file:${folder}/publichouse.db`,
      BASE_URL: placesOf(port).service,
      MAILER_URL: `file:${folder}/outbox`,
      MAILER_API_KEY: 'any',
      FROM_EMAIL: 'club@club.example',
      ...(language && { CLUB_LANGUAGE: language }),
      LYRICS_API_URL: '',
      GENRE_API_URL: '',
      // Off: on a slow machine a single visitor could trigger the overload protection.
      OVERLOAD_DELAY_MS: '0',
      LOG_LEVEL: log ? 'info' : 'warn',
      ...more,
    },
    '',
  );
  return openContext(config, log ? {} : { log: pino({ level: 'error' }) });
}

type AppOptions = NonNullable<Parameters<typeof buildApp>[1]>;

/** Starts the jobs and listens; adds the page of accounts unless the club is set up first. */
async function serve(
  ctx: Context,
  things: AsyncDisposableStack,
  { host, port, ...given }: AppOptions & Pick<Options, 'host' | 'port'>,
): Promise<App> {
  const calendarContext = given.calendarContext ?? openCalendar(ctx);
  things.use(startJobs(jobs(ctx, calendarContext), ctx.log));
  const app = things.adopt(await buildApp(ctx, { ...given, calendarContext }), (one) => one.close());
  if (!given.setUpCode) await app.register(accountsPage, { ctx });
  await app.listen({ host, port });
  return app;
}

/** Uses a host name: browsers do not create passkeys for an IP address. */
function placesOf(port: number) {
  return { service: `http://localhost:${port}`, outbox: `http://localhost:${port + 1}` };
}
