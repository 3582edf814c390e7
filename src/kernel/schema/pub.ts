import type { Generated } from 'kysely';
import type { ScreenTables } from './screen.ts';

/** The tables of the pub domain. */
export interface PubTables extends ScreenTables {
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
