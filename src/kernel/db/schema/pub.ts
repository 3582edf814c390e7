import type { Generated } from 'kysely';
import type { RollupTables } from './rollups.ts';
import type { ScreenTables } from './screen.ts';

/** The tables of the pub domain. */
export interface PubTables extends ScreenTables, RollupTables {
  plays: PlaysTable;
  capture_device: CaptureDeviceTable;
  display_settings: DisplaySettingsTable;
  lyrics_offset: LyricsOffsetTable;
  lyrics: LyricsTable;
  track_genres: TrackGenresTable;
  relay_commands: RelayCommandsTable;
  room_states: RoomStatesTable;
  song_requests: SongRequestsTable;
  song_request_votes: SongRequestVotesTable;
  song_index: SongIndexTable;
  hidden_names: HiddenNamesTable;
  feedback: FeedbackTable;
  screens: ScreensTable;
  screen_gaps: ScreenGapsTable;
  pairings: PairingsTable;
  web_pages: WebPagesTable;
  shown_announcements: ShownAnnouncementsTable;
  song_codes: SongCodesTable;
  music_player: MusicPlayerTable;
  scrobbles: ScrobblesTable;
  scrobble_state: ScrobbleStateTable;
  display_images: DisplayImagesTable;
}

/** When a screen was not heard from; kept for some weeks. */
export interface ScreenGapsTable {
  screen_id: string;
  from_at: number;
  until_at: number;
}

/** Pages of other hosts that screens show. */
export interface WebPagesTable {
  url: string;
  looked_at: number;
  /** Why it cannot be shown, a message in JSON; null: it can. */
  fault: string | null;
}

/** How often a paired screen showed an announcement on a local day. */
export interface ShownAnnouncementsTable {
  /** The id of its slide. */
  slide: string;
  day: string;
  screen_id: string;
  /** What the screen was called then; it may be gone. */
  screen: string;
  times: number;
}

/** Artists and songs that are never shown, from any source. */
export interface HiddenNamesTable {
  id: Generated<number>;
  /** See nameKey in now-playing/track-key.ts; for a whole artist, that with an empty title. */
  name_key: string;
  artist: string;
  title: string | null;
  hidden_at: number;
  hidden_by: string | null;
}

/** The TVs that were paired, and those with a name in their address that have reported to the service. */
export interface ScreensTable {
  id: string;
  /** Its own name, from `?screen=`; null for one that was paired. */
  screen: string | null;
  /** The page that it shows; staff decide it for one that was paired. */
  page: 'tv' | 'bar-right' | 'projector';
  /** The name that staff have given it. */
  name: string | null;
  place: Generated<string>;
  /** A list of names in JSON. */
  groups: string;
  /** How far its picture is turned, clockwise. */
  turn: Generated<0 | 90 | 180 | 270>;
  /** Per cent of each side that it cuts off; null: the usual. */
  inset: number | null;
  /** See devices/off-hours.ts, in JSON. */
  off_hours: Generated<string>;
  /** What it shows, see devices/mixes.ts, in JSON; null: everything. */
  mix: string | null;
  /** When it shows another mix, see devices/mixes.ts, in JSON. */
  times: Generated<string>;
  /** What it shows while it is off. */
  off_shows: Generated<'dim' | 'clock' | 'black'>;
  /** Grows with each change by staff. */
  revision: Generated<number>;
  /** The hash of its secret. Null: it is not paired, or waits to be paired again. */
  secret_hash: string | null;
  paired_at: number | null;
  paired_by: string | null;
  /** The build that made the page it shows. */
  version: string;
  viewport: string;
  /** What it showed, by its last report. */
  showing: string | null;
  /** When its page was loaded. */
  started_at: number;
  /** Since when it showed cached content, by its last report. */
  offline_since: number | null;
  /** Since when it reports another build than the service's. */
  outdated_since: number | null;
  /** By how much its own clock is ahead of the service's. */
  skew_ms: number | null;
  /** Which of its mixes it showed, by its last report. */
  now_mix: string | null;
  /** The memory that its page used, and how many of its slides came late. */
  heap_mb: number | null;
  late_flips: number | null;
  first_seen_at: number;
  last_seen_at: number;
  /** When staff last asked it to reload its page, until when it shows its name, when they last changed anything. */
  reload_at: number | null;
  identify_until: number | null;
  told_at: number | null;
}

/** Codes that screens show to be paired, kept for minutes: see devices/pairings.ts. */
export interface PairingsTable {
  id: string;
  code: string;
  /** The hash of the secret with which the screen asks; null until a screen takes a code that staff made. */
  secret_hash: string | null;
  /** A keyed hash of the address that asked for the code; null for one that staff made. */
  client: string | null;
  made_at: number;
  expires_at: number;
  /** The screen it was used for. */
  screen_id: string | null;
  /** When the screen received its identity. */
  delivered_at: number | null;
}

/** The last valid image of each workspace page, as it is sent. */
export interface DisplayImagesTable {
  kind: 'announcement' | 'tender' | 'tender-qr';
  page_id: string;
  /** The page's last edit when it was fetched. */
  edited: string;
  /** Its content type. */
  type: string;
  etag: string;
  bytes: Uint8Array;
  fetched_at: number;
}

