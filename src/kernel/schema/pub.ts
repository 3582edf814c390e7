import type { Generated } from 'kysely';

/** The tables of the pub domain. */
export interface PubTables {
  plays: PlaysTable;
  pub_admin_roles: PubAdminRolesTable;
  song_requests: SongRequestsTable;
  song_request_votes: SongRequestVotesTable;
  song_index: SongIndexTable;
  feedback: FeedbackTable;
}

/** One role of one person; several rows a person. */
export interface PubAdminRolesTable {
  /** Lower case. */
  email: string;
  role: string;
  granted_by: string;
  granted_at: number;
}

/** The setlist: everything the capture device reported, silence included. Newest by `started_at`, then `id`. */
export interface PlaysTable {
  id: Generated<number>;
  started_at: number;
  /** Empty for silence, like `title`. */
  artist: string;
  title: string;
  album: string | null;
  album_art_url: Generated<string>;
  isrc: Generated<string>;
  source: 'program' | 'wallstereo' | 'wallxlr' | null;
  confidence: number | null;
  duration_ms: number | null;
  silent: Generated<0 | 1>;
  /** `video` was heard from a film or a game on the screen; public history leaves it out. */
  kind: Generated<'music' | 'video'>;
  /** The screening during which it was heard. */
  screening_id: string | null;
  /** Says which rows are the same song: see music/track-key.ts. */
  track_key: Generated<string>;
  genre: string | null;
  /** The song request that this play fulfilled. */
  request_id: string | null;
  /** Taken out of everything public by a moderator. */
  hidden: Generated<0 | 1>;
}

/** What patrons asked to hear. Hashes are emptied when the pub day is over. */
export interface SongRequestsTable {
  id: string;
  /** As in plays; `name_key` is that of artist and title alone, for songs that are also known by a recording code. */
  track_key: string;
  name_key: string;
  artist: string;
  title: string;
  note: string | null;
  album_art_url: Generated<string>;
  status: Generated<'pending' | 'approved' | 'played' | 'declined' | 'expired'>;
  /** Kept beside the rows of the votes, which go when the day is over. */
  votes: Generated<number>;
  /** Local date of the evening it belongs to. */
  pub_day: string;
  /** SHA-256 of the browser's cookie, and a keyed hash of its address. */
  browser_hash: string;
  client_hash: string;
  created_at: number;
  decided_at: number | null;
  decided_by: string | null;
  reason: string | null;
  played_at: number | null;
  played_play_id: number | null;
}

export interface SongRequestVotesTable {
  request_id: string;
  browser_hash: string;
}

/** Every song once, as first heard; kept by triggers. Its words are in the full-text table song_words. */
export interface SongIndexTable {
  id: Generated<number>;
  track_key: string;
  artist: string;
  title: string;
  heard: number;
}

/** What patrons had to say. Name and contact go 90 days after it was settled. */
export interface FeedbackTable {
  id: string;
  created_at: number;
  message: string;
  rating: number | null;
  name: string | null;
  contact: string | null;
  /** The page of ours it was sent from. */
  page: string | null;
  /** SHA-256 of the browser's cookie, or a keyed hash of the address; emptied after a day. */
  sender_hash: string;
  state: Generated<'new' | 'seen' | 'in_progress' | 'done' | 'declined' | 'duplicate' | 'spam'>;
  assignee: string | null;
  /** A JSON list of texts. */
  tags: Generated<string>;
  internal_note: string | null;
  updated_at: number;
  resolved_at: number | null;
}

/** The last good games of one league on one local day, and how asking for them went since. */
export interface ScoreboardsTable {
  /** As configured: `hockey/nhl`. */
  league: string;
  /** `2026-11-21` */
  day: string;
  /** See StoredGame in screen/scoreboard.ts. */
  games: Generated<string>;
  /** Null until the first good answer. */
  read_at: number | null;
  /** In a row, since the last good answer. */
  failures: Generated<number>;
  /** Why the last request failed; null after a good one. */
  error: string | null;
  /** Not asked again before. */
  next_at: number;
}

/** Logos as the pages show them. `image` is null where the source had none that can be shown. */
export interface TeamLogosTable {
  league: string;
  team: string;
  /** The address it was read from. */
  source: string;
  image: Buffer | null;
  read_at: number;
}

/** What the staff decided is on the screen: one row at most. */
export interface NowShowingTable {
  id: 1;
  mode: 'automatic' | 'movie' | 'game' | 'generic' | 'off';
  label: string | null;
  game_id: string | null;
  /** A person, or the address that asked. */
  set_by: string;
  set_at: number;
  /** From then on it counts as absent. Null for `automatic`, which never lapses. */
  expires_at: number | null;
}

/** Films that were shown, and what was heard while they were: see screen/screening-life.ts. */
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
  /** When the override was set that it stands and falls with. */
  override_at: number | null;
  /** 1 once the pub was open while it ran: from then on the end of the hours ends it. */
  pub_was_open: Generated<0 | 1>;
  /** Since when the device hears something that is no film. */
  doubted_at: number | null;
  closed_at: number | null;
  close_reason: 'verdict' | 'override' | 'length' | 'pub_closed' | 'operator' | null;
  /** When its songs were given back to the music. */
  reverted_at: number | null;
  reverted_by: string | null;
}
