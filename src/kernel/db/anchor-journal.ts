import path from 'node:path';
import { findByHash } from './audit.ts';
import { appendLines, journalBeside, readLines } from './journal.ts';
import type { Reader } from './queries.ts';

/** The journal of settled elections in the database's folder: an older backup does not contain them. */
const NAME = 'settled.log';

/** A settled election: what was published of it, and the entry of the audit log that recorded it. */
export interface Anchor {
  /** The time of the entry. */
  at: string;
  election_id: string;
  title: string;
  total_ballots: number;
  ballot_set_sha256: string;
  /** The entry's hash. */
  head: string;
}

/** The path of a database's journal; undefined for a database in memory. */
export const anchorJournalOf = (database: string): string | undefined => journalBeside(database, NAME);

/** Reads a journal; invalid lines are skipped. */
function readAnchors(file: string | undefined): Anchor[] {
  return file === undefined ? [] : readLines(file).flatMap(readLine);
}

function readLine(line: string): Anchor[] {
  try {
    const anchor: Partial<Anchor> | null = JSON.parse(line);
    return typeof anchor?.head === 'string' && typeof anchor.election_id === 'string'
      ? [anchor as Anchor]
      : [];
  } catch {
    return [];
  }
}

/** Adds missing anchors to a journal. */
export function addAnchors(file: string | undefined, anchors: readonly Anchor[]): void {
  if (file === undefined || anchors.length === 0) return;
  const known = new Set(readAnchors(file).map(({ head }) => head));
  appendLines(
    file,
    anchors.filter(({ head }) => !known.has(head)).map((anchor) => JSON.stringify(anchor)),
  );
}

/** Copies the journal of a database into the folder of its backups, for a restore on another machine. */
export function copyAnchors(database: string, folder: string): void {
  addAnchors(path.join(folder, NAME), readAnchors(anchorJournalOf(database)));
}

/** Adds the journal of a folder of backups to that of a database. */
export function mergeAnchors(folder: string, database: string): void {
  addAnchors(anchorJournalOf(database), readAnchors(path.join(folder, NAME)));
}

/** The settled elections of a journal whose entries the audit log lacks: an older copy of the database was put back. */
export const listLostAnchors = (reader: Reader, database: string): Anchor[] =>
  readAnchors(anchorJournalOf(database)).filter(({ head }) => findByHash(reader, head) === undefined);
