// kill -9 while the service migrates a database of an older version, at many of its writes: the next start completes
// the migration, the database then has the same contents as after an undisturbed one, and `audit:verify` finds nothing.
// `upgrades.ts 3 230 043`: three kills of each kind, these databases alone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { verifyAudit } from '#kernel/db/audit.ts';
import { migrate, openSqlite } from '#kernel/db/connection.ts';
import { createReader, Statements } from '#kernel/db/queries.ts';
import { end, report, start, tempFolder } from './service.ts';

/** Kills per database and kind of call. */
const POINTS = Number(process.argv[2] ?? 3);
const ONLY = process.argv.slice(3);
const CALLS = ['pwrite64', 'fsync'];
const VERIFY = path.join(import.meta.dirname, '../../scripts/audit-verify.ts');
const FIXTURES = path.join(import.meta.dirname, '../fixtures');

/** The number of rows of a table, and a hash of all of them. */
interface Content {
  count: number;
  hash: string;
}

if (spawnSync('strace', ['-V']).status !== 0) {
  console.log('ok   kill -9 while migrating: strace is not on this machine, so this was not tried');
} else {
  const files = fs.globSync('**/*.db.gz', { cwd: FIXTURES });
  if (files.length === 0) report('kill -9 while migrating', ['there are no databases of older versions']);
  const isWanted = (file: string) => ONLY.length === 0 || ONLY.includes(path.basename(file, '.db.gz'));
  for (const file of files.sort().filter(isWanted)) await disturb(file);
}

async function disturb(file: string): Promise<void> {
  const packed = fs.readFileSync(path.join(FIXTURES, file));
  const before = contentsOf(unpacked(packed));
  // Tables that differ between two undisturbed migrations, such as by their times, are compared by number of rows.
  const [first, second] = [await migrated(unpacked(packed)), await migrated(unpacked(packed))];
  const steady = new Set(
    [...first.keys()].filter((table) => first.get(table)!.hash === second.get(table)?.hash),
  );
  const found: string[] = [];
  let [killed, rolledBack] = [0, 0];
  const oldVersion = versionOf(unpacked(packed));
  const newVersion = first.get('kysely_migration')!.count;
  for (const call of CALLS) {
    const writes = await countCalls(packed, call);
    const step = Math.max(1, Math.floor(writes / POINTS));
    for (let nth = 1; nth <= writes; nth += step) {
      const folder = unpacked(packed);
      const kill = `inject=${call}:signal=SIGKILL:when=${nth}`;
      const doomed = await start(folder, { under: strace('/dev/null', call, '-e', kill) }).catch(
        () => undefined,
      );
      // The service listens: the migration is over, and jobs have begun to write.
      if (doomed) {
        await end(doomed, 'SIGKILL');
        break;
      }
      killed += 1;
      const say = (what: string) => found.push(`${call} number ${nth} of ${writes}: ${what}`);
      const version = versionOf(folder);
      if (version === oldVersion) {
        rolledBack += 1;
        const after = await migrated(folder).catch((error: Error) => say(error.message));
        if (typeof after === 'object') for (const what of differences(first, after, steady)) say(what);
      } else if (version !== newVersion)
        say(`${version} migrations are done, neither ${oldVersion} nor ${newVersion}`);
      for (const what of await complaintsAfterStart(folder)) say(what);
      fs.rmSync(folder, { recursive: true });
    }
  }
  const rows = before.values().reduce((sum, { count }) => sum + count, 0);
  const tables = `${first.size} tables, ${steady.size} of them compared row by row`;
  report(
    `${file}: killed ${killed} times while ${rows} rows were migrated, ${rolledBack} times rolled back; ${tables}`,
    killed > 0 ? found : ['no point was within the migration'],
  );
}

function unpacked(packed: Buffer): string {
  const folder = tempFolder();
  fs.writeFileSync(`${folder}/service.db`, gunzipSync(packed));
  return folder;
}

