import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '#test/support/process/process.ts';

const RUNTIME = `node_modules/node-${process.platform}-${process.arch}/bin/node`;

/** Creates a clone in which nothing is installed. */
function clone() {
  const root = tempFolder();
  const put = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  put(
    'scripts/ensure.cjs',
    fs.readFileSync(path.join(import.meta.dirname, '../../scripts/ensure.cjs'), 'utf8'),
  );
  put('package-lock.json', '{}');
  const ensure = (env = {}) =>
    spawnSync(process.execPath, [path.join(root, 'scripts/ensure.cjs')], { encoding: 'utf8', env });
  return { root, put, ensure };
}

test('the runtime is put where npm looks for it, also if npm created no link', () => {
  const { root, put, ensure } = clone();
  put('node_modules/.lock-sha256', createHash('sha256').update('{}').digest('hex'));
  put(RUNTIME, 'the runtime');

  const { status, stderr } = ensure();

  expect([status, stderr]).toEqual([0, '']);
  expect(fs.readFileSync(path.join(root, 'node_modules/.bin/node'), 'utf8')).toBe('the runtime');
  expect(fs.statSync(path.join(root, RUNTIME)).mode & 0o111).toBe(0o111);
});

test('missing packages are installed once, by the running npm, without running install scripts', () => {
  const { root, put, ensure } = clone();
  put(
    'npm.cjs',
    `const fs = require('fs');
     fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
     fs.mkdirSync('${path.dirname(RUNTIME)}', { recursive: true });
     fs.writeFileSync('${RUNTIME}', 'the runtime');`,
  );
  const npm = { npm_execpath: path.join(root, 'npm.cjs') };

  expect([ensure(npm).status, ensure(npm).status]).toEqual([0, 0]);

  const calls = fs.readFileSync(path.join(root, 'calls'), 'utf8').trim().split('\n');
  expect(calls).toEqual([expect.stringMatching(/^ci .*--ignore-scripts/)]);
  expect(fs.readFileSync(path.join(root, 'node_modules/.bin/node'), 'utf8')).toBe('the runtime');
});
