// npm run restore -- <backup.db>: puts a backup in the place of the database. The server has to be stopped. Exit
// code 1: nothing was changed, and the line says why.

import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { restore } from '#kernel/db/backup.ts';

const [backup] = process.argv.slice(2);
process.umask(0o077);
try {
  if (!backup) throw new Error('Name the backup: npm run restore -- data/backups/publichouse-….db');
  const file = readConfig().DATABASE_URL.slice('file:'.length);
  const aside = await restore(backup, file, systemClock());
  console.log(`${file} is restored from ${backup}.`);
  if (aside) console.log(`What was there before is now ${aside}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
