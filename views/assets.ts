import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder whose files are served under /assets/<version>/. */
export const ASSETS_DIR = join(import.meta.dirname, 'assets');

/** Changes when any asset does, so that every address can be cached for ever. */
export const ASSET_VERSION = digest(ASSETS_DIR);

/** Changes when any page or asset does: an open screen that was made by another build loads itself anew. */
export const BUILD_ID = digest(import.meta.dirname);

/** The address of a file in views/assets, or of a font as `fonts/<file>`. */
export function asset(name: string): string {
  return `/assets/${ASSET_VERSION}/${name}`;
}

function digest(dir: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(name.slice(dir.length)).update('\0').update(readFileSync(name)).update('\0');
  }
  return hash.digest('hex').slice(0, 12);
}
