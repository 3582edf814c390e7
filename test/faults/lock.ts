// Another program holds the database's write lock: a short lock is waited for, a long one reported, nothing is lost.
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
