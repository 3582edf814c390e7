// npm run demo: a whole club on this machine, without network. npm run demo -- --help tells the rest.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { openCalendar } from '#calendar/context.ts';
import { SESSION_COOKIE } from '#kernel/access/sessions.ts';
import { HOUR, MINUTE, systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { openContext } from '#kernel/open-context.ts';
import { startJobs } from '#kernel/scheduler.ts';
import { PUB_DATABASES } from '#test/stand-ins/pub-workspace.ts';
import { fakeGame, playOn, runGame, startScoreboard } from '#test/stand-ins/scoreboard-server.ts';
import { KEY } from '#test/stand-ins/workspace-server.ts';
import { talkTo } from '#test/support/app.ts';
import { buildApp } from '../src/app.ts';
import { jobs } from '../src/jobs.ts';
import { accountsPage, makeAccounts, OWNER, signInAs } from './demo/accounts.ts';
import {
  fillTheRoom,
  holdElections,
  joinTheCalendar,
  rememberTheYear,
  showFilms,
  writeLyrics,
} from './demo/club.ts';
import { showOutbox } from './demo/outbox.ts';
import { takePictures } from './demo/pictures.ts';
import { playWorkspace } from './demo/workspace.ts';
import { serveCovers } from './device/covers.ts';
import { playNight } from './device/device.ts';
import { planNight } from './device/night.ts';

const USAGE = `A whole club on this machine: elections, screens, music, calendar, mails.

  --port N             where it listens; N+1 is the outbox (3000)
  --speed N            how many times faster than life the evening goes (1)
  --screenshots DIR    takes the pictures of the README into DIR, and ends
  --log                shows the service's own log`;
const SWITCHES = ['SPORTS', 'NOW_SHOWING', 'SCREENINGS', 'SETLIST_REQUESTS', 'FEEDBACK'];

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    speed: { type: 'string', default: '1' },
    screenshots: { type: 'string' },
    log: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else await demo();

async function demo(): Promise<void> {
  const port = Number(values.port);
  const folder = path.resolve('data/demo');
  fs.rmSync(folder, { recursive: true, force: true });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

  await using things = new AsyncDisposableStack();
  const zone = readConfig({}, '').TIME_ZONE;
  const workspace = things.use(await playWorkspace(zone));
  const scoreboard = things.use(await startScoreboard(gamesOf(systemClock())));
  const covers = things.use(await serveCovers());
  const config = readConfig(
    {
      PORT: String(port),
      DATABASE_URL: `file:${folder}/publichouse.db`,
      BASE_URL: `http://127.0.0.1:${port}`,
      MAILER_URL: `file:${folder}/outbox`,
      MAILER_API_KEY: 'any',
      FROM_EMAIL: 'The Anchor <club@club.example>',
      WORKSPACE_API_KEY: KEY,
      WORKSPACE_API_URL: workspace.url,
      ...PUB_DATABASES,
      SPORTS_API_URL: scoreboard.url,
      SPORTS_LEAGUES: 'hockey/nhl,football/nfl',
      LYRICS_API_URL: '',
      GENRE_API_URL: '',
      LOG_LEVEL: values.log ? 'info' : 'warn',
      ...Object.fromEntries(SWITCHES.map((name) => [`${name}_ENABLED`, 'on'])),
    },
    '',
  );
  const ctx = things.use(await openContext(config, values.log ? {} : { log: pino({ level: 'error' }) }));
  console.log('Making the data of the demo …');
  const calendarContext = openCalendar(ctx);
  const quiet = await buildApp(ctx, { calendarContext });
  const clock = {
    get now() {
      return ctx.now();
    },
  } as { now: number };
  await makeAccounts(ctx);
  const session = await signInAs(ctx, OWNER);
  const service = talkTo(quiet, ctx, clock, {
    ...{ host: `127.0.0.1:${port}`, cookie: `${SESSION_COOKIE}=${session}`, 'sec-fetch-site': 'same-origin' },
  });
  const { link, big } = await holdElections(service);
  await rememberTheYear(service);
  await writeLyrics(service);
  await showFilms(service);
  await fillTheRoom(service);
  await joinTheCalendar(service, calendarContext);
  await quiet.close();

  things.use(startJobs(jobs(ctx, calendarContext), ctx.log));
  const app = things.adopt(await buildApp(ctx, { calendarContext }), (one) => one.close());
  await app.register(accountsPage, { ctx });
  await app.listen({ host: '127.0.0.1', port });
  things.use(await showOutbox(`${folder}/outbox`, port + 1));
  const speed = Math.max(1, Number(values.speed) || 1);
  for (const game of scoreboard.games.filter(({ status }) => status === 'playing'))
    things.use(runGame(game, 4 * speed));
  const night = playNight(planNight({ seed: 3, hours: 24 }), {
    url: `http://127.0.0.1:${port}`,
    speed,
    signal: stop.signal,
    coverOf: ({ album }) => covers.urlOf(album),
  });

  const places = { service: `http://127.0.0.1:${port}`, link, big };
  if (values.screenshots) {
    await takePictures({ ...places, session }, path.resolve(values.screenshots));
    stop.abort();
  } else {
    tell(places, port + 1);
  }
  await night.catch((error: unknown) => console.error(error));
  console.log('Closing time.');
}

/** A game that is on, one that comes, one that is over. */
function gamesOf(now: number) {
  const on = fakeGame({ id: '401', startsAt: now - HOUR, channels: [{ name: 'NET1', market: 'national' }] });
  playOn(on, 1_500);
  const over = fakeGame({ id: '402', league: 'football/nfl', startsAt: now - 5 * HOUR });
  playOn(over, 4 * 900 + 900);
  return [on, over, fakeGame({ id: '403', startsAt: now + 90 * MINUTE })];
}

function tell({ service, link, big }: { service: string; link: string; big: string }, outbox: number): void {
  console.log(`
Open and look:

  As a member     ${service}/                     what the club decides
                  ${service}${link}
                                                a ballot of yours, once
                  ${service}/e/${big}
                                                a result of thousands of ballots, and why
  In the pub      ${service}/events  /tenders/  /now  /requests  /feedback
                  ${service}/setlist/top-songs    and what else the music tells
                  ${service}/subscribe-programs   the programme in your calendar
  On the walls    ${service}/tv  /tv/bar-right  /tv/projector
  As an owner, an officer, behind the bar, or a member with an account
                  ${service}/demo                 one click each
  The mails       http://127.0.0.1:${outbox}/

Ctrl-C ends it. Everything is in data/demo, made anew at each start.`);
}
