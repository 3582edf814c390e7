import fs from 'node:fs';
import path from 'node:path';
import { isoTime } from '#kernel/clock.ts';
import { keepPrivate } from '#kernel/db/connection.ts';

/** The journal of erasures in the database's folder: an older backup does not contain them. */
const NAME = 'erasures.log';

/** A line: the time, a space, the id of the person. */
const LINE = /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) ([\w-]{1,64})$/;

/** Times of erasures in milliseconds, by person id. */
export type Erasures = ReadonlyMap<string, number>;

/** The path of a database's journal; undefined for a database in memory. */
export function journalOf(database: string): string | undefined {
  return database === ':memory:' ? undefined : journalIn(path.dirname(path.resolve(database)));
}

export const journalIn = (folder: string): string => path.join(folder, NAME);

/** Copies the journal of a database into the folder of its backups, for a restore on another machine. */
export function copyJournal(database: string, folder: string): void {
  const journal = journalOf(database);
  if (journal !== undefined) addToJournal(journalIn(folder), readJournal(journal));
}

/** Reads a journal; invalid lines are skipped. */
export function readJournal(file: string): Erasures {
  if (!fs.existsSync(file)) return new Map();
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, at, id] = LINE.exec(line) ?? [];
      return at && id ? [[id, Temporal.Instant.from(at).epochMilliseconds] as const] : [];
    }),
  );
}

/** Adds missing entries to a journal; they are on disk (fsync) when it returns. */
export function addToJournal(file: string, erasures: Iterable<readonly [id: string, at: number]>): void {
  const known = readJournal(file);
  const lines = [...erasures].filter(([id]) => !known.has(id)).map(([id, at]) => `${isoTime(at)} ${id}\n`);
  if (lines.length === 0) return;
  keepPrivate(file, { create: true });
  const descriptor = fs.openSync(file, 'a');
  try {
    // If a power failure has truncated the last line, the new entries start on their own line.
    fs.writeSync(descriptor, `${endsInLine(file) ? '' : '\n'}${lines.join('')}`);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

const endsInLine = (file: string): boolean => {
  const text = fs.readFileSync(file, 'utf8');
  return text === '' || text.endsWith('\n');
};
