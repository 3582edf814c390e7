import type { Generated } from 'kysely';

/** The tables of what is on the screens. */
export interface ScreenTables {
  scoreboards: ScoreboardsTable;
  team_logos: TeamLogosTable;
  now_showing: NowShowingTable;
  screenings: ScreeningsTable;
  weather: WeatherTable;
}

/** The last forecast for a place, and the outcome of the requests since then. */
export interface WeatherTable {
  lat: number;
  lon: number;
  /** See ForecastHour in weather/forecast.ts; null until the first good answer. */
  hours: string | null;
  /** When the source last answered with this forecast, or that it has not changed. */
  read_at: number | null;
  /** As the source writes it. */
  last_modified: string | null;
  /** In a row, since the last good answer. */
  failures: Generated<number>;
  /** Why the last request failed; null after a good one. */
  error: string | null;
  /** Earliest time of the next request. */
  next_at: number;
}

/** The last valid games of a league on a local day, and the outcome of the requests since then. */
export interface ScoreboardsTable {
  /** As configured: `hockey/nhl`. */
  league: string;
  /** `2026-11-21` */
  day: string;
  /** See StoredGame in screen/games.ts. */
  games: Generated<string>;
  /** Null until the first good answer. */
  read_at: number | null;
  /** In a row, since the last good answer. */
  failures: Generated<number>;
  /** The HTTP status and the reason of the last request, if it failed; null after a good one. */
  status: number | null;
  error: string | null;
  /** Earliest time of the next request. */
  next_at: number;
}

/** Logos as the pages show them. `image` is null if the source had no usable one. */
export interface TeamLogosTable {
  league: string;
  team: string;
  /** The address it was read from. */
  source: string;
  image: Buffer | null;
  read_at: number;
}

/** What staff have decided to be on the screen: one row at most. */
export interface NowShowingTable {
  id: 1;
  mode: 'automatic' | 'movie' | 'game' | 'generic' | 'off';
  label: string | null;
  game_id: string | null;
  /** A person, or the address that asked. */
  set_by: string;
  set_at: number;
  /** When it expires. Null for `automatic`, which never does. */
  expires_at: number | null;
}

/** Films and other broadcasts that were shown; plays refer to them. See screen/screening-lifecycle.ts. */
export interface ScreeningsTable {
  id: string;
  title: string | null;
  kind: 'movie' | 'sports' | 'tv' | 'other';
  /** Who opened it: the staff, or the device's verdict. */
  origin: 'auto' | 'operator';
  /** 1: not in the public archive. */
  shadow: 0 | 1;
  /** Of the verdict that opened it. */
  confidence: number | null;
  opened_at: number;
  /** When the override was set that keeps it open: it ends with that override. */
  override_at: number | null;
  /** 1 once the pub was open while it ran: from then on it ends when the pub closes. */
  pub_was_open: Generated<0 | 1>;
  /** Since when the device has been reporting something other than a film. */
  doubted_at: number | null;
  closed_at: number | null;
  close_reason: 'verdict' | 'override' | 'length' | 'pub_closed' | 'operator' | null;
  /** When its songs were turned back into music. */
  reverted_at: number | null;
  reverted_by: string | null;
}
