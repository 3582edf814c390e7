import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { INHERITED } from './process.ts';
import { runScript } from './script-runner.ts';

const SCRIPT = path.join(import.meta.dirname, '../../../scripts/recount.ts');

/**
 * Counts an election as `npm run recount` does.
 * @param file its content: text, or a value that is written as JSON
 */
export async function recount(file: unknown): Promise<{ code: number; out: string }> {
  using folder = fs.mkdtempDisposableSync(path.join(os.tmpdir(), 'recount-'));
  const name = path.join(folder.path, 'file.json');
  fs.writeFileSync(name, typeof file === 'string' ? file : JSON.stringify(file));
  const run = { script: SCRIPT, args: [name], cwd: os.tmpdir(), env: INHERITED };
  const { code, stdout, stderr } = await runScript(run);
  return { code, out: stdout + stderr };
}
