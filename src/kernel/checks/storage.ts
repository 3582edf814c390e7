import fs from 'node:fs';
import path from 'node:path';
import { databaseFile } from '#kernel/backups.ts';
import type { Config } from '#kernel/config.ts';

/** Free bytes on the disk of the database; undefined for a database in memory. */
export async function freeBytes(config: Config): Promise<number | undefined> {
  const file = databaseFile(config);
  if (file === undefined) return undefined;
  const { bavail, bsize } = await fs.promises.statfs(path.dirname(file));
  return bavail * bsize;
}
