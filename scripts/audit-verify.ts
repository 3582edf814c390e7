// npm run audit:verify: walks the hash chain of the audit log and names the first broken entry.

import { readConfig } from '#kernel/config.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { openDatabase } from '#kernel/db/database.ts';

try {
  const { DATABASE_URL } = readConfig();
  using database = openDatabase(DATABASE_URL.slice('file:'.length));
  const { entries, head, broken } = verifyAudit(database.db);
  if (broken) {
    console.error(
      `Broken at entry ${broken.seq} (${broken.action}, id ${broken.id}); the ${entries} before it are whole.`,
    );
    process.exitCode = 1;
  } else {
    console.log(`${entries} entries, unbroken. Head: ${head}`);
    console.log('Note the head somewhere else: only a head noted earlier shows that the end was cut off.');
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
