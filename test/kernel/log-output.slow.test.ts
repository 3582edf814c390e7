import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { INHERITED, startUnheard, tempFolder } from '#test/support/process/process.ts';

const LOG = pathToFileURL(path.join(import.meta.dirname, '../../src/kernel/log.ts')).href;
const LINES = 30_000;

/** A program that logs more than a pipe and the lines that wait hold, and then one more when it is told to. */
const PROGRAM = `
import { createLog } from '${LOG}';
const log = createLog({ LOG_LEVEL: 'info' });
for (let number = 0; number < ${LINES}; number++) log.info({ number }, 'x'.repeat(100));
process.send('logged');
process.on('message', () => process.disconnect());
`;

function logging(stdout: number | 'pipe') {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: path.join(import.meta.dirname, '../..'),
    env: INHERITED,
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('a reader that stands still holds nothing up; what it missed is counted once it reads again', async () => {
  const child = logging('pipe');
  // Nothing is read until everything was logged.
  await once(child, 'message');
  const [log] = await Promise.all([text(child.stdout!), once(child, 'exit'), child.send('end')]);

  const lines = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = lines.filter(({ lost }) => lost !== undefined);
  expect(told).toMatchObject([{ level: 50, lost: expect.any(Number) }]);
  expect(lines.length - 1 + told[0].lost).toBe(LINES);
  const numbers = lines.flatMap(({ number }) => number ?? []);
  expect(numbers).toEqual(numbers.map((_, index) => index));
});

test('a full disk ends nothing', async () => {
  const full = fs.openSync('/dev/full', 'w');
  onTestFinished(() => fs.closeSync(full));
  const child = logging(full);
  const stderr = text(child.stderr!);
  await once(child, 'message');
  child.send('end');

  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await stderr).toBe('');
});

test('a service whose output goes to a full disk answers, also to what it warns about, and stops', async () => {
  const folder = tempFolder();
  fs.writeFileSync(path.join(folder, '.env'), 'this is no assignment\n');
  const service = await startUnheard(folder, '/dev/full');

  for (let asked = 0; asked < 200; asked++)
    expect((await fetch(`${service.url}/nothing/${asked}`)).status).toBe(404);
  const health = await fetch(`${service.url}/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }]);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
