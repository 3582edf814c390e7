import type { Generated } from 'kysely';

/** The tables of the pub domain. */
export interface PubTables {
  plays: PlaysTable;
  pub_admin_roles: PubAdminRolesTable;
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
