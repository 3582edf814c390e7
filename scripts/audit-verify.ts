// npm run audit:verify [-- --head <hash>]: checks the hash chain of the audit log and names the first broken entry,
// checks that it contains a head noted earlier, recounts every closed election, and compares every fact of elections and
// meetings with the log. Exit code 0: all is well, also after a restore that lost nothing, which is named; 1: the chain
// is broken, truncated or rewritten, or an error occurred; 2: something differs from the log or is lost; 3: the database
// is of an earlier version; 64: an option that it does not know.
import { parseArgs } from 'node:util';
import { isoTime, systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { listLostAnchors } from '#kernel/db/anchor-journal.ts';
import { findByHash, verifyAudit } from '#kernel/db/audit.ts';
import { countErased } from '#kernel/db/audit-personal.ts';
import { listOpenMigrations } from '#kernel/db/connection.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { ensureExists } from '#kernel/db/database-error.ts';
import { listLost, lostText } from '#kernel/db/facts/lost.ts';
import { findEarlier } from '#kernel/db/facts/statements.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { WorkQueue } from '#kernel/work-queue.ts';
import { listMeetingDifferences } from '#meetings/recorded.ts';
import { takeBooks } from '#voting/counting/books.ts';
import { isAnchored } from '#voting/counting/chain-check.ts';
import { listDifferences } from '#voting/counting/recheck.ts';
import { type Books, findSettledResult } from '#voting/elections/stored-result.ts';

const BROKEN = 1;
const DIFFERS = 2;
const EARLIER_VERSION = 3;
const WRONG_OPTION = 64;

process.exitCode = await run().catch((error: Error) => {
  console.error(error.message);
  return BROKEN;
});

async function run(): Promise<number> {
  const noted = readHead();
  if (noted === null) return WRONG_OPTION;
  const file = readConfig().DATABASE_URL.slice('file:'.length);
  ensureExists(file);
  using database = openDatabase(file);
  const { db, sqlite } = database;
  const open = listOpenMigrations(sqlite);
  if (open.length > 0) {
    console.error(
      `This database is of an earlier version: it lacks ${open.length} migrations (${open[0]} …). Start the service once, or verify it with its own version.`,
    );
    return EARLIER_VERSION;
  }
  const broken = verifyChain(db, noted);
  const { cut, differs } = await verifyElections(db);
  const differing = [...listMeetings(db), ...listLost(db).map(lostText), ...listLostResults(db, file)];
  for (const what of differing) console.error(`${what}.`);
  nameEarlier(db);
  nameRestores(db);
  if (broken || cut) return BROKEN;
  return differs || differing.length > 0 ? DIFFERS : 0;
}

/** The head that was noted; null for options that there are not, which are named. */
function readHead(): string | undefined | null {
  try {
    const { values } = parseArgs({ options: { head: { type: 'string' } } });
    return values.head?.trim().toLowerCase();
  } catch (error) {
    console.error(`${(error as Error).message}. The option is --head <hash>.`);
    return null;
  }
}

/** A sentence for each meeting that differs. */
function listMeetings(db: Reader): string[] {
  return listMeetingDifferences(db).map(({ title, id, differences }) => `“${title}” (${id}): ${differences}`);
}

/** Results that the journal beside the database has and its log has not: an older copy was put back. */
function listLostResults(db: Reader, file: string): string[] {
  return listLostAnchors(db, file).map(
    ({ title, election_id, at, total_ballots }) =>
      `“${title}” (${election_id}): a result of ${total_ballots} ballots, settled ${at}, is lost: an older copy was put back`,
  );
}

/** What an earlier version made is compared with its facts at the upgrade: what it did not record is no difference. */
function nameEarlier(db: Reader): void {
  const earlier = findEarlier(db);
  if (earlier)
    console.log(
      `Made by an earlier version: ${earlier.subjects} of the elections, papers and meetings. Their facts before ${isoTime(earlier.since)} were not recorded by that version, and are no difference.`,
    );
}

/** A restore is no fault by itself: what it lost is named elsewhere. */
function nameRestores(db: Reader): void {
  const restores = db.all(
    build
      .selectFrom('audit_log')
      .select(['timestamp', 'metadata'])
      .where('action', '=', 'database.restored')
      .orderBy('seq'),
  );
  for (const { timestamp, metadata } of restores)
    console.log(`Restored before ${isoTime(timestamp)} from a copy made ${JSON.parse(metadata).made_at}.`);
}

/** @returns whether the chain is broken or does not contain the noted head */
function verifyChain(db: Reader, noted: string | undefined): boolean {
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
async function verifyElections(db: Reader): Promise<{ cut: boolean; differs: boolean }> {
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
