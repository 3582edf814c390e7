import type { Generated } from 'kysely';

/** The tables of the setlist's surfaces: the counts, and the answers made from them. */
export interface RollupTables {
  rollup_nights: RollupNightsTable;
  rollup_counts: RollupCountsTable;
  rollup_state: RollupStateTable;
  setlist_rollups: SetlistRollupsTable;
  share_clicks: ShareClicksTable;
}

/** Each evening with a stored play, even if no song of it counts. */
export interface RollupNightsTable {
  /** Days from 1970-01-01 to its pub day. */
  night: number;
  starts_at: number;
  plays: Generated<number>;
  /** The number of different songs. */
  songs: Generated<number>;
  /** Plays from 23:00 on. */
  late_plays: Generated<number>;
  dwell_ms: Generated<number>;
  /** Plays by the local hour, `{"23":12,"0":4}`. */
  hours: Generated<string>;
  first_play_id: Generated<number | null>;
  last_play_id: Generated<number | null>;
  /** Whether it must be counted again. */
  stale: Generated<0 | 1>;
}

export type SubjectKind = 'song' | 'artist' | 'album' | 'genre';

/** A song (by its track key), artist or album (by its normalized name) or genre on one evening. */
export interface RollupCountsTable {
  night: number;
  kind: SubjectKind;
  key: string;
  plays: number;
  dwell_ms: number;
  first_at: number;
  last_at: number;
  last_play_id: number;
}

/** The progress of counting. A single row. */
export interface RollupStateTable {
  id: 1;
  /** The version of the counting rules: a new one counts everything again. */
  version: number;
  max_play_id: number;
  /** The evening for which the surfaces were computed. */
  today: number;
  /** Whether the pub was open. */
  open: 0 | 1;
  /** 0 while something is counted that no surface shows yet. */
  settled: 0 | 1;
  /** The time zone of the counts; null: an earlier version counted them, in the zone of its configuration. */
  zone: string | null;
  /** The locale of the labels that are stored. */
  locale: string | null;
}

/** The stored answer of a surface: JSON in UTF-8. */
export interface SetlistRollupsTable {
  surface: string;
  range: string;
  /** Its position among the ranges of its surface; 0 is the default range. */
  position: number;
  payload: Uint8Array;
  etag: string;
  computed_at: number;
  max_play_id: number;
}

/** How often a surface was shared on a day, and how; nothing about who. */
export interface ShareClicksTable {
  day: string;
  surface: string;
  channel: 'native' | 'copy' | 'download' | 'qr' | 'other';
  clicks: number;
}
