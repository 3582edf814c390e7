import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { pruneCompiled } from '#kernel/after-start.ts';
import { DAY, dateOf, systemClock } from '#kernel/clock.ts';

test('compiled code that no start has read for a month is deleted, and nothing else', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compiled-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const put = (name: string, { read, written }: { read: number; written: number }) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '');
    fs.utimesSync(file, dateOf(systemClock() - read * DAY), dateOf(systemClock() - written * DAY));
  };
  const old = { read: 31, written: 31 };
  put('v26.10.0-x64-310b2ce3-1000/0a1b2c3d', old);
  put('v26.10.0-x64-310b2ce3-1000/a note', old);
  put('v26.10.0-x64-310b2ce3-1000/00000001', { read: 1, written: 90 });
  put('v24.1.0-x64-bbbbbbbb-1000/00000002', old);
  put('v1.2.3-old/00000003', old);
  put('letters/of the operator', old);
  put('notes.txt', old);

  await pruneCompiled(path.join(folder, 'v26.10.0-x64-310b2ce3-1000'));

  const left = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(
    left
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['00000001', '00000003', 'a note', 'notes.txt', 'of the operator']);
});

test('memory is released without a word on the terminal, and warnings work afterwards', async () => {
  const module = path.join(import.meta.dirname, '../../src/kernel/after-start.ts');
  const script = `
    import { releaseMemory } from ${JSON.stringify(module)};
    releaseMemory();
    console.log(typeof globalThis.gc);
    process.emitWarning('a later one');`;

  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ]);

  expect(stdout).toBe('undefined\n');
  expect(stderr).toMatch(/^\(node:\d+\) Warning: a later one\n/);
  expect(stderr).not.toContain('ExperimentalWarning');
});
