import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

export interface FakeTeam {
  id: string;
  abbr: string;
  name: string;
  short: string;
  /** Six hexadecimal digits. */
  color: string;
}

/** The state of a game; `statusOf` gives that of the source. */
export type FakeStatus = 'scheduled' | 'playing' | 'delayed' | 'over' | 'postponed';

export interface FakeGame {
  id: string;
  /** `hockey/nhl` */
  league: string;
  /** Milliseconds; the game is listed under its day in New York. */
  startsAt: number;
  home: FakeTeam;
  away: FakeTeam;
  status: FakeStatus;
  score: { home: number; away: number };
  period: number;
  /** Seconds left in the period. */
  secondsLeft: number;
  channels: { name: string; market: 'national' | 'home' | 'away' }[];
}

/** What goes wrong with a request. */
export type ScoreboardFault =
  | { status: number; retryAfter?: string }
  | 'hang'
  | 'hang-in-body'
  | 'garbage'
  | 'wrong-shape'
  | 'drop';

export interface FakeScoreboard {
  url: string;
  /** Every request for scores so far. */
  requests: { league: string; dates: string; limit: string | null; agent: string }[];
  games: FakeGame[];
  /** Additional raw events of a league: golf, tennis, broken ones. */
  events: Map<string, unknown[]>;
  /** The fault of every request for a league. */
  faults: Map<string, ScoreboardFault>;
  /** Answers requests for logos, or refuses them. */
  logos: 'picture' | 'svg' | 'missing';
  logoRequests: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

interface Periods {
  count: number;
  seconds: number;
  word: (period: number) => string;
  /** The clock counts up, goals are rare, and a game may end in a draw. */
  soccer?: true;
}

const PERIODS: Record<string, Periods> = {
  hockey: { count: 3, seconds: 1200, word: (n) => ['1st', '2nd', '3rd'][n - 1] ?? 'OT' },
  football: { count: 4, seconds: 900, word: (n) => ['1st', '2nd', '3rd', '4th'][n - 1] ?? 'OT' },
  basketball: { count: 4, seconds: 720, word: (n) => ['1st', '2nd', '3rd', '4th'][n - 1] ?? 'OT' },
  soccer: { count: 2, seconds: 2700, word: (n) => ['1st Half', '2nd Half'][n - 1] ?? 'ET', soccer: true },
  baseball: { count: 9, seconds: 1, word: (n) => `Top ${n}` },
};

/** Starts a scoreboard on its own port that answers in the format of the public one, and refuses the same requests. */
export async function startScoreboard(games: FakeGame[] = [], port = 0): Promise<FakeScoreboard> {
  const server = http.createServer((request, response) => void answer(fake, request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const fake: FakeScoreboard = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    games,
    events: new Map(),
    faults: new Map(),
    logos: 'picture',
    logoRequests: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

/** A valid game; `of` overrides its fields. */
export function fakeGame(of: Partial<FakeGame> & Pick<FakeGame, 'id' | 'startsAt'>): FakeGame {
  const league = of.league ?? 'hockey/nhl';
  return {
    league,
    home: { id: '16', abbr: 'RED', name: 'Harbor Red Team', short: 'Red Team', color: '231f20' },
    away: { id: '29', abbr: 'BLU', name: 'Valley Blue Team', short: 'Blue Team', color: '004687' },
    status: 'scheduled',
    score: { home: 0, away: 0 },
    period: 1,
    secondsLeft: periodsOf(league).seconds,
    channels: [],
    ...of,
  };
}

/** Advances a game by seconds of play: it begins, teams score, and it ends. */
export function playOn(game: FakeGame, seconds: number): void {
  const { count, seconds: length, soccer } = periodsOf(game.league);
  const rare = soccer ? 12 : 1;
  if (game.status === 'scheduled') game.status = 'playing';
  for (let left = seconds; left > 0 && game.status === 'playing'; left -= 1) {
    game.secondsLeft -= 1;
    if ((game.secondsLeft * 7 + game.period) % (181 * rare) === 0) game.score.home += 1;
    if ((game.secondsLeft * 11 + game.period) % (199 * rare) === 0) game.score.away += 1;
    if (game.secondsLeft > 0) continue;
    const tied = game.score.home === game.score.away;
    if (game.period >= count && (!tied || soccer)) game.status = 'over';
    else Object.assign(game, { period: game.period + 1, secondsLeft: length });
  }
}

/** Advances a game continuously, `speed` times as fast as a real one. */
export function runGame(game: FakeGame, speed = 30): Disposable {
  const timer = setInterval(() => playOn(game, speed), 1000).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns the event of a game in the format of the source. */
export function eventOf(game: FakeGame, origin = 'https://scores.example') {
  const status = statusOf(game);
  const side = (homeAway: 'home' | 'away') => {
    const team = game[homeAway];
    return {
      id: team.id,
      uid: `s:70~t:${team.id}`,
      type: 'team',
      order: homeAway === 'home' ? 0 : 1,
      homeAway,
      winner:
        game.status === 'over' ? game.score[homeAway] === Math.max(...Object.values(game.score)) : false,
      score: String(game.score[homeAway]),
      records: [
        { name: 'Home', type: 'home', summary: '3-1' },
        { name: 'overall', abbreviation: 'Total', type: 'total', summary: '7-3-1' },
      ],
      team: {
        id: team.id,
        abbreviation: team.abbr,
        displayName: team.name,
        shortDisplayName: team.short,
        name: team.short,
        color: team.color,
        alternateColor: 'ffffff',
        logo: `${origin}/logos/${team.abbr}.png`,
      },
    };
  };
  return {
    id: game.id,
    uid: `s:70~l:90~e:${game.id}`,
    date: new Date(game.startsAt).toISOString().replace(/:\d\d\.\d{3}Z$/, 'Z'),
    name: `${game.away.name} at ${game.home.name}`,
    shortName: `${game.away.abbr} @ ${game.home.abbr}`,
    season: { year: 2027, type: 2, slug: 'regular-season' },
    status,
    competitions: [
      {
        id: game.id,
        date: new Date(game.startsAt).toISOString(),
        neutralSite: false,
        notes: [],
        venue: { id: '1', fullName: 'The Arena', address: { city: 'Harbor' } },
        broadcasts: game.channels.length
          ? [{ market: game.channels[0]?.market, names: game.channels.map(({ name }) => name) }]
          : [],
        geoBroadcasts: game.channels.map(({ name, market }) => ({
          type: { id: '1', shortName: 'TV' },
          market: { id: '1', type: market === 'national' ? 'National' : 'Home' },
          media: { shortName: name },
          lang: 'en',
          region: 'us',
        })),
        status,
        competitors: [side('home'), side('away')],
      },
    ],
  };
}

function statusOf({ league, status, period, secondsLeft, startsAt }: FakeGame) {
  const { word, soccer, seconds } = periodsOf(league);
  const minute = Math.floor((period * seconds - secondsLeft) / 60);
  const clock = soccer
    ? `${minute}'`
    : `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`;
  const baseball = league.startsWith('baseball');
  const displayClock = baseball || status !== 'playing' ? '0:00' : clock;
  const when = new Date(startsAt).toLocaleString('en-US', {
    timeZone: 'America/New_York',
    timeStyle: 'short',
  });
  const running = soccer ? clock : baseball ? word(period) : `${clock} - ${word(period)}`;
  const type = {
    scheduled: typeOf('1', 'STATUS_SCHEDULED', 'pre', false, 'Scheduled', `11/21 - ${when} EST`),
    playing: typeOf('2', 'STATUS_IN_PROGRESS', 'in', false, 'In Progress', running),
    delayed: typeOf('7', 'STATUS_RAIN_DELAY', 'in', false, 'Rain Delay', running),
    over: soccer
      ? typeOf('28', 'STATUS_FULL_TIME', 'post', true, 'Full Time', 'FT')
      : typeOf('3', 'STATUS_FINAL', 'post', true, 'Final', 'Final'),
    postponed: typeOf('6', 'STATUS_POSTPONED', 'post', false, 'Postponed', 'Postponed'),
  }[status];
  return { clock: secondsLeft, displayClock, period: status === 'scheduled' ? 0 : period, type };
}

function typeOf(
  id: string,
  name: string,
  state: string,
  completed: boolean,
  description: string,
  short: string,
) {
  return { id, name, state, completed, description, detail: short, shortDetail: short };
}

function periodsOf(league: string) {
  return PERIODS[league.split('/')[0] ?? ''] ?? PERIODS.hockey!;
}

async function answer(fake: FakeScoreboard, request: http.IncomingMessage, response: http.ServerResponse) {
  const url = new URL(request.url ?? '/', fake.url);
  if (url.pathname.startsWith('/logos/')) return sendLogo(fake, url.pathname, response);
  const league = /^\/([a-z]+\/[a-z0-9.-]+)\/scoreboard$/.exec(url.pathname)?.[1];
  if (!league) return send(response, 404, { code: 404, message: 'Not found' });
  const agent = request.headers['user-agent'] ?? '';
  const dates = url.searchParams.get('dates') ?? '';
  fake.requests.push({ league, dates, limit: url.searchParams.get('limit'), agent });

  const fault = fake.faults.get(league);
  if (fault) return answerWithFault(fault, response);
  // User agents of browsers and of bare clients are refused, and so are ranges of dates.
  if (!/^[\w.-]+\/[\w.-]+ \(.+\)$/.test(agent) || /Mozilla/.test(agent))
    return send(response, 403, { code: 403, message: 'Forbidden' });
  if (!/^\d{8}$/.test(dates)) return send(response, 400, { code: 400, message: 'Invalid dates' });
  const games = fake.games.filter((game) => game.league === league && dayOf(game.startsAt) === dates);
  const [sport = '', slug = ''] = league.split('/');
  send(response, 200, {
    leagues: [{ id: '90', name: `${sport} ${slug}`, abbreviation: slug.toUpperCase(), slug }],
    season: { type: 2, year: 2027 },
    day: { date: dates.replace(/(....)(..)(..)/, '$1-$2-$3') },
    events: [...games.map((game) => eventOf(game, fake.url)), ...(fake.events.get(league) ?? [])],
  });
}

function answerWithFault(fault: ScoreboardFault, response: http.ServerResponse): void {
  if (fault === 'hang') return;
  if (fault === 'drop') return void response.destroy();
  if (fault === 'garbage') return void response.end('<!doctype html><title>Sorry</title>');
  if (fault === 'wrong-shape') return void send(response, 200, { events: 'none', leagues: [] });
  if (fault === 'hang-in-body') {
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.write('{"events":[');
  }
  const wait = fault.retryAfter;
  send(response, fault.status, { code: fault.status, message: 'No' }, wait ? { 'retry-after': wait } : {});
}

async function sendLogo(fake: FakeScoreboard, path: string, response: http.ServerResponse): Promise<void> {
  fake.logoRequests.push(path);
  const abbr = /\/(\w+)\.png$/.exec(path)?.[1] ?? '';
  const team = fake.games.flatMap(({ home, away }) => [home, away]).find((known) => known.abbr === abbr);
  if (fake.logos === 'missing' || !team) return send(response, 404, {});
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"><circle cx="250" cy="250" r="240" fill="#${team.color}" stroke="#fff" stroke-width="14"/></svg>`,
  );
  if (fake.logos === 'svg') return void response.writeHead(200, { 'content-type': 'image/png' }).end(svg);
  response.writeHead(200, { 'content-type': 'image/png' }).end(await sharp(svg).png().toBuffer());
}

function send(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** `20261121` in New York. */
function dayOf(at: number): string {
  return new Date(at).toLocaleDateString('sv-SE', { timeZone: 'America/New_York' }).replaceAll('-', '');
}
