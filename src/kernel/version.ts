import fs from 'node:fs';
import path from 'node:path';

/** What runs: the version of package.json and, where it is known, the commit. */
export interface Build {
  version: string;
  /** The first digits of the commit. */
  commit: string | undefined;
}

const DIGITS = 12;

/**
 * Reads what is in a folder of the program. The commit is what a clone of the repository has checked out; an image has
 * no repository, and a file `commit` that its build may write.
 */
export function buildIn(root: string): Build {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const commit = textOf(path.join(root, 'commit')) ?? headOf(path.join(root, '.git'));
  return { version, commit: /^[0-9a-f]{40}/.exec(commit ?? '')?.[0].slice(0, DIGITS) };
}

function headOf(git: string): string | undefined {
  const head = textOf(path.join(git, 'HEAD'));
  const [, ref] = /^ref: (.+)$/.exec(head ?? '') ?? [];
  if (ref === undefined) return head;
  const packed = textOf(path.join(git, 'packed-refs'))?.split('\n');
  return textOf(path.join(git, ref)) ?? packed?.find((line) => line.endsWith(` ${ref}`));
}

function textOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** What this process runs: files that change later belong to the next start. */
export const BUILD = buildIn(path.join(import.meta.dirname, '../..'));
