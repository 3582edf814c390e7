// npm run restore -- <backup.db>: replaces the database by a backup, and erases again the people who were erased since.
// The server has to be stopped. Exit code 1: the message says what failed.

import path from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { mergeAnchors } from '#kernel/db/anchor-journal.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { watchFacts } from '#kernel/db/facts/record.ts';
import { keyWarning } from '#kernel/db/key-check.ts';
import { restore } from '#kernel/db/restore.ts';
import { eraseAgain } from '#people/erase/finish.ts';
import { addToJournal, journalIn, journalOf, readJournal } from '#people/erase/journal.ts';

/** In the order in which it is needed: codes by mail need the password of the mailbox, which no backup contains. */
const AFTERWARDS = `After the start everybody is signed out, and mail may not work yet:
1. Sign in at /sign-in with a recovery code from paper, or by the link that \`npm run admin -- sign-in-link <address>\` prints.
2. Enter the passwords of the settings again at /admin/settings, that of mail first: no backup contains them.`;

const [backup] = process.argv.slice(2);
process.umask(0o077);
try {
  if (!backup) throw new Error('Name the backup: npm run restore -- data/backups/publichouse-….db');
  const config = readConfig();
  const file = config.DATABASE_URL.slice('file:'.length);
  const aside = await restore(backup, file, systemClock(), console.error);
  console.log(`${file} is restored from ${backup}.`);
  mergeAnchors(path.dirname(path.resolve(backup)), file);
  await eraseWhoWasErased(file, path.dirname(path.resolve(backup)));
  if (aside) console.log(`What was there before is now ${aside}.`);
  console.log(AFTERWARDS);
  const warning = keyWarning(file, config);
  if (warning) console.error(`\nThe key: ${warning}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Erases again the people whom an old backup has restored, by the journals beside the database and the backup. */
async function eraseWhoWasErased(file: string, folder: string): Promise<void> {
  const journal = journalOf(file);
  if (journal === undefined) return;
  addToJournal(journal, readJournal(journalIn(folder)));
  const erasures = readJournal(journal);
  if (erasures.size === 0) return;
  using database = openDatabase(file);
  await watchFacts(database, systemClock);
  const { erased, refused } = await eraseAgain(database, erasures, systemClock());
  if (erased > 0) {
    database.sqlite.exec('VACUUM');
    console.log(`People who had been erased since, and are erased again: ${erased}`);
  }
  for (const why of refused) console.error(`Not erased again yet, the service will try: ${why}`);
}
