// npm run backup [-- <folder> [--keep 14] [--key <file>] [--now]]: makes and checks a copy of the database while the
// server runs. Exit code 1: no backup was made, and the message says why. Exit code 3: none was made because voting is
// open; `--now` makes one anyway.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { isoTime, systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { backUp, copyKey, ensureKeyPlace } from '#kernel/db/backup.ts';
import { createReader, Statements } from '#kernel/db/queries.ts';
import { votingOpenUntil } from '#voting/elections/elections.ts';
import { copyJournals } from '../src/backup-rules.ts';

const PUT_OFF = 3;

process.umask(0o077);
try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      keep: { type: 'string', default: '14' },
      key: { type: 'string' },
      now: { type: 'boolean', default: false },
    },
  });
  const keep = Number(values.keep);
  if (!Number.isInteger(keep) || keep < 1) throw new Error('--keep must be a whole number from 1');
  const file = readConfig().DATABASE_URL.slice('file:'.length);
  const folder = positionals[0] ?? path.join(path.dirname(file), 'backups');
  const open = openUntil(file, systemClock());
  if (open) {
    console.error(
      `Voting is open, ${open}. A backup taken now shows who has voted so far: after a single vote, the vote and the name. Two taken during voting show which ballots and which voters came between them: with one voter between them, the vote and the name.`,
    );
    if (!values.now)
      console.error('No backup was made. Try again after the close, or take it all the same: --now');
  }
  if (open && !values.now) process.exitCode = PUT_OFF;
  else {
    if (values.key !== undefined) ensureKeyPlace(file, values.key, folder);
    const made = await backUp(file, { folder, keep, at: systemClock() });
    copyJournals(file, folder);
    console.log(`${made}: written and checked, without the key file. The newest ${keep} are kept.`);
    if (values.key !== undefined) {
      copyKey(file, values.key, folder);
      console.log(`${values.key}: the key. Keep it apart from the backups.`);
    }
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** The latest end of all open elections, as text; undefined when no election is open. */
function openUntil(file: string, now: number): string | undefined {
  if (!fs.existsSync(file)) return undefined;
  const sqlite = new Sqlite(file, { readonly: true, timeout: 5_000 });
  try {
    const until = votingOpenUntil(createReader(new Statements(sqlite)), now);
    return until === undefined ? undefined : `until ${isoTime(until)}`;
  } finally {
    sqlite.close();
  }
}
