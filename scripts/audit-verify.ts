// npm run audit:verify [-- --head <hash>]: checks the hash chain of the audit log and names the first broken entry,
// checks that it contains a head noted earlier, and recounts every closed election. Exit code 1: the chain is broken,
// truncated or rewritten, or an error occurred; 2: the books or the result of an election do not agree; 0: all is well.
import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { findByHash, verifyAudit } from '#kernel/db/audit.ts';
import { countErased } from '#kernel/db/audit-personal.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { ensureExists } from '#kernel/db/database-error.ts';
import { build } from '#kernel/db/queries.ts';
import { WorkQueue } from '#kernel/work-queue.ts';
import { listDifferences } from '#voting/counting/recheck.ts';

try {
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const file = readConfig().DATABASE_URL.slice('file:'.length);
  ensureExists(file);
  using database = openDatabase(file);
  const { db } = database;
  const broken = verifyChain(db, values.head?.trim().toLowerCase());
  const differs = await verifyElections(db);
  process.exitCode = broken ? 1 : differs ? 2 : 0;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** @returns whether the chain is broken or does not contain the noted head */
function verifyChain(db: Parameters<typeof verifyAudit>[0], noted: string | undefined): boolean {
  const { entries, head, broken } = verifyAudit(db);
  if (broken)
    console.error(
      `Broken at entry ${broken.seq} (${broken.action}, id ${broken.id}); the ${entries} before it are whole.`,
    );
  else {
    const { erased, unerasable } = countErased(db, systemClock());
    console.log(`${entries} entries${erased > 0 ? `, ${erased} erased` : ''}, unbroken. Head: ${head}`);
    if (unerasable > 0)
      console.log(
        `${unerasable} of them were made by an earlier version: the addresses in them are part of the chain and cannot be erased.`,
      );
    console.log('Note the head somewhere else: only a head noted earlier shows that the end was cut off.');
  }
  if (noted === undefined) return broken !== undefined;
  const seq = findByHash(db, noted);
  if (seq === undefined) console.error(`The head ${noted} is not in the chain: it was cut or written anew.`);
  else console.log(`The head ${noted} is entry ${seq} of the chain.`);
  return broken !== undefined || seq === undefined;
}

/** @returns whether the books or the result of any closed election do not agree */
async function verifyElections(db: Parameters<typeof verifyAudit>[0]): Promise<boolean> {
  const closed = db.all(build.selectFrom('elections').selectAll().where('closed_at', 'is not', null));
  const queue = new WorkQueue();
  let differs = false;
  for (const election of closed) {
    for (const difference of await listDifferences({ db, queue }, election)) {
      differs = true;
      console.error(`“${election.title}” (${election.id}): ${difference}.`);
    }
  }
  console.log(`Closed elections counted again: ${closed.length}`);
  return differs;
}
