import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';

/** One of the two teams of a game. */
export interface Side {
  id: string;
  abbr: string;
  name: string;
  /** As announcers say it: `Red Sox`. */
  shortName: string;
  /** Null before the game and where the source has none. */
  score: number | null;
  /** Won and lost: `7-3`. */
  record: string | null;
  winner: boolean | null;
  /** `#231f20` */
  color: string | null;
  /** On this host; empty while there is none. */
  logoUrl: string;
}

export interface Game {
  /** `nhl:401000001` */
  id: string;
  league: string;
  sport: string;
  name: string;
  shortName: string;
  state: 'pre' | 'in' | 'post';
  /** The status in the source's words: `9:03 - 3rd`, `Final/OT`, `Postponed`. */
  detail: string;
  period: number | null;
  clock: string | null;
  /** UTC */
  startIso: string;
  home: Side;
  away: Side;
  /** Names of the channels, four at most. */
  broadcasts: string[];
  venue: string | null;
  /** Higher for preferred games. */
  priority: number;
  /** Its scores are older than half an hour. */
  stale: boolean;
}

/** A side as it is stored: with the address of its logo at the source. */
export type StoredSide = Omit<Side, 'logoUrl'> & { logo: string | null };

/** A game as it is stored: what depends on the settings or on the time is added when it is read. */
export interface StoredGame extends Omit<Game, 'home' | 'away' | 'priority' | 'stale'> {
  home: StoredSide;
  away: StoredSide;
  /** Broadcast in the whole country. */
  national: boolean;
  /** Postponed, cancelled or suspended, so it is not expected to start. */
  calledOff: boolean;
}

/** Splits a configured path: `hockey/nhl` is the league `nhl` of the sport `hockey`. */
export function parseLeague(path: string): { sport: string; league: string } {
  const [sport = '', league = ''] = path.split('/');
  return { sport, league };
}

/**
 * Reads the games in a scoreboard response. An event that is not a game of two teams (a golf field, a tennis day), or
 * that lacks a required field, is left out.
 * @returns undefined when the response is not a scoreboard
 */
export function readGames(body: string, path: string): StoredGame[] | undefined {
  const parsed = Scoreboard.safeParse(readJson(body));
  if (!parsed.success) return undefined;
  return parsed.data.events.slice(0, EVENTS_AT_MOST).flatMap((event) => {
    const read = Event.safeParse(event);
    return read.success ? (toGame(read.data, path) ?? []) : [];
  });
}

const EVENTS_AT_MOST = 300;

/** An external text as one short line, without control or direction marks; empty if it is not a text. */
const line = (max: number) =>
  z
    .string()
    .transform((text) => (text.length <= max && PLAIN.test(text) ? text : tidied(text, max)))
    .catch('');
