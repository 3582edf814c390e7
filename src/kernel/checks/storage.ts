import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '#kernel/config.ts';
import { listBackups } from '#kernel/db/backup.ts';

/** Free bytes on the disk of the database; undefined for a database in memory. */
export async function freeBytes(config: Config): Promise<number | undefined> {
  const file = fileOf(config);
  if (file === undefined) return undefined;
  const { bavail, bsize } = await fs.promises.statfs(path.dirname(file));
  return bavail * bsize;
}

/** When the newest backup in the default folder of `npm run backup` was made, in milliseconds. */
export function newestBackup(config: Config): number | undefined {
  const file = fileOf(config);
  const [newest] = file === undefined ? [] : listBackups(path.join(path.dirname(file), 'backups'));
  const made = newest === undefined ? undefined : fs.statSync(newest, { throwIfNoEntry: false })?.mtimeMs;
  // File systems keep fractions of milliseconds.
  return made === undefined ? undefined : Math.floor(made);
}

function fileOf({ DATABASE_URL }: Config): string | undefined {
  const file = DATABASE_URL.slice('file:'.length);
  return file === ':memory:' ? undefined : path.resolve(file);
}
