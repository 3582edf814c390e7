import type { BackupRules } from './kernel/backups.ts';
import { copyAnchors } from './kernel/db/anchor-journal.ts';
import { copyJournal } from './people/erase/journal.ts';
import { votingOpenUntil } from './voting/elections/elections.ts';

/** Copies the journals beside a database into the folder of its backups, for a restore on another machine. */
export function copyJournals(database: string, folder: string): void {
  copyJournal(database, folder);
  copyAnchors(database, folder);
}

/** What the domains say about backups. */
export const BACKUP_RULES: BackupRules = {
  votingUntil: ({ db, now }) => votingOpenUntil(db, now()),
  copyJournals,
};
