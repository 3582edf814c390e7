import type { Generated } from 'kysely';

/** The tables of the setlist's surfaces: what is counted, and what is served of it. */
export interface RollupTables {
  rollup_nights: RollupNightsTable;
  rollup_subjects: RollupSubjectsTable;
  rollup_counts: RollupCountsTable;
  rollup_spans: RollupSpansTable;
  rollup_totals: RollupTotalsTable;
  rollup_state: RollupStateTable;
  setlist_rollups: SetlistRollupsTable;
  share_clicks: ShareClicksTable;
}

/** Each evening of which a row was stored, also one without a single song that counts. */
export interface RollupNightsTable {
  /** Days from 1970-01-01 to its pub day. */
  night: number;
  starts_at: number;
  plays: Generated<number>;
  /** How many different ones. */
  songs: Generated<number>;
  /** From 23:00 on. */
  late_plays: Generated<number>;
  dwell_ms: Generated<number>;
  /** Plays by the local hour, `{"23":12,"0":4}`. */
  hours: Generated<string>;
  first_play_id: Generated<number | null>;
  last_play_id: Generated<number | null>;
  /** The subjects that are its songs, 32 bits each: to compare evenings by. */
  song_ids: Generated<Uint8Array | null>;
  /** 1 has to be counted again, 2 is counted but not kept yet. */
  stale: Generated<0 | 1 | 2>;
}

/** Whatever is counted: a song by its track key, an artist or album by its normalised name, a genre. */
export interface RollupSubjectsTable {
  id: Generated<number>;
  kind: SubjectKind;
  key: string;
}

export type SubjectKind = 'song' | 'artist' | 'album' | 'genre';

/** One subject on one evening. */
export interface RollupCountsTable {
  subject: number;
  night: number;
  kind: SubjectKind;
  plays: number;
  dwell_ms: number;
  first_at: number;
  last_at: number;
  last_play_id: number;
}

/** The evenings that the totals of a span are of, both ends included. */
export interface RollupSpansTable {
  span: string;
  from_night: number;
  to_night: number;
}

/** One subject over all evenings of a span. */
export interface RollupTotalsTable {
  span: string;
  subject: number;
  kind: SubjectKind;
  plays: number;
  nights: number;
  dwell_ms: number;
  first_at: number;
  last_at: number;
  /** The most evenings in a row, by the calendar. */
  streak: number;
}

/** How far the counts have come. A single row. */
export interface RollupStateTable {
  id: 1;
  /** Of the way of counting: another one counts everything again. */
  version: number;
  max_play_id: number;
  /** The evening for which the spans were laid. */
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

/** What is served of a surface: JSON in UTF-8. */
export interface SetlistRollupsTable {
  surface: string;
  range: string;
  /** Among the ranges of its surface; 0 is served when none is named. */
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