/** Matches nearly all of these texts, which then need no cleaning. */
const PLAIN = /^[!-~]+( [!-~]+)*$/;
const tidied = (text: string, max: number): string => {
  const clean = text
    .toWellFormed()
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ');
  return [...clean.trim()].slice(0, max).join('');
};
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.slice(0, 40).flatMap((one) => {
        const parsed = item.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    );
const sourceId = z
  .union([z.string(), z.number().int()])
  .transform(String)
  .pipe(z.string().regex(/^\w[\w.~-]{0,39}$/));
const color = z
  .string()
  .regex(/^#?[0-9a-f]{6}$/i)
  .transform((hex) => `#${hex.replace('#', '').toLowerCase()}`)
  .nullable()
  .catch(null);
const score = z
  .union([z.string().regex(/^-?\d{1,4}$/), z.number().int().min(-9999).max(9999)])
  .transform(Number)
  .nullable()
  .catch(null);

const Team = z.object({
  id: sourceId.optional().catch(undefined),
  abbreviation: line(6),
  displayName: line(60),
  shortDisplayName: line(30),
  name: line(40),
  color,
  logo: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .nullable()
    .catch(null),
});

const Competitor = z.object({
  id: sourceId.optional().catch(undefined),
  homeAway: z.enum(['home', 'away']).optional().catch(undefined),
  score,
  winner: z.boolean().nullable().catch(null),
  records: listOf(z.object({ name: line(20), type: line(20), summary: line(20) })),
  team: Team,
});

const Status = z.object({
  displayClock: line(10),
  period: z.number().int().min(1).max(99).nullable().catch(null),
  type: z.object({
    name: line(60),
    state: z.enum(['pre', 'in', 'post']).catch('pre'),
    description: line(40),
    detail: line(40),
    shortDetail: line(40),
  }),
});

const Competition = z.object({
  status: Status.optional().catch(undefined),
  competitors: z.tuple([Competitor, Competitor]),
  broadcasts: listOf(z.object({ market: line(20), names: listOf(line(80)) })),
  geoBroadcasts: listOf(
    z.object({
      market: z.object({ type: line(20) }).catch({ type: '' }),
      media: z.object({ shortName: line(80) }),
    }),
  ),
  venue: z
    .object({ fullName: line(80) })
    .nullable()
    .catch(null),
});

const Event = z.object({
  id: sourceId,
  date: z.string().transform((text, issues) => {
    const at = parseTimestamp(text, 'UTC');
    if (at === undefined) issues.addIssue({ code: 'custom', message: coded('not_time') });
    return at ?? z.NEVER;
  }),
  name: line(120),
  shortName: line(40),
  status: Status.optional().catch(undefined),
  competitions: z.tuple([Competition], z.unknown()),
});

const Scoreboard = z.object({ events: z.array(z.unknown()) });

function toGame(event: z.output<typeof Event>, path: string): StoredGame | undefined {
  const [competition] = event.competitions;
  const status = event.status ?? competition.status;
  if (!status) return undefined;
  const { name: statusName, state } = status.type;
  const [first, second] = competition.competitors;
  // The source lists the home team first, unless it says which side is at home.
  const swapped = first.homeAway === 'away' || second.homeAway === 'home';
  const home = toSide(swapped ? second : first, state);
  const away = toSide(swapped ? first : second, state);
  if (!home || !away) return undefined;

  const { sport, league } = parseLeague(path);
  const noClock = state !== 'in' || (sport === 'baseball' && status.displayClock === '0:00');
  return {
    id: `${league}:${event.id}`,
    league,
    sport,
    name: event.name || `${away.name} at ${home.name}`,
    shortName: event.shortName || `${away.abbr} @ ${home.abbr}`,
    state,
    detail: formatDetail(status.type),
    period: state === 'pre' ? null : status.period,
    clock: noClock ? null : status.displayClock || null,
    startIso: isoTime(event.date),
    home,
    away,
    broadcasts: listChannels(competition),
    venue: competition.venue?.fullName || null,
    national:
      competition.broadcasts.some(({ market }) => market.toLowerCase() === 'national') ||
      competition.geoBroadcasts.some(({ market }) => market.type.toLowerCase() === 'national'),
    calledOff: /POSTPONED|CANCELED|CANCELLED|SUSPENDED/.test(statusName),
  };
}

/** A side needs a name and an id; other missing fields are left empty. */
function toSide(
  { id, score, winner, records, team }: z.output<typeof Competitor>,
  state: Game['state'],
): StoredSide | undefined {
  const name = team.displayName || team.shortDisplayName || team.name || team.abbreviation;
  const sideId = team.id ?? id;
  if (!name || !sideId) return undefined;
  const shortName = team.shortDisplayName || team.name || name;
  return {
    id: sideId,
    abbr: team.abbreviation || shortName.replace(/\P{L}/gu, '').slice(0, 3).toUpperCase(),
    name,
    shortName,
    // Before the start the source sends "0", which is not a score yet.
    score: state === 'pre' ? null : score,
    record: records.find(({ type, name }) => type === 'total' || name === 'overall')?.summary || ytd(records),
    winner: state === 'post' ? winner : null,
    color: team.color,
    logo: team.logo,
  };
}

const ytd = (records: { type: string; name: string; summary: string }[]): string | null =>
  records.find(({ type, name }) => type === 'ytd' || name === 'ytd')?.summary || null;

/** During a delay the description is used, because the short form still has the period of the game. */
function formatDetail({ name, description, detail, shortDetail }: z.output<typeof Status>['type']): string {
  if (name.includes('DELAY')) return description || shortDetail || detail;
  return shortDetail || description || detail;
}

/** The names of the channels; one entry may hold several: `NHLPP|ESPN+`. */
function listChannels({ broadcasts, geoBroadcasts }: z.output<typeof Competition>): string[] {
  const names = [
    ...broadcasts.flatMap(({ names }) => names),
    ...geoBroadcasts.map(({ media }) => media.shortName),
  ];
  const single = names.flatMap((name) => name.split('|')).map((name) => name.trim().slice(0, 24));
  return [...new Set(single.filter(Boolean))].slice(0, 4);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
