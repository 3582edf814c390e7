import type { Generated } from 'kysely';

/** The tables of the club's own content. */
export interface ContentTables {
  content_records: ContentRecordsTable;
  content_revisions: ContentRevisionsTable;
  pictures: PicturesTable;
  picture_files: PictureFilesTable;
  takeovers: TakeoversTable;
  menu_stock: MenuStockTable;
  taps: TapsTable;
}

/** One event, week of opening hours, announcement and so on, across all its versions. */
export interface ContentRecordsTable {
  /** 32 hexadecimal digits: of a UUID v7, or the id of the workspace page that was imported. */
  id: string;
  kind: string;
  /** The newest one. */
  version: number;
  /** The one that is shown; null: none. */
  published_version: number | null;
  /** The beginning of the UIDs in calendar feeds. */
  uid_base: string;
  /** `workspace:<id>` of the page that it was imported from. */
  origin: string | null;
  created_at: number;
  changed_at: number;
  removed_at: number | null;
}

export interface ContentRevisionsTable {
  record_id: string;
  version: number;
  /** JSON; its schema is that of the kind. */
  body: string;
  at: number;
  /** `person:<id>` or the name of a key; null: unknown. */
  by: string | null;
  reason: 'created' | 'changed' | 'undone' | 'restored' | 'imported';
  /** When this version was published first. */
  published_at: number | null;
}

export interface PicturesTable {
  id: string;
  /** Of the uploaded bytes. */
  sha256: string;
  /** What it shows; empty for a decorative one. */
  alt: string;
  decorative: Generated<0 | 1>;
  /** Where its important part is: 1 to 9, line by line from the top left. */
  focus: number;
  width: number;
  height: number;
  added_at: number;
  added_by: string | null;
}

/** A picture as it is sent, its longer side at most `size`. */
export interface PictureFilesTable {
  picture_id: string;
  size: 480 | 1920;
  /** Its content type. */
  type: string;
  etag: string;
  bytes: Uint8Array;
}

/** A notice that fills screens for a while. */
export interface TakeoversTable {
  id: string;
  kind: 'last_orders' | 'voting' | 'leave' | 'own';
  title: string;
  text: string;
  /** The address in its QR code. */
  qr: string | null;
  /** The path of a page of this service that the screens show in place of title and text. */
  page: string | null;
  /** Names of screens as a JSON list; an empty one: all. */
  screens: string;
  started_at: number;
  expires_at: number;
  /** When somebody ended it early. */
  ended_at: number | null;
  started_by: string | null;
  ended_by: string | null;
}

/** Whether something of the list can be had now; an item without a row is on. Those of taps are in `taps`. */
export interface MenuStockTable {
  item_id: string;
  state: 'on' | 'last' | 'out';
  /** When it is on again by itself; null: once somebody says so. */
  until: number | null;
  changed_at: number;
  /** `person:<id>` or the name of a key. */
  changed_by: string | null;
}

/** A numbered place at the bar, with the drink that it has. */
export interface TapsTable {
  tap: number;
  label: string;
  item_id: string | null;
  next_item_id: string | null;
  state: 'on' | 'last' | 'out' | 'cleaning';
  /** When its drink was connected. */
  tapped_at: number | null;
  changed_at: number;
  changed_by: string | null;
}
