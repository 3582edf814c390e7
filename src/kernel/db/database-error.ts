import fs from 'node:fs';

/** An error that an operator can fix, with a message of one line. */
export class DatabaseError extends Error {}

/** Another process serves the database. */
export class DatabaseInUse extends DatabaseError {}

/** For code that only reads: opening would create an empty database. @throws DatabaseError when there is none */
export function ensureExists(file: string): void {
  if (!fs.existsSync(file)) throw new DatabaseError(`DATABASE_URL: there is no database at ${file}`);
}
