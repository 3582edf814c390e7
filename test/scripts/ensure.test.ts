import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '#test/support/process.ts';

test('the runtime is put where npm looks for it, also by a version of npm that makes no link', () => {
  const root = tempFolder();
  const put = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  const stamp = createHash('sha256').update('{}').digest('hex');
  const runtime = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  put(
    'scripts/ensure.cjs',
    fs.readFileSync(path.join(import.meta.dirname, '../../scripts/ensure.cjs'), 'utf8'),
  );
  put('package-lock.json', '{}');
  put('node_modules/.lock-sha256', stamp);
  put(runtime, 'the runtime');

  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/ensure.cjs')], {
    encoding: 'utf8',
    env: {},
  });

  expect([status, stderr]).toEqual([0, '']);
  expect(fs.readFileSync(path.join(root, 'node_modules/.bin/node'), 'utf8')).toBe('the runtime');
  expect(fs.statSync(path.join(root, runtime)).mode & 0o111).toBe(0o111);
});
