import fs from 'node:fs';

/** An error that an operator can fix, with a message of one line. */
export class DatabaseError extends Error {}

/** Another process serves the database. */
export class DatabaseInUse extends DatabaseError {}

/** The database is of an earlier version than this program: only a start of the service migrates it. */
export class EarlierVersion extends DatabaseError {
  /** The exit code of scripts. */
  static readonly exitCode = 3;

  constructor(file: string) {
    super(
      `The database ${file} is of an earlier version: start the service once, which migrates it. Nothing was changed`,
    );
  }
}

/** The code of `LockLost`, beside those of SQLite for a disk that refuses writes. */
export const LOCK_LOST = 'LOCK_LOST';

/** The file that this process had locked was deleted, moved or replaced: it must not write any more. */
export class LockLost extends DatabaseError {
  readonly code = LOCK_LOST;

  constructor(path: string) {
    super(
      `The lock ${path} was deleted, moved or replaced: another process may serve the database, so this one writes no more. End every other one and start this one again`,
    );
  }
}

/** For code that only reads: opening would create an empty database. @throws DatabaseError when there is none */
export function ensureExists(file: string): void {
  if (!fs.existsSync(file)) throw new DatabaseError(`DATABASE_URL: there is no database at ${file}`);
}
