// npm run backup [-- <folder> [--keep 14]]: a checked copy of the database, while the server runs. Exit code 1: no
// backup was made, and the line says why.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { backUp } from '#kernel/db/backup.ts';

process.umask(0o077);
try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { keep: { type: 'string', default: '14' } },
  });
  const keep = Number(values.keep);
  if (!Number.isInteger(keep) || keep < 1) throw new Error('--keep must be a whole number from 1');
  const file = readConfig().DATABASE_URL.slice('file:'.length);
  const folder = positionals[0] ?? path.join(path.dirname(file), 'backups');
  const made = await backUp(file, { folder, keep, at: systemClock() });
  console.log(`${made}: written and checked. The newest ${keep} are kept.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
