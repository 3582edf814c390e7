// Another program holds the database's write lock: a short lock is waited for, a long one reported, nothing is lost.
// Then its lock file is deleted, moved and replaced while it runs: another process serves, and it writes no more.
import fs from 'node:fs';
import Sqlite from 'better-sqlite3';
import { complaints, crowd, end, openElection, post, report, start, tempFolder } from './service.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const folder = tempFolder();
const service = await start(folder);
const opened = await openElection(service, 300);
const other = new Sqlite(`${folder}/service.db`);
const track = { artist: 'The Anchors', title: 'Locked out' };
const found: string[] = [];

other.exec('BEGIN IMMEDIATE');
const patient = post(`${service.url}/api/now-playing/ingest`, track);
await pause(700);
other.exec('COMMIT');
const waited = await patient;
if (waited.status !== 200) found.push(`after a short lock it answered ${waited.status}`);

other.exec('BEGIN IMMEDIATE');
const refused = await post(`${service.url}/api/now-playing/ingest`, track);
if (refused.status < 500) found.push(`under a long lock it answered ${refused.status}`);
other.exec('ROLLBACK');
other.close();

const so = await crowd(service, opened, () => false);
if (so.ballots !== 300) found.push(`afterwards only ${so.ballots} of 300 ballots were taken`);
const code = await end(service, 'SIGTERM');
if (code !== 0) found.push(`it ended with ${code}`);
report('foreign write lock', [...found, ...(await complaints(folder, opened, so))]);

/** How the lock file is lost, and what happens to it once another process has served. */
const LOSSES: [what: string, lose: (lock: string) => void, later?: (lock: string) => void][] = [
  ['deleted', (lock) => fs.rmSync(lock)],
  [
    'moved away, and back later',
    (lock) => fs.renameSync(lock, `${lock}.moved`),
    (lock) => fs.renameSync(`${lock}.moved`, lock),
  ],
  [
    'replaced by a copy',
    (lock) => {
      fs.copyFileSync(lock, `${lock}.copy`);
      fs.renameSync(`${lock}.copy`, lock);
    },
  ],
];

for (const [what, lose, later] of LOSSES) report(`lock file ${what}`, await loseLock(lose, later));

async function loseLock(lose: (lock: string) => void, later?: (lock: string) => void): Promise<string[]> {
  const folder = tempFolder();
  const lock = `${folder}/service.db.lock`;
  const first = await start(folder);
  const opened = await openElection(first, 100);
  const found: string[] = [];
  const vote = (token: string) =>
    post(`${first.url}/e/${opened.election}/vote`, { token, choice: 'yes' }).then(({ status }) => status);

  lose(lock);
  const alone = await vote(opened.tokens[0]!);
  const second = await start(folder);
  const beside = await Promise.all(opened.tokens.slice(0, 50).map(vote));
  const so = await crowd(second, opened, () => false);
  later?.(lock);
  const afterwards = await vote(opened.tokens[0]!);

  const answers = [...new Set([alone, ...beside, afterwards])];
  if (answers.some((status) => status < 500)) found.push(`the first process answered ${answers.join(', ')}`);
  if (!first.output().includes(`The lock ${lock} was`)) found.push('the first process does not say why');
  // A code that the first one had taken would be refused.
  if (so.ballots !== 100) found.push(`the second process took ${so.ballots} of 100 ballots`);
  for (const service of [first, second]) {
    const code = await end(service, 'SIGTERM');
    if (code !== 0)
      found.push(`${service === first ? 'the first' : 'the second'} process ended with ${code}`);
  }
  return [...found, ...(await complaints(folder, opened, so))];
}