function strace(output: string, call: string, ...more: string[]): string[] {
  return ['strace', '-f', '-o', output, '-e', `trace=${call}`, ...more];
}

/** Runs only the migrations, without the jobs of the service, and returns the contents. */
async function migrated(folder: string): Promise<Map<string, Content>> {
  const sqlite = openSqlite(`${folder}/service.db`);
  try {
    await migrate(sqlite);
  } finally {
    sqlite.close();
  }
  return contentsOf(folder);
}

/** Returns the number of migrations. Reads a copy, so that the rollback is left to the next start. */
function versionOf(folder: string): unknown {
  const copy = tempFolder();
  fs.cpSync(folder, copy, { recursive: true });
  const sqlite = new Sqlite(`${copy}/service.db`);
  try {
    return sqlite.prepare('SELECT count(*) FROM kysely_migration').pluck().get();
  } finally {
    sqlite.close();
    fs.rmSync(copy, { recursive: true });
  }
}

async function complaintsAfterStart(folder: string): Promise<string[]> {
  const found: string[] = [];
  const service = await start(folder).catch((error: Error) => error);
  if (service instanceof Error) found.push(service.message.trim());
  else await end(service, 'SIGTERM');
  const verified = spawnSync(process.execPath, [VERIFY], {
    env: { ...process.env, DATABASE_URL: `file:${folder}/service.db` },
    encoding: 'utf8',
  });
  if (verified.status !== 0)
    found.push(`audit:verify ends with ${verified.status}: ${verified.stderr.trim()}`);
  const sqlite = new Sqlite(`${folder}/service.db`);
  try {
    const integrity = sqlite.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') found.push(`integrity: ${integrity}`);
    if ((sqlite.pragma('foreign_key_check') as unknown[]).length > 0) found.push('foreign keys are broken');
    const { broken } = verifyAudit(createReader(new Statements(sqlite)));
    if (broken) found.push(`the audit log is broken at entry ${broken.seq}`);
  } finally {
    sqlite.close();
  }
  return found;
}

/** Counts how often a process that only migrates makes this system call. */
async function countCalls(packed: Buffer, call: string): Promise<number> {
  const folder = unpacked(packed);
  const [command = '', ...args] = strace(`${folder}/calls`, call);
  const connection = path.join(import.meta.dirname, '../../src/kernel/db/connection.ts');
  const code = `const { openSqlite, migrate } = await import(${JSON.stringify(connection)}); await migrate(openSqlite(${JSON.stringify(`${folder}/service.db`)}))`;
  const { status } = spawnSync(command, [...args, process.execPath, '--input-type=module', '-e', code]);
  if (status !== 0) throw new Error(`migrating ended with ${status}`);
  const calls = fs.readFileSync(`${folder}/calls`, 'utf8').split('\n');
  return calls.filter((line) => line.includes(`${call}(`)).length;
}

function contentsOf(folder: string): Map<string, Content> {
  const sqlite = new Sqlite(`${folder}/service.db`, { readonly: true });
  try {
    const tables = sqlite
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
      )
      .pluck()
      .all() as string[];
    return new Map(
      tables.map((table) => {
        const rows = sqlite.prepare(`SELECT * FROM "${table}"`).raw().all() as unknown[][];
        const texts = rows.map((row) => JSON.stringify(row)).sort();
        return [
          table,
          { count: rows.length, hash: createHash('sha256').update(texts.join('\n')).digest('hex') },
        ];
      }),
    );
  } finally {
    sqlite.close();
  }
}

function differences(wanted: Map<string, Content>, is: Map<string, Content>, steady: Set<string>): string[] {
  const names = new Set([...wanted.keys(), ...is.keys()]);
  return [...names].flatMap((table) => {
    const [one, other] = [wanted.get(table), is.get(table)];
    if (one?.count !== other?.count)
      return [`${table} has ${other?.count ?? 'no'} rows in place of ${one?.count ?? 'no'}`];
    return steady.has(table) && one?.hash !== other?.hash ? [`${table} has other rows`] : [];
  });
}