/** The recording codes under which artist and title were heard: see now-playing/song-identity.ts. */
export interface SongCodesTable {
  name_key: string;
  code: string;
  /** The earliest play with both. */
  first_at: number;
}

/** The music player with the newest report. A single row, none before the first report. */
export interface MusicPlayerTable {
  id: 1;
  /** The name that it reports. */
  name: string | null;
  /** The play that it reported. */
  play_id: number;
  reported_at: number;
  /** When its track ends: from then on it counts as offline. */
  until: number;
}

/** Plays that are sent on to SCROBBLE_URL: see plays/scrobble-queue.ts. */
export interface ScrobblesTable {
  play_id: number;
  /** 1: a player reported that it was heard far enough. */
  listened: Generated<0 | 1>;
  sent_at: number | null;
  /** Why the receiver refuses it; it is not sent again. */
  refused: string | null;
}

/** The state of sending scrobbles. A single row, none before the first failure. */
export interface ScrobbleStateTable {
  id: 1;
  /** In a row. */
  failures: number;
  /** Earliest time of the next try. */
  next_at: number;
  error: string | null;
  /** 1: the token was refused, nothing is sent until the service starts again. */
  stopped: 0 | 1;
}

/** The setlist: everything that the device and players reported, also silence. Newest by `started_at`, then `id`. */
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
  /** Who reported it: the capture device, a player, or a player's list of the past. */
  origin: Generated<'device' | 'player' | 'import'>;
  confidence: number | null;
  duration_ms: number | null;
  silent: Generated<0 | 1>;
  /** `video` was heard from a film or a game on the screen; public history leaves it out. */
  kind: Generated<'music' | 'video'>;
  /** The screening during which it was heard. */
  screening_id: string | null;
  /** The same for all rows of a song: see now-playing/track-key.ts. */
  track_key: Generated<string>;
  genre: string | null;
  /** The song request that this play fulfilled. */
  request_id: string | null;
  /** Hidden from the public by a moderator. */
  hidden: Generated<0 | 1>;
}

/** Song requests of patrons. Hashes are emptied when the pub day is over. */
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
  /** Kept in addition to the rows of the votes, which are deleted when the day is over. */
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

/** Every song once, as first heard; filled by triggers. Full-text tables: song_words, song_suffixes for word ends. */
export interface SongIndexTable {
  id: Generated<number>;
  track_key: string;
  artist: string;
  title: string;
  heard: number;
}

/** Feedback of patrons. Name and contact are deleted 90 days after it was resolved. */
export interface FeedbackTable {
  id: string;
  created_at: number;
  message: string;
  rating: number | null;
  name: string | null;
  contact: string | null;
  /** The page of ours it was sent from. */
  page: string | null;
  /** SHA-256 of the browser's cookie; and, if it sent none, a keyed hash of its address. Emptied after a day. */
  browser_hash: string;
  client_hash: string;
  state: Generated<'new' | 'seen' | 'in_progress' | 'done' | 'declined' | 'duplicate' | 'spam'>;
  assignee: string | null;
  /** A JSON list of texts. */
  tags: Generated<string>;
  internal_note: string | null;
  updated_at: number;
  resolved_at: number | null;
}

/** The capture device: its last heartbeat and the state it reports. A single row, none before the first heartbeat. */
export interface CaptureDeviceTable {
  id: 1;
  last_seen: number;
  /** The content verdict in effect, and the newest one that is not in effect yet: each JSON of a Verdict. */
  verdict: string | null;
  candidate: string | null;
  qsys_down: 0 | 1;
  quiet_active: 0 | 1;
  device_id: string | null;
  version: string | null;
  uptime_s: number | null;
}

/** The display settings of the screens. A single row. */
export interface DisplaySettingsTable {
  id: Generated<1>;
  bar_right_display: 0 | 1;
  projector_lyrics: 0 | 1;
  bar_right_lyrics: 0 | 1;
}

/** The position in the song that the device reported last. A single row, outdated after a minute. */
export interface LyricsOffsetTable {
  id: 1;
  track_id: number;
  offset_ms: number;
  confidence: number;
  source: string;
  captured_at: number;
}

/** The lyrics of a song, or that there are none. */
export interface LyricsTable {
  name_key: string;
  /** With times; null when there are none, or none were available. */
  lrc: string | null;
  source: 'lrclib' | 'manual';
  fetched_at: number;
  /** When to look again; null is never. */
  expires_at: number | null;
}

/** The genre of a song, or that it is unknown. */
export interface TrackGenresTable {
  track_key: string;
  /** One of now-playing/genre-names.ts; null when unsure. */
  genre: string | null;
  fetched_at: number;
  expires_at: number;
}

/** The desired state of the lights or the sound, which the device carries out. */
export interface RelayCommandsTable {
  relay: 'lighting' | 'sound';
  /** JSON. */
  desired: string;
  /** Unique: identifies the command. */
  set_at: number;
  set_by: string;
  /** When the device failed to carry it out, and its error. */
  failed_at: number | null;
  error: string | null;
}

/** The command that a relay last carried out. */
export interface RoomStatesTable {
  relay: 'lighting' | 'sound';
  /** JSON. */
  applied: string;
  applied_at: number;
}
