import path from 'node:path';
import { isoTime } from '#kernel/clock.ts';
import { appendLines, journalBeside, readLines } from '#kernel/db/journal.ts';

/** The journal of erasures in the database's folder: an older backup does not contain them. */
const NAME = 'erasures.log';

/** A line: the time, a space, the id of the person. */
const LINE = /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) ([\w-]{1,64})$/;

/** Times of erasures in milliseconds, by person id. */
export type Erasures = ReadonlyMap<string, number>;

/** The path of a database's journal; undefined for a database in memory. */
export const journalOf = (database: string): string | undefined => journalBeside(database, NAME);

export const journalIn = (folder: string): string => path.join(folder, NAME);

/** Copies the journal of a database into the folder of its backups, for a restore on another machine. */
export function copyJournal(database: string, folder: string): void {
  const journal = journalOf(database);
  if (journal !== undefined) addToJournal(journalIn(folder), readJournal(journal));
}

/** Reads a journal; invalid lines are skipped. */
export function readJournal(file: string): Erasures {
  return new Map(
    readLines(file).flatMap((line) => {
      const [, at, id] = LINE.exec(line) ?? [];
      return at && id ? [[id, Temporal.Instant.from(at).epochMilliseconds] as const] : [];
    }),
  );
}

/** Adds missing entries to a journal; they are on disk (fsync) when it returns. */
export function addToJournal(file: string, erasures: Iterable<readonly [id: string, at: number]>): void {
  const known = readJournal(file);
  const added = [...erasures].filter(([id]) => !known.has(id));
  appendLines(
    file,
    added.map(([id, at]) => `${isoTime(at)} ${id}`),
  );
}
