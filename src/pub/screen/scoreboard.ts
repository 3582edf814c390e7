import { setTimeout } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { kept } from '#kernel/cache.ts';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { ScoreboardsTable } from '#kernel/db/schema.ts';
import { readText } from '#kernel/language/kept-text.ts';
import type { Words } from '#kernel/language/words.ts';
import { nameKey } from '#kernel/names.ts';
import { type Game, parseLeague, type Side, type StoredGame, type StoredSide } from './games.ts';
import { leaguePaths, refreshScoreboard, scoreboardDays } from './scoreboard-refresh.ts';

/** The games of yesterday and today in all leagues, as last read. */
export interface Scoreboard {
  /** When the source last answered, in milliseconds; 0 before it ever did. */
  fetchedAt: number;
  /** Live ones first, then by priority and start. */
  games: Game[];
  /** Leagues whose last request failed; their last games are kept. */
  errors: { league: string; status: number | null; reason: Words | string }[];
  /** Some league was not read within half an hour. */
  stale: boolean;
  /** The addresses of the teams' logos at the source, by `league:team`. */
  logoSources: ReadonlyMap<string, string>;
}

/** Not for long: whether a score is stale depends on the time. */
const SCOREBOARD = kept<Scoreboard>({ age: 5 * SECOND });

/** The stored scoreboard. Makes no request. */
export function findScoreboard(ctx: Context): Scoreboard {
  return ctx.cache.get(SCOREBOARD, '', () => load(ctx), [ctx.changes()]);
}

/** The same, but waits up to two seconds for the source as long as nothing was ever read. */
export async function currentScoreboard(ctx: Context): Promise<Scoreboard> {
  const known = findScoreboard(ctx);
  if (known.fetchedAt > 0) return known;
  // Leagues that answer later appear in the next response.
  await Promise.race([refreshScoreboard(ctx), setTimeout(LONGEST_WAIT, undefined, { ref: false })]);
  return findScoreboard(ctx);
}

/** The longest wait for the first read. */
const LONGEST_WAIT = 2 * SECOND;
/** Scores that were not read within this time are stale. */
const LIFETIME = 30 * MINUTE;

type Row = Selectable<ScoreboardsTable>;

function load(ctx: Context): Scoreboard {
  const paths = leaguePaths(ctx.config);
  const favourites = new Set(ctx.config.settings.sports_favourites.map(nameKey));
  const oldest = scoreboardDays(ctx).at(-1) ?? '';
  const rows = ctx.db.all(
    build
      .selectFrom('scoreboards')
      .selectAll()
      .where('league', 'in', paths)
      .where('day', '>=', oldest)
      // If both days list a game, the later answer is used.
      .orderBy('read_at', 'desc')
      .orderBy('day', 'desc'),
  );
  const logos = ctx.db.all(
    build.selectFrom('team_logos').select(['league', 'team']).where('image', 'is not', null),
  );
  const here = new Set(logos.map(({ league, team }) => `${league}:${team}`));

  const aged = rows.map((row) => ({ ...row, old: (row.read_at ?? 0) < ctx.now() - LIFETIME }));
  const stored = new Map<string, { game: StoredGame; stale: boolean }>();
  for (const row of aged) {
    for (const game of JSON.parse(row.games) as StoredGame[])
      if (!stored.has(game.id)) stored.set(game.id, { game, stale: row.old });
  }
  return {
    fetchedAt: Math.max(0, ...rows.map(({ read_at }) => read_at ?? 0)),
    games: [...stored.values()]
      .map(({ game, stale }) => shownGame(game, stale, { paths, here, favourites }))
      .toSorted(byInterest),
    errors: paths.flatMap((path) => findFailure(rows, path)),
    stale: paths.some((path) => aged.every(({ league, old }) => league !== path || old)),
    logoSources: listLogoSources([...stored.values()].map(({ game }) => game)),
  };
}

function findFailure(rows: Row[], path: string): Scoreboard['errors'] {
  const failed = rows.find(({ league, error }) => league === path && error !== null);
  if (!failed) return [];
  return [{ league: parseLeague(path).league, status: failed.status, reason: readText(failed.error ?? '') }];
}

/** Earlier leagues have a higher priority; favourites, games in progress and national broadcasts add to it. */
function shownGame(
  game: StoredGame,
  stale: boolean,
  { paths, here: logos, favourites }: { paths: string[]; here: Set<string>; favourites: Set<string> },
): Game {
  const { national, calledOff, home, away, ...rest } = game;
  const rank = paths.findIndex((path) => parseLeague(path).league === game.league);
  const leaguePriority = 10 * (paths.length - rank);
  const teams = [home, away].flatMap(({ name, shortName, abbr }) => [name, shortName, abbr].map(nameKey));
  const isFavourite = teams.some((name) => favourites.has(name));
  return {
    ...rest,
    home: shownSide(home, game.league, logos),
    away: shownSide(away, game.league, logos),
    priority: leaguePriority + (isFavourite ? 100 : 0) + (national ? 5 : 0) + (game.state === 'in' ? 50 : 0),
    stale,
  };
}

function shownSide({ logo, ...side }: StoredSide, league: string, logos: Set<string>): Side {
  return {
    ...side,
    logoUrl: logo && logos.has(`${league}:${side.id}`) ? `/api/logo/${league}/${side.id}` : '',
  };
}

function byInterest(one: Game, other: Game): number {
  return (
    Number(other.state === 'in') - Number(one.state === 'in') ||
    other.priority - one.priority ||
    (one.startIso < other.startIso ? -1 : one.startIso > other.startIso ? 1 : 0) ||
    (one.id < other.id ? -1 : 1)
  );
}

function listLogoSources(games: StoredGame[]): Map<string, string> {
  return new Map(
    games.flatMap(({ league, home, away }) =>
      [home, away].flatMap(({ id, logo }) => (logo ? [[`${league}:${id}`, logo] as const] : [])),
    ),
  );
}
