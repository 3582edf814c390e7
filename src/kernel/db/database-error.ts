import fs from 'node:fs';

/** What an operator can mend, in one line. */
export class DatabaseError extends Error {}

/** Another process serves it. */
export class DatabaseInUse extends DatabaseError {}

/** For what only reads: opening would make an empty database. @throws DatabaseError when there is none */
export function ensureExists(file: string): void {
  if (!fs.existsSync(file)) throw new DatabaseError(`DATABASE_URL: there is no database at ${file}`);
}
