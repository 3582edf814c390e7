import fs from 'node:fs';
import path from 'node:path';
import { keepPrivate } from './connection.ts';

/** The path of a journal beside a database; undefined for a database in memory. */
export const journalBeside = (database: string, name: string): string | undefined =>
  database === ':memory:' ? undefined : path.join(path.dirname(path.resolve(database)), name);

/** The lines of a journal; none if there is no such file. */
export const readLines = (file: string): string[] =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];

/** Adds lines to a journal; they are on disk (fsync) when it returns. */
export function appendLines(file: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  keepPrivate(file, { create: true });
  const descriptor = fs.openSync(file, 'a');
  try {
    // If a power failure has truncated the last line, the new entries start on their own line.
    fs.writeSync(descriptor, `${endsInLine(file) ? '' : '\n'}${lines.map((line) => `${line}\n`).join('')}`);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

const endsInLine = (file: string): boolean => {
  const text = fs.readFileSync(file, 'utf8');
  return text === '' || text.endsWith('\n');
};
