// npm run audit:verify [-- --head <hash>]: checks the hash chain of the audit log and names the first broken entry,
// checks that it contains a head noted earlier, recounts every closed election, and compares what is stored of it with
// the log. Exit code 1: the chain is broken, truncated or rewritten, or an error occurred; 2: the books, the question
// or the result of an election do not agree; 0: all is well.
import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { findByHash, verifyAudit } from '#kernel/db/audit.ts';
import { countErased } from '#kernel/db/audit-personal.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { ensureExists } from '#kernel/db/database-error.ts';
import { build } from '#kernel/db/queries.ts';
import { WorkQueue } from '#kernel/work-queue.ts';
import { takeBooks } from '#voting/counting/books.ts';
import { isAnchored } from '#voting/counting/chain-check.ts';
import { listDifferences } from '#voting/counting/recheck.ts';
import { type Books, findSettledResult } from '#voting/elections/stored-result.ts';

try {
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const file = readConfig().DATABASE_URL.slice('file:'.length);
  ensureExists(file);
  using database = openDatabase(file);
  const { db } = database;
  const broken = verifyChain(db, values.head?.trim().toLowerCase());
  const { cut, differs } = await verifyElections(db);
  process.exitCode = broken || cut ? 1 : differs ? 2 : 0;
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
  if (seq === undefined)
    console.error(`The head ${noted} is not in the chain: the log was truncated or rewritten.`);
  else console.log(`The head ${noted} is entry ${seq} of the chain.`);
  return broken !== undefined || seq === undefined;
}

/**
 * Prints the books of each closed election and everything that does not agree.
 * @returns whether the chain lacks an entry that a result was stored with, and whether anything else does not agree
 */
async function verifyElections(
  db: Parameters<typeof verifyAudit>[0],
): Promise<{ cut: boolean; differs: boolean }> {
  const elections = db.all(build.selectFrom('elections').selectAll());
  const queue = new WorkQueue();
  const found = { cut: false, differs: false };
  let closed = 0;
  for (const election of elections) {
    const name = `“${election.title}” (${election.id})`;
    for (const difference of await listDifferences({ db, queue }, election)) {
      found.differs = true;
      console.error(`${name}: ${difference}.`);
    }
    const settled = findSettledResult(db, election.id);
    if (settled && !isAnchored(db, election, settled)) found.cut = true;
    if (election.closed_at === null) continue;
    closed += 1;
    console.log(`${name}: ${booksText(await takeBooks({ db, queue }, election))}`);
    if (settled && settled.ballot_set_salt === undefined)
      console.log(
        `${name}: its check number is in the form of an earlier version: it covers the ballots alone`,
      );
  }
  console.log(`Closed elections counted again: ${closed}`);
  return found;
}

function booksText(books: Books): string {
  return `ballots ${books.ballots}, voting codes used ${books.tokens_used}, votes in the log ${books.vote_entries}, codes made ${books.tokens_made}, mailed ${books.tokens_mailed}, deleted ${books.tokens_deleted}${books.balanced ? '' : ': NOT balanced'}`;
}
